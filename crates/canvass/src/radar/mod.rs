//! Radar: watches businesses, reads their websites again and again, and reports what changed. Never falsely.
//!
//! A watch is its own job, leased as a search is. A read is compared with what is known page by page; a site that cannot be
//! read has a status, not a change; what one read misses is reported only when a second one, some time later, misses it
//! too. `settle` holds these rules, `baseline` what is known and with which version it was learnt, `diff` the words.

mod alert;
mod baseline;
mod check;
mod check_result;
mod diff;
mod forget;
mod history;
mod list;
mod report;
mod settle;
mod snapshot;
mod store;
mod sweep;
mod unwatch;
mod watch;

pub use alert::{Raised, alerts, raise};
pub use diff::{Change, Kind};
pub(crate) use forget::{forget_lead, forget_listing, forget_suppressed};
pub use history::{KEPT_CHECKS_MAX, history};
pub use list::list;
pub use report::{Alert, Changes, Check, Feed};
pub use snapshot::Field;
pub use store::find;
pub use sweep::{SweepError, Swept, Which, check_now, keep_checking, until_idle};
pub use unwatch::unwatch;
pub use watch::{WatchError, Watched, watch};

use places::Category;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::clock::Moment;
use crate::config::Settings;
use crate::ids::{AccountId, LeadId, WatchId, of};
use crate::jobs::{self, Job, Table, Terms};
use crate::lead::{Lead, ListingSource};
use crate::listing::{Listing, PostalAddress};
use crate::suppression::SuppressedSet;
use baseline::Baseline;
use settle::Doubt;

/// How long a worker that checks a watch is believed to be alive, in seconds: longer than any check takes, so that the lease
/// need not be renewed.
const LEASE_SECONDS: i64 = 300;

/// The right to store one check.
type Lease = jobs::Lease<Watch>;

/// A business that is watched.
#[derive(Clone, Debug, PartialEq, from_row::FromRow)]
pub struct Watch {
    /// Identifies the watch until it is deleted.
    #[row(try_from = "String")]
    pub id: WatchId,
    /// The account that is alerted.
    #[row(try_from = "String", rename = "account_id")]
    pub account: AccountId,
    /// The lead it was made from.
    #[row(try_from = "String", rename = "lead_id")]
    pub lead: LeadId,
    /// The same in every search and for every lead of the business.
    pub business_id: String,
    /// What is needed to read and score its website.
    #[row(try_from = "String")]
    pub business: Business,
    /// What its website shows, as far as that is settled.
    #[row(try_from = "String")]
    baseline: Baseline,
    /// What the last read missed, to be confirmed by another.
    #[row(try_from = "String")]
    doubts: Doubts,
    /// The opportunity score of the last read that could be scored.
    pub score: i64,
    score_told: Option<i64>,
    scored_with: i64,
    /// How the last read of its website ended.
    pub site_status: String,
    /// When it was first watched.
    pub created_at: Moment,
    /// `None` before the first check.
    pub last_checked_at: Option<Moment>,
    /// From then on a worker checks it.
    pub next_check_at: Moment,
    /// Checks so far; the number of the last one.
    pub checks: i64,
}

impl Job for Watch {
    type Of = of::Watch;

    const TABLE: Table = Table {
        name: "watch",
        id: "id",
        // A watch is never finished: it is checked until it is deleted.
        open: "true",
        takeable: "exists (select 1 from account where account.id = watch.account_id and account.radar)",
        due_at: "next_check_at",
        on_take: "",
    };

    fn id(&self) -> WatchId {
        self.id
    }

    fn terms(settings: &Settings) -> Terms {
        Terms { lease: LEASE_SECONDS, lease_max: LEASE_SECONDS, wait_max: check::wait_seconds_max(settings) }
    }
}

impl Watch {
    /// Whether the suppression list covers the business, as far as is known before its website is read again.
    fn is_covered_by(&self, list: &SuppressedSet) -> bool {
        let Business { website, phone, country, .. } = &self.business;
        website.as_deref().is_some_and(|website| list.covers_website(website))
            || phone.as_deref().is_some_and(|phone| list.covers_phone(phone, country.as_deref()))
            || self.baseline.is_covered_by(list)
    }
}

/// What is known of a business before its website is read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Business {
    /// As the listing names it.
    pub name: String,
    /// Its website, as listed.
    pub website: Option<String>,
    /// The name of a category.
    pub industry: String,
    /// Two letters, such as `US`.
    pub country: Option<String>,
    /// E.164.
    pub phone: Option<String>,
    /// Average rating, when the listing has one.
    pub rating: Option<f64>,
    /// Reviews behind the rating.
    pub review_count: Option<i64>,
    /// Whether it is a branch of a chain.
    pub is_chain: bool,
    /// Where it was listed. Watches made before this was stored have none: their business id names the source.
    #[serde(default)]
    source: Option<ListingSource>,
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
            source: Some(ListingSource { name: lead.source.clone(), attribution: lead.attribution.clone() }),
        }
    }

    /// Where it was listed, whichever source is configured today.
    fn source(&self, business_id: &str) -> ListingSource {
        self.source.clone().unwrap_or_else(|| ListingSource::of_business_id(business_id))
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

/// All doubts of a watch.
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

/// The JSON under which Radar stores a value.
fn json<T: Serialize>(value: &T) -> String {
    serde_json::to_string(value).expect("what Radar stores is plain data")
}

/// Reads what [`json`] wrote; the default when another version wrote it in another form.
fn from_json<T: DeserializeOwned + Default>(text: &str) -> T {
    serde_json::from_str(text).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lead::sample_lead;

    #[test]
    fn a_watch_keeps_the_source_its_business_was_listed_by() {
        let mut lead = sample_lead();
        (lead.source, lead.attribution) = ("overture".into(), Some("Some map data".into()));
        let business = Business::try_from(json(&Business::of(&lead))).unwrap();
        let source = business.source("sandbox:1");
        assert_eq!((source.name.as_str(), source.attribution.as_deref()), ("overture", Some("Some map data")));
    }

    #[test]
    fn the_source_of_an_older_watch_is_read_from_its_business_id() {
        let stored = r#"{"name":"Joe's","website":null,"industry":"Plumber","country":"US","phone":null,"rating":4.5,
            "review_count":3,"is_chain":false}"#;
        let business = Business::try_from(stored.to_owned()).unwrap();
        let source = business.source("sandbox:9xhz7cv0gezjy");
        assert_eq!(source.name, "sandbox");
        assert_eq!(source.attribution.as_deref(), Some("Made-up businesses of the Canvass sandbox"));
    }
}
