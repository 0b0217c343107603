//! Brings leads that an earlier version stored up to date, a few at a time: packed as they are today, and found by their words.

pub(super) mod store;

use super::words::{store as words, words_of};
use crate::app::App;
use crate::db::DbError;
use crate::fair_line::Sharer;
use crate::ids::LeadId;

/// Leads brought up to date in one transaction.
const LEADS_AT_ONCE: i64 = 200;

/// Goes on where the last run ended. Several servers may do it at once: they repeat some work, and leave the same rows.
pub(crate) async fn catch_up(app: &App) -> Result<(), DbError> {
    while let Some(after) = store::backlog(&app.db).await? {
        let leads = store::outdated(&app.db, &after, LEADS_AT_ONCE).await?;
        let last: Option<LeadId> = leads.last().map(|lead| lead.id);
        let mut tx = app.db.begin_in_background(Sharer::CHORES, leads.len() as u64).await?;
        for lead in &leads {
            // A damaged one stays as it is.
            let Some(read) = lead.read() else { continue };
            if !lead.is_packed() {
                let own = read.0.lead().map(|read| words_of(&read)).unwrap_or_default();
                let own = own.into_iter().map(|word| (lead.place.number, word));
                words::insert(&mut tx, lead.place.belongs(), own).await?;
            }
            store::pack(&mut tx, lead, &read).await?;
        }
        store::advance_backlog(&mut tx, last).await?;
        tx.commit().await?;
    }
    Ok(())
}
