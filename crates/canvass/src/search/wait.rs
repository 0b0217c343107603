//! Waits for a search to progress. Its leads are not read: a waiter only needs the search's status.

use std::sync::Arc;

use super::Search;
use crate::app::App;
use crate::db::DbError;
use crate::ids::SearchId;
use crate::jobs::Subscription;
use crate::owned::Owned;

/// Waits for one search. Dropping it ends the wait.
#[derive(Debug)]
pub struct Waiter {
    app: App,
    search: SearchId,
    listener: Subscription,
}

/// Waits for a search of the caller's account.
pub fn wait(app: &App, search: &Owned<Search>) -> Waiter {
    Waiter { app: app.clone(), search: search.id, listener: app.bell.listen(search.id) }
}

impl Waiter {
    /// The search as it is now. Concurrent callers share one read.
    pub async fn look(&self) -> Result<Option<Search>, Arc<DbError>> {
        self.app.reads.search(self.search).await
    }

    /// Resolves when the search has changed since the last call.
    pub async fn moved(&mut self) {
        self.listener.rung().await;
    }
}
