//! The sandbox inside this process: how old its world is, and where its websites are served.
//!
//! A website's address names a port on which a person can open it in a browser: the one this server listens on when only
//! this machine reaches it, else the next one, on a loopback address. The reader reaches every one of them at a private
//! port of its own process, whatever port the address names. So several servers, a worker without a server, and a restart
//! on another port do not disturb each other. Where `sandbox_sites` names another process that serves them, this one does not.
//!
//! In the weather of the web (`sandbox_weather`) they are served over HTTPS, on a port of their own.

mod advance;
mod serve;
mod store;

pub use advance::advance;
pub use store::age;

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU16, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use ::sandbox::{Observer, Weather, World};
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use tokio::sync::OnceCell;

use crate::config::Settings;
use crate::db::{Db, DbError};

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
    elsewhere: Option<Elsewhere>,
    sites: OnceCell<Sites>,
}

/// Where the websites are served to readers.
#[derive(Clone, Debug)]
pub struct Sites {
    /// The address of their server, whatever port their own addresses name.
    pub address: SocketAddr,
    /// The certificate authority that vouches for them, when they are served over HTTPS.
    pub authority: Option<Certificate>,
}

/// A certificate in both of its forms.
#[derive(Clone, Debug)]
pub struct Certificate {
    /// For readers of ours.
    pub der: Vec<u8>,
    /// For other programs.
    pub pem: String,
}

/// Another process that serves the websites.
#[derive(Debug)]
struct Elsewhere {
    address: SocketAddr,
    /// The file with the certificate of its authority.
    ca: Option<PathBuf>,
}

impl Sandbox {
    /// The world, its websites addressed by the port that the settings listen on.
    pub fn new(settings: &Settings) -> Sandbox {
        let ca = settings.sandbox_ca.clone();
        let elsewhere = settings.sandbox_sites.map(|address| Elsewhere { address, ca });
        let sandbox = Sandbox {
            world: World::new(SEED).in_weather(settings.sandbox_weather),
            port: AtomicU16::new(0),
            shares_port: settings.is_private() && settings.sandbox_weather == Weather::Calm && elsewhere.is_none(),
            age: Arc::default(),
            looked: Mutex::new(None),
            elsewhere,
            sites: OnceCell::new(),
        };
        sandbox.listens_on(settings.listen.port());
        sandbox
    }

    /// Says on which port the server listens, which tells where a browser reaches the websites.
    pub fn listens_on(&self, port: u16) {
        let port = match &self.elsewhere {
            Some(elsewhere) => elsewhere.address.port(),
            None if self.shares_port => port,
            None => port.checked_add(1).unwrap_or_default(),
        };
        self.port.store(port, Ordering::Relaxed);
    }

    /// Whether the websites are on the server's own port.
    pub fn shares_port(&self) -> bool {
        self.shares_port
    }

    /// The address of a website.
    pub fn address(&self, host: &str) -> String {
        let weather = self.world.weather();
        match (weather, self.port.load(Ordering::Relaxed)) {
            (Weather::Calm, 80) | (Weather::Web, 443) => format!("{}://{host}/", weather.scheme()),
            (_, port) => format!("{}://{host}:{port}/", weather.scheme()),
        }
    }

    /// The world's age in steps, read again after a short while. The last known one when the database does not answer.
    pub async fn age(&self, db: &Db) -> u32 {
        self.look_up_age(db).await.unwrap_or_else(|_| self.age.load(Ordering::Relaxed))
    }

    /// The same, and an error when the database does not answer: for those who compare the world with what it was before.
    pub async fn look_up_age(&self, db: &Db) -> Result<u32, DbError> {
        let fresh = |looked: Option<Instant>| looked.is_some_and(|looked| looked.elapsed() < AGE_BELIEVED);
        if !fresh(*self.looked.lock().unwrap_or_else(PoisonError::into_inner)) {
            self.age.store(store::age(db).await?, Ordering::Relaxed);
            *self.looked.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
        }
        Ok(self.age.load(Ordering::Relaxed))
    }

    /// Where the reader of this process reaches the websites; begins to serve them, when nobody does yet.
    pub async fn sites(self: &Arc<Self>, db: &Db) -> io::Result<&Sites> {
        self.sites
            .get_or_try_init(|| async {
                match &self.elsewhere {
                    Some(elsewhere) => elsewhere.sites(),
                    None => serve::begin(self.clone(), db.clone(), ANY_PORT, None).await,
                }
            })
            .await
    }

    /// Serves the websites to browsers on this machine, where the server does not do so on its own port.
    pub async fn serve_to_browsers(self: &Arc<Self>, db: &Db) -> io::Result<()> {
        if self.shares_port || self.elsewhere.is_some() {
            return Ok(());
        }
        let wanted = self.port.load(Ordering::Relaxed);
        let sites = self.sites.get_or_try_init(|| serve::begin(self.clone(), db.clone(), wanted, None)).await?;
        self.port.store(sites.address.port(), Ordering::Relaxed);
        tracing::info!("the sandbox's websites are served on {}, for browsers on this machine", sites.address);
        serve::follow_age(self.clone(), db.clone());
        Ok(())
    }

    /// Serves the websites to other processes on this machine, on this port or any other, and tells `observer` of every request
    /// in the weather of the web.
    pub async fn serve_to_others(
        self: &Arc<Self>,
        db: &Db,
        port: u16,
        observer: Option<Observer>,
    ) -> io::Result<&Sites> {
        let sites = self.sites.get_or_try_init(|| serve::begin(self.clone(), db.clone(), port, observer)).await?;
        serve::follow_age(self.clone(), db.clone());
        Ok(sites)
    }
}

impl Elsewhere {
    fn sites(&self) -> io::Result<Sites> {
        let authority = self.ca.as_ref().map(|path| Certificate::of(std::fs::read_to_string(path)?)).transpose()?;
        Ok(Sites { address: self.address, authority })
    }
}

impl Certificate {
    fn of(pem: String) -> io::Result<Certificate> {
        let der =
            CertificateDer::from_pem_slice(pem.as_bytes()).map_err(|error| io::Error::other(error.to_string()))?;
        Ok(Certificate { der: der.to_vec(), pem })
    }
}
