//! What the places of an import have, counted while they are written.

use std::collections::BTreeMap;

use places::Bounds;
use serde::{Deserialize, Serialize};

use crate::Place;

/// What the places of an import have.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Tally {
    /// Whether any place has a rating: only then can a search filter by it.
    pub has_ratings: bool,
    /// Whether any place says how many reviews it has.
    pub has_reviews: bool,
    /// Whether any place has a phone number.
    pub has_phones: bool,
    /// Places by country, ISO 3166-1 alpha-2. Those whose country is not known are not among them.
    pub countries: BTreeMap<String, u64>,
    /// The box around all places.
    pub bounds: Option<Bounds>,
}

impl Tally {
    pub(super) fn add(&mut self, place: &Place) {
        self.has_ratings |= place.rating.is_some();
        self.has_reviews |= place.review_count.is_some();
        self.has_phones |= !place.phones.is_empty();
        self.bounds = Some(crate::write::widened(self.bounds, place.point));
        if let Some(country) = country(place) {
            *self.countries.entry(country).or_default() += 1;
        }
    }
}

/// The country of a place as a code. Other texts do not count: a file may have one for each row.
fn country(place: &Place) -> Option<String> {
    let country = place.addresses.first()?.country.as_deref()?;
    let is_code = country.len() == 2 && country.bytes().all(|letter| letter.is_ascii_alphabetic());
    is_code.then(|| country.to_ascii_uppercase())
}
