//! Reads a page of places. Whatever is missing or of another type than documented counts as not said.

use places::Point;
use serde_json::Value;

use super::{PAGE_SIZE, place};
use crate::{Found, Question};

/// Letters of a page token that is believed: they have some thousand.
const TOKEN_MAX: usize = 16 * 1024;
/// Places read of one page, should it have more than it may.
const PLACES_MAX: usize = 5 * PAGE_SIZE;

/// One page.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Page {
    /// Places on it, readable or not.
    pub(super) listed: usize,
    /// Those that have an id and a position, in the provider's order.
    pub(super) places: Vec<ListedPlace>,
    pub(super) token: Option<String>,
}

/// A place on a page.
#[derive(Debug, PartialEq)]
pub(super) struct ListedPlace {
    pub(super) id: String,
    pub(super) point: Point,
    /// The business; `None` when it has closed for good or has no name.
    pub(super) found: Option<Found>,
}

/// Reads an answer. One that is not an object has no places.
pub(super) fn page(body: &[u8], question: &Question) -> Page {
    let answer: Value = serde_json::from_slice(body).unwrap_or_default();
    let places = answer.get("places").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let token = answer.get("nextPageToken").and_then(Value::as_str);
    Page {
        listed: places.len(),
        places: places.iter().take(PLACES_MAX).filter_map(|value| listed(value, question)).collect(),
        token: token.filter(|token| !token.is_empty() && token.len() <= TOKEN_MAX).map(str::to_owned),
    }
}

fn listed(value: &Value, question: &Question) -> Option<ListedPlace> {
    let id = place::id(value)?;
    let point = place::point(value)?;
    Some(ListedPlace { found: place::found(value, question, (&id, point)), id, point })
}

#[cfg(test)]
mod tests {
    use place_data::OperatingStatus;
    use places::{Area, Bounds};
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;
    use crate::Cell;

    fn question() -> Question {
        Question {
            category: places::category("dentist").unwrap(),
            words: "dentists".into(),
            area: Area::circle("here", "US", Point { latitude: 30.0, longitude: -97.0 }, 5.0),
            cell: Cell::around(&Bounds { south: 29.9, west: -97.1, north: 30.1, east: -96.9 }),
        }
    }

    fn read(answer: &Value) -> Page {
        page(answer.to_string().as_bytes(), &question())
    }

    #[test]
    fn a_page_is_read_place_by_place() {
        let page = read(&json!({
            "places": [
                { "id": "a", "displayName": { "text": "Bright Smiles", "languageCode": "en" },
                  "location": { "latitude": 30.01, "longitude": -97.02 }, "businessStatus": "CLOSED_TEMPORARILY",
                  "types": ["dentist", "health"], "primaryType": "dentist", "rating": 4.6, "userRatingCount": 87,
                  "internationalPhoneNumber": "+1 512-555-0100", "nationalPhoneNumber": "(512) 555-0100",
                  "websiteUri": "https://www.facebook.com/brightsmiles",
                  "reviews": [{ "text": { "text": "Kind staff." } }, { "text": 5 }, { "originalText": { "text": "Gut." } }] },
                { "id": "b", "displayName": { "text": "Old Smiles" }, "location": { "latitude": 30.0, "longitude": -97.0 },
                  "businessStatus": "CLOSED_PERMANENTLY" },
                { "name": "places/c", "displayName": "no object", "location": { "latitude": 30.0, "longitude": -97.0 } },
                { "id": "d", "displayName": { "text": "Nowhere" } },
                { "id": "e", "displayName": { "text": "Off the globe" }, "location": { "latitude": 300.0, "longitude": 0 } },
                7,
            ],
            "nextPageToken": "more",
        }));
        assert_eq!((page.listed, page.token.as_deref()), (6, Some("more")));
        let ids: Vec<(&str, bool)> =
            page.places.iter().map(|place| (place.id.as_str(), place.found.is_some())).collect();
        assert_eq!(ids, [("a", true), ("b", false), ("c", false)]);
        let found = page.places[0].found.as_ref().unwrap();
        assert_eq!(found.place.name, "Bright Smiles");
        assert_eq!(found.place.status, OperatingStatus::TemporarilyClosed);
        assert_eq!(found.place.phones, ["+1 512-555-0100"]);
        assert_eq!((found.place.websites.len(), found.place.socials.len()), (0, 1));
        assert_eq!((found.place.rating, found.place.review_count), (Some(4.6), Some(87)));
        assert_eq!(found.place.categories.primary.as_deref(), Some("canvass:dentist"));
        assert_eq!(found.reviews, ["Kind staff.", "Gut."]);
    }

    #[test]
    fn answers_of_other_shapes_have_no_places() {
        for answer in
            [json!(null), json!([]), json!({}), json!({ "places": {} }), json!({ "places": [[]], "nextPageToken": 1 })]
        {
            let page = read(&answer);
            assert!(page.places.is_empty() && page.token.is_none(), "{answer}");
        }
        assert_eq!(page(b"<html>", &question()), Page::default());
    }

    fn any_value() -> impl Strategy<Value = Value> {
        let names = prop::sample::select(vec![
            "places",
            "id",
            "name",
            "displayName",
            "text",
            "location",
            "latitude",
            "longitude",
            "businessStatus",
            "types",
            "regularOpeningHours",
            "periods",
            "open",
            "close",
            "day",
            "hour",
            "minute",
            "reviews",
            "rating",
            "userRatingCount",
            "websiteUri",
            "addressComponents",
            "longText",
            "shortText",
            "nationalPhoneNumber",
            "formattedAddress",
            "nextPageToken",
        ]);
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            (-9i64..30).prop_map(Value::from),
            ".{0,12}".prop_map(Value::from),
            prop::sample::select(vec!["route", "locality", "street_number", "country", "https://x.com/a", "http://"])
                .prop_map(Value::from),
        ];
        leaf.prop_recursive(5, 80, 6, move |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
                prop::collection::vec((names.clone(), inner), 0..8)
                    .prop_map(|pairs| pairs.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()),
            ]
        })
    }

    proptest! {
        #[test]
        fn no_answer_makes_the_reader_panic(places in prop::collection::vec(any_value(), 0..4), whole in any_value()) {
            read(&whole);
            let placed = places.into_iter().map(|mut value| {
                if let Some(fields) = value.as_object_mut() {
                    fields.insert("id".into(), "x".into());
                    fields.insert("location".into(), json!({ "latitude": 1.0, "longitude": 1.0 }));
                    fields.entry("displayName").or_insert(json!({ "text": "Name" }));
                }
                value
            });
            read(&json!({ "places": placed.collect::<Vec<_>>() }));
        }

        #[test]
        fn no_bytes_make_the_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            page(&bytes, &question());
        }
    }
}
