//! `start_search`, `stop_search` and `list_searches`.

use std::collections::BTreeMap;

use canvass::Owned;
use canvass::idempotency::{self, Claim, ClaimError, Claimed, IdempotencyKey, KEY_CHARS_MAX, fingerprint};
use canvass::search::{self, History, Search, StartRequest, Status};
use serde::Serialize;

use super::{Answer, Call};
use crate::api::search::StopView;
use crate::api::start::start_request;
use crate::edge::caller::{Api, Authorized};
use crate::edge::idempotency::start_once;
use crate::edge::path::SearchPath;
use crate::edge::problem::FieldError;
use crate::edge::{Edge, Problem};

/// The argument that makes a call repeatable.
const REQUEST_ID: &str = "client_request_id";
/// Searches listed when not said.
const LISTED_DEFAULT: i64 = 20;

/// A search, as much of it as a conversation needs.
#[derive(Serialize)]
pub(super) struct SearchView {
    search_id: String,
    status: &'static str,
    industry: String,
    location: String,
    requested: i64,
    leads_found: i64,
    emails_found: i64,
    created_at: String,
    completed_at: Option<String>,
    stopped_because: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    failure_reason: Option<String>,
    area: String,
    notes: Vec<String>,
    filtered: BTreeMap<String, i64>,
}

impl From<&Search> for SearchView {
    fn from(search: &Search) -> SearchView {
        SearchView {
            search_id: search.id.to_string(),
            status: search.status.name(),
            industry: search.request.industry.clone(),
            location: search.request.location.clone(),
            requested: search.requested,
            leads_found: search.leads_found,
            emails_found: search.emails_found,
            created_at: search.created_at.to_string(),
            completed_at: search.completed_at.map(|moment| moment.to_string()),
            stopped_because: search.stopped_because.clone(),
            failure_reason: search.failure_reason.clone(),
            area: search.coverage.area.clone(),
            notes: search.coverage.notes.clone(),
            filtered: search.coverage.filtered.clone(),
        }
    }
}

/// A search, and what to do with it.
pub(super) fn told(search: &Search) -> Result<Answer, Problem> {
    Answer::new(&SearchView::from(search), next_step(search))
}

/// The search just started: an assistant passes on what was guessed before credits are spent on it.
fn started(search: &Search) -> Result<Answer, Problem> {
    if search.coverage.notes.is_empty() {
        return told(search);
    }
    let next = format!(
        "Tell the user what notes says, and call stop_search if that is not what they meant. {}",
        next_step(search)
    );
    Answer::new(&SearchView::from(search), &next)
}

fn next_step(search: &Search) -> &'static str {
    match (search.status, search.leads_found) {
        (Status::Running, _) => {
            "The search is still running: call wait_for_search with this search_id; get_leads shows what is there so far."
        }
        (Status::Failed, 0) => "Tell the user why it failed; failure_reason says whether trying again helps.",
        (_, 0) => {
            "Nothing was found: suggest a wider scope, another word for the industry or fewer filters; filtered says \
             what was left out."
        }
        _ => "Call get_leads to show the leads, export_leads for a CSV file, or enrich_leads to find owners.",
    }
}

pub(super) async fn start(mut call: Call) -> Result<Answer, Problem> {
    let caller = call.authorize()?;
    let key = call.fields.text(REQUEST_ID, 1..=KEY_CHARS_MAX);
    let request = start_request(call.take_fields())?;
    let key = key.map(|key| IdempotencyKey::parse(&key).ok_or_else(bad_key)).transpose()?;
    let search = match key {
        None => begin(&call.edge, &caller, request, None).await?,
        Some(key) => begin_once(&call.edge, &caller, request, key).await?,
    };
    started(&search)
}

async fn begin(
    edge: &Edge,
    caller: &Authorized<Api>,
    request: StartRequest,
    claim: Option<&Claim>,
) -> Result<Owned<Search>, Problem> {
    Ok(search::start(&edge.app, caller.account(), request, claim).await?.search().clone())
}

/// Starts a search unless the same call did before.
async fn begin_once(
    edge: &Edge,
    caller: &Authorized<Api>,
    request: StartRequest,
    key: IdempotencyKey,
) -> Result<Owned<Search>, Problem> {
    let asked = fingerprint(&[b"start_search", &serde_json::to_vec(&request).map_err(|_| Problem::internal())?]);
    let claim = match idempotency::claim(&edge.app, caller.account().id, key, &asked).await.map_err(in_our_words)? {
        Claimed::Answered(answer) => return SearchPath::of(&edge.app, caller.clone(), answer.body).find().await,
        Claimed::Ours(claim) => claim,
    };
    start_once(&edge.app, &claim, begin(edge, caller, request, Some(&claim)), kept).await
}

/// What is remembered: which search it was. Where that stands is looked up when it is asked for.
fn kept(search: &Owned<Search>) -> idempotency::SavedResponse {
    idempotency::SavedResponse { status: 200, content_type: "text/plain".into(), body: search.id.to_string() }
}

/// The claim's errors name the header; here it is an argument.
fn in_our_words(error: ClaimError) -> Problem {
    let mut problem = Problem::from(error);
    problem.detail = problem.detail.replace("Idempotency-Key", REQUEST_ID);
    problem
}

fn bad_key() -> Problem {
    Problem::fields(vec![FieldError {
        field: REQUEST_ID.into(),
        message: format!("must be 1 to {KEY_CHARS_MAX} visible ASCII characters without spaces, such as a UUID"),
        code: "out_of_range",
    }])
}

pub(super) async fn stop(mut call: Call) -> Result<Answer, Problem> {
    let path = call.search()?;
    call.finish()?;
    let stopped = search::stop(path.app(), path.account().id, path.id()?).await?.ok_or_else(SearchPath::missing)?;
    Answer::new(&StopView::from(stopped), "Call get_leads to show what was found.")
}

#[derive(Serialize)]
struct SearchesView {
    searches: Vec<SearchView>,
}

pub(super) async fn list(mut call: Call) -> Result<Answer, Problem> {
    let caller = call.authorize::<Api>()?;
    let wanted = History {
        status: call.fields.choice("status", &Status::ALL, Status::name),
        since: None,
        limit: Some(call.fields.integer("limit", 1..=History::SEARCHES_MAX).unwrap_or(LISTED_DEFAULT)),
    };
    call.finish()?;
    let searches = search::history(&call.edge.app.db, caller.account().id, wanted).await?;
    let next = if searches.is_empty() {
        "There are no such searches. Call start_search to begin one."
    } else {
        "Call get_leads with a search_id to show its leads, or wait_for_search for one that is running."
    };
    Answer::new(&SearchesView { searches: searches.iter().map(SearchView::from).collect() }, next)
}
