//! AI enrichment: of a search's leads, or of one lead.

use std::time::Duration;

use axum::extract::Extension;
use axum::response::{IntoResponse, Response};
use canvass::Owned;
use canvass::ai::{self, Feature};
use canvass::enrichment::{self, Enriched, LEADS_MAX, LeadProgress, Skip, Status, Verdict};
use canvass::ids::of;
use canvass::search::Search;
use http::{HeaderMap, StatusCode};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;
use utoipa::openapi::{Object, Schema};

use super::lead::LeadView;
use crate::edge::Problem;
use crate::edge::body::{Json, JsonBody};
use crate::edge::etag::tagged;
use crate::edge::fields::NoParameters;
use crate::edge::idempotency::Unfinished;
use crate::edge::path::{LeadPath, SearchPath};
use crate::edge::problem::ProblemBody;
use crate::edge::schema::{one_of, or_null};

/// How long a request waits for its enrichment; what takes longer goes on by itself.
const WAIT_SECONDS_MAX: u64 = 25;

/// Which leads of a search to enrich.
#[derive(Debug, ToSchema)]
#[schema(as = EnrichRequest)]
#[expect(dead_code, reason = "it only describes the body in the API document; Fields reads it")]
pub struct EnrichRequestView {
    /// Only these leads of the search. Without it: every lead delivered so far, up to the allowance.
    #[schema(min_items = 1, max_items = 2500)]
    lead_ids: Option<Vec<uuid::Uuid>>,
}

/// Where the enrichment of a search stands.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Enrichment)]
pub struct EnrichmentView {
    /// The search.
    #[schema(format = Uuid)]
    pub search_id: String,
    /// Its progress: `none` before the first one is started.
    #[schema(schema_with = status_schema)]
    pub status: &'static str,
    /// Leads it covers.
    #[schema(minimum = 0, example = 25)]
    pub requested: usize,
    /// Leads that are better than before.
    #[schema(minimum = 0, example = 9)]
    pub enriched: usize,
    /// Leads looked at without finding anything better.
    #[schema(minimum = 0, example = 14)]
    pub unchanged: usize,
    /// Leads that were not looked at, and cost nothing; their reason says why.
    #[schema(minimum = 0, example = 2)]
    pub skipped: usize,
    /// Leads for which the AI provider failed; they cost nothing.
    #[schema(minimum = 0, example = 0)]
    pub failed: usize,
    /// Why it ended before every lead was looked at: allowance_used_up or provider_failed.
    #[schema(required, example = json!(null))]
    pub stopped_because: Option<String>,
    /// Names and addresses the model gave that do not stand in the text; they were dropped.
    #[schema(minimum = 0, example = 0)]
    pub rejected_ungrounded: i64,
    /// Enrichments left this month, packs included.
    #[schema(minimum = 0, example = 475)]
    pub ai_enrich_remaining: i64,
    /// Who answers: `rules`, or a model's name.
    #[schema(example = "rules")]
    pub engine: String,
    /// Lead by lead, in the order of delivery.
    pub leads: Vec<EnrichedLeadView>,
}

/// What became of one lead.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = EnrichedLead)]
pub struct EnrichedLeadView {
    /// Which lead.
    #[schema(format = Uuid)]
    pub lead_id: String,
    /// What became of it: null while it waits.
    #[schema(schema_with = verdict_schema)]
    pub status: Option<String>,
    /// Why: no_site_text, site_text_deleted, already_enriched, in_progress, allowance_used_up or provider_failed.
    #[schema(required, example = json!(null))]
    pub reason: Option<String>,
    /// The owner, as the lead says now.
    #[schema(required)]
    pub owner_name: Option<String>,
    /// The owner's title.
    #[schema(required)]
    pub owner_title: Option<String>,
    /// The best email, as the lead says now.
    #[schema(required)]
    pub primary_email: Option<String>,
    /// What enrichment found or bettered: owner_name, primary_email. The lead's evidence quotes where each stands.
    #[schema(example = json!(["owner_name"]))]
    pub added: Vec<&'static str>,
}

impl From<LeadProgress> for EnrichedLeadView {
    fn from(lead: LeadProgress) -> EnrichedLeadView {
        let LeadProgress { lead_id, status, reason, owner_name, owner_title, primary_email, added } = lead;
        EnrichedLeadView { lead_id, status, reason, owner_name, owner_title, primary_email, added }
    }
}

fn status_schema() -> Object {
    one_of("Where an enrichment stands.", Status::ALL.map(Status::name))
}

fn verdict_schema() -> Schema {
    or_null(one_of("What became of a lead.", Verdict::NAMES))
}

/// Enrich the leads of a search
///
/// Reads the stored website text of each lead, finds the owner and the email that best reaches the decision maker, and
/// saves what is better. Answers 200 when it is done within 25 seconds, else 202, and goes on; ask again to join it, or
/// GET this path to watch it. `Prefer: respond-async` or `Prefer: wait=5` waits for less. A lead is paid for once.
#[utoipa::path(post, path = "/searches/{search_id}/enrich", operation_id = "enrichSearch", tag = "AI",
    params(
        ("search_id" = String, Path, format = Uuid, description = "A search of this account; a running one is enriched as far as it is."),
        ("Idempotency-Key" = Option<String>, Header, description = "Sent again with the same key within a day, the request does nothing and gets the same answer."),
        ("Prefer" = Option<String>, Header, description = "`wait=N` to wait N seconds at most, `respond-async` not to wait.", example = "wait=5"),
    ),
    request_body = Option<EnrichRequestView>,
    responses(
        (status = 200, description = "It is done.", body = EnrichmentView),
        (status = 202, description = "It goes on.", body = EnrichmentView),
        (status = 410, description = "The leads were deleted some days after the search ended.", body = ProblemBody),
    ))]
pub async fn start(
    path: SearchPath,
    _: NoParameters,
    headers: HeaderMap,
    JsonBody(mut body): JsonBody,
) -> Result<Response, Problem> {
    let wanted = body.ids::<of::Lead>("lead_ids", 1..=LEADS_MAX);
    body.finish()?;
    let search = path.find().await?;
    let wanted = wanted.transpose().map_err(|_| Problem::not_found("lead"))?;
    let request = enrichment::EnrichmentRequest { leads: wanted.as_deref(), claim: path.claim() };
    let started = enrichment::start(path.app(), path.account(), &search, request).await?;
    let done = match started {
        Some(id) => enrichment::wait(path.app(), &search, id, patience(&headers)).await?,
        None => true,
    };
    path.caller().recheck(path.app()).await?;
    let view = Json(view(&path, &search).await?);
    // Not what a repeat under the same key wants to hear: it joins, and hears how it ended.
    Ok(if done { view.into_response() } else { (StatusCode::ACCEPTED, Extension(Unfinished), view).into_response() })
}

/// How long the client wants to wait (RFC 7240).
fn patience(headers: &HeaderMap) -> Duration {
    let wishes = headers.get_all("prefer").iter().filter_map(|value| value.to_str().ok());
    let mut seconds = WAIT_SECONDS_MAX;
    for wish in wishes.flat_map(|value| value.split(',')).map(str::trim) {
        if wish.eq_ignore_ascii_case("respond-async") {
            seconds = 0;
        } else if let Some(wait) = wish.strip_prefix("wait=").and_then(|wait| wait.trim().parse::<u64>().ok()) {
            seconds = seconds.min(wait);
        }
    }
    Duration::from_secs(seconds)
}

/// Show the enrichment of a search
///
/// Where the newest enrichment of a search stands, lead by lead.
#[utoipa::path(get, path = "/searches/{search_id}/enrich", operation_id = "getEnrichment", tag = "AI",
    params(("search_id" = String, Path, format = Uuid, description = "A search of this account.")),
    responses((status = 200, description = "Where it stands.", body = EnrichmentView)))]
pub async fn show(path: SearchPath, _: NoParameters, headers: HeaderMap) -> Result<Response, Problem> {
    let search = path.find().await?;
    tagged(&headers, &view(&path, &search).await?)
}

/// Where the newest enrichment of a search stands.
pub async fn view(path: &SearchPath, search: &Owned<Search>) -> Result<EnrichmentView, Problem> {
    let state = enrichment::show(path.app(), path.account(), search).await?;
    let [enriched, unchanged, skipped, failed] = Verdict::NAMES.map(|name| state.count(name));
    Ok(EnrichmentView {
        search_id: search.id.to_string(),
        status: state.status.name(),
        requested: state.leads.len(),
        enriched,
        unchanged,
        skipped,
        failed,
        stopped_because: state.stopped_because,
        rejected_ungrounded: state.rejected_ungrounded,
        ai_enrich_remaining: state.remaining,
        engine: state.engine,
        leads: state.leads.into_iter().map(EnrichedLeadView::from).collect(),
    })
}

/// What enriching one lead did.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = LeadEnriched)]
pub struct LeadEnrichedView {
    /// Which lead.
    #[schema(format = Uuid)]
    pub lead_id: String,
    /// What became of it.
    #[schema(schema_with = verdict_name_schema)]
    pub status: &'static str,
    /// Why it was skipped: no_site_text, site_text_deleted, already_enriched or in_progress.
    #[schema(required, example = json!(null))]
    pub reason: Option<&'static str>,
    /// Whether the lead is better than before.
    pub changed: bool,
    /// What enrichment found or bettered, now or earlier: owner_name, primary_email. The lead's evidence quotes where each stands.
    #[schema(example = json!(["owner_name"]))]
    pub added: Vec<&'static str>,
    /// Names and addresses the model gave that do not stand in the text; they were dropped.
    #[schema(minimum = 0, example = 0)]
    pub rejected_ungrounded: i64,
    /// Enrichments left this month, packs included.
    #[schema(minimum = 0, example = 499)]
    pub ai_enrich_remaining: i64,
    /// Who answered: `rules`, or a model's name.
    #[schema(example = "rules")]
    pub engine: String,
    /// The lead, as it is now.
    #[schema(value_type = LeadView)]
    pub lead: Value,
}

fn verdict_name_schema() -> Object {
    one_of("What became of the lead.", Verdict::NAMES)
}

/// Enrich a lead
///
/// The same enrichment for one lead. Spends one of the plan's monthly AI enrichments, unless this lead has been paid
/// for before; nothing is spent when the AI provider fails.
#[utoipa::path(post, path = "/leads/{lead_id}/enrich", operation_id = "enrichLead", tag = "AI",
    params(
        ("lead_id" = String, Path, format = Uuid, description = "A lead of this account."),
        ("Idempotency-Key" = Option<String>, Header, description = "Sent again with the same key within a day, the request does nothing and gets the same answer."),
    ),
    responses(
        (status = 200, description = "What was found.", body = LeadEnrichedView),
        (status = 409, description = "A request with the same `Idempotency-Key` is still under way.", body = ProblemBody),
        (status = 502, description = "The AI provider failed. Nothing was spent.", body = ProblemBody),
    ))]
pub async fn enrich_lead(path: LeadPath, _: NoParameters, JsonBody(body): JsonBody) -> Result<Response, Problem> {
    body.finish()?;
    let (app, account) = (path.app(), path.account());
    let id = path.find().await?.id;
    let Enriched { verdict, rejected, engine } = enrichment::enrich(app, account, id, path.claim()).await?;
    if verdict == Verdict::Skipped(Skip::Allowance) {
        return Err(enrichment::StartError::UsedUp.into());
    }
    let stored = path.find().await?;
    let added = stored.lead().map(|lead| enrichment::added(&lead)).unwrap_or_default();
    let lead = stored.json(path.lock());
    let view = Json(LeadEnrichedView {
        lead_id: id.to_string(),
        status: verdict.name(),
        reason: verdict.reason(),
        changed: verdict == Verdict::Enriched,
        added,
        rejected_ungrounded: rejected,
        ai_enrich_remaining: ai::remaining(app, account, Feature::Enrich).await?.left(),
        engine,
        lead: serde_json::from_str(&lead).map_err(|_| Problem::internal())?,
    });
    let unfinished = verdict == Verdict::Skipped(Skip::InProgress);
    Ok(if unfinished { (Extension(Unfinished), view).into_response() } else { view.into_response() })
}
