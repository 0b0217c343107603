//! Searches: start, watch, stop, list, and what one would cost.

use std::collections::BTreeMap;

use axum::extract::State;
use axum::response::Response;
use canvass::App;
use canvass::search::{self, History, LeadsDeleted, Search, Status, Stopped, StoppedBecause};
use http::{HeaderMap, StatusCode};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa::openapi::Schema;
use utoipa::openapi::schema::Ref;

use super::start::{FiltersView, StartView, start_request};
use crate::edge::Problem;
use crate::edge::body::{Json, JsonBody};
use crate::edge::caller::{Api, Authorized};
use crate::edge::etag::tagged;
use crate::edge::fields::{Fields, NoParameters};
use crate::edge::idempotency::Spender;
use crate::edge::path::SearchPath;
use crate::edge::schema::{self, one_of, or_null, search_status};

impl From<LeadsDeleted> for Problem {
    fn from(deleted: LeadsDeleted) -> Problem {
        Problem::new(StatusCode::GONE, "leads_deleted", deleted.to_string())
    }
}

/// A search that was started.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SearchStarted)]
pub struct StartedView {
    /// Its id.
    #[schema(format = Uuid)]
    pub search_id: String,
    /// Leads it will deliver at most: what was asked for, the plan's cap and the balance, whichever is lowest.
    #[schema(minimum = 1, maximum = 2500, example = 25)]
    pub requested: i64,
    /// Where it stands.
    #[schema(schema_with = search_status)]
    pub status: &'static str,
    /// The path to poll.
    #[schema(example = "/searches/019a8546-6d1b-7cc0-b6dd-8f3b5f0c9d11")]
    pub poll: String,
    /// What the location was read as.
    #[schema(example = "Austin, TX")]
    pub area: String,
    /// What was guessed, ignored or lowered, in plain sentences; empty when the request was taken exactly as asked.
    pub notes: Vec<String>,
}

impl From<&Search> for StartedView {
    fn from(search: &Search) -> StartedView {
        StartedView {
            search_id: search.id.to_string(),
            requested: search.requested,
            // What the start call answers, however long ago that was: a repeat under its key gets the same.
            status: Status::Running.name(),
            poll: search.poll(),
            area: search.coverage.area.clone(),
            notes: search.coverage.notes.clone(),
        }
    }
}

/// A search as it stands.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Search)]
pub struct SearchView {
    /// Its id.
    #[schema(format = Uuid)]
    pub id: String,
    /// The same.
    #[schema(format = Uuid)]
    pub search_id: String,
    /// As requested.
    #[schema(example = "dentist")]
    pub industry: String,
    /// As requested.
    #[schema(example = "Austin, TX")]
    pub location: String,
    /// How wide it reaches.
    #[schema(schema_with = scope_schema)]
    pub scope: &'static str,
    /// The circle's radius, when it is one.
    #[schema(required, minimum = 1, maximum = 500)]
    pub radius_miles: Option<f64>,
    /// Which businesses are wanted.
    pub filters: FiltersView,
    /// Leads it delivers at most.
    #[schema(minimum = 1, maximum = 2500, example = 25)]
    pub requested: i64,
    /// Where it stands.
    #[schema(schema_with = search_status)]
    pub status: &'static str,
    /// Leads delivered.
    #[schema(minimum = 0, example = 25)]
    pub leads_found: i64,
    /// Delivered leads with at least one email.
    #[schema(minimum = 0, example = 17)]
    pub emails_found: i64,
    /// Credits spent: one for each delivered lead.
    #[schema(minimum = 0, example = 25)]
    pub credits_charged: i64,
    /// When it began.
    #[schema(format = DateTime)]
    pub created_at: String,
    /// When it ended; null while it runs.
    #[schema(required, format = DateTime)]
    pub completed_at: Option<String>,
    /// When its leads were deleted, some days after it ended, as the server is set up. Only there when they were.
    #[schema(format = DateTime)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub leads_deleted_at: Option<String>,
    /// Why it failed, and whether trying again helps. Only there when it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure_reason: Option<String>,
    /// What it looked at, and why it ended.
    pub coverage: CoverageView,
}

/// What a search looked at, what became of it, and why it ended. Every candidate was delivered or filtered.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Coverage)]
pub struct CoverageView {
    /// Businesses looked at.
    #[schema(minimum = 0, example = 31)]
    pub candidates: i64,
    /// About how many there are in the area, when the source says.
    #[schema(required, minimum = 0, example = 412)]
    pub available: Option<u64>,
    /// Left out, by reason.
    #[schema(example = json!({"rating": 4, "email": 2}))]
    pub filtered: BTreeMap<String, i64>,
    /// Websites read.
    #[schema(minimum = 0, example = 24)]
    pub sites_read: i64,
    /// Websites that could not be read.
    #[schema(minimum = 0, example = 1)]
    pub sites_unreachable: i64,
    /// Leads delivered.
    #[schema(minimum = 0, example = 25)]
    pub delivered: i64,
    /// Why it ended; null while it runs.
    #[schema(schema_with = stopped_schema)]
    pub stopped_because: Option<String>,
    /// Where the listings come from.
    #[schema(example = "sandbox")]
    pub source: String,
    /// Whom to name when they are shown.
    #[schema(required)]
    pub attribution: Option<String>,
    /// What the location was read as.
    #[schema(example = "Austin, TX")]
    pub area: String,
    /// What was guessed, ignored or lowered, in plain sentences; empty when the request was taken exactly as asked.
    pub notes: Vec<String>,
    /// Calls to providers that were asked live, by provider and by what it counts them as; empty for other sources.
    #[schema(example = json!({"google": {"text_search_enterprise": 12}}))]
    pub provider_calls: BTreeMap<String, BTreeMap<String, i64>>,
}

/// The schema of the scope a search has.
pub fn scope_schema() -> Ref {
    schema::scope("How wide the search reaches.")
}

fn stopped_schema() -> Schema {
    or_null(one_of("Why it ended.", StoppedBecause::ALL.map(StoppedBecause::name)))
}

impl From<Search> for SearchView {
    fn from(search: Search) -> SearchView {
        let candidates = search.candidates();
        let coverage = search.coverage;
        SearchView {
            id: search.id.to_string(),
            search_id: search.id.to_string(),
            industry: search.request.industry,
            location: search.request.location,
            scope: search.scope.name(),
            radius_miles: search.request.radius_miles,
            filters: search.request.filters.into(),
            requested: search.requested,
            status: search.status.name(),
            leads_found: search.leads_found,
            emails_found: search.emails_found,
            credits_charged: search.leads_found,
            created_at: search.created_at.to_string(),
            completed_at: search.completed_at.map(|moment| moment.to_string()),
            leads_deleted_at: search.leads_deleted_at.map(|moment| moment.to_string()),
            failure_reason: search.failure_reason,
            coverage: CoverageView {
                candidates,
                available: coverage.available,
                filtered: coverage.filtered,
                sites_read: coverage.sites_read,
                sites_unreachable: coverage.sites_unreachable,
                delivered: search.leads_found,
                stopped_because: search.stopped_because,
                source: coverage.source,
                attribution: coverage.attribution,
                area: coverage.area,
                notes: coverage.notes,
                provider_calls: coverage.provider_calls,
            },
        }
    }
}

/// Start a search
///
/// Starts a search and returns at once. Poll the returned path every 15 to 30 seconds, or follow its events.
#[utoipa::path(post, path = "/search/start", operation_id = "startSearch", tag = "Searches",
    params(("Idempotency-Key" = Option<String>, Header, description = "Sent again with the same key within a day, the request starts nothing and gets the same answer.")),
    request_body = StartView,
    responses((status = 200, description = "The search was started.", body = StartedView)))]
pub async fn start(by: Spender, _: NoParameters, JsonBody(body): JsonBody) -> Result<Json<StartedView>, Problem> {
    let started = search::start(&by.app, by.caller.account(), start_request(body)?, by.claim.as_ref()).await?;
    Ok(Json(StartedView::from(&**started.search())))
}

/// Start a search (alternate shape)
///
/// The same as `POST /search/start`.
#[utoipa::path(post, path = "/searches", operation_id = "createSearch", tag = "Searches",
    params(("Idempotency-Key" = Option<String>, Header, description = "Sent again with the same key within a day, the request starts nothing and gets the same answer.")),
    request_body = StartView,
    responses((status = 200, description = "The search was started.", body = StartedView)))]
pub async fn create(by: Spender, none: NoParameters, body: JsonBody) -> Result<Json<StartedView>, Problem> {
    start(by, none, body).await
}

/// Show a search
///
/// Where a search stands. Poll every 15 to 30 seconds until `status` is no longer `running`.
#[utoipa::path(get, path = "/searches/{search_id}", operation_id = "getSearch", tag = "Searches",
    params(("search_id" = String, Path, format = Uuid, description = "A search of this account.")),
    responses((status = 200, description = "The search.", body = SearchView)))]
pub async fn show(path: SearchPath, _: NoParameters, headers: HeaderMap) -> Result<Response, Problem> {
    tagged(&headers, &SearchView::from(path.find().await?.into_inner()))
}

/// The progress of a search in short.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SearchProgress)]
pub struct StatusView {
    /// Its id.
    #[schema(format = Uuid)]
    pub search_id: String,
    /// Where it stands.
    #[schema(schema_with = search_status)]
    pub status: &'static str,
    /// Leads delivered so far.
    #[schema(minimum = 0, example = 12)]
    pub found: i64,
    /// Leads it delivers at most.
    #[schema(minimum = 1, maximum = 2500, example = 25)]
    pub requested: i64,
}

/// Show the status of a search (alternate shape)
///
/// The status, and how many leads have been delivered so far.
#[utoipa::path(get, path = "/searches/{search_id}/status", operation_id = "getSearchStatus", tag = "Searches",
    params(("search_id" = String, Path, format = Uuid, description = "A search of this account.")),
    responses((status = 200, description = "Its status.", body = StatusView)))]
pub async fn status(path: SearchPath, _: NoParameters, headers: HeaderMap) -> Result<Response, Problem> {
    let search = path.find().await?;
    let view = StatusView {
        search_id: search.id.to_string(),
        status: search.status.name(),
        found: search.leads_found,
        requested: search.requested,
    };
    tagged(&headers, &view)
}

/// What stopping a search did.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SearchStopped)]
pub struct StopView {
    /// Its id.
    #[schema(format = Uuid)]
    pub search_id: String,
    /// Whether this request is what ended it; false when it had already ended, also by an earlier stop.
    pub stopped: bool,
    /// Where it stands now.
    #[schema(schema_with = search_status)]
    pub status: &'static str,
    /// When it ended, by this request or before it.
    #[schema(required, format = DateTime)]
    pub completed_at: Option<String>,
    /// What happened, for people: whether this request stopped it, an earlier one had, or it had ended by itself.
    #[schema(
        example = "An earlier request had already stopped the search at 2026-11-15T02:03:04.123456+00:00. Leads delivered before are kept; nothing was delivered or charged after that."
    )]
    pub detail: String,
}

impl From<Stopped> for StopView {
    fn from(stopped: Stopped) -> StopView {
        StopView {
            search_id: stopped.search.to_string(),
            stopped: stopped.stopped,
            status: stopped.status.name(),
            completed_at: stopped.ended_at.map(|moment| moment.to_string()),
            detail: stopped.detail(),
        }
    }
}

/// Stop a search
///
/// Stops a running search. Leads already delivered are kept; once this has answered, nothing more is delivered or
/// charged. Safe to repeat: `stopped` is false then, and `detail` and `completed_at` say that an earlier request stopped
/// the search, and when.
#[utoipa::path(post, path = "/searches/{search_id}/stop", operation_id = "stopSearch", tag = "Searches",
    params(("search_id" = String, Path, format = Uuid, description = "A search of this account.")),
    responses((status = 200, description = "Whether it was stopped, and where it stands.", body = StopView)))]
pub async fn stop(path: SearchPath, _: NoParameters) -> Result<Json<StopView>, Problem> {
    let stopped = search::stop(path.app(), path.account().id, path.id()?).await?;
    Ok(Json(stopped.ok_or_else(SearchPath::missing)?.into()))
}

/// List searches
///
/// The most recent searches of the account, newest first, at most 100.
#[utoipa::path(get, path = "/searches", operation_id = "listSearches", tag = "Searches",
    params(
        ("status" = Option<String>, Query, pattern = "^(running|done|cancelled|failed)$", description = "Only searches that stand like this: running, done, cancelled or failed.", example = "done"),
        ("since" = Option<String>, Query, format = DateTime, description = "Only searches begun after this moment. Without an offset it is UTC."),
        ("limit" = Option<i64>, Query, description = "At most so many.", minimum = 1, maximum = 100, example = 20),
    ),
    responses((status = 200, description = "The searches.", body = Vec<SearchView>)))]
pub async fn list(
    State(app): State<App>,
    caller: Authorized<Api>,
    mut query: Fields,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let wanted = History {
        status: query.choice("status", &Status::ALL, Status::name),
        since: query.moment("since"),
        limit: query.integer("limit", 1..=History::SEARCHES_MAX),
    };
    query.finish()?;
    let searches = search::history(&app.db, caller.account().id, wanted).await?;
    let views: Vec<SearchView> = searches.into_iter().map(SearchView::from).collect();
    tagged(&headers, &views)
}
