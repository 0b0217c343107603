//! Requests to the Places API (New).

use std::time::Duration;

use bytes::Bytes;
use http::header::CONTENT_TYPE;
use http::{HeaderMap, HeaderName, HeaderValue, Method};
use places::{Bounds, Point};
use serde_json::{Value, json};
use url::Url;

use super::{GoogleSettings, PAGE_SIZE, QUERY_MAX, Search, types};
use crate::{Call, Cell, ProviderError, Question, Reply};

/// Bytes of an answer: twenty places with five reviews each have some 200 kB.
const ANSWER_BYTES_MAX: usize = 4 * 1024 * 1024;
/// Letters of the words that are searched for.
const WORDS_MAX: usize = 120;
const METRES_IN_A_MILE: f64 = 1_609.344;
/// A nearby search's radius is a little larger than needed, for distances that are measured differently.
const RADIUS_MARGIN: f64 = 1.005;
const KEY: HeaderName = HeaderName::from_static("x-goog-api-key");
const FIELD_MASK: HeaderName = HeaderName::from_static("x-goog-fieldmask");

/// What is asked for of each place: all that a lead can show, and nothing that costs more than phone, website and rating do.
const FIELDS: &str = "places.id,places.displayName,places.location,places.formattedAddress,places.addressComponents,\
places.businessStatus,places.types,places.primaryType,places.nationalPhoneNumber,places.internationalPhoneNumber,\
places.websiteUri,places.rating,places.userRatingCount,places.regularOpeningHours";
const REVIEWS: &str = ",places.reviews";
const NEXT_PAGE: &str = ",nextPageToken";

/// A search in one cell.
pub(super) struct Query<'q> {
    settings: &'q GoogleSettings,
    question: &'q Question,
    google_type: Option<&'static str>,
    pub(super) search: Search,
}

impl<'q> Query<'q> {
    pub(super) fn of(settings: &'q GoogleSettings, question: &'q Question) -> Query<'q> {
        let google_type = types::of(question.category);
        // Without a type there is nothing that a nearby search could look for.
        let search = if google_type.is_some() { settings.search } else { Search::Text };
        Query { settings, question, google_type, search }
    }

    /// Places that the query lists at most.
    pub(super) fn places_max(&self) -> usize {
        match self.search {
            Search::Text => QUERY_MAX,
            Search::Nearby => PAGE_SIZE,
        }
    }

    /// What Google charges a call as, which the fields decide.
    pub(super) fn kind(&self) -> &'static str {
        match (self.search, self.settings.with_reviews) {
            (Search::Text, false) => "text_search_enterprise",
            (Search::Text, true) => "text_search_enterprise_atmosphere",
            (Search::Nearby, false) => "nearby_search_enterprise",
            (Search::Nearby, true) => "nearby_search_enterprise_atmosphere",
        }
    }

    /// The call for the first page, or for the page that a token stands for.
    pub(super) fn call(&self, token: Option<&str>, fresh_for: Duration) -> Result<Call, ProviderError> {
        let reviews = if self.settings.with_reviews { REVIEWS } else { "" };
        let (path, body, next) = match self.search {
            Search::Text => ("v1/places:searchText", self.text_body(token), NEXT_PAGE),
            Search::Nearby => ("v1/places:searchNearby", self.nearby_body(), ""),
        };
        let parts = Parts { path, body, mask: format!("{FIELDS}{reviews}{next}"), kind: self.kind(), fresh_for };
        parts.call(self.settings)
    }

    fn text_body(&self, token: Option<&str>) -> Value {
        let Bounds { south, west, north, east } = on_globe(&self.question.cell);
        let mut body = json!({
            "textQuery": self.words(),
            "rankPreference": "DISTANCE",
            "pageSize": PAGE_SIZE,
            "locationRestriction": { "rectangle": {
                "low": { "latitude": south, "longitude": west },
                "high": { "latitude": north, "longitude": east },
            } },
        });
        if let Some(google_type) = self.google_type {
            body["includedType"] = google_type.into();
            body["strictTypeFiltering"] = true.into();
        }
        if let Some(token) = token {
            body["pageToken"] = token.into();
        }
        self.localised(body)
    }

    fn nearby_body(&self) -> Value {
        let centre = self.question.cell.centre();
        let metres = (radius_miles(&self.question.cell) * METRES_IN_A_MILE * RADIUS_MARGIN).ceil().max(1.0);
        self.localised(json!({
            "includedTypes": [self.google_type],
            "rankPreference": "DISTANCE",
            "maxResultCount": PAGE_SIZE,
            "locationRestriction": { "circle": {
                "center": { "latitude": centre.latitude, "longitude": centre.longitude },
                "radius": metres,
            } },
        }))
    }

    fn localised(&self, mut body: Value) -> Value {
        if let Some(language) = &self.settings.language {
            body["languageCode"] = language.as_str().into();
        }
        if let Some(region) = &self.settings.region {
            body["regionCode"] = region.as_str().into();
        }
        body
    }

    /// With a type, its name; otherwise what was typed.
    fn words(&self) -> String {
        let typed = self.question.words.trim();
        let words = if self.google_type.is_some() || typed.is_empty() { self.question.category.plural } else { typed };
        words.chars().filter(|letter| !letter.is_control()).take(WORDS_MAX).collect()
    }
}

/// The cheapest request there is: Google does not charge for a search that asks for ids only.
pub(super) fn check(settings: &GoogleSettings) -> Result<Call, ProviderError> {
    let body = json!({ "textQuery": "dentist", "pageSize": 1 });
    let parts = Parts {
        path: "v1/places:searchText",
        body,
        mask: "places.id".to_owned(),
        kind: "text_search_ids_only",
        fresh_for: Duration::ZERO,
    };
    parts.call(settings)
}

/// The distance from the middle of a cell to its farthest corner.
pub(super) fn radius_miles(cell: &Cell) -> f64 {
    let (centre, Bounds { south, north, east, .. }) = (cell.centre(), on_globe(cell));
    let corner = |latitude: f64| centre.miles_to(Point { latitude, longitude: east });
    corner(south).max(corner(north))
}

struct Parts {
    path: &'static str,
    body: Value,
    mask: String,
    kind: &'static str,
    fresh_for: Duration,
}

impl Parts {
    fn call(self, settings: &GoogleSettings) -> Result<Call, ProviderError> {
        let Parts { path, body, mask, kind, fresh_for } = self;
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        let mask = HeaderValue::from_str(&mask).map_err(|_| ProviderError::Permanent("the fields are wrong".into()))?;
        headers.insert(FIELD_MASK, mask);
        Ok(Call {
            provider: "google",
            kind,
            method: Method::POST,
            url: address(&settings.base_url, path)?,
            headers,
            secrets: HeaderMap::from_iter([(KEY, key(&settings.key)?)]),
            secret_query: None,
            body: Bytes::from(body.to_string()),
            answer_max: ANSWER_BYTES_MAX,
            timeout: settings.timeout,
            fresh_for,
            is_worth_storing,
            pace: settings.pace,
        })
    }
}

fn is_worth_storing(reply: &Reply) -> bool {
    reply.status == 200 && serde_json::from_slice::<Value>(&reply.body).is_ok_and(|answer| answer.is_object())
}

fn key(key: &str) -> Result<HeaderValue, ProviderError> {
    let unusable =
        || ProviderError::Permanent("the Google key has characters that no key has: copy it again".to_owned());
    let mut value = HeaderValue::from_str(key.trim()).map_err(|_| unusable())?;
    if value.is_empty() {
        return Err(ProviderError::Permanent("there is no Google key in the settings".to_owned()));
    }
    value.set_sensitive(true);
    Ok(value)
}

/// An address below the base, which may have a path of its own.
pub(crate) fn address(base: &Url, path: &str) -> Result<Url, ProviderError> {
    let joined = format!("{}/{path}", base.as_str().trim_end_matches('/'));
    Url::parse(&joined).map_err(|_| ProviderError::Permanent("Google's address in the settings is wrong".to_owned()))
}

/// A cell's box; its edges may lie a metre beyond the ends of the globe.
fn on_globe(cell: &Cell) -> Bounds {
    let Bounds { south, west, north, east } = cell.bounds();
    Bounds { south: south.max(-90.0), west: west.max(-180.0), north: north.min(90.0), east: east.min(180.0) }
}
