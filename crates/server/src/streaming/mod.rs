//! Server-sent events of a search: the stored events in order, then each new one as it is stored.
//!
//! The stream reads only when the client does, so a client that never reads costs a few leads of memory and stops
//! nothing. A client that comes back names the last event it saw and goes on behind it, on any server.

mod pieces;

use axum::Extension;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use canvass::Owned;
use canvass::idempotency::{self, Claim, Claimed, SavedResponse};
use canvass::ids::SearchId;
use canvass::lead::Lock;
use canvass::search::{self, Resume, Search};
use futures::StreamExt;
use http::header::{CACHE_CONTROL, CONTENT_TYPE};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use utoipa::ToSchema;

use crate::api::start::{StartView, start_request};
use crate::edge::body::{JsonBody, read};
use crate::edge::caller::{Api, Authorized};
use crate::edge::fields::{Fields, NoParameters};
use crate::edge::idempotency::{REPLAYED, asked, key_of, start_once};
use crate::edge::path::SearchPath;
use crate::edge::problem::{FieldError, ProblemBody};
use crate::edge::{Edge, Problem};

/// Ids are far below this.
const EVENT_ID_MAX: i64 = 1_000_000;
/// The event a client saw last.
const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");

/// One event of a stream.
#[derive(Debug, ToSchema)]
#[schema(as = SearchEvent)]
pub struct EventView {
    /// 0 for the start, the lead's number, and one more for the end.
    #[schema(pattern = "^[0-9]+$", example = "1")]
    pub id: String,
    /// What happened: search_started, lead or search_done.
    #[schema(pattern = "^(search_started|lead|search_done)$", example = "lead")]
    pub event: String,
    /// As JSON: what the start call answers, the lead, or the search.
    pub data: String,
}

/// Run a search as an event stream
///
/// The same body as `POST /search/start`. Streams server-sent events: `search_started` once, `lead` for each delivered
/// lead, `search_done` at the end. Going away does not stop the search; `GET /searches/{search_id}/events` goes on
/// with it.
#[utoipa::path(post, path = "/search", operation_id = "streamSearch", tag = "Searches",
    params(
        ("Idempotency-Key" = Option<String>, Header, description = "Sent again with the same key within a day, the request starts nothing and follows the same search."),
        ("Last-Event-ID" = Option<i64>, Header, description = "With an Idempotency-Key: the id of the last event that was seen, to go on behind it.", minimum = 0, maximum = 1_000_000),
    ),
    request_body = StartView,
    responses(
        (status = 200, description = "The events.", content_type = "text/event-stream", body = EventView),
        (status = 204, description = "There are no more events."),
    ))]
pub async fn search(
    State(edge): State<Edge>,
    caller: Authorized<Api>,
    _: NoParameters,
    request: Request,
) -> Result<Response, Problem> {
    let (parts, body) = request.into_parts();
    let bytes = read(body).await?;
    let last = last_event_id(&parts.headers)?;
    let claim = match key_of(&parts.headers)? {
        None if last.is_some() => return Err(reconnect_without_key()),
        None => None,
        Some(key) => {
            let asked = asked(&parts, &bytes);
            match idempotency::claim(&edge.app, caller.account().id, key, &asked).await? {
                Claimed::Answered(answer) => return follow_again(&edge, &caller, &answer, last).await,
                Claimed::Ours(claim) => Some(claim),
            }
        }
    };
    let work = begin(&edge, &caller, Request::from_parts(parts, Body::from(bytes)), claim.as_ref());
    let search = match &claim {
        Some(claim) => start_once(&edge.app, claim, work, kept).await?,
        None => work.await?,
    };
    let again = claim.is_some_and(|claim| claim.made().is_some());
    let mut response = resume(&edge, &caller, &search, last.filter(|_| again));
    if again {
        response.headers_mut().insert(REPLAYED, HeaderValue::from_static("true"));
    }
    Ok(response)
}

async fn begin(
    edge: &Edge,
    caller: &Authorized<Api>,
    request: Request,
    claim: Option<&Claim>,
) -> Result<Owned<Search>, Problem> {
    use axum::extract::FromRequest;
    let JsonBody(body) = JsonBody::from_request(request, edge).await?;
    let started = search::start(&edge.app, caller.account(), start_request(body)?, claim).await?;
    Ok(started.search().clone())
}

/// What is remembered: which search it was.
fn kept(search: &Owned<Search>) -> SavedResponse {
    SavedResponse { status: 200, content_type: "text/event-stream".into(), body: search.id.to_string() }
}

/// Follows the search that the same request started before.
async fn follow_again(
    edge: &Edge,
    caller: &Authorized<Api>,
    answer: &SavedResponse,
    last: Option<i64>,
) -> Result<Response, Problem> {
    let missing = || Problem::not_found("search");
    let id = SearchId::parse(&answer.body).ok_or_else(missing)?;
    let search = search::find(&edge.app.db, caller.account().id, id).await?.ok_or_else(missing)?;
    search.still_has_leads()?;
    let mut response = resume(edge, caller, &search, last);
    response.headers_mut().insert(REPLAYED, HeaderValue::from_static("true"));
    Ok(response)
}

/// Follow the events of a search
///
/// Replays the events of a running or finished search from the beginning, or from behind `Last-Event-ID`, and goes on
/// with each new one. When the last event was seen already the answer is 204, and clients stop coming back.
#[utoipa::path(get, path = "/searches/{search_id}/events", operation_id = "followSearch", tag = "Searches",
    params(
        ("search_id" = String, Path, format = Uuid, description = "A search of this account."),
        ("Last-Event-ID" = Option<i64>, Header, description = "The id of the last event that was seen.", minimum = 0, maximum = 1_000_000),
        ("last_event_id" = Option<i64>, Query, description = "The same, for clients that cannot set headers.", minimum = 0, maximum = 1_000_000),
    ),
    responses(
        (status = 200, description = "The events.", content_type = "text/event-stream", body = EventView),
        (status = 204, description = "There are no more events."),
        (status = 410, description = "The leads were deleted some days after the search ended.", body = ProblemBody),
    ))]
pub async fn events(
    State(edge): State<Edge>,
    path: SearchPath,
    mut query: Fields,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let parameter = query.integer("last_event_id", 0..=EVENT_ID_MAX);
    query.finish()?;
    let last = last_event_id(&headers)?.or(parameter);
    let search = path.find().await?;
    search.still_has_leads()?;
    Ok(resume(&edge, path.caller(), &search, last))
}

/// The events behind the last one that was seen; 204 when there will be none, so that clients stop reconnecting.
fn resume(edge: &Edge, caller: &Authorized<Api>, search: &Owned<Search>, last: Option<i64>) -> Response {
    match last {
        Some(last) if !search.is_running() && last > search.leads_found => StatusCode::NO_CONTENT.into_response(),
        Some(last) => follow(edge, caller, search, Resume::After(last)),
        None => follow(edge, caller, search, Resume::Beginning),
    }
}

/// A client that reconnects by itself must not start, and pay for, a second search.
fn reconnect_without_key() -> Problem {
    Problem::fields(vec![FieldError {
        field: "Last-Event-ID".into(),
        message: "needs the Idempotency-Key the search was started with; or follow GET /searches/{search_id}/events"
            .into(),
        code: "contradiction",
    }])
}

fn last_event_id(headers: &HeaderMap) -> Result<Option<i64>, Problem> {
    let Some(value) = headers.get(LAST_EVENT_ID) else { return Ok(None) };
    let text = value.to_str().unwrap_or("?").to_owned();
    let mut field = Fields::of_query(&format!("last_event_id={text}"))?;
    let last = field.integer("last_event_id", 0..=EVENT_ID_MAX);
    field.finish()?;
    Ok(last)
}

fn follow(edge: &Edge, caller: &Authorized<Api>, search: &Owned<Search>, resume: Resume) -> Response {
    let follower = search::follow(&edge.app, search, resume, Lock::of(caller.account()));
    // A server that goes away lets its streams go; the clients find their place again on the next one.
    let pieces = pieces::of(follower, edge, caller).take_until(Box::pin(edge.closed()));
    let headers = [
        (CONTENT_TYPE, HeaderValue::from_static("text/event-stream; charset=utf-8")),
        (CACHE_CONTROL, HeaderValue::from_static("no-cache, no-transform")),
        (HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no")),
    ];
    (headers, Extension(EventStream), Body::from_stream(pieces)).into_response()
}

/// Marks a response that stays open for as long as a search runs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EventStream;
