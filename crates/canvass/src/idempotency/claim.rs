//! Claims a key for one request, settles it with what the request made, and stores the response or releases the key.

use std::future::Future;
use std::time::Duration;

use super::{Claim, HELD_SECONDS, IdempotencyKey, SavedResponse, store};
use crate::app::App;
use crate::db::{DbError, Tx};
use crate::ids::AccountId;
use crate::jobs::renewing;

/// How often a running request renews its claim.
const RENEW_EVERY: Duration = Duration::from_secs(3);

/// The result of claiming a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claimed {
    /// The key is ours: do the work, or answer from what [`Claim::made`] says was made before.
    Ours(Claim),
    /// The work was done before, and this was the response.
    Answered(SavedResponse),
}

/// The key cannot be claimed.
#[derive(Debug, thiserror::Error)]
pub enum ClaimError {
    /// The first request with it is still under way.
    #[error(transparent)]
    UnderWay(#[from] TakenOver),
    /// It belongs to a different request.
    #[error("this Idempotency-Key was used for a different request; use a new key for a new request")]
    OtherRequest,
    /// The database failed.
    #[error(transparent)]
    Db(#[from] DbError),
}

/// Another request holds the key: an earlier one, or one that took it over because ours was not renewed in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a request with this Idempotency-Key is still under way; ask again in a moment")]
pub struct TakenOver;

/// Claims `key` for the request with this fingerprint.
pub async fn claim(
    app: &App,
    account: AccountId,
    key: IdempotencyKey,
    fingerprint: &str,
) -> Result<Claimed, ClaimError> {
    let now = app.clock.now();
    let fresh = Claim { account, key, subject: app.ids.uuid(now), epoch: 1, made: None };
    let held = store::Held { from: now, until: now.plus_seconds(HELD_SECONDS) };
    let mut tx = app.db.begin().await?;
    store::forget_one(&mut tx, &fresh, now).await?;
    let claimed = if store::insert(&mut tx, &fresh, fingerprint, held).await? {
        Claimed::Ours(fresh)
    } else {
        earlier(&mut tx, fresh, fingerprint, held).await?
    };
    tx.commit().await?;
    Ok(claimed)
}

/// What an earlier request under the same key means for this one.
async fn earlier(tx: &mut Tx, fresh: Claim, fingerprint: &str, held: store::Held) -> Result<Claimed, ClaimError> {
    // Released just now by a request that failed; the next try finds the key free.
    let row = store::find(tx, &fresh).await?.ok_or(TakenOver)?;
    if row.fingerprint != fingerprint {
        return Err(ClaimError::OtherRequest);
    }
    if let Some(answer) = row.answer() {
        return Ok(Claimed::Answered(answer));
    }
    let subject = row.subject.0;
    if row.made.is_some() {
        // Nothing is left to be done twice, so there is no need to wait until the hold ends.
        return Ok(Claimed::Ours(Claim { subject, epoch: row.epoch, made: row.made, ..fresh }));
    }
    // The holder died, or gave up without knowing what became of its work: make what it would have made.
    let epoch = store::take_over(tx, &fresh, held).await?.ok_or(TakenOver)?;
    Ok(Claimed::Ours(Claim { subject, epoch, ..fresh }))
}

/// Writes what a request has made into its key's row, as part of the transaction that makes it. `false`, and nothing may
/// be made, when another request has taken the key over. Without a claim there is nothing to settle.
pub async fn settle(tx: &mut Tx, claim: Option<&Claim>, made: &str) -> Result<bool, DbError> {
    match claim {
        Some(claim) => store::settle(tx, claim, made).await,
        None => Ok(true),
    }
}

/// Runs the work of a request and renews its claim meanwhile.
pub async fn hold<T>(app: &App, claim: &Claim, work: impl Future<Output = T>) -> T {
    let renew = || {
        let (app, claim) = (app.clone(), claim.clone());
        async move {
            let mut tx = app.db.begin().await?;
            let until = app.clock.now().plus_seconds(HELD_SECONDS);
            let renewed = store::renew(&mut tx, &claim, until).await?;
            tx.commit().await?;
            Ok(renewed)
        }
    };
    renewing(RENEW_EVERY, renew, work).await
}

/// Stores the response for retries.
pub async fn keep(app: &App, claim: &Claim, answer: &SavedResponse) -> Result<(), DbError> {
    let mut tx = app.db.begin().await?;
    store::keep(&mut tx, claim, answer).await?;
    tx.commit().await
}

/// Releases the key after a failure that made nothing, so that a corrected request may use it. A key under which something
/// was made is kept, whatever the caller believes.
pub async fn let_go(app: &App, claim: &Claim) -> Result<(), DbError> {
    let mut tx = app.db.begin().await?;
    store::let_go(&mut tx, claim).await?;
    tx.commit().await
}

/// Ends the hold and keeps the key with its subject: the outcome is not known, or not final. A repeat of the same request
/// goes on at once, under the same id.
pub async fn free(app: &App, claim: &Claim) -> Result<(), DbError> {
    let mut tx = app.db.begin().await?;
    store::free(&mut tx, claim).await?;
    tx.commit().await
}
