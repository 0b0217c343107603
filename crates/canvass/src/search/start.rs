//! Starts a search: the row is the job.

use super::resolved::{Resolved, resolve};
use super::{Coverage, Search, SearchSpec, StartError, StartRequest, Status, notes, parse, store};
use crate::account::Account;
use crate::app::App;
use crate::idempotency::{self, Claim, TakenOver};
use crate::ids::SearchId;
use crate::listing::Resolution;
use crate::owned::Owned;

/// The outcome of a start request.
#[derive(Clone, Debug, PartialEq)]
pub enum Started {
    /// A new search.
    New(Owned<Search>),
    /// The one that an earlier request under the same Idempotency-Key made.
    Again(Owned<Search>),
}

impl Started {
    /// The search, new or not.
    pub fn search(&self) -> &Owned<Search> {
        let (Started::New(search) | Started::Again(search)) = self;
        search
    }
}

/// Starts a search, once for each claim: the row of the search and the key it was claimed with commit together.
pub async fn start(
    app: &App,
    account: &Account,
    request: StartRequest,
    claim: Option<&Claim>,
) -> Result<Started, StartError> {
    // Before anything is checked: what was possible then may not be any more, and the search is there all the same.
    if let Some(made) = claim.and_then(Claim::made).and_then(SearchId::parse)
        && let Some(earlier) = store::find(&app.db, account.id, made).await?
    {
        return Ok(Started::Again(earlier));
    }
    let plan = app.settings.plans.of(account.tier);
    let spec = parse(app, plan, request).await?;
    let resolved = resolve(app.sources.current(), &spec).await?;
    let mut search = new_search(app, account, &spec, resolved);
    if let Some(claim) = claim {
        search.id = SearchId::from_uuid(claim.subject);
    }
    let mut tx = app.db.begin().await?;
    let credits = store::lock_account(&mut tx, account.id).await?;
    if let Some(earlier) = store::find_in(&mut tx, account.id, search.id).await? {
        return Ok(Started::Again(earlier));
    }
    if credits == 0 {
        return Err(StartError::NoCredits);
    }
    let running = store::count_running(&mut tx, account.id).await?;
    if running >= app.settings.running_searches {
        return Err(StartError::TooMany { running });
    }
    search.requested = spec.requested.min(credits);
    search.coverage.notes.extend(notes::limits(&spec, plan, credits));
    let search = store::insert(&mut tx, search).await?;
    if !idempotency::settle(&mut tx, claim, &search.id.to_string()).await? {
        return Err(TakenOver.into());
    }
    tx.commit().await?;
    app.bell.ring_work::<Search>();
    Ok(Started::New(search))
}

fn new_search(app: &App, account: &Account, spec: &SearchSpec, resolved: (Resolved, Resolution)) -> Search {
    let now = app.clock.now();
    let (resolved, resolution) = resolved;
    let coverage = Coverage {
        available: resolution.count,
        attribution: app.sources.current().about().attribution.clone(),
        area: spec.area_name.clone(),
        notes: spec.notes.iter().cloned().chain(notes::mail(app, &spec.request)).chain(resolution.notes).collect(),
        source: resolved.source.clone(),
        ..Coverage::default()
    };
    Search {
        id: app.ids.next(now),
        account: account.id,
        request: spec.request.clone(),
        scope: spec.scope,
        requested: spec.requested,
        status: Status::Running,
        stopped_because: None,
        failure_reason: None,
        created_at: now,
        completed_at: None,
        resolved: Some(resolved.json()),
        cursor: Some(resolution.start.0),
        listed: 0,
        position: 0,
        leads_found: 0,
        emails_found: 0,
        coverage,
        revision: 0,
        failures: 0,
        leads_deleted_at: None,
    }
}
