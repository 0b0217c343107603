//! All SQL about Radar.

use super::check_result::CheckResult;
use super::report::{Alert, Check, Feed};
use super::{Business, Lease, Watch, json};
use crate::clock::Moment;
use crate::db::{Db, DbError, On, Tx, sql, sql_of};
use crate::ids::{AccountId, LeadId, WatchId};
use crate::jobs::guarded;
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
    // The watch kept its lead from being deleted with the others of an old search: now it is deleted, too.
    sql("update search set is_pruned = false where is_pruned = true and id =
         (select lead.search_id from watch join lead on lead.id = watch.lead_id where watch.id = $1 and watch.account_id = $2)")
    .bind(watch)
    .bind(account)
    .run(&mut *tx)
    .await?;
    let deleted = sql("delete from watch where id = $1 and account_id = $2").bind(watch).bind(account).run(tx).await?;
    Ok(deleted > 0)
}

/// Removes the watches an account has of the business of a lead, and what they reported. Says how many there were.
pub(super) async fn delete_of_lead(
    tx: &mut Tx,
    account: AccountId,
    lead: LeadId,
    business: &str,
) -> Result<u64, DbError> {
    let deleted = sql("delete from watch where account_id = $1 and (lead_id = $2 or business_id = $3)")
        .bind(account)
        .bind(lead)
        .bind(business)
        .run(tx)
        .await?;
    sql("delete from radar_alert where account_id = $1 and lead_id = $2").bind(account).bind(lead).run(tx).await?;
    Ok(deleted)
}

/// The watches that were made from a lead of the account.
pub(super) async fn of_lead(tx: &mut Tx, account: AccountId, lead: LeadId) -> Result<Vec<Watch>, DbError> {
    sql("select * from watch where account_id = $1 and lead_id = $2").bind(account).bind(lead).all(tx).await
}

/// Replaces what a watch knows of its business. A check that is under way knows the business as it was: it loses its lease, and
/// another one is made. The next score is not compared with the last one, which other values were scored for.
pub(super) async fn replace_business(tx: &mut Tx, watch: WatchId, business: &Business) -> Result<(), DbError> {
    sql("update watch set business = $2, score_told = null, lease_epoch = lease_epoch + 1, lease_until = 0,
            lease_owner = null where id = $1")
    .bind(watch)
    .bind(json(business))
    .run(tx)
    .await
    .map(|_| ())
}

/// Gives the alerts of a lead another name of its business.
pub(super) async fn rename_alerts(tx: &mut Tx, account: AccountId, lead: LeadId, name: &str) -> Result<(), DbError> {
    sql("update radar_alert set business_name = $3 where account_id = $1 and lead_id = $2")
        .bind(account)
        .bind(lead)
        .bind(name)
        .run(tx)
        .await
        .map(|_| ())
}

/// Removes what a watch reported.
pub(super) async fn delete_alerts(tx: &mut Tx, account: AccountId, watch: WatchId) -> Result<(), DbError> {
    let deleted = sql("delete from radar_alert where account_id = $1 and watch_id = $2").bind(account).bind(watch);
    deleted.run(tx).await.map(|_| ())
}

/// The next watches behind an id, in order, whose text matches any of these patterns; without patterns, all watches.
pub(super) async fn suspects(db: &Db, after: &str, patterns: &[String], limit: i64) -> Result<Vec<Watch>, DbError> {
    let any: Vec<String> = (3..patterns.len() + 3)
        .map(|place| format!("lower(business) like ${place} or lower(baseline) like ${place}"))
        .collect();
    let matches = if any.is_empty() { String::new() } else { format!("and ({})", any.join(" or ")) };
    let statement = sql_of(format!("select * from watch where id > $1 {matches} order by id limit $2"));
    let statement = statement.bind(after).bind(limit);
    patterns.iter().fold(statement, |statement, pattern| statement.bind(pattern.as_str())).all(db).await
}

/// The ids of the next watches after one, in order.
pub(super) async fn ids_after(db: &Db, after: Option<WatchId>, limit: i64) -> Result<Vec<WatchId>, DbError> {
    let after = after.map(|watch| watch.to_string()).unwrap_or_default();
    let found: Vec<(String,)> =
        sql("select id from watch where id > $1 order by id limit $2").bind(after).bind(limit).all(db).await?;
    Ok(found.into_iter().filter_map(|(id,)| WatchId::parse(&id)).collect())
}

/// Stores what a check found and hands the watch back; returns the check's number. `None` when the lease is lost, or the
/// watch is gone.
pub(super) async fn conclude(tx: &mut Tx, lease: &Lease, result: &CheckResult) -> Result<Option<i64>, DbError> {
    let number: Option<(i64,)> = guarded(
        lease,
        "baseline = $3, doubts = $4, score = $5, score_told = $6, scored_with = $7, site_status = $8,
            last_checked_at = $9, next_check_at = $10, checks = checks + 1, lease_owner = null, lease_until = 0",
        "returning checks",
    )
    .bind(json(&result.baseline))
    .bind(json(&result.doubts))
    .bind(result.score)
    .bind(result.score_told)
    .bind(result.scored_with)
    .bind(result.site_status.as_str())
    .bind(result.at)
    .bind(result.next_check_at)
    .optional(tx)
    .await?;
    Ok(number.map(|(number,)| number))
}

pub(super) async fn insert_check(tx: &mut Tx, watch: WatchId, number: i64, check: &CheckResult) -> Result<(), DbError> {
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
