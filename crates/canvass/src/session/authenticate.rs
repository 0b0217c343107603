//! Authentication by session: from a token to its account, both as they are at this moment.

use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt;
use futures::future::BoxFuture;

use super::{AuthenticatedSession, IDLE_SECONDS_MAX, SessionLookup, SessionToken, Sessions, store};
use crate::clock::Clock;
use crate::db::{Coalesce, Db};
use crate::ids::SessionId;

/// "Last seen" is accurate to the minute; a busy page would otherwise write all the time.
const LAST_SEEN_STEP_SECONDS: i64 = 60;
/// How long a request waits for "last seen" to be written before it goes on without.
const NOTE_WAIT_MAX: Duration = Duration::from_millis(250);

/// Looks sessions up in the database. Nothing is cached: a session that was ended is refused from the next request on.
#[derive(Debug)]
pub struct StoredSessions {
    db: Db,
    clock: Arc<dyn Clock>,
    reads: Coalesce<SessionToken, SessionLookup>,
}

impl StoredSessions {
    /// Looks sessions up in this database.
    pub fn new(db: Db, clock: Arc<dyn Clock>) -> Self {
        let (reader, time) = (db.clone(), clock.clone());
        let reads = Coalesce::new(move |token: SessionToken| {
            let (db, now) = (reader.clone(), time.now());
            async move {
                let found = store::authenticate(&db, &token.hash(), now).await;
                found.map(|found| found.map(Arc::new)).map_err(Arc::new)
            }
        });
        StoredSessions { db, clock, reads }
    }

    /// Moves "last seen" and with it the end of the session.
    async fn note_use(&self, found: &AuthenticatedSession) {
        let now = self.clock.now();
        let stale = now.plus_seconds(-LAST_SEEN_STEP_SECONDS);
        if found.last_seen_at > stale {
            return;
        }
        // Spawned, so that a client that hangs up does not cancel a transaction half-way.
        let (db, session) = (self.db.clone(), found.session);
        let noting = tokio::spawn(async move {
            let mut tx = db.begin().await?;
            store::touch(&mut tx, session, now, now.plus_seconds(IDLE_SECONDS_MAX)).await?;
            tx.commit().await
        });
        if let Ok(Ok(Err(error))) = tokio::time::timeout(NOTE_WAIT_MAX, noting).await {
            tracing::warn!(error = &error as &dyn std::error::Error, "could not note the use of a session");
        }
    }
}

impl Sessions for StoredSessions {
    fn authenticate<'a>(&'a self, token: &'a SessionToken) -> BoxFuture<'a, SessionLookup> {
        async move {
            let answer = self.reads.ask(token.clone()).await;
            let found = answer.unwrap_or_else(|| Err(Arc::new(sqlx::Error::PoolClosed.into())))?;
            if let Some(found) = &found {
                self.note_use(found).await;
            }
            Ok(found)
        }
        .boxed()
    }

    fn find_open(&self, session: SessionId) -> BoxFuture<'_, SessionLookup> {
        async move {
            let found = store::find_open(&self.db, session, self.clock.now()).await;
            found.map(|found| found.map(Arc::new)).map_err(Arc::new)
        }
        .boxed()
    }
}
