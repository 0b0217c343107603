//! All SQL about views.

use super::View;
use crate::clock::Moment;
use crate::db::{Db, DbError, Tx, sql};
use crate::ids::AccountId;

/// The views of an account, by name.
pub async fn list(db: &Db, account: AccountId) -> Result<Vec<View>, DbError> {
    sql("select name, settings from saved_view where account_id = $1 order by name").bind(account).all(db).await
}

/// Removes a view. `false` when the account has none of this name.
pub async fn remove(db: &Db, account: AccountId, name: &str) -> Result<bool, DbError> {
    let mut tx = db.begin().await?;
    let removed = sql("delete from saved_view where account_id = $1 and name = $2");
    let removed = removed.bind(account).bind(name).run(&mut tx).await?;
    tx.commit().await?;
    Ok(removed > 0)
}

pub(super) async fn put(tx: &mut Tx, account: AccountId, view: &View, now: Moment) -> Result<(), DbError> {
    sql("insert into saved_view (account_id, name, settings, updated_at) values ($1, $2, $3, $4)
         on conflict (account_id, name) do update set settings = excluded.settings, updated_at = excluded.updated_at")
    .bind(account)
    .bind(view.name.as_str())
    .bind(view.settings.as_str())
    .bind(now)
    .run(tx)
    .await
    .map(|_| ())
}

pub(super) async fn count(tx: &mut Tx, account: AccountId) -> Result<i64, DbError> {
    let (count,) = sql("select count(*) from saved_view where account_id = $1").bind(account).one(tx).await?;
    Ok(count)
}
