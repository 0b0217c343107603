//! Listings: businesses as their sources list them, the port that sources implement, and what makes two listings the same
//! business.

mod address;
mod dedup;
mod phone;
mod source;
pub mod sources;

pub use address::PostalAddress;
pub use dedup::{DedupKey, dedup_keys};
pub use phone::{e164, has_phones};
pub use source::{About, Cursor, Entry, Has, Query, Resolution, Source, SourceError, Words};
pub use sources::{Outside, Sources};

use std::collections::BTreeMap;

use places::Point;
use serde::{Deserialize, Serialize};

/// A business as its source lists it.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct Listing {
    /// Stable for as long as the source knows the business, prefixed with the source's name.
    pub business_id: String,
    /// The business's name, as its source spells it.
    pub name: String,
    /// E.164.
    pub phone: Option<String>,
    /// As listed: not checked, perhaps without a scheme.
    pub website: Option<String>,
    /// Parts that the source does not know are `None`.
    pub address: PostalAddress,
    /// `None` when the source has no coordinates.
    pub point: Option<Point>,
    /// Average rating, 0 to 5.
    pub rating: Option<f64>,
    /// Reviews that the rating is the average of.
    pub review_count: Option<i64>,
    /// A few texts that customers wrote.
    pub reviews: Vec<String>,
    /// Opening hours in the syntax of OpenStreetMap, such as `Mo-Fr 08:00-17:00`.
    #[serde(default)]
    pub hours: Option<String>,
    /// A branch of a chain, by its name or as its source says.
    pub is_chain: bool,
    /// Profiles in social networks: network and address.
    #[serde(default)]
    pub socials: BTreeMap<String, String>,
    /// Email addresses.
    #[serde(default)]
    pub emails: Vec<String>,
    /// The ids that other sources have for the same business.
    #[serde(default)]
    pub aliases: Vec<String>,
    /// Where values come from, for those that are shown with their origin.
    #[serde(default)]
    pub origins: Vec<ValueOrigin>,
    /// The source that lists it and whom to credit, when that is not the search's source as a whole: one of several.
    #[serde(default)]
    pub listed_by: Option<ListedBy>,
}

/// Where a value of a listing comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ValueOrigin {
    /// The field of the lead.
    pub field: String,
    /// The value.
    pub value: String,
    /// The name of the source.
    pub source: String,
    /// The id of the business there.
    pub business_id: String,
}

/// One of several sources.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListedBy {
    /// The name of the source that the business's id is of.
    pub source: String,
    /// Whom to credit: all sources that took part.
    pub attribution: Option<String>,
}
