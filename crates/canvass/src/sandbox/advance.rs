//! Advances the sandbox's age, so that some of its businesses change.

use super::store;
use crate::db::{Db, DbError};

/// Advances the age by so many steps and returns it.
pub async fn advance(db: &Db, steps: u32) -> Result<u32, DbError> {
    let mut tx = db.begin().await?;
    let age = store::advance(&mut tx, steps).await?;
    tx.commit().await?;
    Ok(age)
}
