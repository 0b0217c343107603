//! Listings taken from a source, as a running search stores them until it ends: with their dedup keys, so that later
//! listings of the same businesses are recognised, and whole while their websites are still to be read.

use serde::{Deserialize, Serialize};

use super::coverage::LeftOut;
use crate::listing::{DedupKey, Listing};

/// A listing that was taken.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct PageEntry {
    #[serde(rename = "keys")]
    pub(super) dedup_keys: Vec<DedupKey>,
    #[serde(flatten)]
    pub(super) verdict: Screening,
}

/// What was decided before its website was read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Screening {
    LeftOut(LeftOut),
    #[serde(rename = "listing")]
    Candidate(Box<Listing>),
}

/// Listings with consecutive ranks.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Page {
    pub(super) first_rank: i64,
    pub(super) entries: Vec<PageEntry>,
}

impl Page {
    pub(super) fn json(&self) -> String {
        serde_json::to_string(&self.entries).expect("listings are plain data")
    }

    pub(super) fn parse(first_rank: i64, entries: &str) -> Result<Page, serde_json::Error> {
        Ok(Page { first_rank, entries: serde_json::from_str(entries)? })
    }

    /// The entries with their ranks.
    pub(super) fn ranked(self) -> impl Iterator<Item = (i64, PageEntry)> {
        (self.first_rank..).zip(self.entries)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_read_as_it_was_written() {
        let listing = Listing { business_id: "test:1".into(), rating: Some(4.5), ..Listing::default() };
        let page = Page {
            first_rank: 7,
            entries: vec![
                PageEntry { dedup_keys: vec![i64::MIN, 3], verdict: Screening::LeftOut(LeftOut::Duplicate) },
                PageEntry { dedup_keys: vec![i64::MAX], verdict: Screening::Candidate(Box::new(listing)) },
            ],
        };
        assert!(page.json().starts_with(r#"[{"keys":[-9223372036854775808,3],"left_out":"duplicate"},{"keys":["#));
        assert_eq!(Page::parse(7, &page.json()).unwrap(), page);
    }
}
