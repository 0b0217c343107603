//! The request that starts a search, shared by HTTP, the connector and the command line.

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use super::Unknown;
use crate::plan::Scope;

/// Leads requested when the client does not say how many.
pub const REQUESTED_DEFAULT: i64 = 25;
/// Leads one search may request.
pub const REQUESTED_MAX: i64 = 2_500;
/// The radius a circle may have, in miles.
pub const RADIUS_MILES: RangeInclusive<f64> = 1.0..=500.0;
/// Places that one search may cover.
pub const LOCATIONS_MAX: usize = 20;
/// What a rating can be.
pub const RATING: RangeInclusive<f64> = 0.0..=5.0;

/// A start request whose fields are each valid; whether they make sense together is for `parse`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StartRequest {
    /// The kind of business, as typed.
    pub industry: String,
    /// The place, as typed; with a radius, the centre of the circle. Of several places, their names in a row.
    pub location: String,
    /// Several places, as typed, that one search covers; empty when there is only the one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub locations: Vec<String>,
    /// 1 to [`REQUESTED_MAX`].
    pub requested_count: Option<i64>,
    /// How wide to search around the place.
    pub scope: Option<Scope>,
    /// The radius of a circle to search instead of a scope.
    pub radius_miles: Option<f64>,
    /// Which businesses are wanted.
    #[serde(default)]
    pub filters: Filters,
    /// Whether to send an e-mail when the search ends.
    #[serde(default)]
    pub notify: bool,
}

impl StartRequest {
    /// What joins the names of several places.
    const BETWEEN_PLACES: &str = "; ";

    /// The same request for several places.
    #[must_use]
    pub fn of_places(self, locations: Vec<String>) -> StartRequest {
        StartRequest { location: locations.join(Self::BETWEEN_PLACES), locations, ..self }
    }

    /// The places, at least one.
    pub fn places(&self) -> Vec<&str> {
        if self.locations.is_empty() {
            vec![&self.location]
        } else {
            self.locations.iter().map(String::as_str).collect()
        }
    }
}

impl TryFrom<String> for StartRequest {
    type Error = Unknown;

    fn try_from(text: String) -> Result<Self, Unknown> {
        serde_json::from_str(&text).map_err(|_| Unknown(text))
    }
}

/// Which businesses are wanted. `None` does not filter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Filters {
    /// 0 to 5.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_rating: Option<f64>,
    /// 0 to 5.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_rating: Option<f64>,
    /// At least this many.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_reviews: Option<f64>,
    /// At most this many.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_reviews: Option<f64>,
    /// With or without a website of their own; a social media page is not one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub has_website: Option<bool>,
    /// `true`: only with a phone number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub has_phone: Option<bool>,
    /// `true`: only with an email address on their website.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub has_email: Option<bool>,
    /// `true`: without those that earlier searches of the account delivered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skip_owned: Option<bool>,
}

impl Filters {
    /// A contradiction between filters: the field to change, and why.
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

    /// Whether businesses that the account already has are left out.
    pub fn skips_owned(&self) -> bool {
        self.skip_owned == Some(true)
    }
}
