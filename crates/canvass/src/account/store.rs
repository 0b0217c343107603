//! All SQL about accounts.

use super::{Account, Email, LOCAL_EMAIL};
use crate::clock::Moment;
use crate::db::{Db, DbError, On, Tx, sql};
use crate::ids::AccountId;

/// Stores a new account with an empty ledger. `false` when the address is taken.
pub(crate) async fn insert(tx: &mut Tx, account: &Account) -> Result<bool, DbError> {
    let inserted = sql("insert into account
             (id, email, tier, signals_plus, radar, credits, ledger_lines, refill_at, created_at)
         values ($1, $2, $3, $4, $5, 0, 0, $6, $7) on conflict (email) do nothing")
    .bind(account.id)
    .bind(&account.email)
    .bind(account.tier.name())
    .bind(account.signals_plus)
    .bind(account.radar)
    .bind(account.refill_at)
    .bind(account.created_at)
    .run(tx)
    .await?;
    Ok(inserted == 1)
}

/// Changes what an operator may change.
pub(crate) async fn update(tx: &mut Tx, account: &Account) -> Result<(), DbError> {
    sql("update account set tier = $2, signals_plus = $3, radar = $4 where id = $1")
        .bind(account.id)
        .bind(account.tier.name())
        .bind(account.signals_plus)
        .bind(account.radar)
        .run(tx)
        .await
        .map(|_| ())
}

/// Gives an account another address.
pub(crate) async fn update_email(tx: &mut Tx, id: AccountId, email: &Email) -> Result<(), DbError> {
    sql("update account set email = $2 where id = $1").bind(id).bind(email).run(tx).await.map(|_| ())
}

/// Where e-mails about searches go.
pub async fn notification_email(db: &Db, account: &Account) -> Result<Email, DbError> {
    let set: Option<(Option<String>,)> =
        sql("select notification_email from person where account_id = $1").bind(account.id).optional(db).await?;
    let set = set.and_then(|(email,)| Email::parse(&email?).ok());
    Ok(set.unwrap_or_else(|| account.email.clone()))
}

/// Sets where e-mails about searches go; `None` is the address of the account.
pub async fn set_notification_email(db: &Db, id: AccountId, email: Option<&Email>) -> Result<(), DbError> {
    let mut tx = db.begin().await?;
    sql("insert into person (account_id, notification_email) values ($1, $2)
         on conflict (account_id) do update set notification_email = excluded.notification_email")
    .bind(id)
    .bind(email.map(|email| email.as_str().to_owned()))
    .run(&mut tx)
    .await?;
    tx.commit().await
}

/// The account with this id.
pub async fn find(on: impl Into<On<'_>>, id: AccountId) -> Result<Option<Account>, DbError> {
    sql("select * from account where id = $1").bind(id).optional(on).await
}

/// The account with this address.
pub async fn by_email(on: impl Into<On<'_>>, email: &Email) -> Result<Option<Account>, DbError> {
    sql("select * from account where email = $1").bind(email).optional(on).await
}

/// Every customer's account, oldest first; the local account is left out.
pub async fn list(db: &Db) -> Result<Vec<Account>, DbError> {
    sql("select * from account where email <> $1
         and not exists (select 1 from deleted_account d where d.account_id = account.id)
         order by created_at, id")
    .bind(LOCAL_EMAIL)
    .all(db)
    .await
}

/// Whether there is no customer yet.
pub async fn is_empty(db: &Db) -> Result<bool, DbError> {
    let first: Option<(String,)> =
        sql("select id from account where email <> $1 limit 1").bind(LOCAL_EMAIL).optional(db).await?;
    Ok(first.is_none())
}

/// Up to `limit` accounts whose refill is due.
pub(crate) async fn due_for_refill(db: &Db, now: Moment, limit: i64) -> Result<Vec<Account>, DbError> {
    sql("select * from account where refill_at <= $1
         and not exists (select 1 from deleted_account d where d.account_id = account.id)
         order by refill_at limit $2")
    .bind(now)
    .bind(limit)
    .all(db)
    .await
}

/// Some accounts whose next refill is later than `latest`.
pub(crate) async fn refilled_beyond(db: &Db, latest: Moment, limit: i64) -> Result<Vec<Account>, DbError> {
    sql("select * from account where refill_at > $1 order by refill_at limit $2").bind(latest).bind(limit).all(db).await
}

/// Moves an account's next refill. `false` when another process has just done so.
pub(crate) async fn move_refill(tx: &mut Tx, account: &Account, next: Moment) -> Result<bool, DbError> {
    let moved = sql("update account set refill_at = $3 where id = $1 and refill_at = $2")
        .bind(account.id)
        .bind(account.refill_at)
        .bind(next)
        .run(tx)
        .await?;
    Ok(moved == 1)
}
