//! Finds what is stored of suppressed businesses and removes it, a batch at a time.

use std::collections::BTreeMap;

use super::Removed;
use crate::app::App;
use crate::db::{DbError, Tx};
use crate::idempotency;
use crate::ids::{AccountId, Id, SearchId, of};
use crate::lead::LeadJson;
use crate::lead::store::{self as leads, Suspect};
use crate::radar;
use crate::search;
use crate::suppression::Criteria;

/// Leads looked at by one statement, and blanked in one transaction at most.
const LOOKED_AT_LEADS: i64 = 200;

/// Blanks leads and forgets watches that the criteria cover, of all accounts.
pub(super) async fn remove_stored(app: &App, criteria: &Criteria) -> Result<Removed, DbError> {
    let mut removed = Removed::default();
    let mut after = criteria.first_id::<of::Lead>();
    loop {
        let suspects = leads::suspects(&app.db, &after, LOOKED_AT_LEADS).await?;
        let Some(last) = suspects.last() else { break };
        after = last.id.to_string();
        let covered: Vec<Suspect> = suspects.into_iter().filter(|suspect| is_covered(suspect, criteria)).collect();
        if !covered.is_empty() {
            removed.watches_removed += blank(app, &covered).await?;
            removed.leads_blanked += covered.len() as u64;
        }
    }
    // Radar may have learnt of an email or a page that no lead knows.
    removed.watches_removed += radar::forget_suppressed(app, criteria).await?;
    Ok(removed)
}

fn is_covered(suspect: &Suspect, criteria: &Criteria) -> bool {
    let covers = |json: &LeadJson, text: Option<&str>| {
        // Most leads are ruled out without being parsed.
        if !criteria.may_cover(json.as_str()) && !text.is_some_and(|text| criteria.may_cover(text)) {
            return Some(false);
        }
        let lead = json.parse().ok()?;
        Some(criteria.set.covers_lead(&lead) || text.is_some_and(|text| criteria.set.covers_text(text)))
    };
    let read = suspect.read().ok();
    match read.and_then(|(json, text)| covers(&json, text.as_deref())) {
        Some(is_covered) => is_covered,
        None => {
            tracing::warn!(lead.id = %suspect.id, "a stored lead cannot be read, so it was not compared with the suppression list");
            false
        }
    }
}

/// Blanks leads in one transaction with everything that tells of them, and says how many watches there were. Rows are locked in
/// the order in which an enrichment locks them: leads, then searches, then keys.
async fn blank(app: &App, covered: &[Suspect]) -> Result<u64, DbError> {
    let mut tx = app.db.begin().await?;
    let mut watches = 0;
    for suspect in covered {
        leads::blank(&mut tx, suspect).await?;
        watches += radar::forget_lead(&mut tx, suspect.account, suspect.id, &suspect.business_id).await?;
    }
    tell_readers(&mut tx, covered.iter().map(|suspect| (suspect.account, suspect.search))).await?;
    tx.commit().await?;
    Ok(watches)
}

/// Makes caches notice that leads of these accounts and searches changed, and forgets stored replies that may show them as they were.
pub(super) async fn tell_readers(
    tx: &mut Tx,
    changed: impl Iterator<Item = (AccountId, SearchId)> + Clone,
) -> Result<(), DbError> {
    for search in each_once(changed.clone().map(|(_, search)| search)) {
        search::store::leads_changed(tx, search, 0).await?;
    }
    for account in each_once(changed.map(|(account, _)| account)) {
        idempotency::forget_replies(tx, account).await?;
    }
    Ok(())
}

/// Each id once, in one order for all: two transactions that lock the same rows do not wait for each other in a circle.
fn each_once<Of>(ids: impl Iterator<Item = Id<Of>>) -> Vec<Id<Of>> {
    let sorted: BTreeMap<String, Id<Of>> = ids.map(|id| (id.to_string(), id)).collect();
    sorted.into_values().collect()
}
