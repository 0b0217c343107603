//! Gives an account a pack of uses, or takes some back.

use super::store;
use crate::app::App;
use crate::db::DbError;
use crate::ids::AccountId;

/// Uses an account can hold in packs.
const PACK_USES_MAX: i64 = 1_000_000_000;

/// The pack cannot be granted.
#[derive(Debug, thiserror::Error)]
pub enum PackError {
    /// Nothing to do.
    #[error("a pack of 0 changes nothing; say how many uses to give, or to take with a minus sign")]
    Nothing,
    /// A pack stays between zero and what can be counted.
    #[error(
        "a pack of {amount} would take what the account has, {pack}, out of its range, which is 0 to {PACK_USES_MAX}"
    )]
    OutOfRange {
        /// What was asked.
        amount: i64,
        /// What there is.
        pack: i64,
    },
    /// The database failed.
    #[error(transparent)]
    Db(#[from] DbError),
}

/// Gives uses (takes them when below zero) and says how many there are then.
pub async fn grant_pack(app: &App, account: AccountId, amount: i64) -> Result<i64, PackError> {
    if amount == 0 {
        return Err(PackError::Nothing);
    }
    let mut tx = app.db.begin().await?;
    let pack = store::lock(&mut tx, account).await?.pack;
    let wanted = pack.checked_add(amount).filter(|wanted| (0..=PACK_USES_MAX).contains(wanted));
    let wanted = wanted.ok_or(PackError::OutOfRange { amount, pack })?;
    store::set_pack(&mut tx, account, wanted).await?;
    tx.commit().await?;
    Ok(wanted)
}
