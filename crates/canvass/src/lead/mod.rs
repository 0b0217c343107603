//! A lead: one business as it is delivered, with evidence for everything its website said.
//!
//! [`Lead`] is the one definition of a lead's fields: its serialized form is what is stored, shown by every edge and
//! described by their schemas. [`Premium`] holds the members of `signals` that depend on the account's add-ons.

mod assemble;
mod json;
mod list;
mod query;
mod source;
pub mod store;
mod upgrade;

pub(crate) use assemble::rescore;
pub use assemble::{Found, ListingWithSite, assemble, score};
pub(crate) use json::LeadColumns;
pub use json::{LeadJson, PremiumJson};
pub use list::{LeadList, list};
pub use query::{LeadFilter, LeadOrder, LeadPage, LeadQuery};
pub use source::ListingSource;
pub use store::{StoredLead, find, site_text};
pub use upgrade::UpgradeError;

use std::collections::BTreeMap;

use page_facts::EmailType;
use serde::{Deserialize, Serialize};

use crate::clock::Moment;
use crate::ids::{LeadId, SearchId};
use crate::signals::{Basic, Reason, Score};

/// One delivered business. Missing values are null, never absent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Lead {
    /// Its id.
    pub lead_id: LeadId,
    /// The search that delivered it.
    pub search_id: SearchId,
    /// The business's id, the same in every search.
    pub business_id: String,
    /// Where the business was listed, such as `sandbox`.
    pub source: String,
    /// Whom to credit when this lead is shown; null when the source asks for none.
    pub attribution: Option<String>,
    /// When it was delivered.
    pub delivered_at: Moment,
    /// What the business is called.
    pub business_name: String,
    /// Its kind.
    pub industry: String,
    /// Its website.
    pub website: Option<String>,
    /// How reading that website ended.
    pub site_status: String,
    /// E.164.
    pub phone: Option<String>,
    /// On one line.
    pub address: Option<String>,
    /// Street and number.
    pub street: Option<String>,
    /// Town.
    pub city: Option<String>,
    /// State or region.
    pub state: Option<String>,
    /// Postal code.
    pub postal_code: Option<String>,
    /// Two-letter country.
    pub country: Option<String>,
    /// Where on the map.
    pub latitude: Option<f64>,
    /// Where on the map.
    pub longitude: Option<f64>,
    /// Average rating, 0 to 5.
    pub rating: Option<f64>,
    /// Reviews it stands on.
    pub review_count: Option<i64>,
    /// Who says so: the listing's source, or `website`.
    pub rating_source: Option<String>,
    /// Whether it is a branch of a chain.
    pub is_chain: bool,
    /// The owner.
    pub owner_name: Option<String>,
    /// The owner's title.
    pub owner_title: Option<String>,
    /// The best email for outreach.
    pub primary_email: Option<String>,
    /// Every email found.
    pub emails: Vec<Email>,
    /// Network to profile.
    pub socials: BTreeMap<String, String>,
    /// Where each value was found.
    pub evidence: Vec<Evidence>,
    /// What its website shows. Last, so that the score can be put behind it.
    pub signals: OpenSignals,
}

/// The part of `signals` that is stored with the lead, and that every account sees.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OpenSignals {
    /// What was detected on the website.
    pub basic: Basic,
}

/// The part of `signals` that Signals+ opens.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Premium {
    /// True without the Signals+ add-on; then score and reasons are null.
    pub premium_locked: bool,
    /// Opportunity score, 0 to 100.
    pub score: Option<i64>,
    /// What the score is the sum of.
    pub reasons: Option<Vec<Reason>>,
}

impl Premium {
    /// A score for accounts with Signals+.
    pub fn open(score: &Score) -> Premium {
        Premium { premium_locked: false, score: Some(score.points), reasons: Some(score.reasons.clone()) }
    }

    /// What accounts without Signals+ see.
    pub fn locked() -> Premium {
        Premium { premium_locked: true, score: None, reasons: None }
    }
}

/// An email of a lead.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Email {
    /// The address.
    pub email: String,
    /// Whose it is.
    #[serde(rename = "type")]
    pub kind: EmailType,
    /// 0 to 1.
    pub confidence: f64,
    /// The best one for outreach.
    pub is_primary: bool,
}

/// Where and when a value was found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    /// Which field of the lead it proves.
    pub field: String,
    /// The value.
    pub value: String,
    /// The page.
    pub url: String,
    /// The way it was found.
    pub method: String,
    /// A few words around it.
    pub snippet: String,
    /// When.
    pub seen_at: Moment,
}

/// Whether an account may see scores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Lock {
    /// It has the Signals+ add-on.
    Open,
    /// It does not.
    Premium,
}

impl Lock {
    /// The lock that the account's add-ons imply.
    pub fn of(account: &crate::account::Account) -> Lock {
        if account.signals_plus { Lock::Open } else { Lock::Premium }
    }
}

/// A lead of which only the name is known.
#[cfg(test)]
pub(crate) fn sample_lead() -> Lead {
    let known = serde_json::json!({
        "lead_id": "019a8546-6d1b-7cc0-b6dd-8f3b5f0c9d11", "search_id": "019a8546-6d1b-7cc0-b6dd-8f3b5f0c9d12",
        "business_id": "test:1", "source": "test", "delivered_at": "2026-11-15T02:03:04.123456+00:00",
        "business_name": "Joe's", "industry": "Plumber", "site_status": "none", "is_chain": false, "emails": [],
        "socials": {}, "evidence": [], "signals": {"basic": {"detected": false, "has_website": false}},
    });
    serde_json::from_value(known).expect("the sample has every field that must be there")
}
