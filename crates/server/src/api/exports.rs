//! CSV exports: every field, or shaped for an outreach channel.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, Request, State};
use axum::response::{IntoResponse, Response};
use canvass::Owned;
use canvass::exports::{
    self, AudienceForm, ByteOrderMark, Channel, ChannelOptions, CsvStream, ExportLink, FileFormat, FileName, LinkError,
    MisplacedOption, Platform, Preset, Shape,
};
use canvass::ids::of;
use canvass::lead;
use canvass::search::Search;
use futures::stream;
use http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use http::{HeaderMap, HeaderName, HeaderValue};
use utoipa::ToSchema;

use crate::connection::Connection;
use crate::edge::body::JsonBody;
use crate::edge::caller::Caller;
use crate::edge::etag::{tag_of, unchanged, with_tag};
use crate::edge::fields::{Fields, NoParameters};
use crate::edge::path::SearchPath;
use crate::edge::problem::{FieldError, ProblemBody};
use crate::edge::{Edge, Problem};

/// Leads that can be chosen: all that a search can have.
const SELECTED_LEADS_MAX: usize = 2_500;
/// The status of the search at the time of the export.
const SEARCH_STATUS: HeaderName = HeaderName::from_static("x-search-status");

/// Export the leads of a search
///
/// All fields of every lead as a CSV file (RFC 4180, UTF-8), one row each, in the order of the source; lists are joined
/// with `; `. Cells that a spreadsheet would take for formulas begin with an apostrophe. A running search gives what it
/// has so far; `X-Search-Status` says so.
#[utoipa::path(get, path = "/searches/{search_id}/export", operation_id = "exportLeads", tag = "Exports",
    params(
        ("search_id" = String, Path, format = Uuid, description = "A search of this account."),
        ("bom" = Option<bool>, Query, description = "Begin with a byte order mark, by which Excel knows that the file is UTF-8."),
    ),
    responses((status = 200, description = "The leads.", content_type = "text/csv", body = String,
        headers(
            ("Content-Disposition" = String, description = "The name of the file, such as leads-dentist-austin-tx-2026-11-15.csv."),
            ("X-Search-Status" = String, description = "Where the search stands: running, done, cancelled or failed."),
        )),
        (status = 410, description = "The leads were deleted some days after the search ended.", body = ProblemBody)))]
pub async fn all(path: SearchPath, mut query: Fields, headers: HeaderMap) -> Result<Response, Problem> {
    let mark = byte_order_mark(&mut query);
    query.finish()?;
    let search = path.find().await?;
    export(&path, &search, FileFormat { shape: Shape::Full, mark }, &headers).await
}

/// Export the leads of a search for an outreach channel
///
/// A CSV file in the columns that the channel's tools import. `crm`: a contact in the first 14 columns, every other
/// field behind them; `preset` names the columns as HubSpot, Salesforce or Pipedrive do. `call_list`: only leads with a
/// phone. `ad_audience`: for customer matching by `platform`, with `hashed` as SHA-256 after that platform's own
/// normalisation; only leads with an email or a phone. `direct_mail`: only leads with street, town and postal code.
///
/// Advertising platforms ask that the people on such a list have consented to it: Google's Customer Match, Meta's
/// custom audiences, TikTok and LinkedIn all require data you collected yourself, with a legal basis. Leads found on
/// the web are not that by themselves. Ask first, or use the list to exclude those who are customers already.
#[utoipa::path(get, path = "/searches/{search_id}/campaign-export", operation_id = "exportCampaign", tag = "Exports",
    params(
        ("search_id" = String, Path, format = Uuid, description = "A search of this account."),
        ("channel" = String, Query, description = "What the file is for: crm, call_list, ad_audience or direct_mail.", pattern = "^(crm|call_list|ad_audience|direct_mail)$", example = "crm"),
        ("preset" = Option<String>, Query, description = "With crm: whose import names the columns: hubspot, salesforce or pipedrive.", pattern = "^(hubspot|salesforce|pipedrive)$", example = "hubspot"),
        ("platform" = Option<String>, Query, description = "With ad_audience: google, meta, tiktok or linkedin; google when not said.", pattern = "^(google|meta|tiktok|linkedin)$", example = "google"),
        ("hashed" = Option<bool>, Query, description = "With ad_audience: SHA-256 hashes instead of what they are made from."),
        ("bom" = Option<bool>, Query, description = "Begin with a byte order mark, by which Excel knows that the file is UTF-8."),
    ),
    responses((status = 200, description = "The leads.", content_type = "text/csv", body = String,
        headers(
            ("Content-Disposition" = String, description = "The name of the file, such as leads-crm-dentist-austin-tx-2026-11-15.csv."),
            ("X-Search-Status" = String, description = "Where the search stands: running, done, cancelled or failed."),
        )),
        (status = 410, description = "The leads were deleted some days after the search ended.", body = ProblemBody)))]
pub async fn campaign(path: SearchPath, query: Fields, headers: HeaderMap) -> Result<Response, Problem> {
    let CampaignQuery { channel, file } = campaign_query(query)?;
    let search = path.find().await?;
    // Checked last, so that another account's search is not found whatever the channel is.
    let channel = channel.ok_or_else(without_channel)?;
    export(&path, &search, file_format(Some(channel), file)?, &headers).await
}

/// Leads of a search that were chosen, and the file they are wanted in.
#[derive(Debug, ToSchema)]
#[schema(as = SelectionExport)]
#[expect(dead_code, reason = "it only describes the body in the API document; Fields reads it")]
pub struct SelectionView {
    /// The chosen leads, all of this search.
    #[schema(min_items = 1, max_items = 2500, value_type = Vec<uuid::Uuid>)]
    lead_ids: Vec<String>,
    /// As in a campaign export; every field when left out.
    #[schema(pattern = "^(crm|call_list|ad_audience|direct_mail)$", example = "crm")]
    channel: Option<String>,
    /// As in a campaign export.
    #[schema(pattern = "^(hubspot|salesforce|pipedrive)$", example = "hubspot")]
    preset: Option<String>,
    /// As in a campaign export.
    #[schema(pattern = "^(google|meta|tiktok|linkedin)$", example = "google")]
    platform: Option<String>,
    /// As in a campaign export.
    hashed: Option<bool>,
    /// Begin with a byte order mark.
    bom: Option<bool>,
}

/// Export chosen leads of a search
///
/// The same files as the other exports, with the chosen leads only, in the order of the source.
#[utoipa::path(post, path = "/searches/{search_id}/selection-export", operation_id = "exportSelection", tag = "Exports",
    params(("search_id" = String, Path, format = Uuid, description = "A search of this account.")),
    request_body = SelectionView,
    responses((status = 200, description = "The leads.", content_type = "text/csv", body = String,
        headers(("Content-Disposition" = String, description = "The name of the file, such as leads-crm-dentist-austin-tx-2026-11-15.csv."))),
        (status = 410, description = "The leads were deleted some days after the search ended.", body = ProblemBody)))]
pub async fn selection(path: SearchPath, _: NoParameters, JsonBody(mut fields): JsonBody) -> Result<Response, Problem> {
    let chosen = fields.ids::<of::Lead>("lead_ids", 1..=SELECTED_LEADS_MAX);
    let chosen = fields.require("lead_ids", chosen, "the chosen leads, such as all that are selected in a table");
    let channel = fields.choice("channel", &Channel::ALL, Channel::name);
    let file = file_options(&mut fields);
    // Another account's search is not found, whatever the body says.
    let search = path.find().await?;
    fields.finish()?;
    let format = file_format(channel, file)?;
    let Some(Ok(mut chosen)) = chosen else { return Err(not_of_this_search()) };
    chosen.sort_by_key(ToString::to_string);
    chosen.dedup();
    let leads = lead::list_chosen(&path.app().db, search.owned_id()?, &chosen, path.lock()).await?;
    if leads.total < chosen.len() {
        return Err(not_of_this_search());
    }
    let name = exports::file_name(format.shape, &search.request.industry, &search.request.location, search.created_at);
    let mut response = streamed(exports::write_leads(leads, format, path.lock()));
    response.headers_mut().insert(CONTENT_DISPOSITION, disposition(&name));
    Ok(response)
}

fn not_of_this_search() -> Problem {
    wrong_field("lead_ids", "must all be ids of leads of this search".to_owned(), "unknown_lead")
}

/// Download a file by its link
///
/// The file that a signed link opens, without a key: what the assistant connector gives out. A link works for 15 minutes,
/// and only while the key it was made with works.
#[utoipa::path(get, path = "/exports/{token}", operation_id = "downloadExport", tag = "Exports", security(()),
    params(("token" = String, Path, description = "The link's last part, as it was given.")),
    responses(
        (status = 200, description = "The leads.", content_type = "text/csv", body = String,
            headers(
                ("Content-Disposition" = String, description = "The name of the file, such as leads-dentist-austin-tx-2026-11-15.csv."),
                ("X-Search-Status" = String, description = "Where the search stands: running, done, cancelled or failed."),
            )),
        (status = 403, description = "The key the link was made with has been revoked, or its plan has changed.", body = ProblemBody),
        (status = 404, description = "The link is incomplete, or was not made by this server.", body = ProblemBody),
        (status = 410, description = "The link has expired, or the leads were deleted.", body = ProblemBody),
        (status = 429, description = "The key the link was made with has asked too often.", body = ProblemBody),
    ))]
pub async fn linked(
    State(edge): State<Edge>,
    token: Result<Path<String>, PathRejection>,
    _: NoParameters,
    request: Request,
) -> Result<Response, Problem> {
    let (parts, _) = request.into_parts();
    let Path(token) = token.map_err(|_| LinkError::Broken)?;
    let link = ExportLink::open(&edge.app, &token)?;
    let caller = Caller::of_key(&edge.app, link.key).await?.ok_or_else(revoked)?;
    if let Some(Err(refusal)) = edge.rate_limits.as_ref().map(|limits| limits.check(caller.via())) {
        return Ok(refusal.into_response());
    }
    let caller = caller.authorize(&edge.app.settings.plans)?;
    let path = SearchPath::of(&edge.app, caller, link.search.to_string());
    let search = path.find().await?;
    // A download may take long. Without room for another one it is still served, but as a connection without a key.
    let _ = parts.extensions.get::<Arc<Connection>>().map(|connection| connection.accept_caller());
    export(&path, &search, link.format, &parts.headers).await
}

fn revoked() -> Problem {
    let detail = "the key this link was made with has been revoked; ask for a new link with a key that works";
    Problem::forbidden("key_revoked", detail)
}

/// The parameters of a campaign export.
struct CampaignQuery {
    channel: Option<Channel>,
    file: FileOptions,
}

fn campaign_query(mut query: Fields) -> Result<CampaignQuery, Problem> {
    let channel = query.choice("channel", &Channel::ALL, Channel::name);
    let file = file_options(&mut query);
    query.finish()?;
    Ok(CampaignQuery { channel, file })
}

/// How a file was requested, beside its channel.
#[derive(Clone, Copy, Debug)]
pub struct FileOptions {
    /// Not yet checked against the channel.
    pub channel_options: ChannelOptions,
    /// From the field `bom`.
    pub mark: ByteOrderMark,
}

/// Reads the fields that an export has beside its channel.
pub fn file_options(fields: &mut Fields) -> FileOptions {
    let form = |hashed| if hashed { AudienceForm::Hashed } else { AudienceForm::Plain };
    let channel_options = ChannelOptions {
        preset: fields.choice("preset", &Preset::ALL, Preset::name),
        platform: fields.choice("platform", &Platform::ALL, Platform::name),
        form: fields.boolean("hashed").map(form),
    };
    FileOptions { channel_options, mark: byte_order_mark(fields) }
}

/// The requested file; 422 when an option belongs to another channel.
pub fn file_format(channel: Option<Channel>, file: FileOptions) -> Result<FileFormat, Problem> {
    let misplaced = |option: MisplacedOption| wrong_field(option.field, option.to_string(), "contradiction");
    let shape = Shape::of(channel, file.channel_options).map_err(misplaced)?;
    Ok(FileFormat { shape, mark: file.mark })
}

fn byte_order_mark(query: &mut Fields) -> ByteOrderMark {
    if query.boolean("bom") == Some(true) { ByteOrderMark::With } else { ByteOrderMark::Without }
}

fn without_channel() -> Problem {
    let names = Channel::ALL.map(Channel::name).join(", ");
    wrong_field("channel", format!("is missing; send one of {names}"), "missing")
}

fn wrong_field(field: &str, message: String, code: &'static str) -> Problem {
    Problem::fields(vec![FieldError { field: field.to_owned(), message, code }])
}

/// The file, or 304 when the client has it already.
async fn export(
    path: &SearchPath,
    search: &Owned<Search>,
    format: FileFormat,
    request: &HeaderMap,
) -> Result<Response, Problem> {
    let lock = path.lock();
    let tag = tag_of(&[&search.id.to_string(), &search.revision.to_string(), &format!("{lock:?}{format:?}")]);
    if let Some(response) = unchanged(request, &tag) {
        return Ok(response);
    }
    let file = exports::write(&path.app().db, search.owned_id()?, format, lock).await?;
    let name = exports::file_name(format.shape, &search.request.industry, &search.request.location, search.created_at);
    let mut response = with_tag(streamed(file), &tag);
    response.headers_mut().insert(CONTENT_DISPOSITION, disposition(&name));
    response.headers_mut().insert(SEARCH_STATUS, HeaderValue::from_static(search.status.name()));
    Ok(response)
}

/// The file name in both forms: plain ASCII, and with all letters for clients that support it.
fn disposition(name: &FileName) -> HeaderValue {
    let mut text = format!("attachment; filename=\"{}\"", name.ascii);
    if let Some(whole) = &name.whole {
        text.push_str(&format!("; filename*=UTF-8''{}", escaped(whole)));
    }
    HeaderValue::try_from(text).expect("a file name is ASCII letters, digits, hyphens and a dot")
}

/// Encodes letters beyond ASCII for a header parameter (RFC 8187).
fn escaped(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._".contains(&byte);
    let one = |byte: u8| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") };
    text.bytes().map(one).collect()
}

/// Sends the file as it is written.
fn streamed(file: CsvStream) -> Response {
    let chunks = stream::try_unfold(file, |mut file| async move {
        let text = file.next().await.inspect_err(|error| {
            tracing::error!(error = error as &dyn std::error::Error, "an export broke off");
        })?;
        Ok::<_, exports::WriteError>(text.map(|text| (text, file)))
    });
    ([(CONTENT_TYPE, HeaderValue::from_static("text/csv; charset=utf-8"))], Body::from_stream(chunks)).into_response()
}
