//! Starts an enrichment of a search, or joins the one that is running.

use std::collections::HashSet;

use super::{Enrichment, Status, store};
use crate::account::Account;
use crate::ai::{self, Feature};
use crate::app::App;
use crate::db::{DbError, Tx};
use crate::idempotency::{self, Claim, TakenOver};
use crate::ids::{EnrichmentId, LeadId};
use crate::lead;
use crate::owned::Owned;
use crate::search::{LeadsDeleted, REQUESTED_MAX, Search};

/// Leads that one request can name: as many as a search can have.
pub const LEADS_MAX: usize = REQUESTED_MAX as usize;

/// An enrichment cannot start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The search has no such lead.
    #[error("there is no such lead in this search; check lead_ids")]
    UnknownLead,
    /// Its leads were deleted.
    #[error(transparent)]
    LeadsDeleted(#[from] LeadsDeleted),
    /// There is nothing left to pay with.
    #[error(
        "this month's AI enrichment allowance is used up; wait for next month, ask the operator for a pack, or set your own AI key"
    )]
    UsedUp,
    /// Another request with the same Idempotency-Key is in progress.
    #[error(transparent)]
    TakenOver(#[from] TakenOver),
    /// The database failed.
    #[error(transparent)]
    Db(#[from] DbError),
}

/// Which leads of a search to enrich, and under which claim.
#[derive(Clone, Copy, Debug, Default)]
pub struct EnrichmentRequest<'a> {
    /// Only these; every lead the search has so far when `None`.
    pub leads: Option<&'a [LeadId]>,
    /// The claim of a request that may be repeated.
    pub claim: Option<&'a Claim>,
}

/// Starts an enrichment of leads of a search, once for each claim; joins the one that runs. `None` when the search has no
/// leads to look at.
pub async fn start(
    app: &App,
    account: &Account,
    search: &Owned<Search>,
    request: EnrichmentRequest<'_>,
) -> Result<Option<EnrichmentId>, StartError> {
    search.still_has_leads()?;
    if let Some(made) = request.claim.and_then(Claim::made).and_then(EnrichmentId::parse) {
        return Ok(Some(made));
    }
    let allowance = ai::remaining(app, account, Feature::Enrich).await?;
    let mut tx = app.db.begin().await?;
    // One after the other: the second finds what the first has stored.
    store::lock_search(&mut tx, search.id).await?;
    let leads = chosen(lead::store::ids(&mut tx, search.id).await?, request.leads)?;
    let running = store::running(&mut tx, search.id).await?;
    if leads.is_empty() {
        return Ok(running.map(|running| running.id));
    }
    if running.is_none() && !allowance.allows_more() {
        return Err(StartError::UsedUp);
    }
    let id = match running {
        Some(running) => running.id,
        None => begin(app, &mut tx, search).await?,
    };
    store::add_leads(&mut tx, id, &leads).await?;
    if !idempotency::settle(&mut tx, request.claim, &id.to_string()).await? {
        return Err(TakenOver.into());
    }
    tx.commit().await?;
    app.bell.ring_work::<Enrichment>();
    Ok(Some(id))
}

/// The requested leads, in the search's order.
fn chosen(all: Vec<(LeadId, i64)>, wanted: Option<&[LeadId]>) -> Result<Vec<(LeadId, i64)>, StartError> {
    let Some(wanted) = wanted else { return Ok(all) };
    let wanted: HashSet<LeadId> = wanted.iter().copied().collect();
    let found: Vec<(LeadId, i64)> = all.into_iter().filter(|(lead, _)| wanted.contains(lead)).collect();
    if found.len() == wanted.len() { Ok(found) } else { Err(StartError::UnknownLead) }
}

async fn begin(app: &App, tx: &mut Tx, search: &Search) -> Result<EnrichmentId, DbError> {
    let now = app.clock.now();
    let new = Enrichment {
        id: app.ids.next(now),
        account: search.account,
        search: search.id,
        status: Status::Running,
        stopped_because: None,
        engine: app.ai.engine().to_owned(),
        rejected_ungrounded: 0,
        created_at: now,
    };
    store::insert(tx, &new).await?;
    Ok(new.id)
}
