//! What a search is asked for, as fields; shared by HTTP, the connector and the command line.

use serde::{Deserialize, Serialize};

use super::Unknown;
use crate::plan::Scope;

/// Leads when the client does not say.
pub const REQUESTED_DEFAULT: i64 = 25;
/// Leads at most.
pub const REQUESTED_MAX: i64 = 2_500;

/// A start request whose fields are each acceptable as written.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StartRequest {
    /// Kind of business.
    pub industry: String,
    /// Where; with a radius, where to measure from.
    pub location: String,
    /// Leads wanted.
    pub requested_count: Option<i64>,
    /// How wide.
    pub scope: Option<Scope>,
    /// A circle instead.
    pub radius_miles: Option<f64>,
    /// Which businesses.
    #[serde(default)]
    pub filters: Filters,
    /// Whether to send an e-mail at the end.
    #[serde(default)]
    pub notify: bool,
}

impl TryFrom<String> for StartRequest {
    type Error = Unknown;

    fn try_from(text: String) -> Result<Self, Unknown> {
        serde_json::from_str(&text).map_err(|_| Unknown(text))
    }
}

/// Which businesses are wanted. Not said means not asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Filters {
    /// Lowest rating.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_rating: Option<f64>,
    /// Highest rating.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_rating: Option<f64>,
    /// Fewest reviews.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_reviews: Option<f64>,
    /// Most reviews.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_reviews: Option<f64>,
    /// With or without a website of their own; a social media page is not one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub has_website: Option<bool>,
    /// Only with a phone number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub has_phone: Option<bool>,
    /// Only with an email.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub has_email: Option<bool>,
    /// Not those the account already has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skip_owned: Option<bool>,
}

impl Filters {
    /// What contradicts itself: the field, and why it cannot be.
    pub fn contradiction(&self) -> Option<(&'static str, &'static str)> {
        let above = |low: Option<f64>, high: Option<f64>| matches!((low, high), (Some(low), Some(high)) if low > high);
        if above(self.min_rating, self.max_rating) {
            return Some(("filters.min_rating", "must not be greater than max_rating"));
        }
        if above(self.min_reviews, self.max_reviews) {
            return Some(("filters.min_reviews", "must not be greater than max_reviews"));
        }
        if self.has_website == Some(false) && self.has_email == Some(true) {
            let why = "cannot be true when has_website is false, because emails are found on websites";
            return Some(("filters.has_email", why));
        }
        None
    }

    /// Whether ratings are compared.
    pub fn asks_rating(&self) -> bool {
        self.min_rating.or(self.max_rating).is_some()
    }

    /// Whether numbers of reviews are compared.
    pub fn asks_reviews(&self) -> bool {
        self.min_reviews.or(self.max_reviews).is_some()
    }

    /// Whether only businesses with an email are wanted.
    pub fn wants_email(&self) -> bool {
        self.has_email == Some(true)
    }

    /// Whether those already owned are left out.
    pub fn skips_owned(&self) -> bool {
        self.skip_owned == Some(true)
    }
}
