//! `GET /search/quote`: what a search would cost.

use axum::extract::State;
use canvass::App;
use canvass::search::{self, Quote};
use serde::Serialize;
use utoipa::ToSchema;

use super::search::scope_schema;
use super::start::start_request;
use crate::edge::Problem;
use crate::edge::body::Json;
use crate::edge::caller::{Api, Authorized};
use crate::edge::fields::Fields;

/// What a search would be like.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Quote)]
pub struct QuoteView {
    /// What the industry was read as.
    #[schema(example = "Dentist")]
    pub industry: &'static str,
    /// What the location was read as.
    #[schema(example = "Austin, TX")]
    pub area: String,
    /// How wide it would reach.
    #[schema(schema_with = scope_schema)]
    pub scope: &'static str,
    /// Leads it would deliver at most.
    #[schema(minimum = 0, maximum = 2500, example = 25)]
    pub requested: i64,
    /// About how many businesses there are, before filters; null when the source does not say.
    #[schema(required, minimum = 0, example = 412)]
    pub estimated_candidates: Option<u64>,
    /// Credits it could cost at most.
    #[schema(minimum = 0, example = 25)]
    pub cost_max: i64,
    /// The balance now.
    #[schema(minimum = 0, example = 480)]
    pub credits: i64,
    /// What was guessed, ignored or lowered, in plain sentences; empty when the request was taken exactly as asked.
    pub notes: Vec<String>,
}

impl From<Quote> for QuoteView {
    fn from(quote: Quote) -> QuoteView {
        QuoteView {
            industry: quote.industry,
            area: quote.area,
            scope: quote.scope.name(),
            requested: quote.requested,
            estimated_candidates: quote.candidates,
            cost_max: quote.cost_max,
            credits: quote.credits,
            notes: quote.notes,
        }
    }
}

/// Quote a search
///
/// What a search with the same parameters would be like: what the words are read as, about how many businesses there
/// are, and what it could cost at most. Free; starts nothing.
#[utoipa::path(get, path = "/search/quote", operation_id = "quoteSearch", tag = "Searches",
    params(
        ("industry" = String, Query, pattern = "\\S", max_length = 200, description = "Kind of business.", example = "dentist"),
        ("location" = String, Query, pattern = "\\S", max_length = 300, description = "Area to search.", example = "Austin, TX"),
        ("locations" = Option<String>, Query, description = "Further areas, separated by semicolons."),
        ("requested_count" = Option<i64>, Query, description = "Leads wanted.", minimum = 1, maximum = 2500),
        ("scope" = Option<String>, Query, pattern = "^(city|county|state|country)$", description = "city, county, state or country."),
        ("radius_miles" = Option<f64>, Query, description = "Searches a circle instead.", minimum = 1, maximum = 500),
        ("min_rating" = Option<f64>, Query, description = "Filter, as in the body of a start.", minimum = 0, maximum = 5),
        ("max_rating" = Option<f64>, Query, description = "Filter.", minimum = 0, maximum = 5),
        ("min_reviews" = Option<f64>, Query, description = "Filter.", minimum = 0, maximum = 1_000_000_000),
        ("max_reviews" = Option<f64>, Query, description = "Filter.", minimum = 0, maximum = 1_000_000_000),
        ("has_website" = Option<bool>, Query, description = "Filter."),
        ("has_phone" = Option<bool>, Query, description = "Filter."),
        ("has_email" = Option<bool>, Query, description = "Filter."),
        ("skip_owned" = Option<bool>, Query, description = "Filter."),
        ("notify" = Option<bool>, Query, description = "As in the body of a start."),
    ),
    responses((status = 200, description = "What it would be like.", body = QuoteView)))]
pub async fn quote(State(app): State<App>, caller: Authorized<Api>, query: Fields) -> Result<Json<QuoteView>, Problem> {
    let quote = search::quote(&app, caller.account(), start_request(query)?).await?;
    Ok(Json(quote.into()))
}
