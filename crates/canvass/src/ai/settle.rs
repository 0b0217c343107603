//! Settles a reservation: spent together with what was made, or given back as if it had never been.

use std::future::Future;
use std::time::Duration;

use super::metered::HELD_SECONDS;
use super::{Hold, PaidBy, store};
use crate::app::App;
use crate::clock::Moment;
use crate::db::{Db, DbError, Tx};
use crate::ids::AccountId;
use crate::jobs::renewing;

/// How often a living holder renews its hold.
const RENEW_EVERY: Duration = Duration::from_secs(5);

/// How long the uses of requests are remembered: longer than any client may ask again.
const REMEMBERED_SECONDS: i64 = 60 * 24 * 60 * 60;

/// Spends a hold, inside the transaction that stores what it paid for. `false` when it is not ours any more: then
/// nothing may be stored.
pub async fn spend(tx: &mut Tx, hold: &Hold, engine: &str) -> Result<bool, DbError> {
    store::spend(tx, hold, engine).await
}

/// Does what a hold pays for, and renews the hold meanwhile.
pub async fn while_held<T>(app: &App, hold: &Hold, work: impl Future<Output = T>) -> T {
    let renew = || {
        let (app, hold) = (app.clone(), hold.clone());
        async move {
            let mut tx = app.db.begin().await?;
            let renewed = store::renew(&mut tx, &hold, app.clock.now().plus_seconds(HELD_SECONDS)).await?;
            tx.commit().await?;
            Ok(renewed)
        }
    };
    renewing(RENEW_EVERY, renew, work).await
}

/// Locks what [`refund`] may change. Taken before [`spend`], in the order in which everyone takes these locks.
pub async fn lock_for_refund(tx: &mut Tx, account: AccountId) -> Result<(), DbError> {
    store::lock(tx, account).await.map(|_| ())
}

/// Takes back a use that was spent in this same transaction, as if it had never been reserved: what it paid for turned out
/// to be free.
pub async fn refund(tx: &mut Tx, hold: &Hold) -> Result<(), DbError> {
    if store::delete_spent(tx, hold).await? { return_use(tx, hold).await } else { Ok(()) }
}

/// Gives a hold back: the call failed, and costs nothing.
pub async fn give_back(app: &App, hold: &Hold) -> Result<(), DbError> {
    let mut tx = app.db.begin().await?;
    // In the same order as everyone else: the account first.
    store::lock(&mut tx, hold.account).await?;
    give_back_in(&mut tx, hold).await?;
    tx.commit().await
}

pub(super) async fn give_back_in(tx: &mut Tx, hold: &Hold) -> Result<(), DbError> {
    if store::delete_held(tx, hold).await? { return_use(tx, hold).await } else { Ok(()) }
}

async fn return_use(tx: &mut Tx, hold: &Hold) -> Result<(), DbError> {
    match hold.source {
        PaidBy::Plan => store::return_to_plan(tx, hold).await,
        PaidBy::Pack => store::return_to_pack(tx, hold.account).await,
        PaidBy::Own => Ok(()),
    }
}

/// Forgets the requests for intros of long ago; that a lead was enriched is never forgotten. `seen` is the time the database
/// has seen pass ([`crate::db::see_time`]), not what one server's clock claims.
pub async fn forget_old(db: &Db, seen: Moment) -> Result<(), DbError> {
    let mut tx = db.begin().await?;
    store::forget_intros(&mut tx, seen.plus_seconds(-REMEMBERED_SECONDS)).await?;
    tx.commit().await
}
