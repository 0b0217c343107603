//! A lead: one business as it is delivered, with evidence for everything its website said.
//!
//! A lead is stored as the JSON it is shown as. Its score comes last in it, so that opening or locking it is a matter of
//! which ending is put behind the same beginning: 2,500 leads are answered without building one anew.

mod assemble;
mod list;
pub mod store;

pub(crate) use assemble::rescore;
pub use assemble::{Found, ListingWithSite, assemble, score};
pub use list::{Filter, Listed, Order, Page, Wanted, list};
pub use store::{StoredLead, find, site_text};

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
    pub signals: Open,
}

/// The part of `signals` that everyone sees.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Open {
    /// What was detected.
    pub basic: Basic,
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
    /// It has Signals+.
    Open,
    /// It has not.
    Premium,
}

impl Lock {
    /// The lock of an account with or without Signals+.
    pub fn of(account: &crate::account::Account) -> Lock {
        if account.signals_plus { Lock::Open } else { Lock::Premium }
    }
}

/// What stands where the score would.
const LOCKED: &str = "\"premium_locked\":true,\"score\":null,\"reasons\":null";

/// How a lead ends: inside `signals`, inside the lead.
const ENDING: &str = "}}";

/// The lead as JSON, up to where its score begins.
pub fn body(lead: &Lead) -> String {
    let mut text = serde_json::to_string(lead).expect("a lead is plain data");
    debug_assert!(text.ends_with(ENDING));
    text.truncate(text.len() - ENDING.len());
    text
}

/// A score as JSON, to put behind a body.
pub fn premium(score: &Score) -> String {
    let reasons: &[Reason] = &score.reasons;
    let reasons = serde_json::to_string(reasons).expect("reasons are plain data");
    format!("\"premium_locked\":false,\"score\":{},\"reasons\":{reasons}", score.points)
}

/// The whole lead as JSON.
pub fn shown(body: &str, premium: &str, lock: Lock) -> String {
    let premium = if lock == Lock::Open { premium } else { LOCKED };
    let mut text = String::with_capacity(body.len() + premium.len() + 3);
    for part in [body, ",", premium, ENDING] {
        text.push_str(part);
    }
    text
}

/// Reads a stored lead back.
pub fn parse(body: &str) -> Result<Lead, serde_json::Error> {
    serde_json::from_str(&format!("{body}{ENDING}"))
}
