//! `enrich_leads` and `write_intro`, which spend AI allowances.

use std::time::{Duration, Instant};

use canvass::Owned;
use canvass::enrichment::{self, Status};
use canvass::ids::{EnrichmentId, of};
use canvass::intro;
use canvass::search::{REQUESTED_MAX, Search};
use schemars::{JsonSchema, SchemaGenerator, json_schema};
use serde::Serialize;

use super::call::{ToolCall, ToolResponse};
use super::definition::{Content, Effect, ToolDefinition};
use super::leads::LeadArguments;
use super::schema::{self, ApiView};
use super::search::SearchArguments;
use crate::api::enrichment::{EnrichedLeadView, EnrichmentView, view};
use crate::api::intro::IntroView;
use crate::edge::Problem;
use crate::edge::caller::Rechecks;
use crate::edge::path::SearchPath;
use crate::mcp::progress::Progress;

/// Leads that can be named in one call; a whole search needs no list.
const NAMED_LEADS_MAX: usize = 100;
/// Leads shown: as many as fit a conversation.
const SHOWN_LEADS_MAX: usize = 50;
/// How long a call waits; an enrichment that takes longer goes on by itself.
const WAIT_MAX: Duration = Duration::from_secs(45);
/// How often progress is read.
const LOOK_EVERY: Duration = Duration::from_secs(2);

pub(super) const ENRICH_LEADS: ToolDefinition = ToolDefinition {
    name: "enrich_leads",
    title: "Enrich leads with AI",
    description: "Reads the stored website text of each lead, finds the owner and the best decision-maker e-mail, and \
                  saves what it finds. SPENDS the monthly AI allowance, one per lead. Give search_id for a whole search, \
                  or lead_ids for some.",
    content: Content::ThirdParty,
    effect: Effect { open_world: true, ..Effect::WRITES_ONCE },
    input: schema::input::<EnrichArguments>,
    output: schema::output::<EnrichedView>,
    run: |call| Box::pin(enrich(call)),
};

pub(super) const WRITE_INTRO: ToolDefinition = ToolDefinition {
    name: "write_intro",
    title: "Write an e-mail opening",
    description: "Writes a 2 to 3 sentence personal opening for a cold e-mail to one lead. SPENDS one AI intro. The \
                  text is not stored.",
    content: Content::ThirdParty,
    effect: Effect { idempotent: false, ..Effect::WRITES_ONCE },
    input: schema::input::<LeadArguments>,
    output: schema::output::<ApiView<IntroView>>,
    run: |call| Box::pin(introduce(call)),
};

#[derive(JsonSchema)]
#[expect(dead_code, reason = "it only describes the arguments; Fields reads them")]
struct EnrichArguments {
    #[schemars(flatten)]
    search: SearchArguments,
    /// Only these leads.
    #[schemars(length(min = 1, max = NAMED_LEADS_MAX))]
    lead_ids: Option<Vec<String>>,
}

fn status_schema(_: &mut SchemaGenerator) -> schemars::Schema {
    json_schema!({"type": "string", "enum": Status::ALL.map(Status::name)})
}

#[derive(Serialize, JsonSchema)]
struct EnrichedView {
    /// The search.
    search_id: String,
    /// running: call again to wait further; none: there was nothing to enrich.
    #[schemars(schema_with = "status_schema")]
    status: &'static str,
    /// Leads it covers.
    #[schemars(range(min = 0, max = REQUESTED_MAX))]
    requested: usize,
    /// Leads improved.
    #[schemars(range(min = 0, max = REQUESTED_MAX))]
    enriched: usize,
    /// Leads without a finding.
    #[schemars(range(min = 0, max = REQUESTED_MAX))]
    unchanged: usize,
    /// Leads not read.
    #[schemars(range(min = 0, max = REQUESTED_MAX))]
    skipped: usize,
    /// Leads for which the AI provider failed; they cost nothing.
    #[schemars(range(min = 0, max = REQUESTED_MAX))]
    failed: usize,
    /// Why it ended before every lead was looked at: allowance_used_up or provider_failed.
    stopped_because: Option<String>,
    /// Allowance left.
    #[schemars(range(min = 0))]
    ai_enrich_remaining: i64,
    /// Who answers: rules, or a model's name.
    engine: String,
    /// Leads that are better than before, at most 50 of them; get_leads shows all.
    #[schemars(with = "Vec<ApiView<EnrichedLeadView>>")]
    leads: Vec<EnrichedLeadView>,
}

impl From<EnrichmentView> for EnrichedView {
    fn from(view: EnrichmentView) -> EnrichedView {
        let better = |lead: &EnrichedLeadView| lead.status.as_deref() == Some("enriched");
        EnrichedView {
            search_id: view.search_id,
            status: view.status,
            requested: view.requested,
            enriched: view.enriched,
            unchanged: view.unchanged,
            skipped: view.skipped,
            failed: view.failed,
            stopped_because: view.stopped_because,
            ai_enrich_remaining: view.ai_enrich_remaining,
            engine: view.engine,
            leads: view.leads.into_iter().filter(better).take(SHOWN_LEADS_MAX).collect(),
        }
    }
}

async fn enrich(mut call: ToolCall) -> Result<ToolResponse, Problem> {
    let path = call.search()?;
    let wanted = call.fields.ids::<of::Lead>("lead_ids", 1..=NAMED_LEADS_MAX);
    call.finish()?;
    let search = path.find().await?;
    let wanted = wanted.transpose().map_err(|_| Problem::not_found("lead"))?;
    let request = enrichment::EnrichmentRequest { leads: wanted.as_deref(), claim: None };
    let started = enrichment::start(path.app(), path.account(), &search, request).await?;
    if let Some(id) = started {
        wait(&call, &path, &search, id).await?;
    }
    let view = EnrichedView::from(view(&path, &search).await?);
    ToolResponse::new(&view, next_step(&view))
}

/// Waits until the enrichment ends, the time is up, the client disconnects or the server stops.
async fn wait(call: &ToolCall, path: &SearchPath, search: &Owned<Search>, id: EnrichmentId) -> Result<(), Problem> {
    let until = Instant::now() + WAIT_MAX;
    let mut progress = Progress::of(&call.context, call.accepts);
    let mut rechecks = Rechecks::of(&call.edge, path.caller());
    loop {
        if progress.is_wanted() {
            let view = view(path, search).await?;
            progress.tell(done(&view), whole(view.requested), "leads looked at").await;
        }
        let patience = LOOK_EVERY.min(until.saturating_duration_since(Instant::now()));
        tokio::select! {
            ended = enrichment::wait(path.app(), search, id, patience) => {
                if ended? || Instant::now() >= until {
                    return Ok(());
                }
            }
            () = rechecks.due() => rechecks.make().await?,
            () = call.context.ct.cancelled() => return Ok(()),
            () = call.edge.closed() => return Ok(()),
        }
    }
}

fn done(view: &EnrichmentView) -> i64 {
    whole(view.enriched + view.unchanged + view.skipped + view.failed)
}

fn whole(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

fn next_step(view: &EnrichedView) -> &'static str {
    if view.status == Status::Running.name() {
        "It goes on by itself: call enrich_leads again to wait further; nothing is paid for twice."
    } else if view.requested == 0 {
        "There was nothing to enrich: call wait_for_search until the search has leads."
    } else if view.stopped_because.is_some() {
        "It ended early: tell the user why (stopped_because). get_leads shows what was found."
    } else {
        "Call get_leads to show the leads with their owners, or write_intro to open an e-mail to one of them."
    }
}

async fn introduce(mut call: ToolCall) -> Result<ToolResponse, Problem> {
    let path = call.lead("lead_id")?;
    call.finish()?;
    let lead = path.find().await?.id;
    let app = path.app();
    let written = intro::write(app, path.account(), lead, None).await?;
    let view = IntroView { intro: written.text, ai_intro_remaining: written.remaining, engine: written.engine };
    ToolResponse::new(&view, "Show the text to the user; it is not stored. Have them check it before it is sent.")
}
