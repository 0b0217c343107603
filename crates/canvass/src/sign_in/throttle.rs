//! Slows down guessing. Attempts count by the address that was typed and by where they come from; what succeeds no longer counts.

use sha2::{Digest, Sha256};

use super::{Client, store};
use crate::account::Email;
use crate::app::App;
use crate::clock::Moment;
use crate::db::{Db, DbError};

/// How long an attempt counts.
const WINDOW_SECONDS: i64 = 15 * 60;
/// Attempts within the window: for one account from one place, from one place, and for one account.
const AT_ONE_FROM_ONE_MAX: i64 = 10;
const FROM_ONE_MAX: i64 = 50;
const AT_ONE_MAX: i64 = 100;

/// How long a link is remembered after it expired, to say so.
const LINKS_KEPT_SECONDS: i64 = 7 * 24 * 60 * 60;

/// There were too many attempts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there were too many attempts; try again in {} minutes", (.seconds + 59) / 60)]
pub struct Throttled {
    /// When to try again.
    pub seconds: i64,
}

/// Counts an attempt before it is made: any number at once count each other.
pub(super) async fn count(app: &App, email: &Email, client: &Client<'_>) -> Result<Result<(), Throttled>, DbError> {
    let now = app.clock.now();
    let attempt =
        store::Attempt { id: app.ids.next(now), email_hash: hashed(email), client: client.address.to_owned(), at: now };
    let mut tx = app.db.begin().await?;
    store::add_attempt(&mut tx, &attempt).await?;
    tx.commit().await?;
    let since = now.plus_seconds(-WINDOW_SECONDS);
    let counted = store::count_attempts(&app.db, &attempt, since).await?;
    let allowed = counted.at_one_from_one <= AT_ONE_FROM_ONE_MAX
        && counted.from_one <= FROM_ONE_MAX
        && counted.at_one <= AT_ONE_MAX;
    let seconds = (counted.oldest.micros() - since.micros()) / 1_000_000 + 1;
    Ok(if allowed { Ok(()) } else { Err(Throttled { seconds: seconds.clamp(1, WINDOW_SECONDS) }) })
}

/// What was attempted for this account from this place no longer counts: it was its owner.
pub(super) async fn forgive(app: &App, email: &Email, client: &Client<'_>) -> Result<(), DbError> {
    let mut tx = app.db.begin().await?;
    store::remove_attempts(&mut tx, &hashed(email), client.address).await?;
    tx.commit().await
}

/// Deletes attempts that no longer count, and links that expired long ago.
pub(crate) async fn forget_old(db: &Db, now: Moment) -> Result<(), DbError> {
    store::remove_attempts_before(db, now.plus_seconds(-WINDOW_SECONDS)).await?;
    store::remove_links_before(db, now.plus_seconds(-LINKS_KEPT_SECONDS)).await
}

/// What was typed may be anybody's address; only its hash is kept.
fn hashed(email: &Email) -> String {
    hex::encode(Sha256::digest(email.as_str().as_bytes()))
}
