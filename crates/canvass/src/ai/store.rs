//! All SQL about AI: what accounts may use, have used, and their own keys.

use super::metered::HELD_SECONDS;
use super::sealed_key::SealedKey;
use super::{Discrepancy, Feature, Hold, PaidBy};
use crate::clock::Moment;
use crate::db::{Db, DbError, Tx, sql};
use crate::ids::AccountId;

/// Holds given back at once when their holders died.
const EXPIRED_AT_ONCE: i64 = 100;

/// What an account has beside its plan.
#[derive(Clone, Debug, from_row::FromRow)]
pub(super) struct AllowanceBalance {
    pub(super) pack: i64,
    pub(super) own_key: Option<String>,
    pub(super) own_base_url: Option<String>,
    pub(super) own_model: Option<String>,
    pub(super) own_set_by: Option<String>,
}

/// A use as it is stored.
#[derive(Clone, Debug, from_row::FromRow)]
pub(super) struct Use {
    pub(super) holder: String,
    #[row(try_from = "String")]
    pub(super) source: PaidBy,
    pub(super) month: String,
    pub(super) held_until: Option<Moment>,
    pub(super) engine: String,
}

/// Locks what an account has, and makes it where there is nothing yet.
pub(super) async fn lock(tx: &mut Tx, account: AccountId) -> Result<AllowanceBalance, DbError> {
    sql("insert into ai_account (account_id, pack) values ($1, 0) on conflict (account_id) do nothing")
        .bind(account)
        .run(tx)
        .await?;
    sql("update ai_account set pack = pack where account_id = $1 returning pack, own_key, own_base_url, own_model, own_set_by")
        .bind(account)
        .one(tx)
        .await
}

pub(super) async fn balance(db: &Db, account: AccountId) -> Result<Option<AllowanceBalance>, DbError> {
    sql("select pack, own_key, own_base_url, own_model, own_set_by from ai_account where account_id = $1")
        .bind(account)
        .optional(db)
        .await
}

pub(super) async fn used(db: &Db, account: AccountId, feature: Feature, month: &str) -> Result<i64, DbError> {
    let row: Option<(i64,)> = sql("select used from ai_month where account_id = $1 and feature = $2 and month = $3")
        .bind(account)
        .bind(feature.name())
        .bind(month)
        .optional(db)
        .await?;
    Ok(row.map_or(0, |(used,)| used))
}

pub(super) async fn find(tx: &mut Tx, hold: &Hold) -> Result<Option<Use>, DbError> {
    sql("select holder, source, month, held_until, engine from ai_use
         where account_id = $1 and feature = $2 and subject = $3")
    .bind(hold.account)
    .bind(hold.feature.name())
    .bind(hold.subject.as_str())
    .optional(tx)
    .await
}

/// Takes one use of the plan's allowance, when there is one left.
pub(super) async fn take_of_plan(tx: &mut Tx, hold: &Hold, included: i64) -> Result<bool, DbError> {
    sql("insert into ai_month (account_id, feature, month, used) values ($1, $2, $3, 0) on conflict do nothing")
        .bind(hold.account)
        .bind(hold.feature.name())
        .bind(hold.month.as_str())
        .run(tx)
        .await?;
    let taken = sql("update ai_month set used = used + 1
         where account_id = $1 and feature = $2 and month = $3 and used < $4")
    .bind(hold.account)
    .bind(hold.feature.name())
    .bind(hold.month.as_str())
    .bind(included)
    .run(tx)
    .await?;
    Ok(taken == 1)
}

pub(super) async fn return_to_plan(tx: &mut Tx, hold: &Hold) -> Result<(), DbError> {
    sql("update ai_month set used = used - 1 where account_id = $1 and feature = $2 and month = $3 and used > 0")
        .bind(hold.account)
        .bind(hold.feature.name())
        .bind(hold.month.as_str())
        .run(tx)
        .await
        .map(|_| ())
}

/// Takes one use of the account's packs, when there is one left.
pub(super) async fn take_of_pack(tx: &mut Tx, account: AccountId) -> Result<bool, DbError> {
    let taken = sql("update ai_account set pack = pack - 1 where account_id = $1 and pack > 0").bind(account);
    Ok(taken.run(tx).await? == 1)
}

pub(super) async fn return_to_pack(tx: &mut Tx, account: AccountId) -> Result<(), DbError> {
    sql("update ai_account set pack = pack + 1 where account_id = $1").bind(account).run(tx).await.map(|_| ())
}

pub(super) async fn set_pack(tx: &mut Tx, account: AccountId, pack: i64) -> Result<(), DbError> {
    sql("update ai_account set pack = $2 where account_id = $1").bind(account).bind(pack).run(tx).await.map(|_| ())
}

pub(super) async fn set_own_key(tx: &mut Tx, account: AccountId, key: Option<&SealedKey>) -> Result<(), DbError> {
    sql("update ai_account set own_key = $2, own_base_url = $3, own_model = $4, own_set_by = $5 where account_id = $1")
        .bind(account)
        .bind(key.map(|key| key.sealed.clone()))
        .bind(key.map(|key| key.base_url.clone()))
        .bind(key.map(|key| key.model.clone()))
        .bind(key.map(|key| key.set_by.name().to_owned()))
        .run(tx)
        .await
        .map(|_| ())
}

pub(super) async fn insert(tx: &mut Tx, hold: &Hold, until: Moment, now: Moment) -> Result<(), DbError> {
    sql("insert into ai_use (account_id, feature, subject, holder, source, month, held_until, engine, created_at)
         values ($1, $2, $3, $4, $5, $6, $7, '', $8)")
    .bind(hold.account)
    .bind(hold.feature.name())
    .bind(hold.subject.as_str())
    .bind(hold.holder.as_str())
    .bind(hold.source.name())
    .bind(hold.month.as_str())
    .bind(until)
    .bind(now)
    .run(tx)
    .await
    .map(|_| ())
}

pub(super) async fn take_over(tx: &mut Tx, hold: &Hold, until: Moment) -> Result<(), DbError> {
    sql("update ai_use set holder = $4, held_until = $5
         where account_id = $1 and feature = $2 and subject = $3 and held_until is not null")
    .bind(hold.account)
    .bind(hold.feature.name())
    .bind(hold.subject.as_str())
    .bind(hold.holder.as_str())
    .bind(until)
    .run(tx)
    .await
    .map(|_| ())
}

/// Moves the end of a hold. `false` when it is no longer ours.
pub(super) async fn renew(tx: &mut Tx, hold: &Hold, until: Moment) -> Result<bool, DbError> {
    let renewed = sql("update ai_use set held_until = $5
         where account_id = $1 and feature = $2 and subject = $3 and holder = $4 and held_until is not null")
    .bind(hold.account)
    .bind(hold.feature.name())
    .bind(hold.subject.as_str())
    .bind(hold.holder.as_str())
    .bind(until)
    .run(tx)
    .await?;
    Ok(renewed == 1)
}

/// Spends a hold. `false` when it is no longer ours.
pub(super) async fn spend(tx: &mut Tx, hold: &Hold, engine: &str) -> Result<bool, DbError> {
    let spent = sql("update ai_use set held_until = null, engine = $5
         where account_id = $1 and feature = $2 and subject = $3 and holder = $4 and held_until is not null")
    .bind(hold.account)
    .bind(hold.feature.name())
    .bind(hold.subject.as_str())
    .bind(hold.holder.as_str())
    .bind(engine)
    .run(tx)
    .await?;
    Ok(spent == 1)
}

/// Notes that a lead that is paid for was served by another engine.
pub(crate) async fn served_by(tx: &mut Tx, account: AccountId, lead: &str, engine: &str) -> Result<(), DbError> {
    sql("update ai_use set engine = $3
         where account_id = $1 and feature = 'enrich' and subject = $2 and held_until is null")
    .bind(account)
    .bind(lead)
    .bind(engine)
    .run(tx)
    .await
    .map(|_| ())
}

/// Removes a hold that was not spent. `false` when it is not there.
pub(super) async fn delete_held(tx: &mut Tx, hold: &Hold) -> Result<bool, DbError> {
    let deleted = sql("delete from ai_use where account_id = $1 and feature = $2 and subject = $3 and holder = $4
         and held_until is not null")
    .bind(hold.account)
    .bind(hold.feature.name())
    .bind(hold.subject.as_str())
    .bind(hold.holder.as_str())
    .run(tx)
    .await?;
    Ok(deleted == 1)
}

/// Removes a use that its holder spent. `false` when it is not there.
pub(super) async fn delete_spent(tx: &mut Tx, hold: &Hold) -> Result<bool, DbError> {
    let deleted = sql("delete from ai_use where account_id = $1 and feature = $2 and subject = $3 and holder = $4
         and held_until is null")
    .bind(hold.account)
    .bind(hold.feature.name())
    .bind(hold.subject.as_str())
    .bind(hold.holder.as_str())
    .run(tx)
    .await?;
    Ok(deleted == 1)
}

#[derive(from_row::FromRow)]
struct Dead {
    feature: String,
    subject: String,
    holder: String,
    #[row(try_from = "String")]
    source: PaidBy,
    month: String,
}

/// Holds of an account whose holders have not been heard of in time. One that ends later than any hold can was written by a
/// clock that was ahead.
pub(super) async fn expired(tx: &mut Tx, account: AccountId, now: Moment) -> Result<Vec<Hold>, DbError> {
    let dead: Vec<Dead> = sql("select feature, subject, holder, source, month from ai_use
         where account_id = $1 and held_until is not null and (held_until <= $2 or held_until > $4) limit $3")
    .bind(account)
    .bind(now)
    .bind(EXPIRED_AT_ONCE)
    .bind(now.latest_ahead(HELD_SECONDS))
    .all(tx)
    .await?;
    let hold = |dead: Dead| Hold {
        account,
        feature: if dead.feature == Feature::Enrich.name() { Feature::Enrich } else { Feature::Intro },
        subject: dead.subject,
        source: dead.source,
        holder: dead.holder,
        month: dead.month,
    };
    Ok(dead.into_iter().map(hold).collect())
}

pub(super) async fn forget_intros(tx: &mut Tx, before: Moment) -> Result<(), DbError> {
    sql("delete from ai_use where feature = 'intro' and created_at < $1 and held_until is null")
        .bind(before)
        .run(tx)
        .await
        .map(|_| ())
}

/// Months whose meter is not the number of uses the plan pays for.
pub(super) async fn discrepancies(db: &Db) -> Result<Vec<Discrepancy>, DbError> {
    sql("select account, month, used, uses from
            (select m.account_id as account, m.month, m.used,
                (select count(*) from ai_use u where u.account_id = m.account_id and u.feature = m.feature
                    and u.month = m.month and u.source = 'plan') as uses
             from ai_month m where m.feature = 'enrich') as compared
         where used <> uses order by account, month")
    .all(db)
    .await
}
