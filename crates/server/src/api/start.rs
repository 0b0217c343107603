//! Reads what a search is asked for; the same fields in a body, in an address, and from an assistant.

use canvass::plan::Scope;
use canvass::search::{Filters, RADIUS_MILES, RATING, REQUESTED_MAX, StartRequest};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa::openapi::Schema;

use crate::edge::Problem;
use crate::edge::fields::Fields;
use crate::edge::schema::{or_null, scope};

/// Characters of an industry.
const INDUSTRY_CHARS_MAX: usize = 200;
/// Characters of a location.
const LOCATION_CHARS_MAX: usize = 300;
/// More reviews than any business has.
const REVIEWS_MAX: f64 = 1e9;

/// Reads a request, and says everything that is wrong with it.
pub fn start_request(mut fields: Fields) -> Result<StartRequest, Problem> {
    let industry = fields.text("industry", 1..=INDUSTRY_CHARS_MAX);
    let industry = fields.require("industry", industry, "the kind of business, such as \"dentist\"");
    let location = fields.text("location", 1..=LOCATION_CHARS_MAX);
    let location = fields.require("location", location, "where to search, such as \"Austin, TX\" or a ZIP code");
    let request = StartRequest {
        industry: industry.unwrap_or_default(),
        location: location.unwrap_or_default(),
        requested_count: fields.integer("requested_count", 1..=REQUESTED_MAX),
        scope: fields.choice("scope", &Scope::ALL, Scope::name),
        radius_miles: fields.number("radius_miles", RADIUS_MILES),
        filters: fields.object("filters", filters),
        notify: fields.boolean("notify").unwrap_or(false),
    };
    if let Some((field, why)) = request.filters.contradiction() {
        fields.contradict(field, why);
    }
    fields.finish().map(|()| request)
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
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = SearchRequest)]
pub struct StartView {
    /// Kind of business, in your own words.
    #[schema(min_length = 1, max_length = 200, pattern = "\\S", example = "dentist")]
    pub industry: String,
    /// Area to search: a town, ZIP code, county, state or country, or coordinates such as `30.2672, -97.7431`. With
    /// `radius_miles`, the street address, ZIP code, town or coordinates to measure from.
    #[schema(min_length = 1, max_length = 300, pattern = "\\S", example = "Austin, TX")]
    pub location: String,
    /// Leads wanted, 25 when left out; lowered to the plan's cap and the balance.
    #[schema(minimum = 1, maximum = 2500, example = 25)]
    pub requested_count: Option<i64>,
    /// How wide to search around the location.
    #[schema(schema_with = scope_schema)]
    pub scope: Option<String>,
    /// Searches a circle around the location instead.
    #[schema(minimum = 1, maximum = 500, example = json!(null))]
    pub radius_miles: Option<f64>,
    /// Which businesses are wanted.
    pub filters: Option<FiltersView>,
    /// Whether to send an e-mail when the search ends; false when left out.
    pub notify: Option<bool>,
}

/// Which businesses are wanted. What is left out is not asked for.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = Filters)]
pub struct FiltersView {
    /// Lowest listing rating; leaves out businesses without a rating.
    #[schema(minimum = 0, maximum = 5, example = 4)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_rating: Option<f64>,
    /// Highest listing rating; leaves out businesses without a rating.
    #[schema(minimum = 0, maximum = 5, example = 5)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_rating: Option<f64>,
    /// Fewest reviews; leaves out businesses without a review count.
    #[schema(minimum = 0, maximum = 1_000_000_000, example = 0)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_reviews: Option<f64>,
    /// Most reviews; leaves out businesses without a review count.
    #[schema(minimum = 0, maximum = 1_000_000_000, example = 100_000)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_reviews: Option<f64>,
    /// Only businesses with (true) or without (false) a website of their own; a social media page is not one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub has_website: Option<bool>,
    /// Only businesses with a phone number. False asks for nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub has_phone: Option<bool>,
    /// Only businesses with an email. False asks for nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub has_email: Option<bool>,
    /// Not those delivered to the account by earlier searches. False asks for nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skip_owned: Option<bool>,
}

impl From<Filters> for FiltersView {
    fn from(filters: Filters) -> FiltersView {
        let Filters { min_rating, max_rating, min_reviews, max_reviews, has_website, has_phone, has_email, skip_owned } =
            filters;
        FiltersView { min_rating, max_rating, min_reviews, max_reviews, has_website, has_phone, has_email, skip_owned }
    }
}

fn scope_schema() -> Schema {
    or_null(scope("How wide to search around the location; city when left out, or the place itself when it is wider."))
}
