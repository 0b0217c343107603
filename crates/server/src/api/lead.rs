//! Leads: all those of a search, or one.

use std::collections::BTreeMap;

use axum::body::Body;
use axum::response::{IntoResponse, Response};
use canvass::lead::{self, Filter, Listed, Order, Page, Wanted};
use canvass::plan::Permission;
use canvass::search::REQUESTED_MAX;
use canvass::signals::slug;
use futures::stream;
use http::header::{CONTENT_TYPE, LINK};
use http::{HeaderMap, HeaderName, HeaderValue, Uri};
use serde::Serialize;
use utoipa::ToSchema;

use crate::edge::Problem;
use crate::edge::etag::{tag_of, unchanged, with_tag};
use crate::edge::fields::{Fields, NoParameters};
use crate::edge::path::{LeadPath, SearchPath};

/// Leads on a page at most, when pages are asked for.
const PAGE_LEADS_MAX: i64 = REQUESTED_MAX;
/// Leads left out at most.
const OFFSET_LEADS_MAX: i64 = 1_000_000;
/// Characters of a slug.
const SLUG_CHARS_MAX: usize = 60;

/// One delivered business. Missing values are null, never absent.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Lead)]
pub struct LeadView {
    /// Its id.
    #[schema(format = Uuid)]
    lead_id: String,
    /// The search that delivered it.
    #[schema(format = Uuid)]
    search_id: String,
    /// The business's id, the same in every search.
    #[schema(example = "sandbox:k3f9")]
    business_id: String,
    /// When it was delivered.
    #[schema(format = DateTime)]
    delivered_at: String,
    /// What the business is called.
    #[schema(example = "Joe's Plumbing")]
    business_name: String,
    /// Its kind.
    #[schema(example = "Plumber")]
    industry: String,
    /// Its website.
    #[schema(required)]
    website: Option<String>,
    /// How reading its website ended: ok, none, robots, blocked, timeout, dead, parked, social_only or error.
    #[schema(example = "ok")]
    site_status: String,
    /// E.164.
    #[schema(required, example = "+15125550100")]
    phone: Option<String>,
    /// On one line.
    #[schema(required, example = "1100 Congress Ave, Austin, TX 78701")]
    address: Option<String>,
    /// Street and number.
    #[schema(required)]
    street: Option<String>,
    /// Town.
    #[schema(required)]
    city: Option<String>,
    /// State or region.
    #[schema(required)]
    state: Option<String>,
    /// Postal code.
    #[schema(required)]
    postal_code: Option<String>,
    /// Two-letter country.
    #[schema(required, example = "US")]
    country: Option<String>,
    /// Where on the map.
    #[schema(required, minimum = -90, maximum = 90)]
    latitude: Option<f64>,
    /// Where on the map.
    #[schema(required, minimum = -180, maximum = 180)]
    longitude: Option<f64>,
    /// Average rating.
    #[schema(required, minimum = 0, maximum = 5)]
    rating: Option<f64>,
    /// Reviews it stands on.
    #[schema(required, minimum = 0)]
    review_count: Option<i64>,
    /// Who says so: the listing's source, or `website`.
    #[schema(required)]
    rating_source: Option<String>,
    /// Whether it is a branch of a chain.
    is_chain: bool,
    /// The owner.
    #[schema(required)]
    owner_name: Option<String>,
    /// The owner's title.
    #[schema(required)]
    owner_title: Option<String>,
    /// The best email for outreach.
    #[schema(required)]
    primary_email: Option<String>,
    /// Every email found, the primary one first.
    emails: Vec<EmailView>,
    /// Network to profile.
    #[schema(example = json!({"facebook": "https://www.facebook.com/joesplumbing"}))]
    socials: BTreeMap<String, String>,
    /// Where each value was found. An entry with the field `site_cut` names a page that was not read whole, and as its
    /// value why: `reading`, `size`, `steps` or `time`. What was found there is right; something may be missing.
    evidence: Vec<EvidenceView>,
    /// What its website shows, and what that makes it worth.
    signals: SignalsView,
}

/// An email of a lead.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = LeadEmail)]
pub struct EmailView {
    /// The address.
    email: String,
    /// Whose it is: personal, role, generic or unknown.
    #[schema(example = "personal")]
    r#type: String,
    /// How sure it is that mail arrives there.
    #[schema(minimum = 0, maximum = 1, example = 0.85)]
    confidence: f64,
    /// The best one for outreach.
    is_primary: bool,
}

/// Where and when a value was found.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Evidence)]
pub struct EvidenceView {
    /// Which field it proves.
    #[schema(example = "emails")]
    field: String,
    /// The value.
    value: String,
    /// The page.
    url: String,
    /// The way it was found.
    #[schema(example = "mailto")]
    method: String,
    /// A few words around it.
    snippet: String,
    /// When.
    #[schema(format = DateTime)]
    seen_at: String,
}

/// What a website shows, and what that makes the business worth.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Signals)]
pub struct SignalsView {
    /// Free on every lead.
    basic: BasicView,
    /// True without the Signals+ add-on; then score and reasons are null.
    premium_locked: bool,
    /// Opportunity score.
    #[schema(required, minimum = 0, maximum = 100, example = 62)]
    score: Option<i64>,
    /// Why the score is what it is.
    #[schema(required)]
    reasons: Option<Vec<ReasonView>>,
}

/// What was detected. Unknown is not false: null when the website could not be read.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SignalsBasic)]
pub struct BasicView {
    /// Whether the website was read.
    detected: bool,
    /// Whether there is one.
    has_website: bool,
    /// What it is built with.
    #[schema(required, example = "wordpress")]
    platform: Option<String>,
    /// Whether something can be bought there.
    #[schema(required)]
    ecommerce: Option<bool>,
    /// Online booking tool.
    #[schema(required, example = "calendly")]
    booking: Option<String>,
    /// Online ordering tool.
    #[schema(required)]
    online_ordering: Option<String>,
    /// Live chat tool.
    #[schema(required)]
    chat: Option<String>,
    /// Whether any advertising pixel is there.
    #[schema(required)]
    has_ad_pixel: Option<bool>,
    /// Whose.
    #[schema(required, example = json!(["google", "meta"]))]
    ad_networks: Option<Vec<String>>,
    /// Whether any analytics is there.
    #[schema(required)]
    has_analytics: Option<bool>,
    /// Which.
    #[schema(required)]
    analytics: Option<Vec<String>>,
}

/// Why a score is what it is.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ScoreReason)]
pub struct ReasonView {
    /// The rule's name.
    #[schema(example = "no_booking")]
    key: String,
    /// In words.
    #[schema(example = "Customers cannot book online.")]
    reason: String,
    /// What it adds, or takes.
    #[schema(minimum = -100, maximum = 100, example = 12)]
    points: i64,
}

/// List the leads of a search
///
/// Every lead of a search as one array, in the order in which its source lists the businesses: the same every time. A running
/// search gives what it has so far, in the order of delivery, so that later leads come last and pages fit together.
#[utoipa::path(get, path = "/searches/{search_id}/leads", operation_id = "listLeads", tag = "Leads",
    params(
        ("search_id" = String, Path, format = Uuid, description = "A search of this account."),
        ("min_score" = Option<i64>, Query, description = "Only leads scoring at least this. Needs Signals+.", minimum = 0, maximum = 100),
        ("sort" = Option<String>, Query, pattern = "^(score|rank|delivered)$", description = "`score` ranks the highest opportunity first and needs Signals+, else it changes nothing. `rank` is the order of the source, `delivered` that of delivery; without this parameter it is `delivered` while the search runs and `rank` afterwards.", example = "score"),
        ("has_ad_pixel" = Option<bool>, Query, description = "Only with or without an advertising pixel."),
        ("ad_network" = Option<String>, Query, max_length = 60, description = "Only with this network's pixel, such as google or meta.", example = "meta"),
        ("has_analytics" = Option<bool>, Query, description = "Only with or without analytics."),
        ("platform" = Option<String>, Query, max_length = 60, description = "Only built with this, such as wordpress or wix.", example = "wordpress"),
        ("limit" = Option<i64>, Query, description = "At most so many.", minimum = 1, maximum = 2500),
        ("offset" = Option<i64>, Query, description = "Leave out so many at the beginning.", minimum = 0, maximum = 1_000_000),
    ),
    responses((status = 200, description = "The leads.", body = Vec<LeadView>,
        headers(
            ("X-Total-Count" = i64, description = "How many leads there are on all pages."),
            ("Link" = String, description = "The next page, as `rel=\"next\"`, when there is one."),
        ))))]
pub async fn list(path: SearchPath, uri: Uri, headers: HeaderMap) -> Result<Response, Problem> {
    let lock = path.lock();
    let query = uri.query().unwrap_or_default();
    let mut fields = Fields::of_query(query)?;
    let (filter, order) = which(&mut fields);
    let page = page(&mut fields);
    fields.finish()?;
    permit(&filter, &path)?;
    let search = path.find().await?;
    let wanted = Wanted { filter, order: order.unwrap_or(Order::of_list(search.is_running())), page };
    let tag = tag_of(&[&search.id.to_string(), &search.revision.to_string(), &format!("{lock:?}{wanted:?}")]);
    if let Some(response) = unchanged(&headers, &tag) {
        return Ok(response);
    }
    let listed = lead::list(&path.app().db, search.owned_id(), &wanted, lock).await?;
    let total = HeaderValue::from(listed.total);
    let link = next_page(&format!("/searches/{}/leads", search.id), query, &wanted, listed.total);
    let mut response = with_tag(streamed(listed), &tag);
    response.headers_mut().insert(HeaderName::from_static("x-total-count"), total);
    response.headers_mut().extend(link.map(|link| (LINK, link)));
    Ok(response)
}

fn page(query: &mut Fields) -> Page {
    let offset = query.integer("offset", 0..=OFFSET_LEADS_MAX).and_then(|offset| usize::try_from(offset).ok());
    let limit = query.integer("limit", 1..=PAGE_LEADS_MAX).and_then(|limit| usize::try_from(limit).ok());
    Page { offset: offset.unwrap_or(0), limit }
}

/// Reads which leads are wanted, and in which order, when that is said.
pub fn which(fields: &mut Fields) -> (Filter, Option<Order>) {
    let filter = Filter {
        min_score: fields.integer("min_score", 0..=100),
        has_ad_pixel: fields.boolean("has_ad_pixel"),
        ad_network: fields.word("ad_network", SLUG_CHARS_MAX).map(|text| slug(&text)),
        has_analytics: fields.boolean("has_analytics"),
        platform: fields.word("platform", SLUG_CHARS_MAX).map(|text| slug(&text)),
    };
    (filter, fields.choice("sort", &Order::ALL, Order::name))
}

/// Whether the account may choose leads like this.
pub fn permit(filter: &Filter, path: &SearchPath) -> Result<(), Problem> {
    if filter.min_score.is_none() {
        return Ok(());
    }
    path.caller().require(&path.app().settings.plans, Permission::Scores)
}

/// Where the next page is, when there is one: the same address with another offset. It names the order, so that the pages fit
/// together even when the search ends between them.
fn next_page(path: &str, query: &str, wanted: &Wanted, total: usize) -> Option<HeaderValue> {
    let next = wanted.page.offset.saturating_add(wanted.page.limit?);
    let others = url::form_urlencoded::parse(query.as_bytes())
        .filter(|(name, _)| !["offset", "sort", crate::edge::credential::KEY_PARAMETER].contains(&name.as_ref()));
    let mut query = url::form_urlencoded::Serializer::new(String::new());
    query.extend_pairs(others).append_pair("sort", wanted.order.name()).append_pair("offset", &next.to_string());
    let link = format!("<{path}?{}>; rel=\"next\"", query.finish());
    (next < total).then(|| HeaderValue::try_from(link).ok()).flatten()
}

/// An array, sent as it is read.
fn streamed(listed: Listed) -> Response {
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
