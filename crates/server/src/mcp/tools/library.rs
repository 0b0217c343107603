//! `search` and `fetch`: what an assistant asks of any library of documents, here of the leads an account has.

use std::collections::BTreeMap;

use canvass::lead::{self, Lead};
use canvass::search::look_up;
use serde::Serialize;
use serde_json::Value;

use super::{Answer, Call};
use crate::edge::caller::Api;
use crate::edge::{Edge, Problem};

/// Characters of a question.
const QUERY_CHARS_MAX: usize = 200;
/// Leads found at most.
const RESULTS_MAX: usize = 20;

#[derive(Serialize)]
struct ResultsView {
    results: Vec<ResultView>,
    notes: Vec<String>,
}

#[derive(Serialize)]
struct ResultView {
    id: String,
    title: String,
    url: String,
}

#[derive(Serialize)]
struct DocumentView {
    id: String,
    title: String,
    text: String,
    url: String,
    metadata: BTreeMap<String, String>,
}

pub(super) async fn search(mut call: Call) -> Result<Answer, Problem> {
    let caller = call.authorize::<Api>()?;
    let query = call.fields.text("query", 1..=QUERY_CHARS_MAX);
    let query = call.fields.require("query", query, "the words to look for").unwrap_or_default();
    call.finish()?;
    let found = look_up(&call.edge.app.db, caller.account().id, &query, RESULTS_MAX).await?;
    let result =
        |lead: &Lead| ResultView { id: lead.lead_id.to_string(), title: title(lead), url: address(&call.edge, lead) };
    let results = found.hits.iter().map(|hit| result(&hit.lead)).collect();
    let view = ResultsView { results, notes: found.notes };
    let next = if view.results.is_empty() {
        "No saved lead holds all of these words: try fewer, or call start_search to find new businesses."
    } else {
        "Call fetch with an id to open a lead."
    };
    Answer::new(&view, next)
}

pub(super) async fn fetch(mut call: Call) -> Result<Answer, Problem> {
    let path = call.lead("id")?;
    call.finish()?;
    let shown = path.find().await?;
    let lead = lead::parse(&shown.body).map_err(|_| Problem::internal())?;
    let fields: Value = serde_json::from_str(&shown.json(path.lock())).map_err(|_| Problem::internal())?;
    let view = DocumentView {
        id: shown.id.to_string(),
        title: title(&lead),
        text: lines(&fields),
        url: address(&call.edge, &lead),
        metadata: metadata(&fields),
    };
    Answer::new(&view, "get_lead gives the same as fields, write_intro opens an e-mail to this business.")
}

fn title(lead: &Lead) -> String {
    let place = [lead.city.as_deref(), lead.state.as_deref()].into_iter().flatten().collect::<Vec<_>>().join(", ");
    if place.is_empty() { lead.business_name.clone() } else { format!("{}, {place}", lead.business_name) }
}

/// Where a person finds it: among the leads of its search, on their account page.
fn address(edge: &Edge, lead: &Lead) -> String {
    format!("{}/app#/searches/{}/{}", edge.base_url, lead.search_id, lead.lead_id)
}

/// Every field on a line of its own, those without a value left out.
fn lines(fields: &Value) -> String {
    let said = |(name, value): (&String, &Value)| {
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        (!value.is_null()).then(|| format!("{name}: {text}"))
    };
    fields.as_object().into_iter().flatten().filter_map(said).collect::<Vec<_>>().join("\n")
}

/// The fields that are one text or number.
fn metadata(fields: &Value) -> BTreeMap<String, String> {
    let plain = |(name, value): (&String, &Value)| match value {
        Value::String(text) => Some((name.clone(), text.clone())),
        Value::Number(_) | Value::Bool(_) => Some((name.clone(), value.to_string())),
        _ => None,
    };
    fields.as_object().into_iter().flatten().filter_map(plain).collect()
}
