//! Serves the world's websites to the reader of this process, on a private port.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use tokio::net::TcpListener;

use super::Sandbox;
use crate::db::Db;

/// Begins to serve, and says where. It ends with the process.
pub(super) async fn begin(sandbox: Arc<Sandbox>, db: Db) -> std::io::Result<SocketAddr> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
    let address = listener.local_addr()?;
    let (world, age) = (sandbox.world.clone(), sandbox.age.clone());
    // The age is looked up before a site is read, not for each of its pages.
    sandbox.age(&db).await;
    let age = Arc::new(move || age.load(std::sync::atomic::Ordering::Relaxed));
    tokio::spawn(::sandbox::serve(listener, world, age, std::future::pending()));
    Ok(address)
}
