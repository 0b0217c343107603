//! `GET /suggest/...`: completes an industry or a place while it is typed.

use axum::extract::State;
use canvass::App;
use canvass::search;
use serde::Serialize;
use utoipa::ToSchema;

use super::search::scope_schema;
use crate::edge::Problem;
use crate::edge::body::Json;
use crate::edge::caller::{Api, Authorized};
use crate::edge::fields::Fields;

/// Characters that can be typed.
const TYPED_CHARS_MAX: usize = 200;
/// Suggestions when the client does not say how many, and at most.
const SUGGESTIONS_DEFAULT: i64 = 8;
const SUGGESTIONS_MAX: i64 = 20;

/// A kind of business.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = IndustrySuggestion)]
pub struct IndustryView {
    /// Its permanent name.
    #[schema(example = "dentist")]
    pub slug: &'static str,
    /// A name that a search understands.
    #[schema(example = "Dentist")]
    pub name: &'static str,
    /// For many of them.
    #[schema(example = "Dentists")]
    pub plural: &'static str,
}

/// A place.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = PlaceSuggestion)]
pub struct PlaceView {
    /// A name that a search understands.
    #[schema(example = "Austin, TX")]
    pub name: String,
    /// How wide it is.
    #[schema(schema_with = scope_schema)]
    pub width: &'static str,
    /// Two-letter country code.
    #[schema(example = "US")]
    pub country: &'static str,
    /// Its inhabitants; null when they are not known.
    #[schema(required, minimum = 0, example = 961_855)]
    pub population: Option<u64>,
}

/// What was typed, and how many suggestions are wanted.
fn typed(mut query: Fields) -> Result<(String, usize), Problem> {
    let typed = query.text("q", 1..=TYPED_CHARS_MAX);
    let typed = query.require("q", typed, "what was typed so far, such as \"den\"");
    let limit = query.integer("limit", 1..=SUGGESTIONS_MAX).unwrap_or(SUGGESTIONS_DEFAULT);
    query.finish()?;
    Ok((typed.unwrap_or_default(), usize::try_from(limit).unwrap_or_default()))
}

/// Suggest industries
///
/// Kinds of business that fit what was typed so far, best first. Free.
#[utoipa::path(get, path = "/suggest/industries", operation_id = "suggestIndustries", tag = "Searches",
    params(
        ("q" = String, Query, pattern = "\\S", max_length = 200, description = "What was typed so far.", example = "den"),
        ("limit" = Option<i64>, Query, description = "Suggestions at most.", minimum = 1, maximum = 20),
    ),
    responses((status = 200, description = "Kinds of business.", body = [IndustryView])))]
pub async fn industries(_: Authorized<Api>, query: Fields) -> Result<Json<Vec<IndustryView>>, Problem> {
    let (typed, limit) = typed(query)?;
    let found = search::suggest_industries(&typed, limit).into_iter();
    Ok(Json(found.map(|one| IndustryView { slug: one.slug, name: one.name, plural: one.plural }).collect()))
}

/// Suggest places
///
/// Towns, ZIP codes, counties, states and countries that begin with what was typed so far, best known first. Free.
#[utoipa::path(get, path = "/suggest/places", operation_id = "suggestPlaces", tag = "Searches",
    params(
        ("q" = String, Query, pattern = "\\S", max_length = 200, description = "What was typed so far.", example = "aust"),
        ("limit" = Option<i64>, Query, description = "Suggestions at most.", minimum = 1, maximum = 20),
    ),
    responses((status = 200, description = "Places.", body = [PlaceView])))]
pub async fn places(
    State(app): State<App>,
    _: Authorized<Api>,
    query: Fields,
) -> Result<Json<Vec<PlaceView>>, Problem> {
    let (typed, limit) = typed(query)?;
    let view = |place: search::PlaceSuggestion| PlaceView {
        name: place.name,
        width: place.width.name(),
        country: place.country,
        population: place.population,
    };
    Ok(Json(search::suggest_places(&app, &typed, limit).into_iter().map(view).collect()))
}
