//! What a check stores.

use super::Doubts;
use super::baseline::Baseline;
use super::diff::Change;
use crate::clock::Moment;

/// What a check stores.
#[derive(Clone, Debug)]
pub(super) struct CheckResult {
    pub(super) baseline: Baseline,
    pub(super) doubts: Doubts,
    pub(super) score: i64,
    pub(super) score_told: Option<i64>,
    pub(super) scored_with: i64,
    pub(super) site_status: String,
    /// Whether every chosen page was read whole.
    pub(super) complete: bool,
    /// Whether anything could be compared.
    pub(super) judged: bool,
    pub(super) changes: Vec<Change>,
    pub(super) at: Moment,
    pub(super) next_check_at: Moment,
}
