//! `GET /area`: what a search would cover, to be drawn on a map.

use axum::extract::State;
use canvass::App;
use canvass::plan::Scope;
use canvass::search::{self, AreaRequest, RADIUS_MILES};
use serde::Serialize;
use utoipa::ToSchema;

use super::search::scope_schema;
use crate::edge::Problem;
use crate::edge::body::Json;
use crate::edge::caller::{Api, Authorized};
use crate::edge::fields::Fields;

/// Characters of a location.
const LOCATION_CHARS_MAX: usize = 300;
/// Towns that are listed, the largest first.
const TOWNS_MAX: usize = 60;
/// Digits behind the point: about a hundred metres.
const OUTLINE_DIGITS: i32 = 3;

/// An area on the map.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Area)]
pub struct AreaView {
    /// What the location was read as.
    #[schema(example = "Travis County, TX")]
    pub name: String,
    /// How wide it is.
    #[schema(schema_with = scope_schema)]
    pub width: &'static str,
    /// A box around it.
    pub bounds: BoundsView,
    /// Its middle.
    pub centre: PointView,
    /// Its outline, made for drawing; null for a circle, and for regions whose outline is not known.
    #[schema(required)]
    pub outline: Option<OutlineView>,
    /// The radius of a circle; null otherwise.
    #[schema(required, minimum = 1, maximum = 500, example = 5.0)]
    pub radius_miles: Option<f64>,
    /// The towns in it, the largest first, 60 at most.
    pub towns: Vec<TownView>,
}

/// A box in degrees. West is greater than east when it crosses the antimeridian.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AreaBounds)]
pub struct BoundsView {
    /// The southernmost latitude.
    pub south: f64,
    /// The westernmost longitude.
    pub west: f64,
    /// The northernmost latitude.
    pub north: f64,
    /// The easternmost longitude.
    pub east: f64,
}

/// A point in degrees.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AreaPoint)]
pub struct PointView {
    /// Degrees north.
    pub latitude: f64,
    /// Degrees east.
    pub longitude: f64,
}

/// A GeoJSON geometry.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AreaOutline)]
pub struct OutlineView {
    /// Always `MultiPolygon`.
    #[serde(rename = "type")]
    #[schema(example = "MultiPolygon")]
    pub kind: &'static str,
    /// Polygons of rings of pairs of longitude and latitude.
    pub coordinates: Vec<Vec<Vec<[f64; 2]>>>,
}

/// A town.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AreaTown)]
pub struct TownView {
    /// Its name.
    #[schema(example = "Austin")]
    pub name: &'static str,
    /// Degrees north.
    pub latitude: f64,
    /// Degrees east.
    pub longitude: f64,
    /// Its inhabitants.
    #[schema(minimum = 0)]
    pub population: u64,
}

/// Show an area
///
/// What a search with the same location, scope and radius would cover: its outline or circle, and the towns in it. Free.
#[utoipa::path(get, path = "/area", operation_id = "showArea", tag = "Searches",
    params(
        ("location" = String, Query, pattern = "\\S", max_length = 300, description = "As in a search.", example = "Austin, TX"),
        ("scope" = Option<String>, Query, pattern = "^(city|county|state|country)$", description = "city, county, state or country."),
        ("radius_miles" = Option<f64>, Query, description = "A circle instead.", minimum = 1, maximum = 500),
    ),
    responses((status = 200, description = "The area.", body = AreaView)))]
pub async fn show(State(app): State<App>, _: Authorized<Api>, mut query: Fields) -> Result<Json<AreaView>, Problem> {
    let location = query.text("location", 1..=LOCATION_CHARS_MAX);
    let location = query.require("location", location, "a place, such as \"Austin, TX\" or a ZIP code");
    let request = AreaRequest {
        location: location.unwrap_or_default(),
        scope: query.choice("scope", &Scope::ALL, Scope::name),
        radius_miles: query.number("radius_miles", RADIUS_MILES),
    };
    query.finish()?;
    let area = search::area(&app, &request).await?;
    let (bounds, centre) = (area.bounds(), area.centre());
    let towns = area.towns().into_iter().filter(|town| area.contains(town.point)).take(TOWNS_MAX);
    Ok(Json(AreaView {
        name: area.name().to_owned(),
        width: area.width().name(),
        bounds: BoundsView { south: bounds.south, west: bounds.west, north: bounds.north, east: bounds.east },
        centre: PointView { latitude: centre.latitude, longitude: centre.longitude },
        outline: area.drawing().map(|polygons| OutlineView { kind: "MultiPolygon", coordinates: rounded(polygons) }),
        radius_miles: area.radius_miles(),
        towns: towns
            .map(|town| TownView {
                name: town.name,
                latitude: town.point.latitude,
                longitude: town.point.longitude,
                population: town.population,
            })
            .collect(),
    }))
}

fn rounded(mut polygons: Vec<Vec<Vec<[f64; 2]>>>) -> Vec<Vec<Vec<[f64; 2]>>> {
    let factor = 10f64.powi(OUTLINE_DIGITS);
    for degrees in polygons.iter_mut().flatten().flatten().flatten() {
        *degrees = (*degrees * factor).round() / factor;
    }
    polygons
}
