//! `export_leads`: a file by a signed link, so that the key never enters the conversation.

use canvass::exports::{self, ExportLink, LINK_SECONDS, Platform, Preset};
use canvass::search::REQUESTED_MAX;
use schemars::{JsonSchema, SchemaGenerator, json_schema};
use serde::Serialize;

use super::call::{ToolCall, ToolResponse};
use super::definition::{Content, Effect, ToolDefinition};
use super::schema;
use super::search::{SearchArguments, status_schema};
use crate::api::exports::{file_format, file_options};
use crate::edge::Problem;
use crate::edge::via::Via;
use crate::mcp::resources::{KINDS, kind_name, uri};

pub(super) const EXPORT_LEADS: ToolDefinition = ToolDefinition {
    name: "export_leads",
    title: "Export leads as CSV",
    description: "Makes a CSV file of a search and returns a download link that works for 15 minutes, and a resource \
                  link to read it here.",
    content: Content::ThirdParty,
    effect: Effect::READS,
    input: schema::input::<ExportArguments>,
    output: schema::output::<ExportView>,
    run: |call| Box::pin(link(call)),
};

#[derive(JsonSchema)]
#[expect(dead_code, reason = "it only describes the arguments; Fields reads them")]
struct ExportArguments {
    #[schemars(flatten)]
    search: SearchArguments,
    /// Shape of the file.
    #[schemars(default, schema_with = "channel_schema", extend("default" = kind_name(None)))]
    channel: Option<String>,
    /// With crm: whose import names the columns.
    #[schemars(default, schema_with = "preset_schema")]
    preset: Option<String>,
    /// With ad_audience: for which platform; google when not said.
    #[schemars(default, schema_with = "platform_schema")]
    platform: Option<String>,
    /// With ad_audience: SHA-256 hashes instead of plain values.
    hashed: Option<bool>,
    /// true: begin with a byte order mark, for Excel.
    bom: Option<bool>,
}

fn channel_schema(_: &mut SchemaGenerator) -> schemars::Schema {
    json_schema!({"type": "string", "enum": KINDS.map(kind_name)})
}

fn preset_schema(_: &mut SchemaGenerator) -> schemars::Schema {
    json_schema!({"type": "string", "enum": Preset::ALL.map(Preset::name)})
}

fn platform_schema(_: &mut SchemaGenerator) -> schemars::Schema {
    json_schema!({"type": "string", "enum": Platform::ALL.map(Platform::name)})
}

#[derive(Serialize, JsonSchema)]
struct ExportView {
    /// Link that needs no key and expires.
    download_url: String,
    /// ISO 8601 time.
    expires_at: String,
    /// Resource to read with resources/read.
    resource_uri: String,
    /// Name of the file.
    file_name: String,
    /// State of the search; a running one gives what it has so far.
    #[schemars(schema_with = "status_schema")]
    status: &'static str,
    /// Leads of the search; channels leave out those they have no use for.
    #[schemars(range(min = 0, max = REQUESTED_MAX))]
    rows: i64,
    /// Header row.
    columns: Vec<&'static str>,
}

async fn link(mut call: ToolCall) -> Result<ToolResponse, Problem> {
    let path = call.search()?;
    let channel = call.fields.choice("channel", &KINDS, kind_name).flatten();
    let options = file_options(&mut call.fields);
    call.finish()?;
    let search = path.find().await?;
    let format = file_format(channel, options)?;
    let expires_at = path.app().clock.now().plus_seconds(LINK_SECONDS);
    let Via::Key(key) = call.caller.via() else { return Err(Problem::internal()) };
    let link = ExportLink { search: search.id, key, format, expires_at };
    let name = exports::file_name(format.shape, &search.request.industry, &search.request.location, search.created_at);
    let view = ExportView {
        download_url: format!("{}/exports/{}", call.edge.base_url, link.sign(path.app())?),
        expires_at: expires_at.to_string(),
        resource_uri: uri(&link),
        file_name: name.ascii,
        status: search.status.name(),
        rows: search.leads_found,
        columns: format.shape.columns(),
    };
    let response = ToolResponse::new(&view, next_step(search.is_running()))?;
    Ok(response.with_resource(view.resource_uri, view.file_name))
}

fn next_step(running: bool) -> &'static str {
    if running {
        "Give the user download_url as it is; it works for 15 minutes and holds what was found so far: after \
         wait_for_search call export_leads again for the whole file."
    } else {
        "Give the user download_url as it is; it works for 15 minutes. Reading resource_uri brings the file in here."
    }
}
