//! A network between the application and PostgreSQL that can fail: it drops everything, or cuts connections.

use std::net::SocketAddr;
use std::sync::Arc;

use sqlx::postgres::PgConnectOptions;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

/// What the network does with what it is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Network {
    /// Passes everything on.
    Works,
    /// Takes everything and passes nothing on, as behind a firewall that drops packets, or when the server hangs.
    Hangs,
    /// Cuts every connection, and refuses new ones.
    Cut,
}

/// The way to PostgreSQL, as a proxy on the loopback.
pub struct Link {
    port: u16,
    network: Arc<watch::Sender<Network>>,
}

impl Link {
    /// In front of the server these options name.
    pub async fn to(options: &PgConnectOptions) -> Link {
        let server: SocketAddr = format!("{}:{}", options.get_host(), options.get_port()).parse().unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let network = Arc::new(watch::channel(Network::Works).0);
        let sender = network.clone();
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                tokio::spawn(carry(client, server, sender.subscribe()));
            }
        });
        Link { port, network }
    }

    /// The same database, reached through the proxy.
    pub fn through(&self, options: PgConnectOptions) -> PgConnectOptions {
        options.host("127.0.0.1").port(self.port)
    }

    pub fn set(&self, network: Network) {
        self.network.send_replace(network);
    }
}

async fn carry(client: TcpStream, server: SocketAddr, mut network: watch::Receiver<Network>) {
    if *network.borrow() == Network::Cut {
        return;
    }
    let Ok(server) = TcpStream::connect(server).await else { return };
    let (mut from_client, mut to_client) = client.into_split();
    let (mut from_server, mut to_server) = server.into_split();
    let (mut sent, mut answered) = (vec![0; 64 * 1024], vec![0; 64 * 1024]);
    loop {
        tokio::select! {
            count = from_client.read(&mut sent) => {
                let Ok(count @ 1..) = count else { return };
                if !passable(&mut network).await {
                    return;
                }
                if to_server.write_all(&sent[..count]).await.is_err() {
                    return;
                }
            }
            count = from_server.read(&mut answered) => {
                let Ok(count @ 1..) = count else { return };
                if !passable(&mut network).await {
                    return;
                }
                if to_client.write_all(&answered[..count]).await.is_err() {
                    return;
                }
            }
            changed = network.changed() => {
                if changed.is_err() || *network.borrow() == Network::Cut {
                    return;
                }
            }
        }
    }
}

/// Waits while the network hangs. `false` when it is cut, or the test is over.
async fn passable(network: &mut watch::Receiver<Network>) -> bool {
    network.wait_for(|state| *state != Network::Hangs).await.is_ok_and(|state| *state != Network::Cut)
}
