//! Ends a search from within: done, or failed.

use super::{Lease, Status, StoppedBecause, store};
use crate::app::App;
use crate::clock::Moment;
use crate::db::DbError;
use crate::steps::Step;

/// How a search ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct End {
    pub(super) status: Status,
    pub(super) because: StoppedBecause,
    pub(super) failure_reason: Option<String>,
    pub(super) at: Moment,
}

impl End {
    pub(super) fn done(because: StoppedBecause, at: Moment) -> End {
        End { status: Status::Done, because, failure_reason: None, at }
    }

    pub(super) fn failed(reason: String, at: Moment) -> End {
        End { status: Status::Failed, because: StoppedBecause::Failed, failure_reason: Some(reason), at }
    }
}

/// Ends the search. `false` when it had ended already, or somebody else works on it.
pub(super) async fn finish(app: &App, lease: &Lease, end: &End) -> Result<bool, DbError> {
    app.steps.reach(Step::BeforeFinish);
    let mut tx = app.db.begin().await?;
    let ended = store::end(&mut tx, lease.search, Some(lease.epoch), end).await?;
    tx.commit().await?;
    app.steps.reach(Step::AfterFinish);
    app.bell.ring(lease.search);
    Ok(ended)
}
