//! One call of a tool: what it is given, and what it returns.

use rmcp::RoleServer;
use rmcp::model::Resource;
use rmcp::service::RequestContext;
use serde::Serialize;
use serde_json::Value;

use crate::edge::caller::{Api, Authorized, Caller, Need};
use crate::edge::fields::Fields;
use crate::edge::path::{LeadPath, SearchPath};
use crate::edge::{Edge, Problem};
use crate::mcp::accepts::Accepts;
use crate::mcp::resources;

/// One call of a tool.
pub(crate) struct ToolCall {
    pub(crate) edge: Edge,
    pub(crate) caller: Caller,
    /// The arguments.
    pub(crate) fields: Fields,
    pub(crate) accepts: Accepts,
    /// The client: whether it is still connected, and where progress is sent.
    pub(crate) context: RequestContext<RoleServer>,
}

impl ToolCall {
    /// The caller; 403 when the plan does not grant what the tool needs.
    pub(super) fn authorize<P: Need>(&self) -> Result<Authorized<P>, Problem> {
        self.caller.clone().authorize(&self.edge.app.settings.plans)
    }

    /// The search that the argument `search_id` names.
    pub(super) fn search(&mut self) -> Result<SearchPath, Problem> {
        let caller = self.authorize::<Api>()?;
        let id = self.id("search_id");
        Ok(SearchPath::of(&self.edge.app, caller, id))
    }

    /// The lead that this argument names.
    pub(super) fn lead(&mut self, name: &'static str) -> Result<LeadPath, Problem> {
        let caller = self.authorize::<Api>()?;
        let id = self.id(name);
        Ok(LeadPath::of(&self.edge.app, caller, id))
    }

    /// A required id. One that is malformed is simply not found later.
    pub(super) fn id(&mut self, name: &'static str) -> String {
        let id = self.fields.id(name);
        self.fields.require(name, id, "an id as the other tools show it").unwrap_or_default()
    }

    /// 422 with everything that is wrong with the arguments.
    pub(super) fn finish(&mut self) -> Result<(), Problem> {
        self.take_fields().finish()
    }

    /// Hands over the arguments, for a reader that finishes them itself.
    pub(super) fn take_fields(&mut self) -> Fields {
        std::mem::replace(&mut self.fields, Fields::of_json(serde_json::Map::new()))
    }
}

/// The result of a tool.
pub(crate) struct ToolResponse {
    /// For programs.
    pub(super) structured: Value,
    /// The same for models: its members in order, with the next step at the end.
    pub(super) text: String,
    /// A file that the result refers to.
    pub(super) resource: Option<Resource>,
}

#[derive(Serialize)]
struct WithNextStep<'a, T> {
    #[serde(flatten)]
    view: &'a T,
    next_step: &'a str,
}

impl ToolResponse {
    /// A view, and a hint on what to do next.
    pub(super) fn new<T: Serialize>(view: &T, next_step: &str) -> Result<ToolResponse, Problem> {
        let text = serde_json::to_string(&WithNextStep { view, next_step }).map_err(|_| Problem::internal())?;
        let structured = serde_json::from_str(&text).map_err(|_| Problem::internal())?;
        Ok(ToolResponse { structured, text, resource: None })
    }

    /// Adds a file.
    pub(super) fn with_resource(self, uri: String, name: String) -> ToolResponse {
        ToolResponse { resource: Some(resources::described(uri, name)), ..self }
    }
}
