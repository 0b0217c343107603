//! The tools. Each file has the tools of one noun, each tool its definition beside its code; [`TOOLS`] lists them all.

mod account;
mod enrichment;
mod exports;
mod leads;
mod library;
mod radar;
mod schema;
mod search;
mod wait;

use std::panic::AssertUnwindSafe;
use std::sync::LazyLock;

use futures::FutureExt;
use futures::future::BoxFuture;
use rmcp::RoleServer;
use rmcp::model::{
    CallToolResult, ContentBlock, ErrorData, JsonObject, ProtocolVersion, Resource, Tool, ToolAnnotations,
};
use rmcp::service::RequestContext;
use serde::Serialize;
use serde_json::Value;

use super::connector::Accepts;
use super::resources::{self, THIRD_PARTY_TEXT};
use crate::edge::caller::{Api, Authorized, Caller, Need};
use crate::edge::fields::Fields;
use crate::edge::path::{LeadPath, SearchPath};
use crate::edge::{Edge, Problem};
use crate::log::hide_secrets;

/// Characters of a tool's name that an error repeats.
const ECHOED_CHARS_MAX: usize = 60;

/// Every tool, in the order in which assistants see them.
const TOOLS: [ToolDefinition; 15] = [
    account::GET_ACCOUNT,
    search::START_SEARCH,
    wait::WAIT_FOR_SEARCH,
    search::STOP_SEARCH,
    search::LIST_SEARCHES,
    leads::GET_LEADS,
    leads::GET_LEAD,
    exports::EXPORT_LEADS,
    enrichment::ENRICH_LEADS,
    enrichment::WRITE_INTRO,
    radar::WATCH_BUSINESS,
    radar::UNWATCH_BUSINESS,
    radar::LIST_RADAR,
    library::SEARCH,
    library::FETCH,
];

/// A tool: what assistants are told about it, and its code.
struct ToolDefinition {
    name: &'static str,
    title: &'static str,
    description: &'static str,
    /// Whose text the results hold.
    content: Content,
    effect: Effect,
    input: fn() -> JsonObject,
    output: fn() -> JsonObject,
    run: fn(ToolCall) -> BoxFuture<'static, Result<ToolResponse, Problem>>,
}

/// Whose text the results of a tool hold.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Content {
    /// Only ours and the user's.
    Own,
    /// Also text of third-party websites, which the description warns about.
    ThirdParty,
}

/// What a call does, as the protocol's four hints say it.
#[derive(Clone, Copy)]
struct Effect {
    read_only: bool,
    destructive: bool,
    /// Whether a repeated call changes nothing more.
    idempotent: bool,
    /// Whether it reaches beyond this server.
    open_world: bool,
}

impl Effect {
    /// Looks at what is stored here.
    const READS: Effect = Effect { read_only: true, destructive: false, idempotent: true, open_world: false };
    /// Changes something that a repeated call does not change again.
    const WRITES_ONCE: Effect = Effect { read_only: false, destructive: false, idempotent: true, open_world: false };
}

static DESCRIBED: LazyLock<Vec<Tool>> = LazyLock::new(|| TOOLS.iter().map(ToolDefinition::described).collect());

impl ToolDefinition {
    fn described(&self) -> Tool {
        let description = match self.content {
            Content::Own => self.description.to_owned(),
            Content::ThirdParty => format!("{} {THIRD_PARTY_TEXT}", self.description),
        };
        let Effect { read_only, destructive, idempotent, open_world } = self.effect;
        let hints = ToolAnnotations::with_title(self.title)
            .read_only(read_only)
            .destructive(destructive)
            .idempotent(idempotent)
            .open_world(open_world);
        let mut tool = Tool::new(self.name, description, (self.input)()).with_annotations(hints);
        tool.title = Some(self.title.to_owned());
        tool.output_schema = Some((self.output)().into());
        tool
    }
}

/// Every tool as assistants see it.
pub(super) fn all() -> &'static [Tool] {
    &DESCRIBED
}

/// The tool of this name as assistants see it.
pub(super) fn find(name: &str) -> Option<&'static Tool> {
    all().iter().find(|tool| tool.name == name)
}

/// One call of a tool.
pub(super) struct ToolCall {
    pub(super) edge: Edge,
    pub(super) caller: Caller,
    /// The arguments.
    pub(super) fields: Fields,
    pub(super) accepts: Accepts,
    /// The client: whether it is still connected, and where progress is sent.
    pub(super) context: RequestContext<RoleServer>,
}

impl ToolCall {
    /// The caller; 403 when the plan does not grant what the tool needs.
    fn authorize<P: Need>(&self) -> Result<Authorized<P>, Problem> {
        self.caller.clone().authorize(&self.edge.app.settings.plans)
    }

    /// The search that the argument `search_id` names.
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

    /// A required id. One that is malformed is simply not found later.
    fn id(&mut self, name: &'static str) -> String {
        let id = self.fields.id(name);
        self.fields.require(name, id, "an id as the other tools show it").unwrap_or_default()
    }

    /// 422 with everything that is wrong with the arguments.
    fn finish(&mut self) -> Result<(), Problem> {
        self.take_fields().finish()
    }

    /// Hands over the arguments, for a reader that finishes them itself.
    fn take_fields(&mut self) -> Fields {
        std::mem::replace(&mut self.fields, Fields::of_json(serde_json::Map::new()))
    }
}

/// The result of a tool.
pub(super) struct ToolResponse {
    /// For programs.
    structured: Value,
    /// The same for models: its members in order, with the next step at the end.
    text: String,
    /// A file that the result refers to.
    resource: Option<Resource>,
}

#[derive(Serialize)]
struct WithNextStep<'a, T> {
    #[serde(flatten)]
    view: &'a T,
    next_step: &'a str,
}

impl ToolResponse {
    /// A view, and a hint on what to do next.
    fn new<T: Serialize>(view: &T, next_step: &str) -> Result<ToolResponse, Problem> {
        let text = serde_json::to_string(&WithNextStep { view, next_step }).map_err(|_| Problem::internal())?;
        let structured = serde_json::from_str(&text).map_err(|_| Problem::internal())?;
        Ok(ToolResponse { structured, text, resource: None })
    }

    /// Adds a file.
    fn with_resource(self, uri: String, name: String) -> ToolResponse {
        ToolResponse { resource: Some(resources::described(uri, name)), ..self }
    }
}

/// Whether the client's protocol version has links to resources; older clients fail on them.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LinkSupport {
    Known,
    Unknown,
}

impl LinkSupport {
    fn of(call: &ToolCall) -> LinkSupport {
        let version = call.context.protocol_version();
        let known = version.is_some_and(|version| version.as_str() >= ProtocolVersion::V_2025_06_18.as_str());
        if known { LinkSupport::Known } else { LinkSupport::Unknown }
    }
}

/// Calls a tool. What goes wrong inside it is text for the model to read; only an unknown tool is a protocol error.
pub(super) async fn call(name: &str, call: ToolCall) -> Result<CallToolResult, ErrorData> {
    let tool = TOOLS.iter().find(|tool| tool.name == name).ok_or_else(|| unknown(name))?;
    let links = LinkSupport::of(&call);
    // After a panic the protocol library would leave the client waiting forever.
    let response = AssertUnwindSafe((tool.run)(call)).catch_unwind().await;
    Ok(match response.unwrap_or_else(|_| Err(Problem::internal())) {
        Ok(response) => result(response, links),
        Err(problem) => CallToolResult::error(vec![ContentBlock::text(hide_secrets(&advice(&problem)))]),
    })
}

fn result(response: ToolResponse, links: LinkSupport) -> CallToolResult {
    let mut result = CallToolResult::structured(response.structured);
    result.content = vec![ContentBlock::text(response.text)];
    if links == LinkSupport::Known {
        result.content.extend(response.resource.map(ContentBlock::resource_link));
    }
    result
}

/// The problem's detail, and what a model can do about it.
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
