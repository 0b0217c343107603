//! Forgets watches of suppressed businesses, with their checks and alerts, and listings that may not be kept any longer.

use super::{Business, Watch, store};
use crate::app::App;
use crate::db::{DbError, Tx};
use crate::ids::{AccountId, LeadId, of};
use crate::lead::Lead;
use crate::suppression::Criteria;

/// Watches looked at by one statement.
const LOOKED_AT_WATCHES: i64 = 200;

/// Forgets every watch that the criteria cover, of whatever account, and says how many there were.
pub(crate) async fn forget_suppressed(app: &App, criteria: &Criteria) -> Result<u64, DbError> {
    let mut forgotten = 0;
    let mut after = criteria.first_id::<of::Watch>();
    loop {
        let watches = store::suspects(&app.db, &after, &criteria.patterns, LOOKED_AT_WATCHES).await?;
        let Some(last) = watches.last() else { return Ok(forgotten) };
        after = last.id.to_string();
        for watch in watches.iter().filter(|watch| watch.is_covered_by(&criteria.set)) {
            forgotten += u64::from(forget_watch(app, watch).await?);
        }
    }
}

/// Forgets one watch. `false` when it is gone already.
pub(super) async fn forget_watch(app: &App, watch: &Watch) -> Result<bool, DbError> {
    let mut tx = app.db.begin().await?;
    let deleted = store::delete(&mut tx, watch.account, watch.id).await?;
    store::delete_alerts(&mut tx, watch.account, watch.id).await?;
    tx.commit().await?;
    Ok(deleted)
}

/// Forgets what an account watches of the business of a lead, and says how many watches there were.
pub(crate) async fn forget_lead(
    tx: &mut Tx,
    account: AccountId,
    lead: LeadId,
    business_id: &str,
) -> Result<u64, DbError> {
    store::delete_of_lead(tx, account, lead, business_id).await
}

/// Replaces what the watch of a lead knows of its listing by what the lead still has. The watch goes on: it keeps the address of the
/// website that it reads.
pub(crate) async fn forget_listing(tx: &mut Tx, account: AccountId, lead: &Lead) -> Result<(), DbError> {
    for watch in store::of_lead(tx, account, lead.lead_id).await? {
        let business = Business { website: watch.business.website, ..Business::of(lead) };
        store::replace_business(tx, watch.id, &business).await?;
    }
    store::rename_alerts(tx, account, lead.lead_id, &lead.business_name).await
}
