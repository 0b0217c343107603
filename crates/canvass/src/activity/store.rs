//! All SQL about what happened to accounts.

use super::Activity;
use crate::db::{Db, DbError, Tx, sql};
use crate::ids::AccountId;

pub(super) async fn insert(tx: &mut Tx, account: AccountId, activity: &Activity) -> Result<(), DbError> {
    sql("insert into activity (id, account_id, kind, detail, device, created_at) values ($1, $2, $3, $4, $5, $6)")
        .bind(activity.id)
        .bind(account)
        .bind(activity.kind.as_str())
        .bind(activity.detail.clone())
        .bind(activity.device.clone())
        .bind(activity.created_at)
        .run(tx)
        .await
        .map(|_| ())
}

/// The latest of what happened to an account, newest first.
pub async fn list(db: &Db, account: AccountId, limit: i64) -> Result<Vec<Activity>, DbError> {
    sql("select id, kind, detail, device, created_at from activity where account_id = $1 order by id desc limit $2")
        .bind(account)
        .bind(limit)
        .all(db)
        .await
}
