//! Deletes what is stored of searches that ended long ago, as far as the settings ask for it: their leads with all that belongs to
//! them, or only the text of their websites. Ledger, usage and the list of owned businesses stay, so nothing is paid for twice.
//!
//! A batch commits by itself and what is deleted is not found again, so whatever interrupts it, the next run goes on.

use super::blank::tell_readers;
use super::store::{self, EndedSearch};
use crate::app::App;
use crate::clock::Moment;
use crate::db::{DbError, Tx};
use crate::fair_line::Sharer;
use crate::ids::LeadId;
use crate::lead::{self, WordedLead};

/// Leads deleted, or rid of the text of their websites, in one transaction: others wait for it no longer than for a delivery.
const LEADS_AT_ONCE: i64 = 200;
/// Batches of one run. The other chores have their turn before the rest.
const BATCHES_MAX: usize = 100;
/// Seconds in a day.
const DAY_SECONDS: i64 = 24 * 60 * 60;

/// What was deleted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pruned {
    /// Leads, with all that belongs to them.
    pub leads: usize,
    /// Leads of which only the text of their website was deleted.
    pub texts: usize,
}

impl Pruned {
    pub(crate) fn is_nothing(self) -> bool {
        self == Pruned::default()
    }
}

/// Deletes what is due, up to a number of batches; the next run goes on.
pub async fn prune(app: &App) -> Result<Pruned, DbError> {
    let mut pruned = Pruned::default();
    let mut batches = BATCHES_MAX;
    if let Some(ended_before) = ago(app, app.settings.keep_searches_days) {
        pruned.leads = prune_leads(app, ended_before, &mut batches).await?;
    }
    if let Some(ended_before) = ago(app, app.settings.keep_site_text_days) {
        pruned.texts = prune_texts(app, ended_before, &mut batches).await?;
    }
    Ok(pruned)
}

/// So many days ago; `None` when everything is kept for ever.
fn ago(app: &App, days: Option<i64>) -> Option<Moment> {
    days.map(|days| app.clock.now().plus_seconds(-days * DAY_SECONDS))
}

async fn prune_leads(app: &App, ended_before: Moment, batches: &mut usize) -> Result<usize, DbError> {
    let mut deleted = 0;
    while *batches > 0 {
        let due = store::unpruned(&app.db, ended_before, 1).await?;
        let Some(search) = due.first() else { break };
        announce(app, *search).await?;
        while *batches > 0 {
            *batches -= 1;
            match delete_batch(app, *search).await? {
                0 => break,
                leads => deleted += leads,
            }
        }
    }
    Ok(deleted)
}

/// Makes readers notice, before anything is deleted: nobody gets a part of a search.
async fn announce(app: &App, search: EndedSearch) -> Result<(), DbError> {
    let mut tx = app.db.begin().await?;
    store::announce(&mut tx, search.id, app.clock.now()).await?;
    let to = search.belongs();
    tell_readers(&mut tx, std::iter::once((to.account, to.search))).await?;
    tx.commit().await
}

/// Deletes some leads of a search; with the last of them, what else is kept of it. Those that Radar watches stay until it does not.
async fn delete_batch(app: &App, search: EndedSearch) -> Result<usize, DbError> {
    let mut tx = app.db.begin_in_background(Sharer::CHORES, LEADS_AT_ONCE as u64).await?;
    let leads = store::unwatched(&mut tx, search.id, LEADS_AT_ONCE).await?;
    if leads.is_empty() {
        store::settle(&mut tx, search.id).await?;
    } else {
        delete(&mut tx, search, &leads).await?;
    }
    tx.commit().await?;
    Ok(leads.len())
}

async fn delete(tx: &mut Tx, search: EndedSearch, leads: &[WordedLead]) -> Result<(), DbError> {
    lead::forget_words(tx, search.belongs(), leads).await?;
    let ids: Vec<LeadId> = leads.iter().map(|lead| lead.id).collect();
    store::delete_leads(tx, &ids).await
}

async fn prune_texts(app: &App, ended_before: Moment, batches: &mut usize) -> Result<usize, DbError> {
    let mut deleted = 0;
    while *batches > 0 {
        let due = store::text_unpruned(&app.db, ended_before, 1).await?;
        let Some(search) = due.first() else { break };
        let mut after = 0;
        while *batches > 0 {
            *batches -= 1;
            let mut tx = app.db.begin_in_background(Sharer::CHORES, LEADS_AT_ONCE as u64).await?;
            let last = lead::forget_site_texts(&mut tx, search.id, after, LEADS_AT_ONCE).await?;
            if last.is_none() {
                store::settle_text(&mut tx, search.id).await?;
            }
            tx.commit().await?;
            let Some((last, texts)) = last else { break };
            (after, deleted) = (last, deleted + texts);
        }
    }
    Ok(deleted)
}
