//! What a column can hold, and the headers that say so.

use std::collections::HashMap;
use std::sync::OnceLock;

use super::headers::HEADERS;

/// What a column can hold.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    strum::Display,
    strum::EnumIter,
    strum::EnumString,
    strum::IntoStaticStr,
)]
#[strum(serialize_all = "snake_case")]
pub enum Field {
    /// What the record is known by; without it an id is made of name, address and position.
    Id,
    /// The name of the business.
    Name,
    /// What kind of business it is; several columns count, the first the most.
    Category,
    /// Degrees north.
    Latitude,
    /// Degrees east.
    Longitude,
    /// Latitude and longitude in one column, or a point in well-known text.
    Coordinates,
    /// The street with the house number, or the whole address in one line.
    Address,
    /// The street.
    Street,
    /// The house number.
    HouseNumber,
    /// Suite, apartment or floor.
    Unit,
    /// Town or city.
    City,
    /// State, province or region.
    State,
    /// Postal code.
    Postcode,
    /// The country: its code or its name.
    Country,
    /// Phone numbers, in any number of columns.
    Phone,
    /// Websites, in any number of columns.
    Website,
    /// Email addresses, in any number of columns.
    Email,
    /// Addresses of profiles in social networks, in any number of columns.
    Social,
    /// A profile or handle at Facebook.
    Facebook,
    /// A profile or handle at Instagram.
    Instagram,
    /// A profile or handle at Twitter or X.
    Twitter,
    /// A profile or handle at LinkedIn.
    Linkedin,
    /// A channel or handle at YouTube.
    Youtube,
    /// A profile or handle at TikTok.
    Tiktok,
    /// The brand or chain it belongs to.
    Brand,
    /// Average rating, 0 to 5.
    Rating,
    /// Number of reviews.
    ReviewCount,
    /// Opening hours.
    OpeningHours,
    /// Whether it is in business, in words.
    Status,
    /// Whether it has closed: yes or no, or the date.
    Closed,
    /// How sure the source is that it exists, 0 to 1.
    Confidence,
    /// When the record was last changed.
    Updated,
}

/// What a header says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct HeaderMeaning {
    /// How sure that is, the least number the most.
    pub(super) rank: usize,
    pub(super) field: Field,
}

/// The rank from which a column counts only when there is no better one for its field.
pub(super) const WEAK_RANK: usize = 1000;
/// Added to the rank of a header that is understood only without some of its words.
const SHORTENED_RANK: usize = 500;

/// Words around a header that say nothing more: "company phone", "business address", "contact/email".
const PREFIXES: &[&str] = &[
    "business", "company", "contact", "place", "location", "store", "shop", "main", "primary", "addr", "address",
    "geo", "google", "gmb", "firmen", "the", "office", "work", "poi", "venue", "listing",
];
const SUFFIXES: &[&str] = &["text", "value", "url", "link", "address", "number", "profile", "page", "degrees", "wgs84"];

impl Field {
    /// Its name in a mapping: `review_count`.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Whether several columns can hold it.
    pub(super) fn is_list(self) -> bool {
        matches!(self, Field::Category | Field::Phone | Field::Website | Field::Email | Field::Social)
    }

    /// The field a header speaks of, whatever its case, accents and punctuation.
    pub(super) fn of_header(header: &str) -> Option<HeaderMeaning> {
        let words = folded(header);
        let known = |text: &str| header_words().get(text).copied();
        let without_digits = words.trim_end_matches(|letter: char| letter.is_ascii_digit());
        let numbered = || known(without_digits).filter(|meaning| meaning.field.is_list());
        let shortened = || {
            let prefixes = PREFIXES.iter().filter_map(|prefix| known(words.strip_prefix(prefix)?));
            let suffixes = SUFFIXES.iter().filter_map(|suffix| known(words.strip_suffix(suffix)?));
            let is_sure = |meaning: &HeaderMeaning| {
                // The name of a contact or the id of a company is not that of the place.
                meaning.rank < WEAK_RANK && !matches!(meaning.field, Field::Name | Field::Id)
            };
            let best = prefixes.chain(suffixes).filter(is_sure).min()?;
            Some(HeaderMeaning { rank: best.rank + SHORTENED_RANK, ..best })
        };
        known(&words).or_else(numbered).or_else(shortened)
    }
}

/// A header as lower-case letters and digits: "Código postal" and "codigo_postal" are the same.
pub(super) fn folded(header: &str) -> String {
    let ascii = any_ascii::any_ascii(header);
    ascii.chars().filter(char::is_ascii_alphanumeric).map(|letter| letter.to_ascii_lowercase()).collect()
}

fn header_words() -> &'static HashMap<&'static str, HeaderMeaning> {
    static WORDS: OnceLock<HashMap<&str, HeaderMeaning>> = OnceLock::new();
    WORDS.get_or_init(|| {
        let mut all = HashMap::new();
        for (field, strong, weak) in HEADERS {
            let ranked = strong.split_whitespace().enumerate();
            let ranked = ranked.chain((WEAK_RANK..).zip(weak.split_whitespace()));
            ranked.for_each(|(rank, word)| {
                all.entry(word).or_insert(HeaderMeaning { rank, field: *field });
            });
        }
        all
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use strum::IntoEnumIterator;

    #[test]
    fn headers_are_understood_whatever_their_case_and_punctuation() {
        for (header, expected) in [
            ("Company Name", Field::Name),
            ("Firma", Field::Name),
            ("RAISON SOCIALE", Field::Name),
            ("Nom", Field::Name),
            ("business_phone", Field::Phone),
            ("Phone 2", Field::Phone),
            ("Téléphone", Field::Phone),
            ("Email_1", Field::Email),
            ("E-Mail", Field::Email),
            ("Código postal", Field::Postcode),
            ("PLZ", Field::Postcode),
            ("ZIP/Postal Code", Field::Postcode),
            ("Straße", Field::Street),
            ("Hausnummer", Field::HouseNumber),
            ("location/lat", Field::Latitude),
            ("Längengrad", Field::Longitude),
            ("addr:city", Field::City),
            ("totalScore", Field::Rating),
            ("# of reviews", Field::ReviewCount),
            ("Öffnungszeiten", Field::OpeningHours),
            ("business_status", Field::Status),
            ("Facebook URL", Field::Facebook),
            ("Sito web", Field::Website),
            ("Correo electrónico", Field::Email),
            ("geo_point_2d", Field::Coordinates),
        ] {
            assert_eq!(Field::of_header(header).map(|meaning| meaning.field), Some(expected), "{header}");
        }
        for header in ["", "Owner first name", "Contact name", "Fax", "Notes", "2", "Revenue"] {
            assert_eq!(Field::of_header(header), None, "{header}");
        }
    }

    #[test]
    fn every_field_is_found_by_its_own_name() {
        for field in Field::iter() {
            assert_eq!(Field::of_header(field.name()).map(|meaning| meaning.field), Some(field), "{field}");
            assert_eq!(field.name().parse::<Field>().ok(), Some(field));
        }
    }
}
