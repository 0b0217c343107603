//! A lead: one business as it is delivered, with evidence for everything its website said.
//!
//! [`Lead`] is the one definition of a lead's fields: its serialized form is what is stored, shown by every edge and
//! described by their schemas. [`Premium`] holds the members of `signals` that depend on the account's add-ons.

mod address;
mod assemble;
mod blank;
mod json;
mod keep_text;
mod list;
mod listed;
mod outdated;
mod own_site;
pub(crate) mod pack;
pub mod packed;
pub(crate) mod place;
mod query;
pub(crate) mod retention;
mod source;
pub mod store;
mod stored;
mod upgrade;
mod words;

pub(crate) use assemble::rescore;
pub use assemble::{Found, ListingWithSite, assemble, score};
pub use blank::{BLANK_BUSINESS_ID, BLANK_NAME};
pub(crate) use json::LeadColumns;
pub use json::{LeadDocument, LeadJson, PremiumJson};
pub(crate) use keep_text::{fair_share, without_reviews};
pub use list::{LeadList, list, list_chosen};
pub(crate) use outdated::catch_up;
pub use query::{LeadFilter, LeadOrder, LeadPage, LeadQuery};
pub use retention::{EXPIRED_NAME, Expiring, SiteSays};
pub use source::ListingSource;
pub(crate) use store::forget_site_texts;
pub use store::{find, site_text};
pub use stored::StoredLead;
pub use upgrade::UpgradeError;
pub use words::{Hit, LookedUp, look_up};
pub(crate) use words::{WordedLead, forget_words};

use std::collections::BTreeMap;

use page_facts::EmailType;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::clock::Moment;
use crate::ids::{LeadId, SearchId};
use crate::signals::{Basic, Reason, SCORE_MAX, Score};

/// One delivered business. Missing values are null, never absent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Lead {
    /// The lead's id.
    pub lead_id: LeadId,
    /// The search that delivered it.
    pub search_id: SearchId,
    /// The business's id, the same in every search.
    #[schemars(example = &"sandbox:k3f9")]
    pub business_id: String,
    /// Where the business was listed.
    #[schemars(example = &"sandbox")]
    pub source: String,
    /// Whom to credit when this lead is shown; null when the source asks for none.
    pub attribution: Option<String>,
    /// When it was delivered.
    pub delivered_at: Moment,
    /// What the business is called.
    #[schemars(example = &"Joe's Plumbing")]
    pub business_name: String,
    /// Kind of business.
    #[schemars(example = &"Plumber")]
    pub industry: String,
    /// The business's website.
    pub website: Option<String>,
    /// How reading its website ended: ok, none, robots, blocked, timeout, dead, parked, social_only or error.
    #[schemars(example = &"ok")]
    pub site_status: String,
    /// Phone number in E.164 form.
    #[schemars(example = &"+15125550100")]
    pub phone: Option<String>,
    /// Postal address on one line.
    #[schemars(example = &"1100 Congress Ave, Austin, TX 78701")]
    pub address: Option<String>,
    /// Street and number.
    pub street: Option<String>,
    /// Town.
    pub city: Option<String>,
    /// State or region.
    pub state: Option<String>,
    /// Postal code.
    pub postal_code: Option<String>,
    /// Two-letter country code.
    #[schemars(example = &"US")]
    pub country: Option<String>,
    /// Degrees north.
    #[schemars(range(min = -90, max = 90))]
    pub latitude: Option<f64>,
    /// Degrees east.
    #[schemars(range(min = -180, max = 180))]
    pub longitude: Option<f64>,
    /// Average rating.
    #[schemars(range(min = 0, max = 5))]
    pub rating: Option<f64>,
    /// Reviews behind the rating.
    #[schemars(range(min = 0))]
    pub review_count: Option<i64>,
    /// Where the rating comes from: the listing's source, or `website`.
    pub rating_source: Option<String>,
    /// Opening hours of the listing or else of the website, in the syntax of OpenStreetMap.
    #[schemars(example = &"Mo-Fr 08:30-17:30; Sa 09:00-13:00")]
    pub hours: Option<String>,
    /// Whether it is a branch of a chain.
    pub is_chain: bool,
    /// The owner's name.
    pub owner_name: Option<String>,
    /// The owner's title.
    pub owner_title: Option<String>,
    /// The best email for outreach.
    pub primary_email: Option<String>,
    /// Every email found, the primary one first.
    pub emails: Vec<Email>,
    /// Social network to profile address.
    #[schemars(example = serde_json::json!({"facebook": "https://www.facebook.com/joesplumbing"}))]
    pub socials: BTreeMap<String, String>,
    /// Where each value was found. An entry with the field `site_cut` names a page that was not read completely, and as
    /// its value why: `reading`, `size`, `steps` or `time`. What was found there is right; something may be missing.
    pub evidence: Vec<Evidence>,
    /// What the website shows, and the opportunity score.
    // Last, so that the score can be spliced in; the schema describes the lead as it is shown.
    #[schemars(with = "Signals")]
    pub signals: OpenSignals,
}

/// The part of `signals` that is stored with the lead, and that every account sees.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OpenSignals {
    /// Free on every lead.
    pub basic: Basic,
}

/// The part of `signals` that Signals+ opens.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Premium {
    /// True without the Signals+ add-on; then score and reasons are null.
    pub premium_locked: bool,
    /// Opportunity score.
    #[schemars(range(min = 0, max = SCORE_MAX), example = 62)]
    pub score: Option<i64>,
    /// Why the score is what it is.
    pub reasons: Option<Vec<Reason>>,
}

/// What a website shows, and the opportunity score.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Signals {
    /// What was detected.
    #[serde(flatten)]
    pub open: OpenSignals,
    /// What the account's add-ons decide on.
    #[serde(flatten)]
    pub premium: Premium,
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
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "LeadEmail")]
pub struct Email {
    /// The address.
    pub email: String,
    /// Whose it is: personal, role, generic or unknown.
    #[serde(rename = "type")]
    #[schemars(with = "String", example = &"personal")]
    pub kind: EmailType,
    /// How sure it is that mail arrives there.
    #[schemars(range(min = 0, max = 1), example = 0.85)]
    pub confidence: f64,
    /// Whether it is the best one for outreach.
    pub is_primary: bool,
}

/// Where and when a value was found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Evidence {
    /// The field of the lead that it proves.
    #[schemars(example = &"emails")]
    pub field: String,
    /// The value that was found.
    pub value: String,
    /// Address of the page; for a value of a listing (method `listing`), the business's id at the source that has it.
    pub url: String,
    /// The way it was found.
    #[schemars(example = &"mailto")]
    pub method: String,
    /// A few words around it; for a value of a listing, the name of the source.
    pub snippet: String,
    /// When the page was read.
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

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    /// Asserts that a value has exactly the members its schema names, and that the schema requires them all.
    fn assert_described(value: &Value, schema: &Value, definitions: &Value, at: &str) {
        let schema = match schema["$ref"].as_str() {
            Some(reference) => &definitions[reference.rsplit('/').next().unwrap()],
            None => schema,
        };
        if let (Some(members), Some(properties)) = (value.as_object(), schema["properties"].as_object()) {
            let mut required: Vec<&str> =
                schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
            required.sort_unstable();
            let mut names: Vec<&str> = members.keys().map(String::as_str).collect();
            names.sort_unstable();
            assert_eq!(names, required, "{at}");
            for (name, property) in properties {
                assert_described(&members[name], property, definitions, &format!("{at}.{name}"));
            }
        }
        for entry in value.as_array().into_iter().flatten() {
            assert_described(entry, &schema["items"], definitions, &format!("{at}[]"));
        }
    }

    #[test]
    fn the_schema_names_every_member_of_a_shown_lead() {
        let stored: Value = serde_json::from_str(include_str!("stored/version_3.json")).unwrap();
        let premium: Value = serde_json::from_str(include_str!("stored/version_2.premium.json")).unwrap();
        let mut shown = stored;
        shown["signals"].as_object_mut().unwrap().extend(premium.as_object().unwrap().clone());
        assert!(shown["emails"].as_array().is_some_and(|emails| !emails.is_empty()), "{shown}");
        let mut generator = schemars::generate::SchemaSettings::draft2020_12().for_serialize().into_generator();
        let schema = generator.root_schema_for::<Lead>().to_value();
        assert_described(&shown, &schema, &schema["$defs"], "lead");
    }
}
