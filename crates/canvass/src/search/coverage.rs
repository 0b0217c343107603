//! Coverage: what a search looked at, what it left out, and why it ended.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Unknown;
use crate::provider::Calls;

/// Why a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoppedBecause {
    /// As many leads as requested were delivered.
    RequestedCount,
    /// The source has no more businesses there.
    AreaExhausted,
    /// The balance is used up.
    Credits,
    /// A request stopped it.
    Cancelled,
    /// An error ended it; `failure_reason` says which.
    Failed,
}

impl StoppedBecause {
    /// Every reason.
    pub const ALL: [StoppedBecause; 5] = [
        StoppedBecause::RequestedCount,
        StoppedBecause::AreaExhausted,
        StoppedBecause::Credits,
        StoppedBecause::Cancelled,
        StoppedBecause::Failed,
    ];

    /// Its name in responses and in the database.
    pub fn name(self) -> &'static str {
        match self {
            StoppedBecause::RequestedCount => "requested_count",
            StoppedBecause::AreaExhausted => "area_exhausted",
            StoppedBecause::Credits => "credits",
            StoppedBecause::Cancelled => "cancelled",
            StoppedBecause::Failed => "failed",
        }
    }
}

/// Why a business was left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum LeftOut {
    Duplicate,
    Rating,
    Reviews,
    Website,
    Phone,
    Owned,
    Email,
    Suppressed,
}

impl LeftOut {
    const ALL: [LeftOut; 8] = [
        LeftOut::Duplicate,
        LeftOut::Rating,
        LeftOut::Reviews,
        LeftOut::Website,
        LeftOut::Phone,
        LeftOut::Owned,
        LeftOut::Email,
        LeftOut::Suppressed,
    ];

    pub(super) fn named(name: &str) -> Option<LeftOut> {
        LeftOut::ALL.into_iter().find(|reason| reason.name() == name)
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            LeftOut::Duplicate => "duplicate",
            LeftOut::Rating => "rating",
            LeftOut::Reviews => "reviews",
            LeftOut::Website => "website",
            LeftOut::Phone => "phone",
            LeftOut::Owned => "owned",
            LeftOut::Email => "email",
            LeftOut::Suppressed => "suppressed",
        }
    }
}

/// The counts of a search. Every candidate is either delivered or filtered, for one reason.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Coverage {
    /// About how many businesses there are, when the source says.
    pub available: Option<u64>,
    /// Businesses that were left out, by reason.
    pub filtered: BTreeMap<String, i64>,
    /// Websites that were read.
    pub sites_read: i64,
    /// Websites that could not be read.
    pub sites_unreachable: i64,
    /// The name of the listing source.
    pub source: String,
    /// Whom to credit when the leads are shown.
    pub attribution: Option<String>,
    /// The name of the area that was searched.
    pub area: String,
    /// Sentences on how the request was interpreted; empty when it was taken exactly as asked.
    pub notes: Vec<String>,
    /// Calls to providers that are asked live, by provider and kind.
    pub provider_calls: Calls,
}

impl Coverage {
    pub(super) fn leave_out(&mut self, why: LeftOut) {
        *self.filtered.entry(why.name().to_owned()).or_default() += 1;
    }

    pub(super) fn note(&mut self, note: &str) {
        if !self.notes.iter().any(|known| known == note) {
            self.notes.push(note.to_owned());
        }
    }
}

impl TryFrom<String> for Coverage {
    type Error = Unknown;

    fn try_from(text: String) -> Result<Self, Unknown> {
        serde_json::from_str(&text).map_err(|_| Unknown(text))
    }
}
