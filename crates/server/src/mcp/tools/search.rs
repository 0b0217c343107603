//! `start_search`, `stop_search` and `list_searches`.

use std::collections::BTreeMap;

use canvass::Owned;
use canvass::idempotency::{self, Claim, ClaimError, Claimed, IdempotencyKey, KEY_CHARS_MAX, fingerprint};
use canvass::search::{self, History, REQUESTED_MAX, Search, StartRequest, Status};
use schemars::{JsonSchema, SchemaGenerator, json_schema};
use serde::Serialize;

use super::call::{ToolCall, ToolResponse};
use super::definition::{Content, Effect, ToolDefinition};
use super::schema::{self, ApiView};
use crate::api::search::StopView;
use crate::api::start::{StartView, start_request};
use crate::edge::caller::{Api, Authorized};
use crate::edge::idempotency::start_once;
use crate::edge::path::SearchPath;
use crate::edge::problem::FieldError;
use crate::edge::{Edge, Problem};

/// The argument that makes a repeated call return the same search.
const REQUEST_ID: &str = "client_request_id";
/// Searches listed when the call does not say.
const LISTED_DEFAULT: i64 = 20;

pub(super) const START_SEARCH: ToolDefinition = ToolDefinition {
    name: "start_search",
    title: "Start a lead search",
    description: "Starts a live search for local businesses and returns at once with a search_id. SPENDS CREDITS: one \
                  per lead delivered, never more than the balance. Ask the user before requesting more than 50 leads. A \
                  city search takes about two minutes, a state-wide one 20 to 50 minutes. Next: call wait_for_search.",
    content: Content::Own,
    effect: Effect { read_only: false, destructive: false, idempotent: false, open_world: true },
    input: schema::input::<StartArguments>,
    output: schema::output::<SearchView>,
    run: |call| Box::pin(start(call)),
};

pub(super) const STOP_SEARCH: ToolDefinition = ToolDefinition {
    name: "stop_search",
    title: "Stop a search",
    description: "Stops a running search. Leads already found are kept and charged.",
    content: Content::Own,
    effect: Effect { destructive: true, ..Effect::WRITES_ONCE },
    input: schema::input::<SearchArguments>,
    output: schema::output::<ApiView<StopView>>,
    run: |call| Box::pin(stop(call)),
};

pub(super) const LIST_SEARCHES: ToolDefinition = ToolDefinition {
    name: "list_searches",
    title: "List recent searches",
    description: "Lists up to 100 recent searches, newest first.",
    content: Content::Own,
    effect: Effect::READS,
    input: schema::input::<ListSearchesArguments>,
    output: schema::output::<SearchesView>,
    run: |call| Box::pin(list(call)),
};

#[derive(JsonSchema)]
#[expect(dead_code, reason = "it only describes the arguments; Fields reads them")]
struct StartArguments {
    #[schemars(flatten)]
    search: StartView,
    /// Optional unique text without spaces. Repeating a call with the same value within a day returns the same search
    /// instead of starting a second one.
    #[schemars(length(min = 1, max = KEY_CHARS_MAX))]
    client_request_id: Option<String>,
}

/// The argument of tools about one search.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "it only describes the arguments; Fields reads them")]
pub(super) struct SearchArguments {
    /// Identifier of a search, from start_search or list_searches.
    #[schemars(length(min = 1))]
    search_id: String,
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "it only describes the arguments; Fields reads them")]
struct ListSearchesArguments {
    /// Only this state.
    #[schemars(default, schema_with = "status_schema")]
    status: Option<String>,
    /// Most searches to return.
    #[schemars(range(min = 1, max = History::SEARCHES_MAX), extend("default" = LISTED_DEFAULT))]
    limit: Option<i64>,
}

/// The states of a search.
pub(super) fn status_schema(_: &mut SchemaGenerator) -> schemars::Schema {
    json_schema!({"type": "string", "enum": Status::ALL.map(Status::name)})
}

/// A search, with as much of it as a conversation needs.
#[derive(Serialize, JsonSchema)]
pub(super) struct SearchView {
    /// Identifier.
    search_id: String,
    /// State of the search.
    #[schemars(schema_with = "status_schema")]
    status: &'static str,
    /// As requested.
    industry: String,
    /// As requested.
    location: String,
    /// Leads requested.
    #[schemars(range(min = 1, max = REQUESTED_MAX))]
    requested: i64,
    /// Leads delivered so far.
    #[schemars(range(min = 0, max = REQUESTED_MAX))]
    leads_found: i64,
    /// Leads with an e-mail.
    #[schemars(range(min = 0, max = REQUESTED_MAX))]
    emails_found: i64,
    /// ISO 8601 time.
    created_at: String,
    /// ISO 8601 time, or null while running.
    completed_at: Option<String>,
    /// Why it ended: requested_count, area_exhausted, credits, cancelled or failed; null while it runs.
    stopped_because: Option<String>,
    /// Only when status is failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    failure_reason: Option<String>,
    /// What the location was read as.
    area: String,
    /// What was guessed, ignored or lowered, in plain sentences; empty when the request was taken exactly as asked.
    notes: Vec<String>,
    /// Businesses left out and not charged, by reason.
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

/// A search as a result, with what to do next.
pub(super) fn shown(search: &Search) -> Result<ToolResponse, Problem> {
    ToolResponse::new(&SearchView::from(search), next_step(search))
}

/// A search that was just started. The assistant passes on what was guessed before credits are spent on it.
fn started(search: &Search) -> Result<ToolResponse, Problem> {
    if search.coverage.notes.is_empty() {
        return shown(search);
    }
    let next = format!(
        "Tell the user what notes says, and call stop_search if that is not what they meant. {}",
        next_step(search)
    );
    ToolResponse::new(&SearchView::from(search), &next)
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

async fn start(mut call: ToolCall) -> Result<ToolResponse, Problem> {
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
    let claim = match idempotency::claim(&edge.app, caller.account().id, key, &asked).await.map_err(naming_argument)? {
        Claimed::Answered(answer) => return SearchPath::of(&edge.app, caller.clone(), answer.body).find().await,
        Claimed::Ours(claim) => claim,
    };
    start_once(&edge.app, &claim, begin(edge, caller, request, Some(&claim)), remembered).await
}

/// What is stored under the key: the search's id. Its state is read when the call is repeated.
fn remembered(search: &Owned<Search>) -> idempotency::SavedResponse {
    idempotency::SavedResponse { status: 200, content_type: "text/plain".into(), body: search.id.to_string() }
}

/// The claim's errors name the HTTP header; here it is an argument.
fn naming_argument(error: ClaimError) -> Problem {
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

async fn stop(mut call: ToolCall) -> Result<ToolResponse, Problem> {
    let path = call.search()?;
    call.finish()?;
    let stopped = search::stop(path.app(), path.account().id, path.id()?).await?.ok_or_else(SearchPath::missing)?;
    ToolResponse::new(&StopView::from(stopped), "Call get_leads to show what was found.")
}

#[derive(Serialize, JsonSchema)]
struct SearchesView {
    /// Newest first.
    searches: Vec<SearchView>,
}

async fn list(mut call: ToolCall) -> Result<ToolResponse, Problem> {
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
    ToolResponse::new(&SearchesView { searches: searches.iter().map(SearchView::from).collect() }, next)
}
