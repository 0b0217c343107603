//! How a search ends.

use super::{Status, StoppedBecause};
use crate::clock::Moment;

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
