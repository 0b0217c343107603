//! All SQL about Radar.

use super::alert::{Alert, Feed};
use super::check::Verdict;
use super::history::Check;
use super::lease::{Lease, Span, Taken};
use super::{Watch, json};
use crate::clock::Moment;
use crate::db::{Db, DbError, On, Sql, Tx, sql};
use crate::ids::{AccountId, WatchId};
use crate::owned::Owned;

/// A watch of the account.
pub async fn find(db: &Db, account: AccountId, watch: WatchId) -> Result<Option<Owned<Watch>>, DbError> {
    let found = sql("select * from watch where id = $1 and account_id = $2").bind(watch).bind(account);
    Ok(found.optional(db).await?.map(|watch| Owned::new(account, watch)))
}

/// Whether there is such a watch at all.
pub(super) async fn exists(db: &Db, watch: WatchId) -> Result<bool, DbError> {
    let found: Option<(String,)> = sql("select id from watch where id = $1").bind(watch).optional(db).await?;
    Ok(found.is_some())
}

/// The watch an account has of a business.
pub(super) async fn of_business(tx: &mut Tx, account: AccountId, business_id: &str) -> Result<Option<Watch>, DbError> {
    let found = sql("select * from watch where account_id = $1 and business_id = $2").bind(account).bind(business_id);
    found.optional(tx).await
}

pub(super) async fn count(on: impl Into<On<'_>>, account: AccountId) -> Result<i64, DbError> {
    let (count,) = sql("select count(*) from watch where account_id = $1").bind(account).one(on).await?;
    Ok(count)
}

/// The watches of an account, newest first.
pub(super) async fn list(db: &Db, account: AccountId, limit: i64) -> Result<Vec<Watch>, DbError> {
    let listed = sql("select * from watch where account_id = $1 order by id desc limit $2").bind(account).bind(limit);
    listed.all(db).await
}

/// Locks the account's row, so that its watches are counted one after the other.
pub(super) async fn lock_account(tx: &mut Tx, account: AccountId) -> Result<(), DbError> {
    sql("insert into radar_account (account_id, last_alert_at) values ($1, 0)
         on conflict (account_id) do update set last_alert_at = radar_account.last_alert_at")
    .bind(account)
    .run(tx)
    .await
    .map(|_| ())
}

pub(super) async fn insert(tx: &mut Tx, watch: &Watch) -> Result<(), DbError> {
    sql("insert into watch (id, account_id, lead_id, business_id, business, baseline, doubts, score, score_told,
            scored_with, site_status, created_at, next_check_at, checks, lease_until, lease_epoch)
         values ($1, $2, $3, $4, $5, $6, '[]', $7, $8, $9, $10, $11, $12, 0, 0, 0)")
    .bind(watch.id)
    .bind(watch.account)
    .bind(watch.lead)
    .bind(watch.business_id.as_str())
    .bind(json(&watch.business))
    .bind(json(&watch.baseline))
    .bind(watch.score)
    .bind(watch.score_told)
    .bind(watch.scored_with)
    .bind(watch.site_status.as_str())
    .bind(watch.created_at)
    .bind(watch.next_check_at)
    .run(tx)
    .await
    .map(|_| ())
}

/// Removes a watch with the checks that were made for it. `false` when there is none.
pub(super) async fn delete(tx: &mut Tx, account: AccountId, watch: WatchId) -> Result<bool, DbError> {
    let deleted = sql("delete from watch where id = $1 and account_id = $2").bind(watch).bind(account).run(tx).await?;
    Ok(deleted > 0)
}

#[derive(sqlx::FromRow)]
struct TakenRow {
    lease_epoch: i64,
    #[sqlx(flatten)]
    watch: Watch,
}

async fn taken(statement: Sql, tx: &mut Tx) -> Result<Vec<Taken>, DbError> {
    let rows: Vec<TakenRow> = statement.all(tx).await?;
    let taken =
        |row: TakenRow| Taken { lease: Lease { watch: row.watch.id, epoch: row.lease_epoch }, watch: row.watch };
    Ok(rows.into_iter().map(taken).collect())
}

/// Waits for the turn to take watches; it ends with the transaction. Without, workers on PostgreSQL would all choose the
/// same ones, and all but one of them take nothing.
pub(super) async fn wait_for_turn(tx: &mut Tx) -> Result<(), DbError> {
    sql("update radar_turn set turns = turns + 1 where id = 1").run(tx).await.map(|_| ())
}

/// Takes watches that are due and nobody checks, those that have waited longest first. Only of accounts that have Radar.
pub(super) async fn take_due(tx: &mut Tx, owner: &str, span: &Span, limit: i64) -> Result<Vec<Taken>, DbError> {
    // Two ranges of one index: watches that are due, and those whose next check is later than any can be.
    let statement = sql("update watch set lease_owner = $1, lease_until = $2, lease_epoch = lease_epoch + 1
         where id in (
            select id from (
                select watch.id from watch join account on account.id = watch.account_id
                where next_check_at <= $3 and (lease_until <= $3 or lease_until > $6) and account.radar
                order by next_check_at limit $4) as due
            union all
            select id from (
                select watch.id from watch join account on account.id = watch.account_id
                where next_check_at > $5 and (lease_until <= $3 or lease_until > $6) and account.radar
                order by next_check_at limit $4) as from_ahead
            limit $4)
         returning *");
    let statement = statement.bind(owner).bind(span.until).bind(span.now).bind(limit).bind(span.next_check_max);
    taken(statement.bind(span.until_max), tx).await
}

/// Takes the watches from one id to another, due or not, as far as nobody checks them.
pub(super) async fn take_between(
    tx: &mut Tx,
    owner: &str,
    span: &Span,
    (first, last): (WatchId, WatchId),
) -> Result<Vec<Taken>, DbError> {
    let statement = sql("update watch set lease_owner = $1, lease_until = $2, lease_epoch = lease_epoch + 1
         where (lease_until <= $3 or lease_until > $6) and id >= $4 and id <= $5
            and account_id in (select id from account where radar)
         returning *");
    let statement = statement.bind(owner).bind(span.until).bind(span.now).bind(first).bind(last);
    taken(statement.bind(span.until_max), tx).await
}

/// The ids of the next watches behind one, in order.
pub(super) async fn ids_after(db: &Db, after: Option<WatchId>, limit: i64) -> Result<Vec<WatchId>, DbError> {
    let after = after.map(|watch| watch.to_string()).unwrap_or_default();
    let found: Vec<(String,)> =
        sql("select id from watch where id > $1 order by id limit $2").bind(after).bind(limit).all(db).await?;
    Ok(found.into_iter().filter_map(|(id,)| WatchId::parse(&id)).collect())
}

/// Gives back everything a worker holds.
pub(super) async fn hand_back(tx: &mut Tx, owner: &str) -> Result<(), DbError> {
    let given = sql("update watch set lease_owner = null, lease_until = 0 where lease_owner = $1").bind(owner);
    given.run(tx).await.map(|_| ())
}

/// Writes down what a check found and gives the watch back; says which check it was. `None` when the lease is lost, or
/// the watch is gone.
pub(super) async fn conclude(tx: &mut Tx, lease: &Lease, verdict: &Verdict) -> Result<Option<i64>, DbError> {
    let number: Option<(i64,)> = sql("update watch set baseline = $3, doubts = $4, score = $5, score_told = $6,
            scored_with = $7, site_status = $8, last_checked_at = $9, next_check_at = $10, checks = checks + 1,
            lease_owner = null, lease_until = 0
         where id = $1 and lease_epoch = $2 returning checks")
    .bind(lease.watch)
    .bind(lease.epoch)
    .bind(json(&verdict.baseline))
    .bind(json(&verdict.doubts))
    .bind(verdict.score)
    .bind(verdict.score_told)
    .bind(verdict.scored_with)
    .bind(verdict.site_status.as_str())
    .bind(verdict.at)
    .bind(verdict.next_check_at)
    .optional(tx)
    .await?;
    Ok(number.map(|(number,)| number))
}

pub(super) async fn insert_check(tx: &mut Tx, watch: WatchId, number: i64, check: &Verdict) -> Result<(), DbError> {
    sql("insert into watch_check (watch_id, number, checked_at, site_status, complete, score, changes)
         values ($1, $2, $3, $4, $5, $6, $7)")
    .bind(watch)
    .bind(number)
    .bind(check.at)
    .bind(check.site_status.as_str())
    .bind(check.complete)
    .bind(check.score)
    .bind(json(&check.changes))
    .run(tx)
    .await
    .map(|_| ())
}

/// Forgets checks up to a number.
pub(super) async fn forget_checks(tx: &mut Tx, watch: WatchId, number: i64) -> Result<(), DbError> {
    let forgotten = sql("delete from watch_check where watch_id = $1 and number <= $2").bind(watch).bind(number);
    forgotten.run(tx).await.map(|_| ())
}

/// The checks of a watch, newest first.
pub(super) async fn checks(db: &Db, watch: WatchId, limit: i64) -> Result<Vec<Check>, DbError> {
    sql("select * from watch_check where watch_id = $1 order by number desc limit $2")
        .bind(watch)
        .bind(limit)
        .all(db)
        .await
}

/// A time for an account's next alert, later than all before. Others wait for theirs until this transaction ends, so
/// that alerts appear in the order of their times.
pub(super) async fn next_alert_time(tx: &mut Tx, account: AccountId, now: Moment) -> Result<Moment, DbError> {
    let (time,) = sql("insert into radar_account (account_id, last_alert_at) values ($1, $2)
         on conflict (account_id) do update set last_alert_at = case
            when radar_account.last_alert_at >= excluded.last_alert_at then radar_account.last_alert_at + 1
            else excluded.last_alert_at end
         returning last_alert_at")
    .bind(account)
    .bind(now)
    .one(tx)
    .await?;
    Ok(time)
}

pub(super) async fn insert_alert(tx: &mut Tx, account: AccountId, alert: &Alert) -> Result<(), DbError> {
    sql("insert into radar_alert (id, account_id, watch_id, lead_id, business_name, changes, score, created_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8)")
    .bind(alert.id)
    .bind(account)
    .bind(alert.watch)
    .bind(alert.lead)
    .bind(alert.business_name.as_str())
    .bind(json(&alert.changes.0))
    .bind(alert.score)
    .bind(alert.created_at)
    .run(tx)
    .await
    .map(|_| ())
}

/// A page of an account's alerts: those after a moment, oldest first, or else the newest.
pub(super) async fn alerts(db: &Db, account: AccountId, feed: Feed) -> Result<Vec<Alert>, DbError> {
    let statement = match feed.since {
        Some(since) => sql("select * from radar_alert where account_id = $1 and created_at > $3
             order by created_at limit $2")
        .bind(account)
        .bind(feed.limit)
        .bind(since),
        None => sql("select * from radar_alert where account_id = $1 order by created_at desc limit $2")
            .bind(account)
            .bind(feed.limit),
    };
    statement.all(db).await
}
