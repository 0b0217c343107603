//! All SQL about sessions.

use super::{AGE_SECONDS_MAX, AuthenticatedSession, IDLE_SECONDS_MAX, Session};
use crate::clock::Moment;
use crate::db::{Db, DbError, Tx, sql};
use crate::ids::{AccountId, SessionId};

/// A session as it is stored.
pub(super) struct SessionRow<'a> {
    pub(super) id: SessionId,
    pub(super) account: AccountId,
    pub(super) device: &'a str,
    pub(super) hash: String,
    pub(super) created_at: Moment,
    pub(super) expires_at: Moment,
    pub(super) may_set_password_until: Moment,
}

pub(super) async fn insert(tx: &mut Tx, row: &SessionRow<'_>) -> Result<(), DbError> {
    sql("insert into session
            (id, account_id, hash, device, created_at, last_seen_at, expires_at, may_set_password_until)
         values ($1, $2, $3, $4, $5, $5, $6, $7)")
    .bind(row.id)
    .bind(row.account)
    .bind(row.hash.as_str())
    .bind(row.device)
    .bind(row.created_at)
    .bind(row.expires_at)
    .bind(row.may_set_password_until)
    .run(tx)
    .await
    .map(|_| ())
}

/// The open session with this hash, and its account.
pub(super) async fn authenticate(db: &Db, hash: &str, now: Moment) -> Result<Option<AuthenticatedSession>, DbError> {
    sql("select a.*, s.id as session_id, s.device, s.last_seen_at, s.may_set_password_until
         from session s join account a on a.id = s.account_id
         where s.hash = $1 and s.ended_at is null and s.expires_at > $2")
    .bind(hash)
    .bind(now)
    .optional(db)
    .await
}

/// The session with this id while it is open, and its account.
pub(super) async fn find_open(
    db: &Db,
    session: SessionId,
    now: Moment,
) -> Result<Option<AuthenticatedSession>, DbError> {
    sql("select a.*, s.id as session_id, s.device, s.last_seen_at, s.may_set_password_until
         from session s join account a on a.id = s.account_id
         where s.id = $1 and s.ended_at is null and s.expires_at > $2")
    .bind(session)
    .bind(now)
    .optional(db)
    .await
}

/// An account's open sessions, the one used last first.
pub async fn list(db: &Db, account: AccountId, now: Moment) -> Result<Vec<Session>, DbError> {
    sql("select id, device, created_at, last_seen_at from session
         where account_id = $1 and ended_at is null and expires_at > $2 order by last_seen_at desc, id desc")
    .bind(account)
    .bind(now)
    .all(db)
    .await
}

/// Moves "last seen" and the end of a session, which never lies beyond the greatest age of a session.
pub(super) async fn touch(tx: &mut Tx, session: SessionId, now: Moment, expires_at: Moment) -> Result<(), DbError> {
    sql("update session set last_seen_at = $2,
            expires_at = case when created_at + $4 < $3 then created_at + $4 else $3 end
         where id = $1 and ended_at is null and last_seen_at < $2")
    .bind(session)
    .bind(now)
    .bind(expires_at)
    .bind(AGE_SECONDS_MAX * 1_000_000)
    .run(tx)
    .await
    .map(|_| ())
}

/// Ends an open session of this account and gives its device; `None` when there is none.
pub(super) async fn end(
    tx: &mut Tx,
    account: AccountId,
    session: SessionId,
    now: Moment,
) -> Result<Option<String>, DbError> {
    let ended: Option<(String,)> = sql("update session set ended_at = $3
         where account_id = $1 and id = $2 and ended_at is null returning device")
    .bind(account)
    .bind(session)
    .bind(now)
    .optional(tx)
    .await?;
    Ok(ended.map(|(device,)| device))
}

/// Ends every open session of an account.
pub(crate) async fn end_all(tx: &mut Tx, account: AccountId, now: Moment) -> Result<u64, DbError> {
    sql("update session set ended_at = $2 where account_id = $1 and ended_at is null")
        .bind(account)
        .bind(now)
        .run(tx)
        .await
}

/// Ends every open session of an account but one.
pub(crate) async fn end_others(tx: &mut Tx, account: AccountId, kept: SessionId, now: Moment) -> Result<u64, DbError> {
    sql("update session set ended_at = $3 where account_id = $1 and id <> $2 and ended_at is null")
        .bind(account)
        .bind(kept)
        .bind(now)
        .run(tx)
        .await
}

/// From now on the present password is needed to set a new one.
pub(crate) async fn forbid_set_password(tx: &mut Tx, session: SessionId, now: Moment) -> Result<(), DbError> {
    sql("update session set may_set_password_until = $2 where id = $1")
        .bind(session)
        .bind(now)
        .run(tx)
        .await
        .map(|_| ())
}

/// Deletes sessions that ended long ago, one way or the other.
pub(crate) async fn forget_ended(db: &Db, now: Moment) -> Result<(), DbError> {
    let before = now.plus_seconds(-IDLE_SECONDS_MAX);
    let mut tx = db.begin().await?;
    sql("delete from session where expires_at < $1").bind(before).run(&mut tx).await?;
    sql("delete from session where ended_at < $1").bind(before).run(&mut tx).await?;
    tx.commit().await
}
