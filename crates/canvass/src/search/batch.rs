//! A batch: what a search stores in one transaction.

use super::coverage::LeftOut;
use super::frontier::Counts;
use super::page::Page;
use super::read::{ReadyLead, SiteSeen};
use crate::listing::Cursor;

/// Leads to deliver, and the progress that goes with them.
#[derive(Debug)]
pub(super) struct Batch {
    /// By rank.
    pub(super) leads: Vec<(i64, Box<ReadyLead>)>,
    pub(super) rejections: Vec<Rejection>,
    pub(super) page: Option<Page>,
    /// Where the source goes on behind the page.
    pub(super) cursor: Option<Cursor>,
    /// The rank of the last listing taken.
    pub(super) listed: i64,
    pub(super) settled_to: i64,
    pub(super) counts: Counts,
    /// What the source has to say about the page.
    pub(super) notes: Vec<String>,
}

/// A candidate that was left out after its website was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rejection {
    pub(super) rank: i64,
    pub(super) reason: LeftOut,
    pub(super) site: SiteSeen,
}
