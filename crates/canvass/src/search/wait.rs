//! Waits for a search to move on. Its leads are not read: whoever waits wants to know where it stands.

use std::sync::Arc;

use super::Search;
use crate::app::App;
use crate::db::DbError;
use crate::ids::SearchId;
use crate::jobs::Subscription;

/// Waits for one search. Dropping it ends the waiting.
#[derive(Debug)]
pub struct Waiter {
    app: App,
    search: SearchId,
    listener: Subscription,
}

/// Waits for a search, which the caller has made sure belongs to the account.
pub fn wait(app: &App, search: SearchId) -> Waiter {
    Waiter { app: app.clone(), search, listener: app.bell.listen(search) }
}

impl Waiter {
    /// Where the search stands. Those who ask at the same time share one read.
    pub async fn look(&self) -> Result<Option<Search>, Arc<DbError>> {
        self.app.reads.search(self.search).await
    }

    /// Done when the search has moved since the last time.
    pub async fn moved(&mut self) {
        self.listener.rung().await;
    }
}
