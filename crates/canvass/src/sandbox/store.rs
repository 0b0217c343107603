//! All SQL about the embedded world.

use crate::db::{Db, DbError, Tx, sql};

/// How old the world is.
pub async fn age(db: &Db) -> Result<u32, DbError> {
    let (age,): (i64,) = sql("select age from sandbox where id = 1").one(db).await?;
    Ok(u32::try_from(age).unwrap_or(u32::MAX))
}

pub(super) async fn advance(tx: &mut Tx, steps: u32) -> Result<u32, DbError> {
    let row = sql("update sandbox set age = age + $1 where id = 1 returning age").bind(i64::from(steps));
    let (age,): (i64,) = row.one(tx).await?;
    Ok(u32::try_from(age).unwrap_or(u32::MAX))
}
