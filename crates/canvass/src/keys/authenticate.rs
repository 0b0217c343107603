//! Tells who is at the door: from a key to its account, as they are at this moment.

use std::sync::Arc;
use std::time::Duration;

use super::{SecretKey, store};
use crate::account::Account;
use crate::clock::{Clock, Moment};
use crate::db::{Coalesce, Db, DbError};
use crate::ids::KeyId;

/// "Last used" is kept to the minute: a busy key would otherwise be one long write.
const LAST_USED_STEP_SECONDS: i64 = 60;
/// Noting the use of a key must never hold up the request that used it.
const NOTE_WAIT_MAX: Duration = Duration::from_millis(250);

/// A working key and the account it belongs to.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct AuthenticatedKey {
    /// Which key.
    #[sqlx(rename = "key_id", try_from = "String")]
    pub key: KeyId,
    /// When it was last used before now.
    #[sqlx(rename = "key_last_used_at")]
    pub last_used_at: Option<Moment>,
    /// Whose it is.
    #[sqlx(flatten)]
    pub account: Account,
}

type Answer = Result<Option<Arc<AuthenticatedKey>>, Arc<DbError>>;

/// Recognises keys. Nothing is cached: a revoked key is refused from the next request on.
#[derive(Debug)]
pub struct Authenticator {
    db: Db,
    clock: Arc<dyn Clock>,
    reads: Coalesce<String, Answer>,
}

impl Authenticator {
    /// Recognises keys of this database.
    pub fn new(db: Db, clock: Arc<dyn Clock>) -> Self {
        let reader = db.clone();
        let reads = Coalesce::new(move |hash: String| {
            let db = reader.clone();
            async move { store::authenticate(&db, &hash).await.map(|found| found.map(Arc::new)).map_err(Arc::new) }
        });
        Authenticator { db, clock, reads }
    }

    /// Who this key belongs to; nobody when it is unknown or revoked.
    pub async fn authenticate(&self, key: &SecretKey) -> Answer {
        let answer = self.reads.ask(key.hash()).await;
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
        // A task of its own, so that a client that hangs up does not cancel a transaction half-way.
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
