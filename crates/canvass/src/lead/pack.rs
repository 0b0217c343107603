//! Packs a lead for storage, before the transaction that stores it.

use std::collections::BTreeSet;

use super::json::{KeptSite, LeadDocument};
use super::place::Belongs;
use super::upgrade::VERSION;
use super::words::words_of;
use super::{Found, retention};
use crate::db::Value;

/// A lead as it is stored, all but its number within the search. Packed before the transaction begins, so that others do not
/// wait for the writer meanwhile.
#[derive(Debug)]
pub(crate) struct PackedLead {
    /// Its columns but the number, which is the last.
    pub(super) row: Vec<Value>,
    pub(super) words: BTreeSet<String>,
    /// The row of content that may be kept only for a time.
    pub(super) retention: Option<Vec<Value>>,
}

/// Packs a lead that is delivered under `rank`.
pub(crate) fn pack(to: Belongs, rank: i64, found: &Found) -> PackedLead {
    PackedLead {
        row: row(to, rank, found),
        words: words_of(&found.lead),
        retention: found.expiring.as_ref().map(|expiring| retention::store::row(&found.lead, expiring)),
    }
}

fn row(to: Belongs, rank: i64, found: &Found) -> Vec<Value> {
    let (lead, basic) = (&found.lead, &found.lead.signals.basic);
    vec![
        lead.lead_id.into(),
        to.account.into(),
        to.search.into(),
        rank.into(),
        lead.business_id.as_str().into(),
        lead.delivered_at.into(),
        found.score.points.into(),
        basic.has_ad_pixel.into(),
        joined(basic.ad_networks.as_deref().unwrap_or_default()).into(),
        basic.has_analytics.into(),
        basic.platform.clone().into(),
        "".into(),
        "".into(),
        "".into(),
        LeadDocument::packed_of(lead, &found.score).into(),
        KeptSite::packed_of(&found.site, found.site_text.as_deref()).into(),
        VERSION.into(),
    ]
}

/// Slugs separated and surrounded by commas, so that `like '%,slug,%'` finds whole slugs only.
fn joined(slugs: &[String]) -> String {
    if slugs.is_empty() { String::new() } else { format!(",{},", slugs.join(",")) }
}
