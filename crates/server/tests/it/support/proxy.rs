//! A proxy in front of PostgreSQL that loses the reply to a COMMIT: the server has committed, the client never hears of it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};

/// A proxy on the loopback.
#[derive(Debug)]
pub struct Proxy {
    pub port: u16,
    /// How many COMMITs pass until one is the last its connection sends; below one: all pass.
    commits: Arc<AtomicI64>,
}

impl Proxy {
    /// In front of the PostgreSQL at this address. It lives as long as the test's process.
    pub async fn to(host: String, port: u16) -> &'static Proxy {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let commits = Arc::new(AtomicI64::new(0));
        let proxy = Proxy { port: listener.local_addr().unwrap().port(), commits: commits.clone() };
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let server = TcpStream::connect((host.as_str(), port)).await.unwrap();
                tokio::spawn(connection(client, server, commits.clone()));
            }
        });
        Box::leak(Box::new(proxy))
    }

    /// Has the reply to the `nth` COMMIT from now on lost, with its connection.
    pub fn lose_reply_to_commit(&self, nth: i64) {
        self.commits.store(nth, Ordering::SeqCst);
    }

    /// Lets everything pass again. `false` when there were fewer COMMITs: no reply was lost.
    pub fn let_pass(&self) -> bool {
        self.commits.swap(0, Ordering::SeqCst) <= 0
    }
}

async fn connection(client: TcpStream, server: TcpStream, commits: Arc<AtomicI64>) {
    let (from_client, to_client) = client.into_split();
    let (from_server, to_server) = server.into_split();
    let swallow = AtomicBool::new(false);
    // Whichever way ends first, both connections are dropped with it.
    tokio::select! {
        _ = forth(from_client, to_server, &commits, &swallow) => {}
        _ = back(from_server, to_client, &swallow) => {}
    }
}

/// Passes on what the client says, message by message, and marks the COMMIT whose reply is to be lost.
async fn forth(
    mut client: OwnedReadHalf,
    mut server: OwnedWriteHalf,
    commits: &AtomicI64,
    swallow: &AtomicBool,
) -> std::io::Result<()> {
    // The first message has no kind, only a length.
    let mut kind = None;
    loop {
        let length = client.read_u32().await?;
        let mut body = vec![0; length as usize - 4];
        client.read_exact(&mut body).await?;
        let is_commit = kind == Some(b'Q') && body.to_ascii_uppercase().starts_with(b"COMMIT");
        if is_commit && commits.fetch_sub(1, Ordering::SeqCst) == 1 {
            swallow.store(true, Ordering::SeqCst);
        }
        let mut message: Vec<u8> = kind.into_iter().collect();
        message.extend(length.to_be_bytes());
        message.extend(body);
        server.write_all(&message).await?;
        kind = Some(client.read_u8().await?);
    }
}

/// Passes on what the server says, until it is the reply that is to be lost.
async fn back(mut server: OwnedReadHalf, mut client: OwnedWriteHalf, swallow: &AtomicBool) -> std::io::Result<()> {
    let mut piece = [0; 8192];
    loop {
        let count = server.read(&mut piece).await?;
        if count == 0 || swallow.load(Ordering::SeqCst) {
            return Ok(());
        }
        client.write_all(&piece[..count]).await?;
    }
}
