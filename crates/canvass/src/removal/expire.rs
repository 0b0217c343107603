//! Deletes listing content that its source's terms allow to be kept only for a time. What the business's website says stays.

use super::blank::tell_readers;
use crate::app::App;
use crate::db::{DbError, Tx};
use crate::fair_line::Sharer;
use crate::lead::retention::Expiry;
use crate::lead::retention::store::{self as retention, DueLead, DueWhen};
use crate::lead::{self, store as leads, without_reviews};
use crate::listing::sources::live::GOOGLE;
use crate::radar;
use crate::signals::Score;

/// Leads whose content is deleted in one transaction.
const LEADS_AT_ONCE: i64 = 100;
/// Seconds in a day.
const DAY_SECONDS: i64 = 24 * 60 * 60;

/// Deletes what Google listed once it has been stored for `google_keep_days`, and says of how many leads. With 0 days it stays until
/// its search has ended, but never longer than a day.
pub async fn expire(app: &App) -> Result<u64, DbError> {
    let (now, days) = (app.clock.now(), app.settings.maps.google_keep_days);
    let ago = |days: i64| now.plus_seconds(-days * DAY_SECONDS);
    let when = DueWhen { source: GOOGLE, ended_before: ago(days), any_before: ago(days.max(1)) };
    let (mut expired, mut after) = (0, String::new());
    loop {
        let due = retention::due(&app.db, when, &after, LEADS_AT_ONCE).await?;
        let Some(last) = due.last() else { return Ok(expired) };
        after = last.id.to_string();
        expired += expire_batch(app, &due, Expiry { source: GOOGLE, at: now }).await?;
    }
}

/// Deletes the content of these leads in one transaction with everything that tells of it. Rows are locked in the order of
/// [`super::blank`].
async fn expire_batch(app: &App, due: &[DueLead], expiry: Expiry<'_>) -> Result<u64, DbError> {
    let mut tx = app.db.begin_in_background(Sharer::CHORES, due.len() as u64).await?;
    let mut expired = Vec::new();
    for lead in due {
        if expire_lead(app, &mut tx, lead, expiry).await? {
            expired.push(*lead);
        }
    }
    tell_readers(&mut tx, expired.iter().map(|lead| (lead.account, lead.search))).await?;
    tx.commit().await?;
    Ok(expired.len() as u64)
}

/// `false` when there is nothing to delete: another process did, or the business is suppressed.
async fn expire_lead(app: &App, tx: &mut Tx, due: &DueLead, expiry: Expiry<'_>) -> Result<bool, DbError> {
    let Some(mut whole) = leads::lock(tx, due.id).await? else {
        retention::take(tx, due.id).await?;
        return Ok(false);
    };
    let Ok(lead) = whole.lead.parse() else {
        // Its record stays: the release that wrote it may be able to read it.
        tracing::warn!(lead.id = %due.id, "a stored lead cannot be read, so what {} listed of it was not deleted", expiry.source);
        return Ok(false);
    };
    let Some(says) = retention::take(tx, due.id).await? else { return Ok(false) };
    let lead = lead.expired(expiry, says);
    // A score of rules or industries that are no longer known cannot be computed without the rating, so none is kept.
    let unknown = || Score { points: 0, reasons: Vec::new() };
    let score = lead::rescore(&lead, &whole.site.facts, &app.settings.score).unwrap_or_else(unknown);
    whole.site.text = whole.site.text.as_deref().and_then(without_reviews);
    leads::replace(tx, due.account, (&lead, &score), &whole.site).await?;
    radar::forget_listing(tx, due.account, &lead).await?;
    Ok(true)
}
