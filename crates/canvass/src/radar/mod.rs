//! Radar: watches businesses, reads their websites again and again, and tells what changed. Never falsely.
//!
//! A watch is its own job, leased as a search is. Only a complete read is compared with what is known; a site that cannot
//! be read has a status, not a change; what one read does not find any more is told only when a second one, some time
//! later, does not find it either. `settle` holds these rules, `diff` puts what is left into words.

mod alert;
mod check;
mod diff;
mod history;
mod lease;
mod list;
mod settle;
mod snapshot;
mod store;
mod sweep;
mod unwatch;
mod watch;

pub use alert::{Alert, Feed, alerts, tell};
pub use diff::{Change, Kind};
pub use history::{Changes, Check, KEPT_CHECKS_MAX, history};
pub use list::list;
pub use snapshot::Field;
pub use store::find;
pub use sweep::{SweepError, Swept, Which, check_now, keep_checking, until_idle};
pub use unwatch::unwatch;
pub use watch::{WatchError, Watched, watch};

use places::Category;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::clock::Moment;
use crate::ids::{AccountId, LeadId, WatchId};
use crate::lead::Lead;
use crate::listing::{Listing, PostalAddress};
use settle::Doubt;
use snapshot::Snapshot;

/// A business that is watched.
#[derive(Clone, Debug, PartialEq, sqlx::FromRow)]
pub struct Watch {
    /// Its id.
    #[sqlx(try_from = "String")]
    pub id: WatchId,
    /// Whose it is.
    #[sqlx(try_from = "String", rename = "account_id")]
    pub account: AccountId,
    /// The lead it was made from.
    #[sqlx(try_from = "String", rename = "lead_id")]
    pub lead: LeadId,
    /// The business's id, the same in every search.
    pub business_id: String,
    /// What reading and scoring it takes.
    #[sqlx(try_from = "String")]
    pub business: Business,
    /// What its website shows, as far as that is settled.
    #[sqlx(try_from = "String")]
    baseline: Snapshot,
    /// What one read did not find any more.
    #[sqlx(try_from = "String")]
    doubts: Doubts,
    /// Its opportunity score.
    pub score: i64,
    score_told: Option<i64>,
    scored_with: i64,
    /// How the last read of its website ended.
    pub site_status: String,
    /// Since when it is watched.
    pub created_at: Moment,
    /// When it was checked last.
    pub last_checked_at: Option<Moment>,
    /// When it will be checked next.
    pub next_check_at: Moment,
    /// How often it has been checked.
    pub checks: i64,
}

/// What is known of a business before its website is read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Business {
    /// What it is called.
    pub name: String,
    /// Its website, as listed.
    pub website: Option<String>,
    /// Its kind.
    pub industry: String,
    /// Two-letter country.
    pub country: Option<String>,
    /// E.164.
    pub phone: Option<String>,
    /// Average rating, when the listing has one.
    pub rating: Option<f64>,
    /// Reviews it stands on.
    pub review_count: Option<i64>,
    /// Whether it is a branch of a chain.
    pub is_chain: bool,
}

impl Business {
    fn of(lead: &Lead) -> Business {
        // What the website says of its own ratings is read from there again.
        let listed = lead.rating_source.as_deref() != Some("website");
        Business {
            name: lead.business_name.clone(),
            website: lead.website.clone(),
            industry: lead.industry.clone(),
            country: lead.country.clone(),
            phone: lead.phone.clone(),
            rating: lead.rating.filter(|_| listed),
            review_count: lead.review_count.filter(|_| listed),
            is_chain: lead.is_chain,
        }
    }

    /// The listing as far as it is still known.
    fn listing(&self, business_id: &str) -> Listing {
        Listing {
            business_id: business_id.to_owned(),
            name: self.name.clone(),
            phone: self.phone.clone(),
            website: self.website.clone(),
            address: PostalAddress { country: self.country.clone(), ..PostalAddress::default() },
            rating: self.rating,
            review_count: self.review_count,
            is_chain: self.is_chain,
            ..Listing::default()
        }
    }

    fn category(&self) -> &'static Category {
        let named = places::categories().iter().find(|category| category.name == self.industry);
        // A trade of an older catalogue may have another name by now.
        let read = || places::industry(&self.industry).ok().map(|industry| industry.category);
        named.or_else(read).unwrap_or(&places::categories()[0])
    }
}

/// Everything in doubt.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
struct Doubts(Vec<Doubt>);

impl TryFrom<String> for Business {
    type Error = serde_json::Error;

    fn try_from(text: String) -> Result<Self, serde_json::Error> {
        serde_json::from_str(&text)
    }
}

impl TryFrom<String> for Doubts {
    type Error = serde_json::Error;

    fn try_from(text: String) -> Result<Self, serde_json::Error> {
        serde_json::from_str(&text)
    }
}

/// How it is stored.
fn json<T: Serialize>(value: &T) -> String {
    serde_json::to_string(value).expect("what Radar stores is plain data")
}

/// Reads what [`json`] wrote; nothing when another version wrote it in another way.
fn from_json<T: DeserializeOwned + Default>(text: &str) -> T {
    serde_json::from_str(text).unwrap_or_default()
}
