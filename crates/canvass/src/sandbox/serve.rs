//! Serves the world's websites on a loopback port: to the reader of this process, and to browsers on this machine.

use std::io;
use std::net::Ipv4Addr;
use std::sync::Arc;
use std::time::Duration;

use ::sandbox::{Authority, Observer, SecureSites, Weather};
use tokio::net::TcpListener;

use super::{ANY_PORT, Certificate, Sandbox, Sites};
use crate::db::Db;

/// How soon a browser sees that the world has become older.
const AGE_FOLLOWED_EVERY: Duration = Duration::from_secs(2);

/// Begins to serve on this port, or on any other when that one is taken, and says where. It ends with the process.
pub(super) async fn begin(sandbox: Arc<Sandbox>, db: Db, port: u16, observer: Option<Observer>) -> io::Result<Sites> {
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
    if world.weather() == Weather::Calm {
        tokio::spawn(::sandbox::serve(listener, world, age, std::future::pending()));
        return Ok(Sites { address, authority: None });
    }
    let authority = Authority::new().map_err(io::Error::other)?;
    let mut sites = SecureSites::new(world, age, &authority).map_err(io::Error::other)?;
    if let Some(observer) = observer {
        sites = sites.observed_by(observer);
    }
    tokio::spawn(sites.serve(listener, std::future::pending()));
    Ok(Sites { address, authority: Some(Certificate { der: authority.der().to_vec(), pem: authority.pem() }) })
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
