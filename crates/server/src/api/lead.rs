//! Leads: those of a search, or a single one.

use std::borrow::Cow;

use axum::body::Body;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use canvass::App;
use canvass::lead::{self, Lead, LeadFilter, LeadList, LeadOrder, LeadPage, LeadQuery, Lock};
use canvass::plan::Permission;
use canvass::search::REQUESTED_MAX;
use canvass::signals::{SCORE_MAX, slug};
use futures::stream;
use http::header::{CONTENT_TYPE, LINK};
use http::{HeaderMap, HeaderName, HeaderValue, Uri};
use schemars::{JsonSchema, SchemaGenerator, json_schema};
use utoipa::openapi::path::{Parameter, ParameterIn};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{IntoParams, PartialSchema, ToSchema};

use crate::edge::Problem;
use crate::edge::caller::{Api, Authorized};
use crate::edge::etag::{tag_of, unchanged, with_tag};
use crate::edge::fields::{Fields, NoParameters};
use crate::edge::path::{LeadPath, SearchPath};
use crate::edge::problem::ProblemBody;
use crate::edge::schema::{self, Direction};

/// Leads on a page at most: all that a search can have.
const PAGE_LEADS_MAX: i64 = REQUESTED_MAX;
/// Largest offset.
const OFFSET_LEADS_MAX: i64 = 1_000_000;
/// Characters of a question.
const QUESTION_CHARS_MAX: usize = 200;
/// Leads that are found when the client does not say how many, and at most.
const FOUND_LEADS_DEFAULT: i64 = 20;
const FOUND_LEADS_MAX: i64 = 100;
/// Characters of a slug to filter by.
const SLUG_CHARS_MAX: usize = 60;

/// A lead as the API document describes it: [`Lead`] is the one definition of its fields.
#[derive(Clone, Copy, Debug)]
pub struct LeadView;

impl PartialSchema for LeadView {
    fn schema() -> RefOr<Schema> {
        schema::component::<Lead>(Direction::Response)
    }
}

impl ToSchema for LeadView {
    fn name() -> Cow<'static, str> {
        Lead::schema_name()
    }

    fn schemas(list: &mut Vec<(String, RefOr<Schema>)>) {
        schema::components::<Lead>(Direction::Response, list);
    }
}

/// Which leads of a search are wanted, and in which order; read by [`filter_and_order`].
#[derive(Debug, JsonSchema)]
#[expect(dead_code, reason = "it only describes the fields; Fields reads them")]
pub struct LeadFilterView {
    /// Only leads scoring at least this. Needs Signals+.
    #[schemars(range(min = 0, max = SCORE_MAX))]
    min_score: Option<i64>,
    /// `score` ranks the highest opportunity first and needs Signals+, else it changes nothing. `rank` is the order of the
    /// source, `delivered` that of delivery; without this parameter it is `delivered` while the search runs and `rank`
    /// afterwards.
    #[schemars(default, schema_with = "sort_schema", example = &"score")]
    sort: Option<String>,
    /// Only with or without an advertising pixel.
    has_ad_pixel: Option<bool>,
    /// Only with this network's pixel, such as google or meta.
    #[schemars(length(max = SLUG_CHARS_MAX), example = &"meta")]
    ad_network: Option<String>,
    /// Only with or without analytics.
    has_analytics: Option<bool>,
    /// Only built with this, such as wordpress or wix.
    #[schemars(length(max = SLUG_CHARS_MAX), example = &"wordpress")]
    platform: Option<String>,
}

/// The query parameters of a list of leads.
#[derive(Debug, JsonSchema)]
#[expect(dead_code, reason = "it only describes the parameters; Fields reads them")]
pub struct LeadListView {
    #[schemars(flatten)]
    filter: LeadFilterView,
    /// At most so many.
    #[schemars(range(min = 1, max = PAGE_LEADS_MAX))]
    limit: Option<i64>,
    /// Leave out so many at the beginning.
    #[schemars(range(min = 0, max = OFFSET_LEADS_MAX))]
    offset: Option<i64>,
}

/// The order in which the API document lists the parameters, which clients with positional arguments depend on.
const PARAMETER_ORDER: [&str; 8] =
    ["min_score", "sort", "has_ad_pixel", "ad_network", "has_analytics", "platform", "limit", "offset"];

impl IntoParams for LeadListView {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        schema::query_parameters::<LeadListView>(&PARAMETER_ORDER)
    }
}

/// The orders: a pattern in a query, where hosts of the connector want an enumeration.
fn sort_schema(generator: &mut SchemaGenerator) -> schemars::Schema {
    let names = LeadOrder::ALL.map(LeadOrder::name);
    if generator.settings().inline_subschemas {
        return json_schema!({"type": "string", "enum": names});
    }
    json_schema!({"type": "string", "pattern": format!("^({})$", names.join("|"))})
}

/// List the leads of a search
///
/// Every lead of a search as one array, in the order in which its source lists the businesses: the same every time. A running
/// search gives what it has so far, in the order of delivery, so that later leads come last and pages fit together.
#[utoipa::path(get, path = "/searches/{search_id}/leads", operation_id = "listLeads", tag = "Leads",
    params(
        ("search_id" = String, Path, format = Uuid, description = "A search of this account."),
        LeadListView,
    ),
    responses((status = 200, description = "The leads.", body = Vec<LeadView>,
        headers(
            ("X-Total-Count" = i64, description = "How many leads there are on all pages."),
            ("Link" = String, description = "The next page, as `rel=\"next\"`, when there is one."),
        )),
        (status = 410, description = "The leads were deleted some days after the search ended.", body = ProblemBody)))]
pub async fn list(path: SearchPath, uri: Uri, headers: HeaderMap) -> Result<Response, Problem> {
    let lock = path.lock();
    let query = uri.query().unwrap_or_default();
    let mut fields = Fields::of_query(query)?;
    let (filter, order) = filter_and_order(&mut fields);
    let page = page(&mut fields);
    fields.finish()?;
    permit(&filter, &path)?;
    let search = path.find().await?;
    let leads = search.owned_id()?;
    let wanted = LeadQuery { filter, order: order.unwrap_or(LeadOrder::of_list(search.is_running())), page };
    let tag = tag_of(&[&search.id.to_string(), &search.revision.to_string(), &format!("{lock:?}{wanted:?}")]);
    if let Some(response) = unchanged(&headers, &tag) {
        return Ok(response);
    }
    let listed = lead::list(&path.app().db, leads, &wanted, lock).await?;
    let total = HeaderValue::from(listed.total);
    let link = next_page(&format!("/searches/{}/leads", search.id), query, &wanted, listed.total);
    let mut response = with_tag(streamed(listed), &tag);
    response.headers_mut().insert(HeaderName::from_static("x-total-count"), total);
    response.headers_mut().extend(link.map(|link| (LINK, link)));
    Ok(response)
}

fn page(query: &mut Fields) -> LeadPage {
    let offset = query.integer("offset", 0..=OFFSET_LEADS_MAX).and_then(|offset| usize::try_from(offset).ok());
    let limit = query.integer("limit", 1..=PAGE_LEADS_MAX).and_then(|limit| usize::try_from(limit).ok());
    LeadPage { offset: offset.unwrap_or(0), limit }
}

/// Reads the fields of [`LeadFilterView`]; no order when the request names none.
pub fn filter_and_order(fields: &mut Fields) -> (LeadFilter, Option<LeadOrder>) {
    let filter = LeadFilter {
        min_score: fields.integer("min_score", 0..=SCORE_MAX),
        has_ad_pixel: fields.boolean("has_ad_pixel"),
        ad_network: fields.word("ad_network", SLUG_CHARS_MAX).map(|text| slug(&text)),
        has_analytics: fields.boolean("has_analytics"),
        platform: fields.word("platform", SLUG_CHARS_MAX).map(|text| slug(&text)),
    };
    (filter, fields.choice("sort", &LeadOrder::ALL, LeadOrder::name))
}

/// 403 for a filter by score on an account that may not see scores.
pub fn permit(filter: &LeadFilter, path: &SearchPath) -> Result<(), Problem> {
    if filter.min_score.is_none() {
        return Ok(());
    }
    path.caller().require(&path.app().settings.plans, Permission::Scores)
}

/// The address of the next page, when there is one: the same with another offset. It names the order, so that the pages
/// fit together even when the search ends between them.
fn next_page(path: &str, query: &str, wanted: &LeadQuery, total: usize) -> Option<HeaderValue> {
    let next = wanted.page.offset.saturating_add(wanted.page.limit?);
    let others = url::form_urlencoded::parse(query.as_bytes())
        .filter(|(name, _)| !["offset", "sort", crate::edge::credential::KEY_PARAMETER].contains(&name.as_ref()));
    let mut query = url::form_urlencoded::Serializer::new(String::new());
    query.extend_pairs(others).append_pair("sort", wanted.order.name()).append_pair("offset", &next.to_string());
    let link = format!("<{path}?{}>; rel=\"next\"", query.finish());
    (next < total).then(|| HeaderValue::try_from(link).ok()).flatten()
}

/// Sends a JSON array as its leads are read.
fn streamed(listed: LeadList) -> Response {
    let chunks = stream::try_unfold((listed, "["), |(mut listed, before)| async move {
        if before.is_empty() {
            return Ok::<_, canvass::db::DbError>(None);
        }
        let leads = listed.next().await?;
        let last = leads.is_empty();
        let mut text = String::from(if last && before == "," { "" } else { before });
        text.push_str(&leads.join(","));
        if last {
            text.push(']');
        }
        Ok(Some((text, (listed, if last { "" } else { "," }))))
    });
    ([(CONTENT_TYPE, HeaderValue::from_static("application/json"))], Body::from_stream(chunks)).into_response()
}

/// Find leads
///
/// Looks through all leads of the account by name, industry, place, owner, website, email or phone: leads that have every word of
/// `q`, or one that begins so. Those with most of them in their name come first, then the newest.
#[utoipa::path(get, path = "/leads", operation_id = "findLeads", tag = "Leads",
    params(
        ("q" = String, Query, pattern = "\\S", max_length = 200, description = "Words to look for.", example = "smile dental"),
        ("limit" = Option<i64>, Query, description = "Leads at most.", minimum = 1, maximum = 100, example = 20),
    ),
    responses((status = 200, description = "The leads.", body = Vec<LeadView>)))]
pub async fn find(State(app): State<App>, caller: Authorized<Api>, mut query: Fields) -> Result<Response, Problem> {
    let words = query.text("q", 1..=QUESTION_CHARS_MAX);
    let words = query.require("q", words, "the words to look for").unwrap_or_default();
    let limit = query.integer("limit", 1..=FOUND_LEADS_MAX).unwrap_or(FOUND_LEADS_DEFAULT);
    query.finish()?;
    let account = caller.account();
    let found = lead::look_up(&app, account.id, &words, usize::try_from(limit).unwrap_or_default()).await?;
    let leads: Vec<String> = found.hits.iter().map(|hit| hit.shown.json(Lock::of(account))).collect();
    let kind = [(CONTENT_TYPE, HeaderValue::from_static("application/json"))];
    Ok((kind, format!("[{}]", leads.join(","))).into_response())
}

/// Show a lead
///
/// One lead of the account, as its search delivered it.
#[utoipa::path(get, path = "/leads/{lead_id}", operation_id = "getLead", tag = "Leads",
    params(("lead_id" = String, Path, format = Uuid, description = "A lead of this account.")),
    responses((status = 200, description = "The lead.", body = LeadView)))]
pub async fn show(path: LeadPath, _: NoParameters, headers: HeaderMap) -> Result<Response, Problem> {
    let json = path.find().await?.json(path.lock());
    let tag = tag_of(&[&json]);
    Ok(unchanged(&headers, &tag).unwrap_or_else(|| {
        let kind = [(CONTENT_TYPE, HeaderValue::from_static("application/json"))];
        with_tag((kind, json).into_response(), &tag)
    }))
}
