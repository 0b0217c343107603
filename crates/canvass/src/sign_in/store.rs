//! All SQL about links, their letters, and attempts to sign in.

use super::link::AccessLink;
use crate::clock::Moment;
use crate::db::{Db, DbError, On, Tx, sql};
use crate::ids::{AccessLinkId, Id, of};

/// An attempt, while it counts.
pub(super) struct Attempt {
    pub(super) id: Id<of::Activity>,
    pub(super) email_hash: String,
    pub(super) client: String,
    pub(super) at: Moment,
}

/// How many attempts count now, the one at hand included.
#[derive(Clone, Copy, Debug, from_row::FromRow)]
pub(super) struct Counted {
    pub(super) at_one_from_one: i64,
    pub(super) from_one: i64,
    pub(super) at_one: i64,
    /// The time of the oldest one that counts against this account or this place.
    pub(super) oldest: Moment,
}

pub(super) async fn add_link(tx: &mut Tx, link: &AccessLink) -> Result<(), DbError> {
    sql("insert into access_link (id, purpose, account_id, email, password_hash, created_at, expires_at)
         values ($1, $2, $3, $4, $5, $6, $7)")
    .bind(link.id)
    .bind(link.purpose.name())
    .bind(link.account_id.clone())
    .bind(&link.email)
    .bind(link.password_hash.clone())
    .bind(link.created_at)
    .bind(link.expires_at)
    .run(tx)
    .await
    .map(|_| ())
}

pub(super) async fn add_letter(tx: &mut Tx, link: &AccessLink) -> Result<(), DbError> {
    sql("insert into letter (link_id, created_at, state, tries, try_at, lease_until, lease_epoch)
         values ($1, $2, 'waiting', 0, $2, 0, 0)")
    .bind(link.id)
    .bind(link.created_at)
    .run(tx)
    .await
    .map(|_| ())
}

/// The link with this id.
pub(crate) async fn find_link(on: impl Into<On<'_>>, id: AccessLinkId) -> Result<Option<AccessLink>, DbError> {
    sql("select * from access_link where id = $1").bind(id).optional(on).await
}

/// Uses a link up. `None` when it is unknown, used or expired.
pub(super) async fn use_link(tx: &mut Tx, id: AccessLinkId, now: Moment) -> Result<Option<AccessLink>, DbError> {
    sql("update access_link set used_at = $2 where id = $1 and used_at is null and expires_at > $2 returning *")
        .bind(id)
        .bind(now)
        .optional(tx)
        .await
}

/// Deletes links that expired before a time, with their letters.
pub(crate) async fn remove_links_before(db: &Db, before: Moment) -> Result<(), DbError> {
    let mut tx = db.begin().await?;
    sql("delete from letter where link_id in (select id from access_link where expires_at < $1)")
        .bind(before)
        .run(&mut tx)
        .await?;
    sql("delete from access_link where expires_at < $1").bind(before).run(&mut tx).await?;
    tx.commit().await
}

pub(super) async fn add_attempt(tx: &mut Tx, attempt: &Attempt) -> Result<(), DbError> {
    sql("insert into sign_in_attempt (id, email_hash, client, created_at) values ($1, $2, $3, $4)")
        .bind(attempt.id)
        .bind(attempt.email_hash.as_str())
        .bind(attempt.client.as_str())
        .bind(attempt.at)
        .run(tx)
        .await
        .map(|_| ())
}

pub(super) async fn count_attempts(db: &Db, attempt: &Attempt, since: Moment) -> Result<Counted, DbError> {
    sql("select
            count(case when email_hash = $1 and client = $2 then 1 end) as at_one_from_one,
            count(case when client = $2 then 1 end) as from_one,
            count(case when email_hash = $1 then 1 end) as at_one,
            coalesce(min(created_at), $3) as oldest
         from sign_in_attempt where created_at > $3 and (email_hash = $1 or client = $2)")
    .bind(attempt.email_hash.as_str())
    .bind(attempt.client.as_str())
    .bind(since)
    .one(db)
    .await
}

pub(super) async fn remove_attempts(tx: &mut Tx, email_hash: &str, client: &str) -> Result<(), DbError> {
    sql("delete from sign_in_attempt where email_hash = $1 and client = $2")
        .bind(email_hash)
        .bind(client)
        .run(tx)
        .await
        .map(|_| ())
}

pub(super) async fn remove_attempts_before(db: &Db, before: Moment) -> Result<(), DbError> {
    let mut tx = db.begin().await?;
    sql("delete from sign_in_attempt where created_at < $1").bind(before).run(&mut tx).await?;
    tx.commit().await
}
