//! Radar: watch businesses, list what is watched, read what changed.

use axum::extract::State;
use axum::response::Response;
use canvass::App;
use canvass::ids::LeadId;
use canvass::lead::Evidence;
use canvass::radar::{self, Alert, Change, Check, Feed, Field, KEPT_CHECKS_MAX, Kind, Watch, Watched};
use http::HeaderMap;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;
use utoipa::openapi::Object;
use utoipa::openapi::schema::{ObjectBuilder, SchemaType, Type};

use crate::edge::Problem;
use crate::edge::body::{Json, JsonBody};
use crate::edge::caller::{Authorized, Radar};
use crate::edge::etag::tagged;
use crate::edge::fields::{Fields, NoParameters};
use crate::edge::idempotency::Spender;
use crate::edge::path::WatchPath;
use crate::edge::schema::one_of;

/// Checks shown when the client does not say how many.
const CHECKS_DEFAULT: i64 = 100;

/// Which business to watch.
#[derive(Debug, ToSchema)]
#[schema(as = WatchRequest)]
pub struct WatchRequestView {
    /// A lead of this account.
    #[schema(format = Uuid, example = "019a8546-6d1b-7cc0-b6dd-8f3b5f0c9d11")]
    pub lead_id: String,
}

/// A business that is watched now.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = WatchCreated)]
pub struct WatchedView {
    /// The watch's id.
    #[schema(format = Uuid)]
    pub id: String,
    /// Which business.
    #[schema(example = "Acme Dental")]
    pub business_name: String,
    /// Always true.
    pub watching: bool,
    /// Businesses the account watches.
    #[schema(minimum = 0, example = 1)]
    pub used: i64,
    /// Businesses the plan lets it watch.
    #[schema(minimum = 0, example = 50)]
    pub cap: i64,
}

impl From<Watched> for WatchedView {
    fn from(watched: Watched) -> WatchedView {
        let Watched { watch, used, cap } = watched;
        WatchedView { id: watch.id.to_string(), business_name: watch.business.name, watching: true, used, cap }
    }
}

/// A business that is not watched any more.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = WatchDeleted)]
pub struct UnwatchedView {
    /// The watch's id.
    #[schema(format = Uuid)]
    pub id: String,
    /// Always false.
    pub watching: bool,
    /// Businesses the account still watches.
    #[schema(minimum = 0, example = 0)]
    pub used: i64,
    /// Businesses the plan lets it watch.
    #[schema(minimum = 0, example = 50)]
    pub cap: i64,
}

/// A watch as it stands.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Watch)]
pub struct WatchView {
    /// Its id.
    #[schema(format = Uuid)]
    pub id: String,
    /// The lead it was made from.
    #[schema(format = Uuid)]
    pub lead_id: String,
    /// The business's id, the same in every search.
    #[schema(example = "sandbox:k3f9")]
    pub business_id: String,
    /// Which business.
    #[schema(example = "Acme Dental")]
    pub business_name: String,
    /// Always true.
    pub watching: bool,
    /// The latest opportunity score.
    #[schema(minimum = 0, maximum = 100, example = 57)]
    pub score: i64,
    /// When it was checked last; null before the first check.
    #[schema(required, format = DateTime)]
    pub last_checked_at: Option<String>,
    /// When it will be checked next.
    #[schema(format = DateTime)]
    pub next_check_at: String,
    /// Since when it is watched.
    #[schema(format = DateTime)]
    pub created_at: String,
    /// How the last read of its website ended; anything but `ok` is no change.
    #[schema(example = "ok")]
    pub site_status: String,
}

impl From<Watch> for WatchView {
    fn from(watch: Watch) -> WatchView {
        WatchView {
            id: watch.id.to_string(),
            lead_id: watch.lead.to_string(),
            business_id: watch.business_id,
            business_name: watch.business.name,
            watching: true,
            score: watch.score,
            last_checked_at: watch.last_checked_at.map(|moment| moment.to_string()),
            next_check_at: watch.next_check_at.to_string(),
            created_at: watch.created_at.to_string(),
            site_status: watch.site_status,
        }
    }
}

/// The schema of a value of any kind that a change can have.
fn value_schema(description: &str) -> Object {
    let kinds = [Type::Boolean, Type::Number, Type::String, Type::Null];
    ObjectBuilder::new().schema_type(SchemaType::Array(kinds.into())).description(Some(description)).build()
}

fn before_schema() -> Object {
    value_schema("The value before: true or false, a number, text, or null for nothing.")
}

fn after_schema() -> Object {
    value_schema("The value now.")
}

/// One change of one field.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Change)]
pub struct ChangeView {
    /// The field that changed.
    #[schema(schema_with = field_schema)]
    pub field: &'static str,
    /// How it changed.
    #[schema(schema_with = kind_schema)]
    pub change: &'static str,
    /// The value before: true or false, a number, text, or null for nothing.
    #[schema(schema_with = before_schema)]
    pub before: Value,
    /// The value now.
    #[schema(schema_with = after_schema)]
    pub after: Value,
    /// One sentence that says it.
    #[schema(example = "The website now has an online store.")]
    pub summary: String,
    /// The page that shows the new state.
    pub evidence: ProofView,
}

/// Where the new state stands.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ChangeEvidence)]
pub struct ProofView {
    /// What was found; empty when something is gone.
    #[schema(example = "shopify")]
    pub value: String,
    /// The page; the website's first one when something is gone.
    #[schema(example = "https://acme.example/")]
    pub url: String,
    /// The way it was found; `absent` when something is gone, `score` for the score.
    #[schema(example = "markup")]
    pub method: String,
    /// A few words around it.
    pub snippet: String,
    /// When.
    #[schema(format = DateTime)]
    pub seen_at: String,
}

fn field_schema() -> Object {
    one_of("What changed.", Field::ALL.map(Field::name))
}

fn kind_schema() -> Object {
    one_of("How it changed.", Kind::ALL.map(Kind::name))
}

impl From<Change> for ChangeView {
    fn from(change: Change) -> ChangeView {
        let Evidence { value, url, method, snippet, seen_at, .. } = change.evidence;
        ChangeView {
            field: change.field.name(),
            change: change.change.name(),
            before: change.before,
            after: change.after,
            summary: change.summary,
            evidence: ProofView { value, url, method, snippet, seen_at: seen_at.to_string() },
        }
    }
}

fn change_views(changes: Vec<Change>) -> Vec<ChangeView> {
    changes.into_iter().map(ChangeView::from).collect()
}

/// Something a watch had to tell.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Alert)]
pub struct AlertView {
    /// Its id.
    #[schema(format = Uuid)]
    pub id: String,
    /// The watch that told it.
    #[schema(format = Uuid)]
    pub watch_id: String,
    /// The lead that watch was made from.
    #[schema(format = Uuid)]
    pub lead_id: String,
    /// Which business.
    #[schema(example = "Acme Dental")]
    pub business_name: String,
    /// Exactly what changed.
    pub changes: Vec<ChangeView>,
    /// The opportunity score after the check.
    #[schema(minimum = 0, maximum = 100, example = 57)]
    pub score: i64,
    /// When it was told; unique and increasing within the account. Pass the last one as `since` to read on.
    #[schema(format = DateTime, example = "2026-11-15T02:03:04.123456+00:00")]
    pub created_at: String,
}

impl From<Alert> for AlertView {
    fn from(alert: Alert) -> AlertView {
        AlertView {
            id: alert.id.to_string(),
            watch_id: alert.watch.to_string(),
            lead_id: alert.lead.to_string(),
            business_name: alert.business_name,
            changes: change_views(alert.changes.0),
            score: alert.score,
            created_at: alert.created_at.to_string(),
        }
    }
}

/// One check of a watched business.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RadarCheck)]
pub struct CheckView {
    /// Sequence number within the watch, from 1.
    #[schema(minimum = 1, example = 1)]
    pub number: i64,
    /// The time of the last read.
    #[schema(format = DateTime)]
    pub checked_at: String,
    /// How reading the website ended.
    #[schema(example = "ok")]
    pub site_status: String,
    /// Whether every page that was chosen was read whole. If not, pages were compared one by one.
    pub complete: bool,
    /// The opportunity score after the check.
    #[schema(minimum = 0, maximum = 100, example = 57)]
    pub score: i64,
    /// The changes it reported; usually none.
    pub changes: Vec<ChangeView>,
}

impl From<Check> for CheckView {
    fn from(check: Check) -> CheckView {
        CheckView {
            number: check.number,
            checked_at: check.checked_at.to_string(),
            site_status: check.site_status,
            complete: check.complete,
            score: check.score,
            changes: change_views(check.changes.0),
        }
    }
}

/// Watch a business
///
/// Watches the business of a lead: its website is read again about once a day, and changes become alerts. A business that
/// is watched already stays watched as it is; the same watch is returned.
#[utoipa::path(post, path = "/radar/watch", operation_id = "watchLead", tag = "Radar",
    params(("Idempotency-Key" = Option<String>, Header, description = "Sent again with the same key within a day, the request gets the same answer.")),
    request_body = WatchRequestView,
    responses((status = 200, description = "The watch.", body = WatchedView)))]
pub async fn watch(
    caller: Authorized<Radar>,
    by: Spender,
    _: NoParameters,
    JsonBody(mut body): JsonBody,
) -> Result<Json<WatchedView>, Problem> {
    let lead = body.id("lead_id");
    let lead = body.require("lead_id", lead, "the id of a lead of this account").unwrap_or_default();
    body.finish()?;
    let lead = LeadId::parse(&lead).ok_or_else(|| Problem::not_found("lead"))?;
    let watched = radar::watch(&by.app, caller.account(), lead, by.claim.as_ref()).await?;
    Ok(Json(watched.into()))
}

/// List watches
///
/// The businesses the account watches, newest first, each with its latest score and when it was checked.
#[utoipa::path(get, path = "/radar/watches", operation_id = "listWatches", tag = "Radar",
    responses((status = 200, description = "The watches.", body = Vec<WatchView>)))]
pub async fn watches(
    State(app): State<App>,
    caller: Authorized<Radar>,
    _: NoParameters,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let watches = radar::list(&app.db, caller.account().id).await?;
    let views: Vec<WatchView> = watches.into_iter().map(WatchView::from).collect();
    tagged(&headers, &views)
}

/// Stop watching a business
///
/// Stops watching. Alerts told before stay in the feed.
#[utoipa::path(delete, path = "/radar/watch/{watch_id}", operation_id = "unwatch", tag = "Radar",
    params(("watch_id" = String, Path, format = Uuid, description = "A watch of this account.")),
    responses((status = 200, description = "It is not watched any more.", body = UnwatchedView)))]
pub async fn unwatch(path: WatchPath, _: NoParameters) -> Result<Json<UnwatchedView>, Problem> {
    let (app, account, id) = (path.app(), path.account(), path.id()?);
    let used = radar::unwatch(app, account.id, id).await?.ok_or_else(WatchPath::missing)?;
    let cap = app.settings.plans.of(account.tier).radar_cap;
    Ok(Json(UnwatchedView { id: id.to_string(), watching: false, used, cap }))
}

/// Show the history of a watch
///
/// The checks of a watched business, newest first: how reading its website ended, its score, and what changed. The last
/// 400 are kept.
#[utoipa::path(get, path = "/radar/watch/{watch_id}/history", operation_id = "listChecks", tag = "Radar",
    params(
        ("watch_id" = String, Path, format = Uuid, description = "A watch of this account."),
        ("limit" = Option<i64>, Query, description = "At most so many.", minimum = 1, maximum = 400, example = 100),
    ),
    responses((status = 200, description = "The checks.", body = Vec<CheckView>)))]
pub async fn history(path: WatchPath, mut query: Fields, headers: HeaderMap) -> Result<Response, Problem> {
    let limit = query.integer("limit", 1..=KEPT_CHECKS_MAX).unwrap_or(CHECKS_DEFAULT);
    query.finish()?;
    let checks = radar::history(&path.app().db, &path.find().await?, limit).await?;
    let views: Vec<CheckView> = checks.into_iter().map(CheckView::from).collect();
    tagged(&headers, &views)
}

/// List alerts
///
/// What changed. With `since`, alerts after that moment, oldest first: pass the last one's `created_at` as the next
/// `since`, and none is lost or repeated. Without, the newest first.
#[utoipa::path(get, path = "/radar/alerts", operation_id = "listAlerts", tag = "Radar",
    params(
        ("since" = Option<String>, Query, format = DateTime, description = "Only alerts after this moment, oldest first. Without an offset it is UTC."),
        ("limit" = Option<i64>, Query, description = "At most so many; 50 when not given.", minimum = 1, maximum = 200, example = 50),
    ),
    responses((status = 200, description = "The alerts.", body = Vec<AlertView>)))]
pub async fn alerts(
    State(app): State<App>,
    caller: Authorized<Radar>,
    mut query: Fields,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let since = query.moment("since");
    let limit = query.integer("limit", 1..=Feed::ALERTS_MAX).unwrap_or(Feed::ALERTS_DEFAULT);
    query.finish()?;
    let alerts = radar::alerts(&app.db, caller.account().id, Feed { since, limit }).await?;
    let views: Vec<AlertView> = alerts.into_iter().map(AlertView::from).collect();
    tagged(&headers, &views)
}
