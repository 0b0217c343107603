//! The fields of a search request: the same in a body, in an address, and from an assistant.

use std::borrow::Cow;

use canvass::plan::Scope;
use canvass::search::{Filters, LOCATIONS_MAX, RADIUS_MILES, RATING, REQUESTED_DEFAULT, REQUESTED_MAX, StartRequest};
use schemars::{JsonSchema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::edge::Problem;
use crate::edge::fields::Fields;
use crate::edge::schema::{self, Direction};

/// Characters of an industry.
const INDUSTRY_CHARS_MAX: usize = 200;
/// Characters of a location.
const LOCATION_CHARS_MAX: usize = 300;
/// More reviews than any business has.
const REVIEWS_MAX: f64 = 1e9;
/// Best rating of a listing.
const RATING_MAX: f64 = 5.0;
/// Smallest and largest radius of a search.
const RADIUS_MILES_MIN: f64 = 1.0;
const RADIUS_MILES_MAX: f64 = 500.0;

/// Reads a request, and reports everything that is wrong with it.
pub fn start_request(mut fields: Fields) -> Result<StartRequest, Problem> {
    let industry = fields.text("industry", 1..=INDUSTRY_CHARS_MAX);
    let industry = fields.require("industry", industry, "the kind of business, such as \"dentist\"");
    let mut location = fields.text("location", 1..=LOCATION_CHARS_MAX);
    let locations = fields.texts("locations", 1..=LOCATIONS_MAX, 1..=LOCATION_CHARS_MAX);
    if locations.is_some() && location.is_some() {
        fields.contradict("locations", "cannot be given together with location; send one of the two");
    } else if locations.is_none() {
        location = fields.require("location", location, "where to search, such as \"Austin, TX\" or a ZIP code");
    }
    let request = StartRequest {
        industry: industry.unwrap_or_default(),
        location: location.unwrap_or_default(),
        locations: Vec::new(),
        requested_count: fields.integer("requested_count", 1..=REQUESTED_MAX),
        scope: fields.choice("scope", &Scope::ALL, Scope::name),
        radius_miles: fields.number("radius_miles", RADIUS_MILES),
        filters: fields.object("filters", filters),
        notify: fields.boolean("notify").unwrap_or(false),
    };
    if let Some((field, why)) = request.filters.contradiction() {
        fields.contradict(field, why);
    }
    fields.finish()?;
    Ok(match locations {
        Some(locations) => request.of_places(locations),
        None => request,
    })
}

fn filters(fields: &mut Fields) -> Filters {
    Filters {
        min_rating: fields.number("min_rating", RATING),
        max_rating: fields.number("max_rating", RATING),
        min_reviews: fields.number("min_reviews", 0.0..=REVIEWS_MAX),
        max_reviews: fields.number("max_reviews", 0.0..=REVIEWS_MAX),
        has_website: fields.boolean("has_website"),
        has_phone: fields.boolean("has_phone"),
        has_email: fields.boolean("has_email"),
        skip_owned: fields.boolean("skip_owned"),
    }
}

/// What a search is asked for.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "SearchRequest")]
pub struct StartView {
    /// Kind of business in your own words, such as "dentist".
    #[schemars(length(min = 1, max = INDUSTRY_CHARS_MAX), regex(pattern = r"\S"), example = &"dentist")]
    pub industry: String,
    /// Area to search: a town, ZIP code, county, state or country, or coordinates such as `30.2672, -97.7431`. With
    /// `radius_miles`, the street address, ZIP code, town or coordinates to measure from.
    #[schemars(length(min = 1, max = LOCATION_CHARS_MAX), regex(pattern = r"\S"), example = &"Austin, TX")]
    pub location: Option<String>,
    /// Several areas that one search covers, instead of `location`; no business comes twice. In an address, separated by
    /// semicolons.
    #[schemars(length(min = 1, max = LOCATIONS_MAX))]
    pub locations: Option<Vec<String>>,
    /// Leads wanted, 25 when left out; lowered to the plan's cap and the balance.
    #[schemars(range(min = 1, max = REQUESTED_MAX), example = REQUESTED_DEFAULT, extend("default" = REQUESTED_DEFAULT))]
    pub requested_count: Option<i64>,
    /// How wide to search around the location; city when left out, or the place itself when it is wider.
    #[schemars(default, schema_with = "scope_schema", extend("default" = Scope::City.name()))]
    pub scope: Option<String>,
    /// Searches a circle around the location instead.
    #[schemars(range(min = RADIUS_MILES_MIN, max = RADIUS_MILES_MAX), example = Value::Null)]
    pub radius_miles: Option<f64>,
    /// Which businesses are wanted. Those that do not match are not charged.
    pub filters: Option<FiltersView>,
    /// Whether to send an e-mail when the search ends; false when left out.
    #[schemars(extend("default" = false))]
    pub notify: Option<bool>,
}

/// Which businesses are wanted. What is left out is not asked for.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Filters")]
pub struct FiltersView {
    /// Lowest listing rating; leaves out businesses without a rating.
    #[schemars(range(min = 0, max = RATING_MAX), example = 4)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_rating: Option<f64>,
    /// Highest listing rating; leaves out businesses without a rating.
    #[schemars(range(min = 0, max = RATING_MAX), example = 5)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_rating: Option<f64>,
    /// Fewest reviews; leaves out businesses without a review count.
    #[schemars(range(min = 0, max = REVIEWS_MAX), example = 0)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_reviews: Option<f64>,
    /// Most reviews; leaves out businesses without a review count.
    #[schemars(range(min = 0, max = REVIEWS_MAX), example = 100_000)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_reviews: Option<f64>,
    /// Only businesses with (true) or without (false) a website of their own; a social media page is not one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub has_website: Option<bool>,
    /// Only businesses with a phone number. False asks for nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub has_phone: Option<bool>,
    /// Only businesses with an email; the result can then be smaller than requested. False asks for nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub has_email: Option<bool>,
    /// Not those delivered to the account by earlier searches. False asks for nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skip_owned: Option<bool>,
}

impl PartialSchema for StartView {
    fn schema() -> RefOr<Schema> {
        schema::component::<StartView>(Direction::Request)
    }
}

impl ToSchema for StartView {
    fn name() -> Cow<'static, str> {
        StartView::schema_name()
    }

    fn schemas(list: &mut Vec<(String, RefOr<Schema>)>) {
        schema::components::<StartView>(Direction::Request, list);
    }
}

impl PartialSchema for FiltersView {
    fn schema() -> RefOr<Schema> {
        schema::component::<FiltersView>(Direction::Request)
    }
}

impl ToSchema for FiltersView {
    fn name() -> Cow<'static, str> {
        FiltersView::schema_name()
    }
}

impl From<Filters> for FiltersView {
    fn from(filters: Filters) -> FiltersView {
        let Filters { min_rating, max_rating, min_reviews, max_reviews, has_website, has_phone, has_email, skip_owned } =
            filters;
        FiltersView { min_rating, max_rating, min_reviews, max_reviews, has_website, has_phone, has_email, skip_owned }
    }
}

/// A reference to the shared component, or the words themselves where schemas are inlined.
fn scope_schema(generator: &mut SchemaGenerator) -> schemars::Schema {
    if generator.settings().inline_subschemas {
        return json_schema!({"type": "string", "enum": Scope::ALL.map(Scope::name)});
    }
    json_schema!({"anyOf": [schema::scope(""), {"type": "null"}]})
}
