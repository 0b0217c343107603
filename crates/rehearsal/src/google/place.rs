//! A business as the API shows it, with the fields that were asked for.

use sandbox::Business;
use serde_json::{Map, Value, json};

use super::world::type_of;

/// Every field of a place that the rehearsal has.
pub(super) const FIELDS: [&str; 17] = [
    "name",
    "id",
    "displayName",
    "location",
    "formattedAddress",
    "addressComponents",
    "businessStatus",
    "types",
    "primaryType",
    "nationalPhoneNumber",
    "internationalPhoneNumber",
    "websiteUri",
    "rating",
    "userRatingCount",
    "regularOpeningHours",
    "reviews",
    "googleMapsUri",
];

/// Fields that make a call more expensive, from the most expensive on.
const ATMOSPHERE: [&str; 1] = ["reviews"];
const ENTERPRISE: [&str; 6] = [
    "nationalPhoneNumber",
    "internationalPhoneNumber",
    "websiteUri",
    "rating",
    "userRatingCount",
    "regularOpeningHours",
];
const FREE: [&str; 2] = ["id", "name"];

/// Whether a place is in business.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Status {
    Open,
    TemporarilyClosed,
    PermanentlyClosed,
}

/// The fields that a mask names; why it is none otherwise.
pub(super) fn fields(mask: &str) -> Result<Vec<&'static str>, String> {
    let mut fields = Vec::new();
    for path in mask.split(',').map(str::trim).filter(|path| *path != "nextPageToken") {
        if path == "*" || path == "places.*" {
            return Ok(FIELDS.to_vec());
        }
        let field = path.strip_prefix("places.").and_then(|rest| rest.split('.').next());
        let known = FIELDS.into_iter().find(|known| Some(*known) == field);
        fields.push(known.ok_or_else(|| {
            format!("Error expanding 'fields' parameter. Cannot find matching fields for path '{path}'.")
        })?);
    }
    if fields.is_empty() {
        return Err("FieldMask is a required parameter.".to_owned());
    }
    Ok(fields)
}

/// What a search with these fields is charged as.
pub(super) fn charge(search: &str, fields: &[&str]) -> String {
    let has = |some: &[&str]| fields.iter().any(|field| some.contains(field));
    let tier = match () {
        () if has(&ATMOSPHERE) => "enterprise_atmosphere",
        () if has(&ENTERPRISE) => "enterprise",
        () if fields.iter().all(|field| FREE.contains(field)) => "ids_only",
        () => "pro",
    };
    format!("{search}_{tier}")
}

/// The business with the fields that were asked for.
pub(super) fn shown(business: &Business, fields: &[&str], (status, site_port): (Status, u16)) -> Value {
    let all = all_fields(business, status, site_port);
    Value::Object(all.into_iter().filter(|(name, _)| fields.contains(&name.as_str())).collect())
}

fn all_fields(business: &Business, status: Status, site_port: u16) -> Map<String, Value> {
    let primary = type_of(business.category).unwrap_or("establishment");
    let place = json!({
        "name": format!("places/{}", business.id),
        "id": business.id,
        "displayName": { "text": business.name, "languageCode": "en" },
        "location": { "latitude": business.point.latitude, "longitude": business.point.longitude },
        "formattedAddress": line(business),
        "addressComponents": components(business),
        "businessStatus": match status {
            Status::Open => "OPERATIONAL",
            Status::TemporarilyClosed => "CLOSED_TEMPORARILY",
            Status::PermanentlyClosed => "CLOSED_PERMANENTLY",
        },
        "types": [primary, "point_of_interest", "establishment"],
        "primaryType": primary,
        "nationalPhoneNumber": business.phone,
        "internationalPhoneNumber": business.phone.as_deref().map(spaced),
        "websiteUri": business.website.url(site_port),
        "rating": business.rating,
        "userRatingCount": business.review_count,
        "regularOpeningHours": { "periods": periods() },
        "reviews": business.reviews.iter().map(|review| json!({
            "rating": review.rating,
            "text": { "text": review.text },
            "authorAttribution": { "displayName": review.author },
        })).collect::<Vec<_>>(),
        "googleMapsUri": format!("https://maps.google.com/?cid={}", business.id),
    });
    let Value::Object(fields) = place else { return Map::new() };
    // What is not known is left out, not null.
    fields.into_iter().filter(|(_, value)| !value.is_null()).collect()
}

/// Eight to five on weekdays; a week begins on Sunday.
fn periods() -> Vec<Value> {
    let at = |day: u8, hour: u8| json!({ "day": day, "hour": hour, "minute": 0 });
    (1..=5).map(|day| json!({ "open": at(day, 8), "close": at(day, 17) })).collect()
}

/// A North American number as Google writes it: `+1 512-555-0100`.
fn spaced(phone: &str) -> String {
    match phone.strip_prefix("+1") {
        Some(digits) if digits.len() == 10 && digits.is_ascii() => {
            format!("+1 {}-{}-{}", &digits[..3], &digits[3..6], &digits[6..])
        }
        _ => phone.to_owned(),
    }
}

pub(super) fn line(business: &Business) -> String {
    let Business { street, city, state, .. } = business;
    let code = business.postal_code.as_deref().map(|code| format!(" {code}")).unwrap_or_default();
    format!("{street}, {city}, {state}{code}, {}", business.country)
}

/// House number and street, told apart by the digits.
pub(super) fn number_and_route(street: &str) -> (Option<&str>, &str) {
    let has_digit = |word: &str| word.bytes().any(|byte| byte.is_ascii_digit());
    match (street.split_once(' '), street.rsplit_once(' ')) {
        (Some((number, route)), _) if has_digit(number) => (Some(number), route),
        (_, Some((route, number))) if has_digit(number) => (Some(number), route),
        _ => (None, street),
    }
}

fn components(business: &Business) -> Vec<Value> {
    let part =
        |kind: &str, text: &str| json!({ "longText": text, "shortText": text, "types": [kind], "languageCode": "en" });
    let (number, route) = number_and_route(&business.street);
    let number = number.map(|number| part("street_number", number));
    let code = business.postal_code.as_deref().map(|code| part("postal_code", code));
    let rest = [
        part("route", route),
        part("locality", &business.city),
        part("administrative_area_level_1", &business.state),
        part("country", business.country),
    ];
    number.into_iter().chain(rest).chain(code).collect()
}
