//! Delivers a batch: leads stored, credits charged, counters moved, in one transaction.

use super::read::{Outcome, Settled, SiteSeen};
use super::store::{self, Progress};
use super::{Lease, Search};
use crate::app::App;
use crate::clock::Moment;
use crate::credits::{self, Bill, Reason};
use crate::db::{DbError, Tx};
use crate::lead::{self, Found};
use crate::listing::DedupKey;
use crate::steps::Step;

/// What delivering a batch did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Delivered {
    /// There is room for more.
    More,
    /// The search has what it asked for.
    Full,
    /// The balance is used up.
    OutOfCredits,
    /// The search is not ours any more, or has ended: nothing was stored.
    Lost,
}

/// The part of a batch that goes into the search: what it adds, and the leads with the dedup keys they are known by.
struct Share {
    progress: Progress,
    leads: Vec<Found>,
    dedup_keys: Vec<DedupKey>,
}

/// Delivers what is settled, in its order, for as long as the search has room and the account has credits.
pub(super) async fn deliver(
    app: &App,
    search: &Search,
    lease: &Lease,
    settled: Vec<Settled>,
) -> Result<Delivered, DbError> {
    app.steps.reach(Step::BeforeDeliver);
    let now = app.clock.now();
    let batch = named(app, search, settled, now);
    let mut tx = app.db.begin().await?;
    // Everything below is under the lock that this takes, and under its guard: running, and our epoch.
    let Some(progress) = store::lock(&mut tx, lease).await? else { return Ok(Delivered::Lost) };
    app.steps.reach(Step::Locked);
    let room = usize::try_from(progress.requested - progress.leads_found).unwrap_or(0);
    let wanted: Vec<String> = lead_ids(&batch).take(room).collect();
    let bill = Bill { reason: Reason::Lead, subjects: &wanted, at: now };
    let paid = if wanted.is_empty() { 0 } else { credits::charge(&mut tx, search.account, bill).await?.paid };
    app.steps.reach(Step::Charged);
    let share = share(progress, batch, paid);
    store_share(&mut tx, search, lease, &share).await?;
    app.steps.reach(Step::Stored);
    tx.commit().await?;
    app.steps.reach(Step::Delivered);
    app.bell.ring(search.id);
    Ok(match () {
        () if paid < wanted.len() => Delivered::OutOfCredits,
        () if share.progress.leads_found == share.progress.requested => Delivered::Full,
        () => Delivered::More,
    })
}

/// Gives every lead of a batch its ids and its time.
fn named(app: &App, search: &Search, settled: Vec<Settled>, now: Moment) -> Vec<Settled> {
    let name = |item: Settled| match item.outcome {
        Outcome::Found(found, dedup_keys) => {
            let found = found.delivered(search.id, app.ids.next(now), now);
            Settled { outcome: Outcome::Found(Box::new(found), dedup_keys), ..item }
        }
        Outcome::LeftOut(_) => item,
    };
    settled.into_iter().map(name).collect()
}

fn lead_ids(batch: &[Settled]) -> impl Iterator<Item = String> {
    batch.iter().filter_map(|item| match &item.outcome {
        Outcome::Found(found, _) => Some(found.lead.lead_id.to_string()),
        Outcome::LeftOut(_) => None,
    })
}

/// The beginning of the batch up to the last lead that is paid for. What lies behind it is as if it had not been seen.
fn share(progress: Progress, batch: Vec<Settled>, paid: usize) -> Share {
    let mut share = Share { progress, leads: Vec::with_capacity(paid), dedup_keys: Vec::new() };
    for item in batch {
        match item.outcome {
            Outcome::Found(..) if share.leads.len() == paid => break,
            Outcome::Found(found, dedup_keys) => {
                share.progress.leads_found += 1;
                share.progress.emails_found += i64::from(!found.lead.emails.is_empty());
                share.leads.push(*found);
                share.dedup_keys.extend(dedup_keys);
            }
            Outcome::LeftOut(why) => share.progress.coverage.leave_out(why),
        }
        share.progress.position += 1;
        share.progress.coverage.sites_read += i64::from(item.site == SiteSeen::Read);
        share.progress.coverage.sites_unreachable += i64::from(item.site == SiteSeen::Unreachable);
    }
    share
}

async fn store_share(tx: &mut Tx, search: &Search, lease: &Lease, share: &Share) -> Result<(), DbError> {
    if !share.leads.is_empty() {
        let to = lead::store::Belongs { account: search.account, search: search.id };
        let first = share.progress.leads_found - i64::try_from(share.leads.len()).unwrap_or(0) + 1;
        lead::store::insert(tx, to, first, &share.leads).await?;
        lead::store::own(tx, to, &share.dedup_keys).await?;
    }
    store::advance(tx, lease, &share.progress).await
}
