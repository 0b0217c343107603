//! Makes the world older, so that some of its businesses change.

use super::store;
use crate::db::{Db, DbError};

/// Makes the world older by so many steps, and says how old it is now.
pub async fn advance(db: &Db, steps: u32) -> Result<u32, DbError> {
    let mut tx = db.begin().await?;
    let age = store::advance(&mut tx, steps).await?;
    tx.commit().await?;
    Ok(age)
}
