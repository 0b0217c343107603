//! Stops a running search. Once this has returned, nothing more is delivered or charged.

use super::end::End;
use super::{Status, StoppedBecause, finish, store};
use crate::app::App;
use crate::clock::Moment;
use crate::db::DbError;
use crate::ids::{AccountId, SearchId};

/// The outcome of a request to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped {
    /// The search that was to be stopped.
    pub search: SearchId,
    /// Whether this request ended it.
    pub stopped: bool,
    /// Its status afterwards.
    pub status: Status,
    /// When it ended, by this stop or before it.
    pub ended_at: Option<Moment>,
}

impl Stopped {
    /// What happened, in a sentence or two. A client that lost the answer to its first stop learns from the second that the
    /// search was stopped, and when.
    pub fn detail(&self) -> String {
        let at = self.ended_at.map(|at| format!(" at {at}")).unwrap_or_default();
        let kept = "Leads delivered before are kept; nothing was delivered or charged after that";
        match self.status {
            _ if self.stopped => format!("This request stopped the search{at}. {kept}."),
            Status::Cancelled => format!("An earlier request had already stopped the search{at}. {kept}."),
            Status::Done => format!("The search had already ended by itself{at}; there was nothing to stop."),
            Status::Failed => format!("The search had already failed{at}; there was nothing to stop."),
            Status::Running => "The search is running.".to_owned(),
        }
    }
}

/// Stops a search of the account. `None` when it has no such search.
pub async fn stop(app: &App, account: AccountId, search: SearchId) -> Result<Option<Stopped>, DbError> {
    let mut tx = app.db.begin().await?;
    let Some(found) = store::find_in(&mut tx, account, search).await? else { return Ok(None) };
    let end = End {
        status: Status::Cancelled,
        because: StoppedBecause::Cancelled,
        failure_reason: None,
        at: app.clock.now(),
    };
    // The guard, not what was read before it, says who ended the search.
    let ended = finish::settle(&mut tx, search, None, &end).await?;
    let now = store::find_in(&mut tx, account, search).await?.unwrap_or(found);
    tx.commit().await?;
    if let Some(ended) = &ended {
        app.bell.ring(search);
        finish::report(ended);
    }
    Ok(Some(Stopped { search, stopped: ended.is_some(), status: now.status, ended_at: now.completed_at }))
}
