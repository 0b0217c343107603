//! Websites that a test serves, each on a loopback address of its own: they say what they are told to, when they are told to.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex};

use canvass::listing::Listing;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

use super::listing;

/// What the home page of a website holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Home {
    /// An email address.
    Email,
    /// Words.
    Words,
    /// Nothing until it is told what.
    Wait,
}

/// Websites, one for each listing.
pub struct Sites {
    port: u16,
    homes: Arc<Vec<watch::Sender<Home>>>,
    /// Which home pages were asked for, in order.
    asked: Arc<Mutex<Vec<usize>>>,
}

impl Sites {
    pub async fn serve(homes: impl IntoIterator<Item = Home>) -> Sites {
        let listener = TcpListener::bind((Ipv4Addr::UNSPECIFIED, 0)).await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let homes: Arc<Vec<_>> = Arc::new(homes.into_iter().map(|home| watch::channel(home).0).collect());
        let sites = Sites { port, homes: homes.clone(), asked: Arc::default() };
        let asked = sites.asked.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(answer(stream, homes.clone(), asked.clone()));
            }
        });
        sites
    }

    fn address(&self, number: usize) -> SocketAddr {
        (Ipv4Addr::new(127, 0, 7, u8::try_from(number + 1).unwrap()), self.port).into()
    }

    /// A listing for each website.
    pub fn listings(&self) -> Vec<Listing> {
        let with_site =
            |number| Listing { website: Some(format!("http://{}/", self.address(number))), ..listing(number) };
        (0..self.homes.len()).map(with_site).collect()
    }

    /// Where they are served, for the reader to be allowed there.
    pub fn addresses(&self) -> Vec<SocketAddr> {
        (0..self.homes.len()).map(|number| self.address(number)).collect()
    }

    /// Tells a website that waits what to say.
    pub fn set(&self, number: usize, home: Home) {
        self.homes[number].send_replace(home);
    }

    /// How often a home page was asked for.
    pub fn asked(&self, number: usize) -> usize {
        self.asked.lock().unwrap().iter().filter(|asked| **asked == number).count()
    }
}

async fn answer(mut stream: TcpStream, homes: Arc<Vec<watch::Sender<Home>>>, asked: Arc<Mutex<Vec<usize>>>) {
    let SocketAddr::V4(local) = stream.local_addr().unwrap() else { return };
    let number = usize::from(local.ip().octets()[3]) - 1;
    let mut request = [0; 4096];
    let length = stream.read(&mut request).await.unwrap_or(0);
    let mut body = None;
    if request[..length].starts_with(b"GET / ") {
        asked.lock().unwrap().push(number);
        let mut home = homes[number].subscribe();
        let Ok(home) = home.wait_for(|home| *home != Home::Wait).await else { return };
        body = Some(match *home {
            Home::Email => format!("<p>Write to joe@business{number}-plumbing.com</p>"),
            _ => "<p>We fix pipes.</p>".to_owned(),
        });
    }
    let status = if body.is_some() { "200 OK" } else { "404 Not Found" };
    let body = body.unwrap_or_default();
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: text/html\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    );
    let _ = stream.write_all((head + &body).as_bytes()).await;
}
