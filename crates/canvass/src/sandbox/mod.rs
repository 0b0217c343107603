//! The sandbox inside this process: how old its world is, and where its websites are served.
//!
//! A website's address names a port on which a person can open it in a browser: the one this server listens on when only
//! this machine reaches it, else the next one, on a loopback address. The reader reaches every one of them at a private
//! port of its own process, whatever port the address names. So several servers, a worker without a server, and a restart
//! on another port do not disturb each other.

mod advance;
mod serve;
mod store;

pub use advance::advance;
pub use store::age;

use std::net::SocketAddr;
use std::sync::atomic::{AtomicU16, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use ::sandbox::World;
use tokio::sync::OnceCell;

use crate::config::Settings;
use crate::db::Db;

/// Seed of the world, the same in every installation.
pub const SEED: u64 = 20_261_115;
/// How long the age is cached.
const AGE_BELIEVED: Duration = Duration::from_millis(50);
/// Lets the system choose a port.
const ANY_PORT: u16 = 0;

/// The sandbox of one process.
#[derive(Debug)]
pub struct Sandbox {
    /// Its businesses and their websites.
    pub world: World,
    port: AtomicU16,
    /// Whether the websites are on the server's own port.
    shares_port: bool,
    age: Arc<AtomicU32>,
    looked: Mutex<Option<Instant>>,
    sites: OnceCell<SocketAddr>,
}

impl Sandbox {
    /// The world, its websites addressed by the port that the settings listen on.
    pub fn new(settings: &Settings) -> Sandbox {
        let sandbox = Sandbox {
            world: World::new(SEED),
            port: AtomicU16::new(0),
            shares_port: settings.is_private(),
            age: Arc::default(),
            looked: Mutex::new(None),
            sites: OnceCell::new(),
        };
        sandbox.listens_on(settings.listen.port());
        sandbox
    }

    /// Says on which port the server listens, which tells where a browser reaches the websites.
    pub fn listens_on(&self, port: u16) {
        let port = if self.shares_port { port } else { port.checked_add(1).unwrap_or_default() };
        self.port.store(port, Ordering::Relaxed);
    }

    /// The address of a website.
    pub fn address(&self, host: &str) -> String {
        match self.port.load(Ordering::Relaxed) {
            80 => format!("http://{host}/"),
            port => format!("http://{host}:{port}/"),
        }
    }

    /// The world's age in steps, read again after a short while.
    pub async fn age(&self, db: &Db) -> u32 {
        let fresh = |looked: Option<Instant>| looked.is_some_and(|looked| looked.elapsed() < AGE_BELIEVED);
        if !fresh(*self.looked.lock().unwrap_or_else(PoisonError::into_inner)) {
            // The age is not reset when the database does not answer.
            if let Ok(age) = store::age(db).await {
                self.age.store(age, Ordering::Relaxed);
            }
            *self.looked.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
        }
        self.age.load(Ordering::Relaxed)
    }

    /// Where this process serves the websites to its own reader; begins to, when it does not yet.
    pub async fn sites(self: &Arc<Self>, db: &Db) -> std::io::Result<SocketAddr> {
        self.sites.get_or_try_init(|| serve::begin(self.clone(), db.clone(), ANY_PORT)).await.copied()
    }

    /// Serves the websites to browsers on this machine, where the server does not do so on its own port.
    pub async fn serve_to_browsers(self: &Arc<Self>, db: &Db) -> std::io::Result<()> {
        if self.shares_port {
            return Ok(());
        }
        let wanted = self.port.load(Ordering::Relaxed);
        let address = self.sites.get_or_try_init(|| serve::begin(self.clone(), db.clone(), wanted)).await?;
        self.port.store(address.port(), Ordering::Relaxed);
        tracing::info!("the sandbox's websites are served on {address}, for browsers on this machine");
        serve::follow_age(self.clone(), db.clone());
        Ok(())
    }
}
