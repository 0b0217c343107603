//! A current copy of the list in each process. Whether it is current is asked at most once a second, by one row.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::Mutex;

use super::{SuppressedSet, store};
use crate::db::{Db, DbError};

/// How long the list is believed to be unchanged.
const BELIEVED: Duration = Duration::from_secs(1);

/// The list as this process knows it.
#[derive(Debug)]
pub struct Suppressions {
    db: Db,
    known: Mutex<Option<Known>>,
}

#[derive(Clone, Debug)]
struct Known {
    at: Instant,
    revision: i64,
    set: Arc<SuppressedSet>,
}

impl Suppressions {
    /// Asks nothing of the database yet.
    pub fn new(db: Db) -> Suppressions {
        Suppressions { db, known: Mutex::default() }
    }

    /// The list, at most a second old. An error means that nobody may be read: whether they are on it is not known.
    pub async fn current(&self) -> Result<Arc<SuppressedSet>, DbError> {
        let mut known = self.known.lock().await;
        if let Some(known) = known.as_ref().filter(|known| known.at.elapsed() < BELIEVED) {
            return Ok(known.set.clone());
        }
        let at = Instant::now();
        // Before the entries: a change between the two reads is seen the next time.
        let revision = store::revision(&self.db).await?;
        let set = match known.as_ref().filter(|known| known.revision == revision) {
            Some(known) => known.set.clone(),
            None => Arc::new(store::entries(&self.db).await?.into_iter().collect()),
        };
        *known = Some(Known { at, revision, set: set.clone() });
        Ok(set)
    }

    /// Has the list read again: this process has changed it.
    pub(crate) async fn forget(&self) {
        *self.known.lock().await = None;
    }
}
