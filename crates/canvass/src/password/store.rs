//! All SQL about passwords.

use crate::db::{DbError, On, Tx, sql};
use crate::ids::AccountId;

/// The hash of an account's password, if it has one.
pub(crate) async fn find(on: impl Into<On<'_>>, account: AccountId) -> Result<Option<String>, DbError> {
    let found: Option<(Option<String>,)> =
        sql("select password_hash from person where account_id = $1").bind(account).optional(on).await?;
    Ok(found.and_then(|(hash,)| hash))
}

/// Whether an account has a password.
pub async fn is_set(on: impl Into<On<'_>>, account: AccountId) -> Result<bool, DbError> {
    Ok(find(on, account).await?.is_some())
}

pub(crate) async fn update(tx: &mut Tx, account: AccountId, hash: &str) -> Result<(), DbError> {
    sql("insert into person (account_id, password_hash) values ($1, $2)
         on conflict (account_id) do update set password_hash = excluded.password_hash")
    .bind(account)
    .bind(hash)
    .run(tx)
    .await
    .map(|_| ())
}
