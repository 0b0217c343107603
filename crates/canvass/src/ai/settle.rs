//! Settles a reservation: spent together with what was made, or given back as if it had never been.

use super::{Hold, Source, store};
use crate::app::App;
use crate::clock::Moment;
use crate::db::{Db, DbError, Tx};

/// How long the uses of requests are remembered: longer than any client may ask again.
const REMEMBERED_SECONDS: i64 = 60 * 24 * 60 * 60;

/// Spends a hold, inside the transaction that stores what it paid for. `false` when it is not ours any more: then
/// nothing may be stored.
pub async fn spend(tx: &mut Tx, hold: &Hold, engine: &str) -> Result<bool, DbError> {
    store::spend(tx, hold, engine).await
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
    if !store::delete_held(tx, hold).await? {
        return Ok(());
    }
    match hold.source {
        Source::Plan => store::return_to_plan(tx, hold).await,
        Source::Pack => store::return_to_pack(tx, hold.account).await,
        Source::Own => Ok(()),
    }
}

/// Forgets the requests for intros of long ago; that a lead was enriched is never forgotten.
pub async fn forget_old(db: &Db, now: Moment) -> Result<(), DbError> {
    let mut tx = db.begin().await?;
    store::forget_intros(&mut tx, now.plus_seconds(-REMEMBERED_SECONDS)).await?;
    tx.commit().await
}
