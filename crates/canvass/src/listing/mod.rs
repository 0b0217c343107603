//! Listings: businesses as their sources list them, the port that sources implement, and what makes two listings the same
//! business.

mod dedup;
mod phone;
mod source;
pub mod sources;

pub use dedup::{DedupKey, dedup_keys};
pub use phone::{e164, has_phones};
pub use source::{About, Cursor, Entry, Has, Query, Resolution, Source, SourceError, Words};
pub use sources::Sources;

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
    /// A branch of a chain, by its name or as its source says.
    pub is_chain: bool,
}

/// A postal address in parts.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct PostalAddress {
    /// Street and house number.
    pub street: Option<String>,
    /// Town or city.
    pub city: Option<String>,
    /// State or region; two letters in the US.
    pub state: Option<String>,
    /// ZIP code in the US.
    pub postal_code: Option<String>,
    /// ISO 3166-1 alpha-2.
    pub country: Option<String>,
}

impl PostalAddress {
    /// The address on one line, as on an envelope, without the country. `None` when nothing is known.
    pub fn line(&self) -> Option<String> {
        let region: Vec<&str> = [&self.state, &self.postal_code].into_iter().flatten().map(String::as_str).collect();
        let region = (!region.is_empty()).then(|| region.join(" "));
        let parts: Vec<&str> = [&self.street, &self.city, &region].into_iter().flatten().map(String::as_str).collect();
        (!parts.is_empty()).then(|| parts.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_written_on_one_line() {
        let address = |parts: [Option<&str>; 4]| {
            let [street, city, state, postal_code] = parts.map(|part| part.map(str::to_owned));
            PostalAddress { street, city, state, postal_code, country: Some("US".into()) }.line()
        };
        let whole = address([Some("1100 Congress Ave"), Some("Austin"), Some("TX"), Some("78701")]);
        assert_eq!(whole.as_deref(), Some("1100 Congress Ave, Austin, TX 78701"));
        assert_eq!(address([None, Some("Austin"), Some("TX"), None]).as_deref(), Some("Austin, TX"));
        assert_eq!(address([None, None, None, None]), None);
    }
}
