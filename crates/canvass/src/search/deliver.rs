//! Delivers a batch: leads stored, credits charged, progress saved, in one transaction.

use super::batch::Batch;
use super::read::{ReadyLead, SiteSeen};
use super::resolved::calls;
use super::store::{self, Progress};
use super::{Lease, Search};
use crate::app::App;
use crate::clock::Moment;
use crate::credits::{self, Bill, Reason};
use crate::db::{DbError, Tx};
use crate::fair_line::Sharer;
use crate::ids::LeadId;
use crate::lead;
use crate::lead::pack::{PackedLead, pack};
use crate::lead::place::Belongs;
use crate::listing::DedupKey;
use crate::measure;
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

/// Delivers what is ready for as long as the search has room and the account has credits.
pub(super) async fn deliver(app: &App, search: &Search, lease: &Lease, mut batch: Batch) -> Result<Delivered, DbError> {
    app.steps.reach(Step::BeforeDeliver);
    let now = app.clock.now();
    let mut leads = packed(app, search, std::mem::take(&mut batch.leads), now);
    let mut tx = app.db.begin_in_background(Sharer::of(search.id), leads.len() as u64 + 1).await?;
    // Everything below is under the lock that this takes, and under its guard: running, and our epoch.
    let Some(mut progress) = store::lock(&mut tx, lease).await? else { return Ok(Delivered::Lost) };
    app.steps.reach(Step::Locked);
    leads.truncate(usize::try_from(progress.requested - progress.leads_found).unwrap_or(0));
    let wanted: Vec<String> = leads.iter().map(|lead| lead.id.to_string()).collect();
    let bill = Bill { reason: Reason::Lead, subjects: &wanted, at: now };
    let paid = if wanted.is_empty() { 0 } else { credits::charge(&mut tx, search.account, bill).await?.paid };
    app.steps.reach(Step::Charged);
    leads.truncate(paid);
    let (number, delivered) = (progress.leads_found + 1, leads.len());
    progress.add(&batch, &leads);
    store_leads(&mut tx, search, number, leads).await?;
    progress.coverage.provider_calls = calls(&mut tx, search).await?;
    store::save(&mut tx, lease, &batch, &progress).await?;
    app.steps.reach(Step::Stored);
    tx.commit().await?;
    app.steps.reach(Step::Delivered);
    measure::leads_delivered(delivered);
    app.bell.ring(search.id);
    Ok(if paid < wanted.len() {
        Delivered::OutOfCredits
    } else if progress.leads_found == progress.requested {
        Delivered::Full
    } else {
        Delivered::More
    })
}

/// A lead with its id and time, ready to be stored.
struct DeliverableLead {
    id: LeadId,
    has_email: bool,
    dedup_keys: Vec<DedupKey>,
    site: SiteSeen,
    packed: PackedLead,
}

/// Gives every lead of a batch its ids and its time, and packs it.
fn packed(app: &App, search: &Search, leads: Vec<(i64, Box<ReadyLead>)>, now: Moment) -> Vec<DeliverableLead> {
    let to = Belongs { account: search.account, search: search.id };
    let deliverable = |(rank, lead): (i64, Box<ReadyLead>)| {
        let ReadyLead { found, dedup_keys, site } = *lead;
        let found = found.delivered(search.id, app.ids.next(now), now);
        DeliverableLead {
            id: found.lead.lead_id,
            has_email: !found.lead.emails.is_empty(),
            dedup_keys,
            site,
            packed: pack(to, rank, &found),
        }
    };
    leads.into_iter().map(deliverable).collect()
}

impl Progress {
    /// Counts what a batch adds: its leads that were paid for, and what is settled up to the first gap.
    fn add(&mut self, batch: &Batch, leads: &[DeliverableLead]) {
        for lead in leads {
            self.leads_found += 1;
            self.emails_found += i64::from(lead.has_email);
        }
        batch.notes.iter().for_each(|note| self.coverage.note(note));
        batch.counts.left_out.iter().for_each(|reason| self.coverage.leave_out(*reason));
        for site in batch.counts.sites.iter().copied().chain(leads.iter().map(|lead| lead.site)) {
            self.coverage.sites_read += i64::from(site == SiteSeen::Read);
            self.coverage.sites_unreachable += i64::from(site == SiteSeen::Unreachable);
        }
    }
}

/// Stores leads, the first of them under `number`.
async fn store_leads(tx: &mut Tx, search: &Search, number: i64, leads: Vec<DeliverableLead>) -> Result<(), DbError> {
    if leads.is_empty() {
        return Ok(());
    }
    let to = Belongs { account: search.account, search: search.id };
    let dedup_keys: Vec<DedupKey> = leads.iter().flat_map(|lead| lead.dedup_keys.iter().copied()).collect();
    lead::store::insert(tx, to, number, leads.into_iter().map(|lead| lead.packed).collect()).await?;
    lead::store::own(tx, to, &dedup_keys).await
}
