//! What Radar reports: alerts, and the checks they come from, as they are stored.

use super::diff::Change;
use super::from_json;
use crate::clock::Moment;
use crate::ids::{AlertId, LeadId, WatchId};

/// What changed on one watched website in one check.
#[derive(Clone, Debug, PartialEq, from_row::FromRow)]
pub struct Alert {
    /// Identifies it for good.
    #[row(try_from = "String")]
    pub id: AlertId,
    /// The watch that raised it; it may have been deleted since.
    #[row(try_from = "String", rename = "watch_id")]
    pub watch: WatchId,
    /// The lead that watch was made from.
    #[row(try_from = "String", rename = "lead_id")]
    pub lead: LeadId,
    /// As the lead named it.
    pub business_name: String,
    /// At least one.
    #[row(try_from = "String")]
    pub changes: Changes,
    /// The opportunity score after these changes.
    pub score: i64,
    /// Unique and increasing within an account.
    pub created_at: Moment,
}

/// Which alerts to list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Feed {
    /// Only alerts after this time, oldest first; without it, the newest first.
    pub since: Option<Moment>,
    /// Alerts on the page, at most [`Feed::ALERTS_MAX`].
    pub limit: i64,
}

impl Feed {
    /// Alerts on a page unless the client asks for another number.
    pub const ALERTS_DEFAULT: i64 = 50;
    /// The most that a client can ask for.
    pub const ALERTS_MAX: i64 = 200;
}

/// One check.
#[derive(Clone, Debug, PartialEq, from_row::FromRow)]
pub struct Check {
    /// Sequence number within the watch, from 1.
    pub number: i64,
    /// The time of the last read.
    pub checked_at: Moment,
    /// How that read ended.
    pub site_status: String,
    /// Whether every chosen page was read whole; otherwise pages were compared one by one.
    pub complete: bool,
    /// The opportunity score after the check.
    pub score: i64,
    /// The changes it reported; usually none.
    #[row(try_from = "String")]
    pub changes: Changes,
}

/// Changes as they are stored.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Changes(pub Vec<Change>);

impl From<String> for Changes {
    fn from(text: String) -> Changes {
        Changes(from_json(&text))
    }
}
