//! What a tool is: what assistants are told about it, and its code.

use futures::future::BoxFuture;
use rmcp::model::{JsonObject, Tool, ToolAnnotations};

use super::call::{ToolCall, ToolResponse};
use crate::edge::Problem;
use crate::mcp::resources::THIRD_PARTY_TEXT;

/// A tool: what assistants are told about it, and its code.
pub(super) struct ToolDefinition {
    pub(super) name: &'static str,
    pub(super) title: &'static str,
    pub(super) description: &'static str,
    /// Whose text the results hold.
    pub(super) content: Content,
    pub(super) effect: Effect,
    pub(super) input: fn() -> JsonObject,
    pub(super) output: fn() -> JsonObject,
    pub(super) run: fn(ToolCall) -> BoxFuture<'static, Result<ToolResponse, Problem>>,
}

/// Whose text the results of a tool hold.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Content {
    /// Only ours and the user's.
    Own,
    /// Also text of third-party websites, which the description warns about.
    ThirdParty,
}

/// What a call does, as the protocol's four hints say it.
#[derive(Clone, Copy)]
pub(super) struct Effect {
    pub(super) read_only: bool,
    pub(super) destructive: bool,
    /// Whether a repeated call changes nothing more.
    pub(super) idempotent: bool,
    /// Whether it reaches beyond this server.
    pub(super) open_world: bool,
}

impl Effect {
    /// Looks at what is stored here.
    pub(super) const READS: Effect =
        Effect { read_only: true, destructive: false, idempotent: true, open_world: false };
    /// Changes something that a repeated call does not change again.
    pub(super) const WRITES_ONCE: Effect =
        Effect { read_only: false, destructive: false, idempotent: true, open_world: false };
}

impl ToolDefinition {
    /// The tool as assistants see it.
    pub(super) fn described(&self) -> Tool {
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
