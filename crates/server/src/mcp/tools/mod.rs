//! The tools. Each file has the tools of one noun, each tool its definition beside its code; [`TOOLS`] lists them all.

mod account;
mod call;
mod definition;
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
use rmcp::model::{CallToolResult, ContentBlock, ErrorData, ProtocolVersion, Tool};

pub(super) use call::ToolCall;
use call::ToolResponse;
use definition::ToolDefinition;

use crate::edge::Problem;
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

static DESCRIBED: LazyLock<Vec<Tool>> = LazyLock::new(|| TOOLS.iter().map(ToolDefinition::described).collect());

/// Every tool as assistants see it.
pub(super) fn all() -> &'static [Tool] {
    &DESCRIBED
}

/// The tool of this name as assistants see it.
pub(super) fn find(name: &str) -> Option<&'static Tool> {
    all().iter().find(|tool| tool.name == name)
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
