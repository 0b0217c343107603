//! A database that several processes share, and the time they think it is.

use std::path::Path;
use std::sync::Arc;

use canvass::App;
use canvass::app::Ports;
use canvass::clock::{Clock, SetClock, SystemClock};
use canvass::config::Settings;
use canvass::db::{self, Db};

use super::{Binary, On, fresh_schema_url};

/// Where things are stored, as several processes see it. Whoever dies lets go of a search after a second.
pub struct Stored {
    pub binary: Binary,
    pub url: Option<String>,
}

impl Stored {
    pub async fn new(on: On) -> Stored {
        let url = match on {
            On::Sqlite => None,
            On::Postgres | On::Behind(_) => Some(fresh_schema_url().await),
        };
        let binary = Binary::new().set("CANVASS_LEASE_SECONDS", "1");
        let binary = match &url {
            Some(url) => binary.set("CANVASS_DATABASE_URL", url),
            None => binary,
        };
        Stored { binary, url }
    }

    pub async fn db(&self) -> Db {
        opened(self.url.as_deref(), &self.binary.data()).await
    }

    /// An application of this process, with a clock of its own.
    pub async fn app(&self, ports: Ports) -> App {
        let settings = Settings { data: self.binary.data(), lease_seconds: 1, ..Settings::default() };
        App::new(self.db().await, settings, ports)
    }
}

/// A database with the schema of today.
pub async fn opened(url: Option<&str>, data: &Path) -> Db {
    let db = db::open(url, data).await.unwrap();
    db::migrate(&db, data).await.unwrap();
    db
}

/// A clock that is so many seconds ahead: whoever goes by it finds leases run out.
pub fn ahead(seconds: i64) -> Arc<SetClock> {
    Arc::new(SetClock::at(SystemClock.now().plus_seconds(seconds)))
}
