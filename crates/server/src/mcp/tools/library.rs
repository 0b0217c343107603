//! `search` and `fetch`, the two tools that assistants expect of any document library: here of the account's leads.

use std::collections::BTreeMap;

use canvass::lead::{self, Lead};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::call::{ToolCall, ToolResponse};
use super::definition::{Content, Effect, ToolDefinition};
use super::schema;
use crate::edge::caller::Api;
use crate::edge::{Edge, Problem};

/// Characters of a query.
const QUERY_CHARS_MAX: usize = 200;
/// Results at most.
const RESULTS_MAX: usize = 20;

pub(super) const SEARCH: ToolDefinition = ToolDefinition {
    name: "search",
    title: "Look through saved leads",
    description: "Looks through leads ALREADY delivered to this account by name, industry, place, e-mail or phone. \
                  Free; never finds new businesses. To find new ones call start_search.",
    content: Content::ThirdParty,
    effect: Effect::READS,
    input: schema::input::<SearchArguments>,
    output: schema::output::<ResultsView>,
    run: |call| Box::pin(search(call)),
};

pub(super) const FETCH: ToolDefinition = ToolDefinition {
    name: "fetch",
    title: "Open a saved lead",
    description: "Opens one lead found with search.",
    content: Content::ThirdParty,
    effect: Effect::READS,
    input: schema::input::<FetchArguments>,
    output: schema::output::<DocumentView>,
    run: |call| Box::pin(fetch(call)),
};

#[derive(JsonSchema)]
#[expect(dead_code, reason = "it only describes the arguments; Fields reads them")]
struct SearchArguments {
    /// Words to look for.
    #[schemars(length(min = 1, max = QUERY_CHARS_MAX))]
    query: String,
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "it only describes the arguments; Fields reads them")]
struct FetchArguments {
    /// id of a search result.
    #[schemars(length(min = 1))]
    id: String,
}

#[derive(Serialize, JsonSchema)]
struct ResultsView {
    /// Best first.
    results: Vec<ResultView>,
    /// What was not looked for, not looked through or not shown, in plain sentences.
    notes: Vec<String>,
}

#[derive(Serialize, JsonSchema)]
struct ResultView {
    /// Pass to fetch.
    id: String,
    /// Title.
    title: String,
    /// Address of the lead in the web app.
    url: String,
}

#[derive(Serialize, JsonSchema)]
struct DocumentView {
    /// Identifier.
    id: String,
    /// Title.
    title: String,
    /// Every field as text.
    text: String,
    /// Address of the lead in the web app.
    url: String,
    /// Fields as text.
    metadata: BTreeMap<String, String>,
}

async fn search(mut call: ToolCall) -> Result<ToolResponse, Problem> {
    let caller = call.authorize::<Api>()?;
    let query = call.fields.text("query", 1..=QUERY_CHARS_MAX);
    let query = call.fields.require("query", query, "the words to look for").unwrap_or_default();
    call.finish()?;
    let found = lead::look_up(&call.edge.app, caller.account().id, &query, RESULTS_MAX).await?;
    let result =
        |lead: &Lead| ResultView { id: lead.lead_id.to_string(), title: title(lead), url: address(&call.edge, lead) };
    let results = found.hits.iter().map(|hit| result(&hit.lead)).collect();
    let view = ResultsView { results, notes: found.notes };
    let next = if view.results.is_empty() {
        "No saved lead holds all of these words: try fewer, or call start_search to find new businesses."
    } else {
        "Call fetch with an id to open a lead."
    };
    ToolResponse::new(&view, next)
}

async fn fetch(mut call: ToolCall) -> Result<ToolResponse, Problem> {
    let path = call.lead("id")?;
    call.finish()?;
    let shown = path.find().await?;
    let lead = shown.lead().map_err(|_| Problem::internal())?;
    let fields: Value = serde_json::from_str(&shown.json(path.lock())).map_err(|_| Problem::internal())?;
    let view = DocumentView {
        id: shown.id.to_string(),
        title: title(&lead),
        text: lines(&fields),
        url: address(&call.edge, &lead),
        metadata: metadata(&fields),
    };
    ToolResponse::new(&view, "get_lead gives the same as fields, write_intro opens an e-mail to this business.")
}

fn title(lead: &Lead) -> String {
    let place = [lead.city.as_deref(), lead.state.as_deref()].into_iter().flatten().collect::<Vec<_>>().join(", ");
    if place.is_empty() { lead.business_name.clone() } else { format!("{}, {place}", lead.business_name) }
}

/// Address of the lead in the web app, among the leads of its search.
fn address(edge: &Edge, lead: &Lead) -> String {
    format!("{}/app/search/{}/{}", edge.base_url, lead.search_id, lead.lead_id)
}

/// Every field that has a value, one on each line.
fn lines(fields: &Value) -> String {
    let said = |(name, value): (&String, &Value)| {
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        (!value.is_null()).then(|| format!("{name}: {text}"))
    };
    fields.as_object().into_iter().flatten().filter_map(said).collect::<Vec<_>>().join("\n")
}

/// The fields that are a single text, number or boolean.
fn metadata(fields: &Value) -> BTreeMap<String, String> {
    let plain = |(name, value): (&String, &Value)| match value {
        Value::String(text) => Some((name.clone(), text.clone())),
        Value::Number(_) | Value::Bool(_) => Some((name.clone(), value.to_string())),
        _ => None,
    };
    fields.as_object().into_iter().flatten().filter_map(plain).collect()
}
