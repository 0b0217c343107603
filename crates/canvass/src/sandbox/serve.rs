//! Serves the world's websites on a loopback port: to the reader of this process, and to browsers on this machine.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;

use super::{ANY_PORT, Sandbox};
use crate::db::Db;

/// How soon a browser sees that the world has become older.
const AGE_FOLLOWED_EVERY: Duration = Duration::from_secs(2);

/// Begins to serve on this port, or on any other when that one is taken, and says where. It ends with the process.
pub(super) async fn begin(sandbox: Arc<Sandbox>, db: Db, port: u16) -> std::io::Result<SocketAddr> {
    let listener = match TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await {
        Ok(listener) => listener,
        Err(_) if port != ANY_PORT => TcpListener::bind((Ipv4Addr::LOCALHOST, ANY_PORT)).await?,
        Err(error) => return Err(error),
    };
    let address = listener.local_addr()?;
    let (world, age) = (sandbox.world.clone(), sandbox.age.clone());
    // The age is looked up before a site is read, not for each of its pages.
    sandbox.age(&db).await;
    let age = Arc::new(move || age.load(std::sync::atomic::Ordering::Relaxed));
    tokio::spawn(::sandbox::serve(listener, world, age, std::future::pending()));
    Ok(address)
}

/// Looks the world's age up from time to time, for browsers. It ends with the process.
pub(super) fn follow_age(sandbox: Arc<Sandbox>, db: Db) {
    tokio::spawn(async move {
        loop {
            sandbox.age(&db).await;
            tokio::time::sleep(AGE_FOLLOWED_EVERY).await;
        }
    });
}
