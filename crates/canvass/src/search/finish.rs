//! Ends a search that has come to its end: done, or failed.

use super::end::End;
use super::resolved::calls;
use super::{Lease, Search, Status, store};
use crate::app::App;
use crate::db::{DbError, Tx};
use crate::ids::SearchId;
use crate::measure;
use crate::notify::{self, Ending, EndingKind};
use crate::steps::Step;

/// Ends the search. `false` when it had already ended, or another worker has it.
pub(super) async fn finish(app: &App, lease: &Lease, end: &End) -> Result<bool, DbError> {
    app.steps.reach(Step::BeforeFinish);
    let mut tx = app.db.begin().await?;
    let ended = settle(&mut tx, lease.id, Some(lease.epoch), end).await?;
    tx.commit().await?;
    app.steps.reach(Step::AfterFinish);
    app.bell.ring(lease.id);
    Ok(ended.inspect(report).is_some())
}

/// Ends a search, under this epoch when one is given, and queues the e-mail about it when one was asked for.
/// Returns the ended search; `None` when it had already ended, or the epoch has expired. [`report`] it once this is committed.
pub(super) async fn settle(
    tx: &mut Tx,
    search: SearchId,
    epoch: Option<i64>,
    end: &End,
) -> Result<Option<Search>, DbError> {
    let Some(mut ended) = store::end(tx, search, epoch, end).await? else { return Ok(None) };
    let calls = calls(tx, &ended).await?;
    if calls != ended.coverage.provider_calls {
        // The last ones brought nothing that was delivered.
        ended.coverage.provider_calls = calls;
        store::save_coverage(tx, ended.id, &ended.coverage).await?;
    }
    store::forget_listings(tx, search).await?;
    if let Some(ending) = ending(&ended) {
        notify::announce(tx, &ending, end.at).await?;
    }
    Ok(Some(ended))
}

/// Counts a search that has ended, and logs its figures in one line.
pub(super) fn report(search: &Search) {
    let took = search.completed_at.map_or(0, |at| at.micros() - search.created_at.micros());
    let seconds = took.max(0) as f64 / 1e6;
    measure::search_ended(search.status.name(), seconds);
    let coverage = &search.coverage;
    tracing::info!(
        search.id = %search.id,
        search.status = search.status.name(),
        search.because = search.stopped_because.as_deref().unwrap_or_default(),
        search.source = coverage.source.as_str(),
        search.requested = search.requested,
        search.leads = search.leads_found,
        search.emails = search.emails_found,
        search.candidates = search.candidates(),
        search.sites_read = coverage.sites_read,
        search.sites_unreachable = coverage.sites_unreachable,
        search.provider_calls = coverage.provider_calls.values().flat_map(|kinds| kinds.values()).sum::<i64>(),
        search.seconds = seconds,
        "a search ended"
    );
}

/// What the e-mail about its end says. `None` when none was asked for.
fn ending(search: &Search) -> Option<Ending> {
    let outcome = match search.status {
        Status::Running => return None,
        Status::Done => EndingKind::Done,
        Status::Cancelled => EndingKind::Cancelled,
        Status::Failed => EndingKind::Failed,
    };
    search.request.notify.then_some(Ending {
        search: search.id,
        account: search.account,
        outcome,
        industry: search.request.industry.clone(),
        location: search.request.location.clone(),
        requested: search.requested,
        leads_found: search.leads_found,
        emails_found: search.emails_found,
        failure_reason: search.failure_reason.clone(),
    })
}
