//! Authentication by API key: from a key to its account, both as they are at this moment.

use std::sync::Arc;
use std::time::Duration;

use super::{AuthenticatedKey, SecretKey, store};
use crate::clock::Clock;
use crate::db::{Coalesce, Db, DbError};

/// "Last used" is accurate to the minute; a busy key would otherwise write all the time.
const LAST_USED_STEP_SECONDS: i64 = 60;
/// How long a request waits for "last used" to be written before it goes on without.
const NOTE_WAIT_MAX: Duration = Duration::from_millis(250);

type KeyLookup = Result<Option<Arc<AuthenticatedKey>>, Arc<DbError>>;

/// Looks up API keys. Nothing is stale: a revoked key is refused from the next request on.
#[derive(Debug)]
pub struct Authenticator {
    db: Db,
    clock: Arc<dyn Clock>,
    reads: Coalesce<SecretKey, KeyLookup>,
}

impl Authenticator {
    /// Looks keys up in this database.
    pub fn new(db: Db, clock: Arc<dyn Clock>) -> Self {
        let reader = db.clone();
        let reads = Coalesce::keeping(&db, move |key: SecretKey| {
            let db = reader.clone();
            async move { store::authenticate(&db, &key.hash()).await.map(|found| found.map(Arc::new)).map_err(Arc::new) }
        });
        Authenticator { db, clock, reads }
    }

    /// The key's account; `None` when the key is unknown or revoked.
    pub async fn authenticate(&self, key: &SecretKey) -> KeyLookup {
        let answer = self.reads.ask(key.clone()).await;
        let found = answer.unwrap_or_else(|| Err(Arc::new(sqlx::Error::PoolClosed.into())))?;
        if let Some(authenticated) = &found {
            self.note_use(authenticated).await;
        }
        Ok(found)
    }

    async fn note_use(&self, authenticated: &AuthenticatedKey) {
        let now = self.clock.now();
        let stale = now.plus_seconds(-LAST_USED_STEP_SECONDS);
        if authenticated.last_used_at.is_some_and(|last| last > stale) {
            return;
        }
        // Spawned, so that a client that hangs up does not cancel a transaction half-way.
        let (db, key) = (self.db.clone(), authenticated.key);
        let noting = tokio::spawn(async move {
            let mut tx = db.begin().await?;
            store::touch(&mut tx, key, now, stale).await?;
            tx.commit().await
        });
        if let Ok(Ok(Err(error))) = tokio::time::timeout(NOTE_WAIT_MAX, noting).await {
            tracing::warn!(error = &error as &dyn std::error::Error, "could not note the use of a key");
        }
    }
}
