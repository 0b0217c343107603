//! Reads one place.

use place_data::{Address, Categories, OperatingStatus, Origin, Place};
use places::Point;
use serde_json::Value;
use url::Url;

use super::hours;
use crate::{Found, Question};

/// Letters of an id, a name, an address and so on that are believed.
const ID_MAX: usize = 512;
const TEXT_MAX: usize = 500;
const URL_MAX: usize = 2_000;
/// Reviews that are kept, and letters of one.
const REVIEWS_MAX: usize = 5;
const REVIEW_MAX: usize = 2_000;
/// Types that are kept.
const TYPES_MAX: usize = 20;
/// Reviews that a count may name.
const COUNT_MAX: i64 = 100_000_000;
/// Domains whose pages are profiles, not websites.
const NETWORKS: [&str; 11] = [
    "facebook.com",
    "fb.com",
    "fb.me",
    "instagram.com",
    "instagr.am",
    "twitter.com",
    "x.com",
    "linkedin.com",
    "youtube.com",
    "youtu.be",
    "tiktok.com",
];

/// The place's id, which also stands in its name: `places/ChIJ...`.
pub(super) fn id(value: &Value) -> Option<String> {
    let named = || value.get("name")?.as_str()?.strip_prefix("places/");
    let id = value.get("id").and_then(Value::as_str).or_else(named)?.trim();
    (!id.is_empty() && id.len() <= ID_MAX).then(|| id.to_owned())
}

/// Where it lies.
pub(super) fn point(value: &Value) -> Option<Point> {
    let location = value.get("location")?;
    let degrees = |name: &str| location.get(name).map_or(Some(0.0), Value::as_f64);
    let point = Point { latitude: degrees("latitude")?, longitude: degrees("longitude")? };
    // A number that is zero is left out of the answer; no business lies at zero and zero.
    let is_somewhere = point.latitude != 0.0 || point.longitude != 0.0;
    (is_somewhere && point.latitude.abs() <= 90.0 && point.longitude.abs() <= 180.0).then_some(point)
}

/// The business; `None` when it has closed for good or has no name.
pub(super) fn found(value: &Value, question: &Question, (id, point): (&str, Point)) -> Option<Found> {
    let name = text(value.get("displayName")?.get("text"), TEXT_MAX)?;
    let status = match value.get("businessStatus").and_then(Value::as_str) {
        Some("CLOSED_PERMANENTLY") => return None,
        Some("CLOSED_TEMPORARILY") => OperatingStatus::TemporarilyClosed,
        _ => OperatingStatus::Open,
    };
    let (websites, socials) = addresses_of(value);
    let phone =
        ["internationalPhoneNumber", "nationalPhoneNumber"].into_iter().find_map(|key| text(value.get(key), 40));
    let rating = value.get("rating").and_then(Value::as_f64).filter(|stars| (0.0..=5.0).contains(stars));
    let count = value.get("userRatingCount").and_then(Value::as_i64).filter(|count| (0..=COUNT_MAX).contains(count));
    let place = Place {
        categories: categories(value, question),
        status,
        websites,
        socials,
        phones: phone.into_iter().collect(),
        addresses: address(value).into_iter().collect(),
        opening_hours: value.get("regularOpeningHours").and_then(hours::notation),
        // No rating is 0 stars: it means that there is none.
        rating: rating.filter(|stars| *stars > 0.0),
        review_count: count,
        origins: vec![Origin { dataset: "Google".to_owned(), record_id: Some(id.to_owned()), updated: None }],
        ..Place::new(id, name, point)
    };
    Some(Found { place, reviews: reviews(value) })
}

/// A text without blanks at its ends, cut where it is too long; `None` when nothing is left of it.
pub(crate) fn text(value: Option<&Value>, letters_max: usize) -> Option<String> {
    let text = value?.as_str()?.trim();
    (!text.is_empty()).then(|| text.chars().take(letters_max).collect())
}

/// The question's category, for which Google has listed the place, and what Google calls it.
fn categories(value: &Value, question: &Question) -> Categories {
    let own = format!("canvass:{}", question.category.slug);
    let types = value.get("types").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    Categories {
        primary: Some(own.clone()),
        hierarchy: vec![own],
        alternates: types.iter().filter_map(|name| text(Some(name), 100)).take(TYPES_MAX).collect(),
        basic: text(value.get("primaryType"), 100),
    }
}

/// Websites and profiles.
fn addresses_of(value: &Value) -> (Vec<String>, Vec<String>) {
    let Some(address) = text(value.get("websiteUri"), URL_MAX + 1).filter(|address| address.len() <= URL_MAX) else {
        return (Vec::new(), Vec::new());
    };
    let host = Url::parse(&address).ok().and_then(|url| url.host_str().map(str::to_owned)).unwrap_or_default();
    let is_profile = NETWORKS
        .iter()
        .any(|network| host.strip_suffix(network).is_some_and(|before| before.is_empty() || before.ends_with('.')));
    if is_profile { (Vec::new(), vec![address]) } else { (vec![address], Vec::new()) }
}

fn reviews(value: &Value) -> Vec<String> {
    let reviews = value.get("reviews").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let words = |review: &Value| {
        let of = |key: &str| text(review.get(key)?.get("text"), REVIEW_MAX);
        of("originalText").or_else(|| of("text"))
    };
    reviews.iter().filter_map(words).take(REVIEWS_MAX).collect()
}

/// The address from its components; without any, the whole in one line.
fn address(value: &Value) -> Option<Address> {
    let formatted = text(value.get("formattedAddress"), TEXT_MAX);
    let components = value.get("addressComponents").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let component = |kinds: &[&str], form: &str| {
        kinds.iter().find_map(|kind| {
            let is_kind = |component: &&Value| {
                component
                    .get("types")
                    .and_then(Value::as_array)
                    .is_some_and(|types| types.iter().any(|name| name == kind))
            };
            let found = components.iter().find(is_kind)?;
            text(found.get(form), TEXT_MAX).or_else(|| text(found.get("longText"), TEXT_MAX))
        })
    };
    let long = |kinds: &[&str]| component(kinds, "longText");
    let street = street(long(&["route"]), long(&["street_number"]), formatted.as_deref());
    let unit = long(&["subpremise"]);
    let country = component(&["country"], "shortText").filter(|code| code.len() == 2 && code.is_ascii());
    let address = Address {
        freeform: street
            .map(|street| unit.map_or(street.clone(), |unit| format!("{street} #{}", unit.trim_start_matches('#')))),
        locality: long(&["locality", "postal_town", "sublocality_level_1", "administrative_area_level_3"]),
        postcode: long(&["postal_code"]),
        region: component(&["administrative_area_level_1"], "shortText"),
        country: country.map(|code| code.to_ascii_uppercase()),
    };
    if address != Address::default() {
        return Some(address);
    }
    formatted.map(|line| Address { freeform: Some(line), ..Address::default() })
}

/// Street and house number in the order of the country, which the formatted address shows.
fn street(route: Option<String>, number: Option<String>, formatted: Option<&str>) -> Option<String> {
    let (route, number) = match (route, number) {
        (Some(route), Some(number)) => (route, number),
        (route, _) => return route,
    };
    let after = format!("{route} {number}");
    let is_after = formatted.is_some_and(|line| line.contains(&after));
    Some(if is_after { after } else { format!("{number} {route}") })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn addresses_are_put_together_as_their_country_writes_them() {
        let part = |kind: &str, long: &str, short: &str| json!({ "longText": long, "shortText": short, "types": [kind, "political"] });
        let austin = json!({ "formattedAddress": "100 Congress Ave #5, Austin, TX 78701, USA", "addressComponents": [
            part("subpremise", "5", "5"), part("street_number", "100", "100"), part("route", "Congress Avenue", "Congress Ave"),
            part("locality", "Austin", "Austin"), part("administrative_area_level_1", "Texas", "TX"),
            part("country", "United States", "US"), part("postal_code", "78701", "78701"),
        ] });
        let berlin = json!({ "formattedAddress": "Torstraße 5, 10119 Berlin, Germany", "addressComponents": [
            part("street_number", "5", "5"), part("route", "Torstraße", "Torstraße"), part("locality", "Berlin", "Berlin"),
            part("country", "Germany", "de"),
        ] });
        let of = |value: &Value| address(value).unwrap();
        assert_eq!(of(&austin).freeform.as_deref(), Some("100 Congress Avenue #5"));
        assert_eq!((of(&austin).region.as_deref(), of(&austin).country.as_deref()), (Some("TX"), Some("US")));
        assert_eq!((of(&austin).locality.as_deref(), of(&austin).postcode.as_deref()), (Some("Austin"), Some("78701")));
        assert_eq!(of(&berlin).freeform.as_deref(), Some("Torstraße 5"));
        assert_eq!(of(&berlin).country.as_deref(), Some("DE"));
        assert_eq!(of(&json!({ "formattedAddress": "Somewhere 1" })).freeform.as_deref(), Some("Somewhere 1"));
        assert_eq!(address(&json!({ "addressComponents": [1, {}, { "types": "route" }] })), None);
    }

    #[test]
    fn profiles_are_told_apart_from_websites() {
        for (address, is_profile) in [
            ("https://www.facebook.com/acme", true),
            ("https://x.com/acme", true),
            ("https://netflix.com/", false),
            ("http://acme.example/", false),
            ("not an address", false),
        ] {
            let (websites, socials) = addresses_of(&json!({ "websiteUri": address }));
            assert_eq!((websites.is_empty(), socials.is_empty()), (is_profile, !is_profile), "{address}");
        }
    }

    #[test]
    fn positions_off_the_globe_are_none() {
        let at = |latitude: Value, longitude: Value| {
            point(&json!({ "location": { "latitude": latitude, "longitude": longitude } }))
        };
        assert!(at(json!(51.5), json!(-0.1)).is_some());
        for (latitude, longitude) in
            [(json!(91), json!(0)), (json!("1"), json!(1)), (json!(0), json!(0)), (json!(0), json!(181))]
        {
            assert_eq!(at(latitude, longitude), None);
        }
        assert!(point(&json!({ "location": { "latitude": 51.5 } })).is_some(), "a zero is left out");
    }
}
