//! The two searches.

use axum::Json;
use axum::body::Body;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use http::HeaderMap;
use places::{Area, Bounds, Category, Point};
use sandbox::Business;
use serde_json::{Value, json};
use tokio::time::Instant;

use super::Rehearsal;
use super::fault::{error, invalid};
use super::place::{self, Status};
use super::world::{category_of, scattered, type_of};

/// Places on a page, and in all pages of a query.
const PAGE: usize = 20;
const QUERY: usize = 60;
/// Bytes of a huge answer, in chunks.
const HUGE_CHUNKS: usize = 50;
const CHUNK_BYTES: usize = 1024 * 1024;
const MILE_METRES: f64 = 1_609.344;

/// Where a search looks.
enum Where {
    Box(Bounds),
    Circle(Point, f64),
}

impl Where {
    /// A box that holds it.
    fn bounds(&self) -> Bounds {
        match self {
            Where::Box(bounds) => *bounds,
            Where::Circle(centre, miles) => Area::circle("circle", "US", *centre, *miles).bounds(),
        }
    }
}

/// A search that was understood.
struct Request {
    category: &'static Category,
    r#where: Where,
    by_distance: bool,
    size: usize,
}

pub(super) async fn text(State(rehearsal): State<Rehearsal>, headers: HeaderMap, body: Bytes) -> Response {
    answer(&rehearsal, &headers, ("text_search", &body)).await
}

pub(super) async fn nearby(State(rehearsal): State<Rehearsal>, headers: HeaderMap, body: Bytes) -> Response {
    answer(&rehearsal, &headers, ("nearby_search", &body)).await
}

async fn answer(rehearsal: &Rehearsal, headers: &HeaderMap, (search, body): (&str, &Bytes)) -> Response {
    let arrival = rehearsal.arrive(format!("{search} {}", String::from_utf8_lossy(body)));
    if let Some(pause) = rehearsal.options().faults.slow {
        tokio::time::sleep(pause).await;
    }
    let header = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let fields = place::fields(header("x-goog-fieldmask"));
    let kind = place::charge(search, fields.as_deref().unwrap_or_default());
    let response = if header("x-goog-api-key") != rehearsal.options().key {
        error(400, "INVALID_ARGUMENT", ("API_KEY_INVALID", ""), "API key not valid. Please pass a valid API key.")
    } else {
        let refusal = rehearsal.options().faults.refusal(arrival.0);
        refusal.unwrap_or_else(|| found(rehearsal, (search, body), fields).unwrap_or_else(|message| invalid(&message)))
    };
    rehearsal.leave(arrival, &kind, response.status().as_u16());
    response
}

/// The page that was asked for; otherwise why there is none.
fn found(
    rehearsal: &Rehearsal,
    (search, body): (&str, &Bytes),
    fields: Result<Vec<&'static str>, String>,
) -> Result<Response, String> {
    let fields = fields?;
    let mut body: Value = serde_json::from_slice(body).map_err(|_| "Invalid JSON payload received.")?;
    let token = body.as_object_mut().and_then(|body| body.remove("pageToken"));
    let request = if search == "text_search" { text_request(&body) } else { nearby_request(&body) };
    let Some(request) = request? else {
        return Ok(Json(json!({})).into_response());
    };
    let query = format!("{:016x}", scattered(&body.to_string()));
    let offset = offset(rehearsal, &query, token.as_ref()).ok_or("The page token is not valid.")?;
    let businesses = rehearsal.businesses_in(request.category, &request.r#where.bounds());
    let faults = &rehearsal.options().faults;
    let mut matching = matching(&businesses, &request, faults.ignores_rank);
    if search == "text_search" {
        matching.truncate(QUERY);
    } else {
        matching.truncate(request.size);
    }
    if faults.shifts && offset > 0 && !matching.is_empty() {
        matching.remove(0);
    }
    let size = request.size.min(faults.short_pages.unwrap_or(PAGE).max(1));
    let end = (offset + size).min(matching.len());
    let from = if offset > 0 { offset.saturating_sub(faults.repeats) } else { 0 };
    let places = matching.get(from..end).unwrap_or_default().iter().map(|(number, business)| {
        place::shown(business, &fields, (status(rehearsal, *number), rehearsal.options().site_port))
    });
    let mut answer = json!({ "places": places.collect::<Vec<_>>() });
    if end < matching.len() && search == "text_search" {
        let token = format!("{query}-{end}");
        rehearsal.state().tokens.insert(token.clone(), Instant::now());
        answer["nextPageToken"] = token.into();
    }
    Ok(spoilt(rehearsal, answer))
}

/// The answer, as a fault leaves it.
fn spoilt(rehearsal: &Rehearsal, mut answer: Value) -> Response {
    let faults = &rehearsal.options().faults;
    if faults.huge {
        let chunk = Bytes::from(vec![b' '; CHUNK_BYTES]);
        let chunks = std::iter::repeat_n(chunk, HUGE_CHUNKS).map(Ok::<_, std::io::Error>);
        return Body::from_stream(futures::stream::iter(chunks)).into_response();
    }
    if faults.garbled {
        return "<html>Service unavailable</html>".into_response();
    }
    if faults.wrong_types {
        for place in answer["places"].as_array_mut().into_iter().flatten() {
            place["rating"] = "five".into();
            place["userRatingCount"] = json!([]);
            place["types"] = json!({ "dentist": true });
            place["regularOpeningHours"] = json!("always");
            place["addressComponents"] = json!(7);
            place["websiteUri"] = json!({ "uri": null });
            place["internationalPhoneNumber"] = json!(15_125_550_100_u64);
        }
    }
    Json(answer).into_response()
}

/// Where the page begins; `None` when the token is not one that was given for this query, or not valid yet.
fn offset(rehearsal: &Rehearsal, query: &str, token: Option<&Value>) -> Option<usize> {
    let Some(token) = token else { return Some(0) };
    let token = token.as_str()?;
    let given = *rehearsal.state().tokens.get(token)?;
    let options = rehearsal.options();
    if options.faults.dead_tokens || given.elapsed() < options.token_delay {
        return None;
    }
    token.strip_prefix(query)?.strip_prefix('-')?.parse().ok()
}

/// What lies where it was asked for, with its number among all; in the order that was asked for.
fn matching<'b>(businesses: &'b [Business], request: &Request, ignores_rank: bool) -> Vec<(usize, &'b Business)> {
    let (centre, is_within): (Point, Box<dyn Fn(Point) -> bool>) = match &request.r#where {
        Where::Box(bounds) => {
            let centre = Point {
                latitude: f64::midpoint(bounds.south, bounds.north),
                longitude: f64::midpoint(bounds.west, bounds.east),
            };
            (centre, Box::new(|point| bounds.contains(point)))
        }
        Where::Circle(centre, miles) => (*centre, Box::new(|point| centre.miles_to(point) <= *miles)),
    };
    let mut found: Vec<(usize, &Business)> =
        businesses.iter().enumerate().filter(|(_, business)| is_within(business.point)).collect();
    if request.by_distance && !ignores_rank {
        found.sort_by(|(_, one), (_, other)| centre.miles_to(one.point).total_cmp(&centre.miles_to(other.point)));
    }
    found
}

fn status(rehearsal: &Rehearsal, number: usize) -> Status {
    match rehearsal.options().closed_every {
        Some(every) if number.is_multiple_of(every.max(1)) => Status::PermanentlyClosed,
        Some(every) if number % every.max(1) == 1 => Status::TemporarilyClosed,
        _ => Status::Open,
    }
}

/// A text search; `None` when its words mean no industry.
fn text_request(body: &Value) -> Result<Option<Request>, String> {
    let words = body["textQuery"].as_str().filter(|words| !words.trim().is_empty()).ok_or("Empty text_query.")?;
    let size = size(&body["pageSize"])?;
    let r#where = match &body["locationRestriction"]["rectangle"] {
        Value::Null => Where::Box(Bounds { south: -90.0, west: -180.0, north: 90.0, east: 180.0 }),
        rectangle => Where::Box(bounds(rectangle)?),
    };
    let by_distance = rank(body, &["DISTANCE", "RELEVANCE"])?;
    let Ok(industry) = places::industry(words) else { return Ok(None) };
    let category = industry.category;
    if let Some(wanted) = body["includedType"].as_str() {
        category_of(wanted).ok_or_else(|| format!("Unsupported types: {wanted}."))?;
        let is_strict = body["strictTypeFiltering"].as_bool().unwrap_or(false);
        if is_strict && type_of(category) != Some(wanted) {
            return Ok(None);
        }
    }
    Ok(Some(Request { category, r#where, by_distance, size }))
}

/// A nearby search.
fn nearby_request(body: &Value) -> Result<Option<Request>, String> {
    let wanted = body["includedTypes"][0].as_str().ok_or("No type is included.")?;
    let category = category_of(wanted).ok_or_else(|| format!("Unsupported types: {wanted}."))?;
    let circle = &body["locationRestriction"]["circle"];
    let metres =
        circle["radius"].as_f64().filter(|metres| (0.0..=50_000.0).contains(metres)).ok_or("Invalid radius.")?;
    let r#where = Where::Circle(point(&circle["center"])?, metres / MILE_METRES);
    let by_distance = rank(body, &["DISTANCE", "POPULARITY"])?;
    Ok(Some(Request { category, r#where, by_distance, size: size(&body["maxResultCount"])? }))
}

fn rank(body: &Value, known: &[&str]) -> Result<bool, String> {
    match body["rankPreference"].as_str() {
        None => Ok(false),
        Some(rank) if known.contains(&rank) => Ok(rank == "DISTANCE"),
        Some(_) => Err("Invalid value at 'rank_preference'.".to_owned()),
    }
}

fn size(value: &Value) -> Result<usize, String> {
    let size = if value.is_null() { Some(PAGE as u64) } else { value.as_u64() };
    let size = size.filter(|size| (1..=PAGE as u64).contains(size)).ok_or("The page size must be between 1 and 20.")?;
    Ok(usize::try_from(size).unwrap_or(PAGE))
}

fn bounds(rectangle: &Value) -> Result<Bounds, String> {
    let (low, high) = (point(&rectangle["low"])?, point(&rectangle["high"])?);
    let width = high.longitude - low.longitude;
    if low.latitude >= high.latitude || width <= 0.0 || width > 180.0 {
        return Err("The rectangle is empty or too wide.".to_owned());
    }
    Ok(Bounds { south: low.latitude, west: low.longitude, north: high.latitude, east: high.longitude })
}

fn point(value: &Value) -> Result<Point, String> {
    let degrees = |name: &str, most: f64| value[name].as_f64().filter(|degrees| degrees.abs() <= most);
    let point = degrees("latitude", 90.0).zip(degrees("longitude", 180.0));
    point.map(|(latitude, longitude)| Point { latitude, longitude }).ok_or_else(|| "Invalid LatLng.".to_owned())
}
