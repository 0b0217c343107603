//! `enrich_leads` and `write_intro`: what costs an AI allowance.

use std::time::{Duration, Instant};

use canvass::Owned;
use canvass::enrichment::{self, Status};
use canvass::ids::{EnrichmentId, of};
use canvass::intro;
use canvass::search::Search;
use serde::Serialize;

use super::{Answer, Call};
use crate::api::enrichment::{EnrichedLeadView, EnrichmentView, view};
use crate::api::intro::IntroView;
use crate::edge::Problem;
use crate::edge::caller::Rechecks;
use crate::edge::path::SearchPath;
use crate::mcp::progress::Progress;

/// Leads that can be named in one call; a whole search needs no list.
const NAMED_LEADS_MAX: usize = 100;
/// Leads shown: what a conversation can hold.
const SHOWN_LEADS_MAX: usize = 50;
/// How long a call waits; what takes longer goes on by itself.
const WAIT_MAX: Duration = Duration::from_secs(45);
/// How often progress is looked at.
const LOOK_EVERY: Duration = Duration::from_secs(2);

#[derive(Serialize)]
struct EnrichedView {
    search_id: String,
    status: &'static str,
    requested: usize,
    enriched: usize,
    unchanged: usize,
    skipped: usize,
    failed: usize,
    stopped_because: Option<String>,
    ai_enrich_remaining: i64,
    engine: String,
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

pub(super) async fn enrich(mut call: Call) -> Result<Answer, Problem> {
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
    Answer::new(&view, next_step(&view))
}

/// Waits until it has ended, the time is up, the client is gone, or this server goes away.
async fn wait(call: &Call, path: &SearchPath, search: &Owned<Search>, id: EnrichmentId) -> Result<(), Problem> {
    let until = Instant::now() + WAIT_MAX;
    let mut progress = Progress::of(call);
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

pub(super) async fn introduce(mut call: Call) -> Result<Answer, Problem> {
    let path = call.lead("lead_id")?;
    call.finish()?;
    let lead = path.find().await?.id;
    let app = path.app();
    let written = intro::write(app, path.account(), lead, None).await?;
    let view = IntroView { intro: written.text, ai_intro_remaining: written.remaining, engine: written.engine };
    Answer::new(&view, "Show the text to the user; it is not stored. Have them check it before it is sent.")
}
