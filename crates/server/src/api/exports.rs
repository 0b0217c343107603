//! Leads as CSV: every field, or shaped for an outreach channel.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, Request, State};
use axum::response::{IntoResponse, Response};
use canvass::Owned;
use canvass::exports::{
    self, Channel, FileName, Form, Link, LinkError, Misplaced, Opening, Platform, Preset, Shape, Sheet, Wishes,
};
use canvass::search::Search;
use futures::stream;
use http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use http::{HeaderMap, HeaderName, HeaderValue};

use crate::connection::Connection;
use crate::edge::caller::Caller;
use crate::edge::etag::{tag_of, unchanged, with_tag};
use crate::edge::fields::{Fields, NoParameters};
use crate::edge::path::SearchPath;
use crate::edge::problem::{FieldError, ProblemBody};
use crate::edge::{Edge, Problem};

/// Where a search stood when its leads were exported.
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
        ))))]
pub async fn all(path: SearchPath, mut query: Fields, headers: HeaderMap) -> Result<Response, Problem> {
    let opening = opening(&mut query);
    query.finish()?;
    let search = path.find().await?;
    export(&path, &search, (Shape::Full, opening), &headers).await
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
        ))))]
pub async fn campaign(path: SearchPath, query: Fields, headers: HeaderMap) -> Result<Response, Problem> {
    let (channel, wishes, opening) = wanted(query)?;
    let search = path.find().await?;
    // Only now: what a request lacks is told to those who may make it.
    let channel = channel.ok_or_else(without_channel)?;
    export(&path, &search, (shape(Some(channel), wishes)?, opening), &headers).await
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
        (status = 410, description = "The link has expired.", body = ProblemBody),
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
    let link = Link::open(&edge.app, &token)?;
    let caller = Caller::of_key(&edge.app, link.key).await?.ok_or_else(revoked)?;
    if let Some(Err(refusal)) = edge.rate_limits.as_ref().map(|limits| limits.check(caller.via())) {
        return Ok(refusal.into_response());
    }
    let caller = caller.authorize(&edge.app.settings.plans)?;
    let path = SearchPath::of(&edge.app, caller, link.search.to_string());
    let search = path.find().await?;
    // A download may take its time; without room for one more it is still served, but gives way like a stranger's.
    let _ = parts.extensions.get::<Arc<Connection>>().map(|connection| connection.accept_caller());
    export(&path, &search, (link.shape, link.opening), &parts.headers).await
}

fn revoked() -> Problem {
    let detail = "the key this link was made with has been revoked; ask for a new link with a key that works";
    Problem::forbidden("key_revoked", detail)
}

fn wanted(mut query: Fields) -> Result<(Option<Channel>, Wishes, Opening), Problem> {
    let channel = query.choice("channel", &Channel::ALL, Channel::name);
    let (wishes, opening) = wishes(&mut query);
    query.finish()?;
    Ok((channel, wishes, opening))
}

/// Reads what is asked of a file.
pub fn wishes(fields: &mut Fields) -> (Wishes, Opening) {
    let wishes = Wishes {
        preset: fields.choice("preset", &Preset::ALL, Preset::name),
        platform: fields.choice("platform", &Platform::ALL, Platform::name),
        form: fields.boolean("hashed").map(|hashed| if hashed { Form::Hashed } else { Form::Plain }),
    };
    (wishes, opening(fields))
}

/// The file that is asked for, when a channel's wishes fit it.
pub fn shape(channel: Option<Channel>, wishes: Wishes) -> Result<Shape, Problem> {
    let misplaced = |wish: Misplaced| wrong_field(wish.field, wish.to_string(), "contradiction");
    Shape::of(channel, wishes).map_err(misplaced)
}

fn opening(query: &mut Fields) -> Opening {
    if query.boolean("bom") == Some(true) { Opening::Mark } else { Opening::Columns }
}

fn without_channel() -> Problem {
    let names = Channel::ALL.map(Channel::name).join(", ");
    wrong_field("channel", format!("is missing; send one of {names}"), "missing")
}

fn wrong_field(field: &str, message: String, code: &'static str) -> Problem {
    Problem::fields(vec![FieldError { field: field.to_owned(), message, code }])
}

/// The file, or 304 for a client that has it.
async fn export(
    path: &SearchPath,
    search: &Owned<Search>,
    look: (Shape, Opening),
    request: &HeaderMap,
) -> Result<Response, Problem> {
    let lock = path.lock();
    let tag = tag_of(&[&search.id.to_string(), &search.revision.to_string(), &format!("{lock:?}{look:?}")]);
    if let Some(response) = unchanged(request, &tag) {
        return Ok(response);
    }
    let sheet = exports::write(&path.app().db, search.owned_id(), look, lock).await?;
    let name = exports::file_name(look.0, &search.request.industry, &search.request.location, search.created_at);
    let mut response = with_tag(streamed(sheet), &tag);
    response.headers_mut().insert(CONTENT_DISPOSITION, disposition(&name));
    response.headers_mut().insert(SEARCH_STATUS, HeaderValue::from_static(search.status.name()));
    Ok(response)
}

/// A file to be saved under this name, also by clients that know no letters but ASCII's.
fn disposition(name: &FileName) -> HeaderValue {
    let mut text = format!("attachment; filename=\"{}\"", name.ascii);
    if let Some(whole) = &name.whole {
        text.push_str(&format!("; filename*=UTF-8''{}", escaped(whole)));
    }
    HeaderValue::try_from(text).expect("a file name is ASCII letters, digits, hyphens and a dot")
}

/// As a header parameter holds letters beyond ASCII (RFC 8187).
fn escaped(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._".contains(&byte);
    let one = |byte: u8| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") };
    text.bytes().map(one).collect()
}

/// Lines, sent as they are written.
fn streamed(sheet: Sheet) -> Response {
    let chunks = stream::try_unfold(sheet, |mut sheet| async move {
        let text = sheet.next().await.inspect_err(|error| {
            tracing::error!(error = error as &dyn std::error::Error, "an export broke off");
        })?;
        Ok::<_, exports::WriteError>(text.map(|text| (text, sheet)))
    });
    ([(CONTENT_TYPE, HeaderValue::from_static("text/csv; charset=utf-8"))], Body::from_stream(chunks)).into_response()
}
