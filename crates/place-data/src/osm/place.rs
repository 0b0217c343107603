//! Turns the tags of a business into a place.

use places::Point;

use super::address::{self, Countries};
use super::business;
use super::element::{Candidate, Tags};
use super::socials;
use crate::{Brand, Categories, NameSource, OperatingStatus, Origin, Place};

const PHONE_KEYS: &[&str] = &["phone", "contact:phone", "contact:mobile", "mobile", "phone:mobile"];
const WEBSITE_KEYS: &[&str] = &["website", "contact:website", "url", "contact:url"];
const EMAIL_KEYS: &[&str] = &["email", "contact:email"];
/// Other keys that are read.
const PLAIN_KEYS: &[&str] =
    &["name", "brand", "brand:wikidata", "operator", "opening_hours", "check_date", "operational_status"];
/// Letters of a language code's first part.
const LANGUAGE_LETTERS: std::ops::RangeInclusive<usize> = 2..=3;
/// Keys such as `name:old` that look like a translation and are none.
const NOT_LANGUAGES: &[&str] = &["old", "alt", "ref", "loc", "int", "reg", "nat"];

/// Whether an import reads this key; other tags are not kept.
pub(super) fn is_read(key: &str) -> bool {
    let lists = [PHONE_KEYS, WEBSITE_KEYS, EMAIL_KEYS, PLAIN_KEYS, address::KEYS];
    lists.iter().any(|list| list.contains(&key))
        || business::is_decisive(key)
        || business::is_qualifier(key)
        || business::is_exception_key(key)
        || business::is_closed_key(key)
        || socials::is_social(key)
        || language(key).is_some()
}

/// The place that a candidate is, at this point. `countries` tells the country when the address does not.
pub(super) fn place(candidate: &Candidate, point: Point, countries: &mut Countries) -> Option<Place> {
    let tags = &candidate.tags;
    let id = candidate.id.to_string();
    let (name_source, name) = name(tags)?;
    let categories = business::categories(tags.iter());
    Some(Place {
        name_source,
        translations: translations(tags),
        status: status(tags),
        websites: all(tags, WEBSITE_KEYS),
        socials: socials::socials(tags),
        emails: all(tags, EMAIL_KEYS),
        phones: all(tags, PHONE_KEYS),
        brand: brand(tags),
        addresses: address::address(tags, point, countries).into_iter().collect(),
        opening_hours: tags.get("opening_hours").map(str::to_owned),
        categories: Categories { primary: categories.first().cloned(), hierarchy: categories, ..Categories::default() },
        origins: vec![Origin {
            dataset: "OpenStreetMap".to_owned(),
            record_id: Some(id.clone()),
            updated: updated(candidate),
        }],
        ..Place::new(id, name, point)
    })
}

/// The name, or what stands in for it.
fn name(tags: &Tags) -> Option<(NameSource, &str)> {
    let sources = [("name", NameSource::Name), ("brand", NameSource::Brand), ("operator", NameSource::Operator)];
    sources.into_iter().find_map(|(key, source)| Some((source, tags.get(key)?)))
}

/// The language of a key such as `name:en` or `name:zh-Hant`.
fn language(key: &str) -> Option<&str> {
    let code = key.strip_prefix("name:")?;
    let mut parts = code.split(['-', '_']);
    let first = parts.next()?;
    let is_language = LANGUAGE_LETTERS.contains(&first.len())
        && first.bytes().all(|byte| byte.is_ascii_lowercase())
        && parts.all(|part| (2..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric()))
        && !NOT_LANGUAGES.contains(&first);
    is_language.then_some(code)
}

fn translations(tags: &Tags) -> Vec<(String, String)> {
    let translated = tags.iter().filter_map(|(key, value)| Some((language(key)?, value.trim())));
    let translated = translated.filter(|(_, value)| !value.is_empty());
    let mut found: Vec<(String, String)> =
        translated.map(|(code, value)| (code.to_owned(), value.to_owned())).collect();
    found.sort();
    found
}

/// The values of these keys, each once.
fn all(tags: &Tags, keys: &[&str]) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for value in keys.iter().flat_map(|key| tags.values(key)) {
        if !matches!(value, "no" | "none" | "yes") && !found.iter().any(|other| other == value) {
            found.push(value.to_owned());
        }
    }
    found
}

fn brand(tags: &Tags) -> Option<Brand> {
    let is_wikidata = |id: &&str| id.strip_prefix('Q').is_some_and(|digits| digits.parse::<u64>().is_ok());
    let wikidata = tags.values("brand:wikidata").find(is_wikidata).map(str::to_owned);
    let brand = Brand { name: tags.values("brand").next().map(str::to_owned), wikidata };
    (brand != Brand::default()).then_some(brand)
}

/// Whether it is in business; what has closed for good is no candidate in the first place.
fn status(tags: &Tags) -> OperatingStatus {
    let is_off = tags.get("opening_hours").is_some_and(|hours| {
        let hours = hours.split('"').next().unwrap_or_default().trim().to_lowercase();
        matches!(hours.as_str(), "off" | "closed" | "24/7 off" | "24/7 closed")
    });
    let is_suspended = matches!(tags.get("operational_status"), Some("temporarily_closed" | "closed_temporarily"));
    if is_off || is_suspended { OperatingStatus::TemporarilyClosed } else { OperatingStatus::Open }
}

/// When it was last confirmed or edited, whichever is later.
fn updated(candidate: &Candidate) -> Option<String> {
    let edited = candidate.edited.and_then(|seconds| jiff::Timestamp::from_second(seconds).ok());
    let edited = edited.map(|at| at.to_string());
    let checked =
        candidate.tags.values("check_date").find(|date| date.parse::<jiff::civil::Date>().is_ok() && date.len() == 10);
    match (edited, checked) {
        (Some(edited), Some(checked)) if *checked > *edited.get(..10).unwrap_or_default() => Some(checked.to_owned()),
        (None, Some(checked)) => Some(checked.to_owned()),
        (edited, _) => edited,
    }
}
