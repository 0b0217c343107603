//! Claims a key for one request, and keeps or lets go of it afterwards.

use uuid::Uuid;

use super::{Answer, IdempotencyKey, REMEMBERED_SECONDS, store};
use crate::app::App;
use crate::db::DbError;
use crate::ids::AccountId;

/// How long a request is believed to be alive: longer than any request that spends may take.
const HELD_SECONDS: i64 = 120;

/// A key held by one request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// Whose.
    pub account: AccountId,
    /// Which.
    pub key: IdempotencyKey,
    /// The id that whatever this request makes must have.
    pub subject: Uuid,
}

/// What claiming a key gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claimed {
    /// The key is ours: do the work.
    Ours(Claim),
    /// The work was done before: this was the answer.
    Answered(Answer),
}

/// The key cannot be claimed.
#[derive(Debug, thiserror::Error)]
pub enum ClaimError {
    /// The first request with it is still under way.
    #[error("a request with this Idempotency-Key is still under way; ask again in a moment")]
    UnderWay,
    /// It belongs to a different request.
    #[error("this Idempotency-Key was used for a different request; use a new key for a new request")]
    OtherRequest,
    /// The database failed.
    #[error(transparent)]
    Db(#[from] DbError),
}

/// Claims `key` for the request with this fingerprint.
pub async fn claim(
    app: &App,
    account: AccountId,
    key: IdempotencyKey,
    fingerprint: &str,
) -> Result<Claimed, ClaimError> {
    let now = app.clock.now();
    let fresh = Claim { account, key, subject: app.ids.uuid(now) };
    let mut tx = app.db.begin().await?;
    store::forget_one(&mut tx, &fresh, now.plus_seconds(-REMEMBERED_SECONDS)).await?;
    let held = store::Held { from: now, until: now.plus_seconds(HELD_SECONDS) };
    let claimed = if store::insert(&mut tx, &fresh, fingerprint, held).await? {
        Claimed::Ours(fresh)
    } else {
        let row = store::find(&mut tx, &fresh).await?;
        if row.fingerprint != fingerprint {
            return Err(ClaimError::OtherRequest);
        }
        match row.answer() {
            Some(answer) => Claimed::Answered(answer),
            // The holder died without a word: take over, and make what it would have made.
            None if store::take_over(&mut tx, &fresh, held).await? => {
                Claimed::Ours(Claim { subject: row.subject.0, ..fresh })
            }
            None => return Err(ClaimError::UnderWay),
        }
    };
    tx.commit().await?;
    Ok(claimed)
}

/// Remembers the answer for whoever asks again.
pub async fn keep(app: &App, claim: &Claim, answer: &Answer) -> Result<(), DbError> {
    let mut tx = app.db.begin().await?;
    store::keep(&mut tx, claim, answer).await?;
    tx.commit().await
}

/// Gives the key back: the request failed and did nothing, so it may be tried again.
pub async fn let_go(app: &App, claim: &Claim) -> Result<(), DbError> {
    let mut tx = app.db.begin().await?;
    store::let_go(&mut tx, claim).await?;
    tx.commit().await
}
