//! Everything a verb needs, built once: database, clock, chance, settings.

use std::ops::Deref;
use std::sync::Arc;

use crate::clock::{Clock, SystemClock};
use crate::config::Settings;
use crate::db::{self, Db, OpenError};
use crate::ids::{Ids, SystemIds};
use crate::keys::Doorman;

/// The application, cheap to clone.
#[derive(Clone, Debug)]
pub struct App(Arc<Parts>);

/// What an [`App`] is made of.
#[derive(Debug)]
pub struct Parts {
    /// Where everything is stored.
    pub db: Db,
    /// What time it is.
    pub clock: Arc<dyn Clock>,
    /// Where ids and chance come from.
    pub ids: Arc<dyn Ids>,
    /// What the operator wants.
    pub settings: Settings,
    /// Who a key belongs to.
    pub doorman: Doorman,
}

/// The application cannot start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// No database.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// A database of another version, or one that cannot be changed.
    #[error("the database schema cannot be brought up to date")]
    Migrate(#[from] sqlx::migrate::MigrateError),
}

impl App {
    /// Opens the database the settings name and brings its schema up to date.
    pub async fn start(settings: Settings) -> Result<App, StartError> {
        let url = settings.database_url.as_ref().map(|url| url.reveal());
        let db = db::open(url, &settings.data).await?;
        db::migrate(&db, &settings.data).await?;
        Ok(App::new(db, settings, Arc::new(SystemClock), Arc::new(SystemIds)))
    }

    /// Puts the parts together.
    pub fn new(db: Db, settings: Settings, clock: Arc<dyn Clock>, ids: Arc<dyn Ids>) -> App {
        let doorman = Doorman::new(db.clone(), clock.clone());
        App(Arc::new(Parts { db, clock, ids, settings, doorman }))
    }
}

impl Deref for App {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.0
    }
}
