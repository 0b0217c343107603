//! The tools: what they are called and take is in `definitions.json`, what they do is one file per noun.

mod account;
mod enrichment;
mod exports;
mod leads;
mod library;
mod radar;
mod search;
mod wait;

use std::panic::AssertUnwindSafe;
use std::sync::LazyLock;

use futures::FutureExt;
use rmcp::RoleServer;
use rmcp::model::{CallToolResult, ContentBlock, ErrorData, ProtocolVersion, Resource, Tool};
use rmcp::service::RequestContext;
use serde::Serialize;
use serde_json::Value;

use super::connector::Accepts;
use super::resources;
use crate::edge::caller::{Api, Authorized, Caller, Need};
use crate::edge::fields::Fields;
use crate::edge::path::{LeadPath, SearchPath};
use crate::edge::{Edge, Problem};
use crate::log::hide_secrets;

/// Characters of a tool's name that an answer repeats.
const ECHOED_CHARS_MAX: usize = 60;

static TOOLS: LazyLock<Vec<Tool>> = LazyLock::new(|| {
    serde_json::from_str(include_str!("definitions.json")).expect("the definitions are constant, and tests read them")
});

/// Every tool.
pub(super) fn all() -> &'static [Tool] {
    &TOOLS
}

/// The tool of this name.
pub(super) fn find(name: &str) -> Option<&'static Tool> {
    all().iter().find(|tool| tool.name == name)
}

/// One call of a tool.
pub(super) struct Call {
    pub(super) edge: Edge,
    pub(super) caller: Caller,
    /// The arguments.
    pub(super) fields: Fields,
    pub(super) accepts: Accepts,
    /// The client: whether it is still there, and how to tell it of progress.
    pub(super) context: RequestContext<RoleServer>,
}

impl Call {
    /// The caller, when its plan grants what the tool needs.
    fn authorize<P: Need>(&self) -> Result<Authorized<P>, Problem> {
        self.caller.clone().authorize(&self.edge.app.settings.plans)
    }

    /// The search that `search_id` names.
    fn search(&mut self) -> Result<SearchPath, Problem> {
        let caller = self.authorize::<Api>()?;
        let id = self.id("search_id");
        Ok(SearchPath::of(&self.edge.app, caller, id))
    }

    /// The lead that this argument names.
    fn lead(&mut self, name: &'static str) -> Result<LeadPath, Problem> {
        let caller = self.authorize::<Api>()?;
        let id = self.id(name);
        Ok(LeadPath::of(&self.edge.app, caller, id))
    }

    /// An id that must be there; whether it is one is found out by looking.
    fn id(&mut self, name: &'static str) -> String {
        let id = self.fields.id(name);
        self.fields.require(name, id, "an id as the other tools show it").unwrap_or_default()
    }

    /// Says what is wrong with the arguments, when something is.
    fn finish(&mut self) -> Result<(), Problem> {
        self.take_fields().finish()
    }

    /// The arguments, for whoever reads them all.
    fn take_fields(&mut self) -> Fields {
        std::mem::replace(&mut self.fields, Fields::of_json(serde_json::Map::new()))
    }
}

/// What a tool answers.
pub(super) struct Answer {
    /// As the client's program reads it.
    structured: Value,
    /// The same as text, as the model reads it: in order, with what to do next at the end.
    text: String,
    /// A file that belongs to it.
    resource: Option<Resource>,
}

#[derive(Serialize)]
struct Ending<'a, T> {
    #[serde(flatten)]
    view: &'a T,
    next_step: &'a str,
}

impl Answer {
    /// What was found, and what to do next.
    fn new<T: Serialize>(view: &T, next_step: &str) -> Result<Answer, Problem> {
        let text = serde_json::to_string(&Ending { view, next_step }).map_err(|_| Problem::internal())?;
        let structured = serde_json::from_str(&text).map_err(|_| Problem::internal())?;
        Ok(Answer { structured, text, resource: None })
    }

    /// The same with a file.
    fn with_resource(self, uri: String, name: String) -> Answer {
        Answer { resource: Some(resources::described(uri, name)), ..self }
    }
}

/// Whether a client knows links to resources; older ones fail on what they do not know.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Links {
    Known,
    Unknown,
}

impl Links {
    fn of(call: &Call) -> Links {
        let version = call.context.protocol_version();
        let known = version.is_some_and(|version| version.as_str() >= ProtocolVersion::V_2025_06_18.as_str());
        if known { Links::Known } else { Links::Unknown }
    }
}

/// Calls a tool. What goes wrong inside is for the model to read; only a tool that is not there is an error of the
/// protocol.
pub(super) async fn call(name: &str, call: Call) -> Result<CallToolResult, ErrorData> {
    if find(name).is_none() {
        return Err(unknown(name));
    }
    let links = Links::of(&call);
    // The library would leave the client waiting for an answer that never comes.
    let answer = AssertUnwindSafe(run(name, call)).catch_unwind().await;
    Ok(match answer.unwrap_or_else(|_| Err(Problem::internal())) {
        Ok(answer) => told(answer, links),
        Err(problem) => CallToolResult::error(vec![ContentBlock::text(hide_secrets(&advice(&problem)))]),
    })
}

async fn run(name: &str, call: Call) -> Result<Answer, Problem> {
    match name {
        "get_account" => account::show(call),
        "start_search" => search::start(call).await,
        "wait_for_search" => wait::wait(call).await,
        "stop_search" => search::stop(call).await,
        "list_searches" => search::list(call).await,
        "get_leads" => leads::list(call).await,
        "get_lead" => leads::show(call).await,
        "export_leads" => exports::link(call).await,
        "enrich_leads" => enrichment::enrich(call).await,
        "write_intro" => enrichment::introduce(call).await,
        "watch_business" => radar::watch(call).await,
        "unwatch_business" => radar::unwatch(call).await,
        "list_radar" => radar::list(call).await,
        "search" => library::search(call).await,
        "fetch" => library::fetch(call).await,
        _ => Err(Problem::internal()),
    }
}

fn told(answer: Answer, links: Links) -> CallToolResult {
    let mut result = CallToolResult::structured(answer.structured);
    result.content = vec![ContentBlock::text(answer.text)];
    if links == Links::Known {
        result.content.extend(answer.resource.map(ContentBlock::resource_link));
    }
    result
}

/// What went wrong, and what a model can do about it.
fn advice(problem: &Problem) -> String {
    let hint = match problem.code {
        "not_found" => "list_searches, get_leads and list_radar give the ids there are",
        "invalid_fields" => "correct these arguments and call the tool again",
        "insufficient_credits" | "ai_allowance_used_up" => "tell the user; calling again does not help",
        "plan_without_api" | "radar_required" | "signals_plus_required" => "tell the user what the plan lacks",
        "internal" | "unavailable" => "call the tool again in a moment",
        _ => return problem.detail.clone(),
    };
    let stop = if problem.detail.ends_with(['.', '?']) { "" } else { "." };
    format!("{}{stop} Next: {hint}.", problem.detail)
}

fn unknown(name: &str) -> ErrorData {
    let name: String = hide_secrets(name).chars().filter(|c| !c.is_control()).take(ECHOED_CHARS_MAX).collect();
    let names: Vec<&str> = all().iter().map(|tool| tool.name.as_ref()).collect();
    ErrorData::invalid_params(format!("there is no tool called {name}; there are {}", names.join(", ")), None)
}
