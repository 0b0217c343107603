//! Turns a row into a place.

use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};

use places::Point;
use rustc_hash::FxBuildHasher;
use sha2::{Digest, Sha256};

use super::category::CategoryNames;
use super::country::CountryCodes;
use super::field::{Field, folded};
use super::mapping::Mapping;
use super::texts::{self, Separators, VALUE_BYTES_MAX};
use super::{numbers, position, reasons};
use crate::osm::{Countries, Tags, address, socials};
use crate::{Address, Brand, Categories, OperatingStatus, Origin, Place};

const BAD_RATING: &str = "a rating that is not a number from 0 to 5";
const BAD_REVIEW_COUNT: &str = "a review count that is not a whole number";
const BAD_CONFIDENCE: &str = "a confidence that is not a number from 0 to 1";
const UNKNOWN_COUNTRY: &str = "a country that is not known";
const UNKNOWN_CATEGORY: &str = "a category that no industry has: searches for an industry do not find it";

/// Bytes of the hash that stands in for an id.
const ID_HASH_BYTES: usize = 16;

/// The cells of a record, and which column holds what.
#[derive(Clone, Copy)]
pub(crate) struct Row<'a> {
    pub(crate) mapping: &'a Mapping,
    pub(crate) cells: &'a [&'a str],
}

impl<'a> Row<'a> {
    fn all(self, field: Field) -> impl Iterator<Item = &'a str> {
        let cells = self.mapping.columns(field).iter().filter_map(move |column| self.cells.get(*column).copied());
        cells.filter_map(texts::stated)
    }

    fn first(self, field: Field) -> Option<&'a str> {
        self.all(field).next().filter(|value| value.len() <= VALUE_BYTES_MAX)
    }

    fn owned(self, field: Field) -> Option<String> {
        self.first(field).map(str::to_owned)
    }

    fn list(self, field: Field, separators: Separators) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        for value in self.all(field).flat_map(|cell| texts::list(cell, separators)) {
            if !found.contains(&value) {
                found.push(value);
            }
        }
        found
    }
}

/// A place, and what was left out of it.
pub(crate) struct ReadPlace {
    pub(crate) place: Place,
    /// Values that were left out, by reason.
    pub(crate) notes: Vec<&'static str>,
}

/// Reads places out of rows.
pub(crate) struct PlaceReader {
    dataset: String,
    countries: Countries,
    country_codes: CountryCodes,
    category_names: CategoryNames,
    /// For rows that do not name theirs.
    default_country: Option<String>,
    default_category: Option<Categories>,
}

impl PlaceReader {
    /// A reader of places of this data set.
    pub(crate) fn new(dataset: impl Into<String>) -> PlaceReader {
        PlaceReader {
            dataset: dataset.into(),
            countries: Countries::default(),
            country_codes: CountryCodes::default(),
            category_names: CategoryNames::default(),
            default_country: None,
            default_category: None,
        }
    }

    /// Takes this country for that of rows that name none.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(crate) fn set_country(&mut self, country: &str) -> Result<(), String> {
        let code = self.country_codes.code(country.trim());
        let code =
            code.ok_or_else(|| format!("{country:?} is no country: give its code or name, such as US or Germany"))?;
        self.default_country = Some(code);
        Ok(())
    }

    /// Takes this category for that of rows that name none.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(crate) fn set_category(&mut self, category: &str) -> Result<(), String> {
        let categories = self.category_names.categories(std::iter::once(category));
        if categories.primary.is_none() {
            let unknown = places::industry(category).err().map(|error| error.to_string());
            return Err(unknown.unwrap_or_else(|| format!("{category:?} is no known category")));
        }
        self.default_category = Some(categories);
        Ok(())
    }

    /// The place in a row, at this point or at the one that the row states.
    ///
    /// # Errors
    /// The reason for which the row is skipped.
    pub(crate) fn place(&mut self, row: Row<'_>, point: Option<Point>) -> Result<ReadPlace, &'static str> {
        let name = row.all(Field::Name).next().ok_or(reasons::NO_NAME)?;
        let given_id = row.all(Field::Id).next();
        if name.len() > VALUE_BYTES_MAX || given_id.is_some_and(|id| id.len() > VALUE_BYTES_MAX) {
            return Err(reasons::LONG_VALUE);
        }
        let point = point.map_or_else(|| stated_point(row), Ok)?;
        let status = status(row);
        if status == OperatingStatus::PermanentlyClosed {
            return Err(reasons::CLOSED);
        }
        let mut notes = Vec::new();
        let address = self.address(row, point, &mut notes);
        let id = given_id.map_or_else(|| made_id(name, address.as_ref(), point), str::to_owned);
        let updated = row.first(Field::Updated).filter(|date| is_date(date)).map(str::to_owned);
        let place = Place {
            status,
            categories: self.categories(row, &mut notes),
            confidence: checked(row, Field::Confidence, numbers::share).unwrap_or_noted(BAD_CONFIDENCE, &mut notes),
            websites: row.list(Field::Website, Separators::Addresses),
            socials: socials_of(row),
            emails: row.list(Field::Email, Separators::Addresses),
            phones: row.list(Field::Phone, Separators::Phones),
            brand: row.owned(Field::Brand).map(|name| Brand { name: Some(name), wikidata: None }),
            addresses: address.into_iter().collect(),
            opening_hours: row.owned(Field::OpeningHours),
            rating: checked(row, Field::Rating, numbers::rating).unwrap_or_noted(BAD_RATING, &mut notes),
            review_count: checked(row, Field::ReviewCount, numbers::count)
                .unwrap_or_noted(BAD_REVIEW_COUNT, &mut notes),
            origins: vec![Origin { dataset: self.dataset.clone(), record_id: given_id.map(str::to_owned), updated }],
            ..Place::new(id, name, point)
        };
        Ok(ReadPlace { place, notes })
    }

    fn address(&mut self, row: Row<'_>, point: Point, notes: &mut Vec<&'static str>) -> Option<Address> {
        let named = row.first(Field::Country);
        let country = named.and_then(|name| self.country_codes.code(name));
        if named.is_some() && country.is_none() {
            notes.push(UNKNOWN_COUNTRY);
        }
        let country = country.or_else(|| self.default_country.clone());
        let (street, number, line) =
            (row.first(Field::Street), row.first(Field::HouseNumber), row.first(Field::Address));
        // Beside a column of house numbers, "address" is the street.
        let street = street.or(line.filter(|_| number.is_some()));
        let tags = [
            ("addr:street", street),
            ("addr:housenumber", number),
            ("addr:unit", row.first(Field::Unit).filter(|_| street.is_some())),
            ("addr:full", line),
            ("addr:city", row.first(Field::City)),
            ("addr:state", row.first(Field::State)),
            ("addr:postcode", row.first(Field::Postcode)),
            ("addr:country", country.as_deref()),
        ];
        let tags = Tags::pack(tags.into_iter().filter_map(|(key, value)| Some((key, value?))));
        address(&tags, point, &mut self.countries)
    }

    fn categories(&mut self, row: Row<'_>, notes: &mut Vec<&'static str>) -> Categories {
        let found = self.category_names.categories(row.all(Field::Category));
        if found.primary.is_none() && !found.alternates.is_empty() {
            notes.push(UNKNOWN_CATEGORY);
        }
        match &self.default_category {
            Some(default) if found.primary.is_none() => Categories { alternates: found.alternates, ..default.clone() },
            _ => found,
        }
    }
}

/// A value that was stated, and whether it could be read.
enum Checked<T> {
    Absent,
    Good(T),
    Bad,
}

impl<T> Checked<T> {
    fn unwrap_or_noted(self, note: &'static str, notes: &mut Vec<&'static str>) -> Option<T> {
        match self {
            Checked::Good(value) => return Some(value),
            Checked::Bad => notes.push(note),
            Checked::Absent => {}
        }
        None
    }
}

fn checked<T>(row: Row<'_>, field: Field, read: fn(&str) -> Option<T>) -> Checked<T> {
    match row.first(field) {
        None => Checked::Absent,
        Some(value) => read(value).map_or(Checked::Bad, Checked::Good),
    }
}

fn stated_point(row: Row<'_>) -> Result<Point, &'static str> {
    let point = match (row.first(Field::Latitude), row.first(Field::Longitude), row.first(Field::Coordinates)) {
        (Some(latitude), Some(longitude), _) => {
            let degrees = position::degrees(latitude).zip(position::degrees(longitude));
            degrees.map(|(latitude, longitude)| Point { latitude, longitude })
        }
        (_, _, Some(pair)) => position::pair(pair),
        _ => return Err(reasons::NO_COORDINATES),
    };
    let point = point.filter(|point| position::on_globe(*point)).ok_or(reasons::BAD_COORDINATES)?;
    if point.latitude == 0.0 && point.longitude == 0.0 {
        return Err(reasons::ZERO_COORDINATES);
    }
    Ok(point)
}

/// Words for what has closed for good, folded.
const CLOSED_WORDS: &[&str] = &[
    "closed",
    "permanentlyclosed",
    "closedpermanently",
    "closedforgood",
    "outofbusiness",
    "defunct",
    "dissolved",
    "ceased",
    "geschlossen",
    "dauerhaftgeschlossen",
    "ferme",
    "fermedefinitivement",
    "cerrado",
    "cerradopermanentemente",
    "chiuso",
    "chiusodefinitivamente",
];
/// Beginnings of words for what is closed for now, folded.
const PAUSED_WORDS: &[&str] = &[
    "temporarilyclosed",
    "closedtemporarily",
    "vorubergehendgeschlossen",
    "fermetemporairement",
    "cerradotemporalmente",
    "temporaneamentechiuso",
    "chiusotemporaneamente",
];
/// Answers to whether a place has closed that say no.
const NO_WORDS: &[&str] = &["no", "false", "0", "f", "n", "nein", "non", "falso", "open", "nan"];

fn status(row: Row<'_>) -> OperatingStatus {
    let words = row.first(Field::Status).map(folded).unwrap_or_default();
    let is_closed = row.first(Field::Closed).is_some_and(|answer| !NO_WORDS.contains(&folded(answer).as_str()));
    if is_closed || CLOSED_WORDS.contains(&words.as_str()) {
        return OperatingStatus::PermanentlyClosed;
    }
    let is_paused = PAUSED_WORDS.iter().any(|start| words.starts_with(start));
    if is_paused { OperatingStatus::TemporarilyClosed } else { OperatingStatus::Open }
}

/// Columns of one network, and the tag of OpenStreetMap whose values are read in the same way.
const NETWORKS: [(Field, &str); 6] = [
    (Field::Facebook, "facebook"),
    (Field::Instagram, "instagram"),
    (Field::Twitter, "twitter"),
    (Field::Linkedin, "linkedin"),
    (Field::Youtube, "youtube"),
    (Field::Tiktok, "tiktok"),
];

fn socials_of(row: Row<'_>) -> Vec<String> {
    let mut found = row.list(Field::Social, Separators::Addresses);
    found.retain(|address| address.contains('.') && address.contains('/'));
    let handles = NETWORKS.iter().flat_map(|(field, key)| row.all(*field).map(move |value| (*key, value)));
    for address in socials(&Tags::pack(handles)) {
        if address.len() <= VALUE_BYTES_MAX && !found.contains(&address) {
            found.push(address);
        }
    }
    found
}

/// Whether a text is a date or begins with one: `2026-03-04`, `2026-03-04T10:00:00Z`.
fn is_date(text: &str) -> bool {
    text.get(..10).is_some_and(|date| date.parse::<jiff::civil::Date>().is_ok()) && text.len() <= 35
}

/// An id that stays the same as long as name, address and position do.
pub(crate) fn made_id(name: &str, address: Option<&Address>, point: Point) -> String {
    let empty = Address::default();
    let address = address.unwrap_or(&empty);
    let mut hash = Sha256::new();
    for part in [Some(name), address.freeform.as_deref(), address.locality.as_deref(), address.postcode.as_deref()] {
        hash.update(part.unwrap_or_default().trim().to_lowercase().as_bytes());
        hash.update([0]);
    }
    // About a metre: programs that write the file again may round.
    hash.update(format!("{:.5},{:.5}", point.latitude, point.longitude).as_bytes());
    hex::encode(&hash.finalize()[..ID_HASH_BYTES])
}

/// The ids of an import so far, as hashes: eight bytes for each, however long they are.
#[derive(Default)]
pub(crate) struct SeenIds {
    random: RandomState,
    hashes: HashSet<u64, FxBuildHasher>,
}

impl SeenIds {
    /// Notes an id; `false` when it was seen before.
    pub(crate) fn is_new(&mut self, id: &str) -> bool {
        self.hashes.insert(self.random.hash_one(id))
    }
}
