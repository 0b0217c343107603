//! All SQL about keys.

use super::{AuthenticatedKey, Key, SecretKey};
use crate::clock::Moment;
use crate::db::{Db, DbError, Tx, sql};
use crate::ids::{AccountId, KeyId};

pub(super) async fn insert(tx: &mut Tx, account: AccountId, key: &Key, secret: &SecretKey) -> Result<(), DbError> {
    sql("insert into api_key (id, account_id, name, prefix, hash, created_at) values ($1, $2, $3, $4, $5, $6)")
        .bind(key.id)
        .bind(account)
        .bind(key.name.as_str())
        .bind(key.prefix.as_str())
        .bind(secret.hash())
        .bind(key.created_at)
        .run(tx)
        .await
        .map(|_| ())
}

/// An account's keys, oldest first, revoked ones too.
pub async fn list(db: &Db, account: AccountId) -> Result<Vec<Key>, DbError> {
    sql("select id, name, prefix, created_at, last_used_at, revoked_at from api_key
         where account_id = $1 order by created_at, id")
    .bind(account)
    .all(db)
    .await
}

/// The key and its account, unless the key is unknown or revoked.
pub(super) async fn authenticate(db: &Db, hash: &str) -> Result<Option<AuthenticatedKey>, DbError> {
    sql("select a.*, k.id as key_id, k.last_used_at as key_last_used_at
         from api_key k join account a on a.id = k.account_id
         where k.hash = $1 and k.revoked_at is null")
    .bind(hash)
    .optional(db)
    .await
}

/// A key by its id, and its account, unless the key is unknown or revoked.
pub async fn find_working(db: &Db, key: KeyId) -> Result<Option<AuthenticatedKey>, DbError> {
    sql("select a.*, k.id as key_id, k.last_used_at as key_last_used_at
         from api_key k join account a on a.id = k.account_id
         where k.id = $1 and k.revoked_at is null")
    .bind(key)
    .optional(db)
    .await
}

/// Updates "last used", unless that was done since `stale`.
pub(super) async fn touch(tx: &mut Tx, key: KeyId, now: Moment, stale: Moment) -> Result<(), DbError> {
    sql("update api_key set last_used_at = $2 where id = $1 and (last_used_at is null or last_used_at <= $3)")
        .bind(key)
        .bind(now)
        .bind(stale)
        .run(tx)
        .await
        .map(|_| ())
}

/// Revokes a key, of this account where one is named, and returns it; one already revoked keeps its date.
pub(super) async fn revoke(
    tx: &mut Tx,
    key: KeyId,
    account: Option<AccountId>,
    now: Moment,
) -> Result<Option<Key>, DbError> {
    sql("update api_key set revoked_at = coalesce(revoked_at, $2) where id = $1 and account_id = coalesce($3, account_id)
         returning id, name, prefix, created_at, last_used_at, revoked_at")
    .bind(key)
    .bind(now)
    .bind(account.map(|account| account.to_string()))
    .optional(tx)
    .await
}
