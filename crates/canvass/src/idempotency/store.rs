//! All SQL about idempotency keys.

use uuid::Uuid;

use super::{Claim, HELD_SECONDS, REMEMBERED_SECONDS, SavedResponse};
use crate::clock::Moment;
use crate::db::{Db, DbError, Tx, sql};
use crate::ids::AccountId;

/// A remembered request.
#[derive(Debug, from_row::FromRow)]
pub(super) struct Remembered {
    pub(super) fingerprint: String,
    #[row(try_from = "String")]
    pub(super) subject: Subject,
    pub(super) epoch: i64,
    pub(super) made: Option<String>,
    status: Option<i64>,
    content_type: Option<String>,
    body: Option<String>,
}

/// The id of what a request makes, as it is stored.
#[derive(Clone, Copy, Debug)]
pub(super) struct Subject(pub(super) Uuid);

impl TryFrom<String> for Subject {
    type Error = uuid::Error;

    fn try_from(text: String) -> Result<Self, uuid::Error> {
        Uuid::try_parse(&text).map(Subject)
    }
}

impl Remembered {
    /// The answer, once there is one.
    pub(super) fn answer(&self) -> Option<SavedResponse> {
        let status = u16::try_from(self.status?).ok()?;
        Some(SavedResponse { status, content_type: self.content_type.clone()?, body: self.body.clone()? })
    }
}

/// The time during which a request counts as running.
#[derive(Clone, Copy, Debug)]
pub(super) struct Held {
    pub(super) from: Moment,
    pub(super) until: Moment,
}

/// Claims a free key. `false` when it is taken.
pub(super) async fn insert(tx: &mut Tx, claim: &Claim, fingerprint: &str, held: Held) -> Result<bool, DbError> {
    let inserted = sql("insert into idempotency (account_id, key, fingerprint, subject, held_until, created_at, epoch)
         values ($1, $2, $3, $4, $5, $6, $7) on conflict (account_id, key) do nothing")
    .bind(claim.account)
    .bind(claim.key.as_str())
    .bind(fingerprint)
    .bind(claim.subject.to_string())
    .bind(held.until)
    .bind(held.from)
    .bind(claim.epoch)
    .run(tx)
    .await?;
    Ok(inserted == 1)
}

/// What is remembered under a key.
pub(super) async fn find(tx: &mut Tx, claim: &Claim) -> Result<Option<Remembered>, DbError> {
    sql("select fingerprint, subject, epoch, made, status, content_type, body from idempotency
         where account_id = $1 and key = $2")
    .bind(claim.account)
    .bind(claim.key.as_str())
    .optional(tx)
    .await
}

/// Takes a key whose holder is believed dead, and says under which epoch. `None` when it is alive, has made something or
/// has answered. A hold that ends later than any hold can was written by a clock that was ahead: it counts for nothing.
pub(super) async fn take_over(tx: &mut Tx, claim: &Claim, held: Held) -> Result<Option<i64>, DbError> {
    let taken: Option<(i64,)> = sql("update idempotency set held_until = $4, epoch = epoch + 1
         where account_id = $1 and key = $2 and status is null and made is null
            and (held_until <= $3 or held_until > $5) returning epoch")
    .bind(claim.account)
    .bind(claim.key.as_str())
    .bind(held.from)
    .bind(held.until)
    .bind(held.from.latest_ahead(HELD_SECONDS))
    .optional(tx)
    .await?;
    Ok(taken.map(|(epoch,)| epoch))
}

/// Writes what was made. `false` when another request has the key. A request that wants to free the key meanwhile waits until
/// this transaction has ended, one way or the other.
pub(super) async fn settle(tx: &mut Tx, claim: &Claim, made: &str) -> Result<bool, DbError> {
    let settled = sql("update idempotency set made = $4
         where account_id = $1 and key = $2 and epoch = $3 and made is null")
    .bind(claim.account)
    .bind(claim.key.as_str())
    .bind(claim.epoch)
    .bind(made)
    .run(tx)
    .await?;
    Ok(settled == 1)
}

/// Moves the end of a hold. `false` when there is none to move: the key is settled, answered or held by another request.
pub(super) async fn renew(tx: &mut Tx, claim: &Claim, until: Moment) -> Result<bool, DbError> {
    let renewed = sql("update idempotency set held_until = $4
         where account_id = $1 and key = $2 and epoch = $3 and status is null and made is null")
    .bind(claim.account)
    .bind(claim.key.as_str())
    .bind(claim.epoch)
    .bind(until)
    .run(tx)
    .await?;
    Ok(renewed == 1)
}

/// Stores the response; the first one wins.
pub(super) async fn keep(tx: &mut Tx, claim: &Claim, answer: &SavedResponse) -> Result<(), DbError> {
    sql("update idempotency set status = $4, content_type = $5, body = $6, held_until = null
         where account_id = $1 and key = $2 and epoch = $3 and status is null")
    .bind(claim.account)
    .bind(claim.key.as_str())
    .bind(claim.epoch)
    .bind(i64::from(answer.status))
    .bind(answer.content_type.as_str())
    .bind(answer.body.as_str())
    .run(tx)
    .await
    .map(|_| ())
}

/// Frees a key under which nothing was made.
pub(super) async fn let_go(tx: &mut Tx, claim: &Claim) -> Result<(), DbError> {
    sql("delete from idempotency
         where account_id = $1 and key = $2 and epoch = $3 and status is null and made is null")
    .bind(claim.account)
    .bind(claim.key.as_str())
    .bind(claim.epoch)
    .run(tx)
    .await
    .map(|_| ())
}

/// Ends a hold, and keeps the key.
pub(super) async fn free(tx: &mut Tx, claim: &Claim) -> Result<(), DbError> {
    sql("update idempotency set held_until = 0 where account_id = $1 and key = $2 and epoch = $3 and status is null")
        .bind(claim.account)
        .bind(claim.key.as_str())
        .bind(claim.epoch)
        .run(tx)
        .await
        .map(|_| ())
}

/// Frees a key whose day is over, by this server's clock and by the time that the database has seen pass.
pub(super) async fn forget_one(tx: &mut Tx, claim: &Claim, now: Moment) -> Result<(), DbError> {
    sql("delete from idempotency where account_id = $1 and key = $2 and created_at < $3
         and created_at < (select seen_at from time_seen where id = 1) - $4")
    .bind(claim.account)
    .bind(claim.key.as_str())
    .bind(now.plus_seconds(-REMEMBERED_SECONDS))
    .bind(REMEMBERED_SECONDS * 1_000_000)
    .run(tx)
    .await
    .map(|_| ())
}

/// Forgets the stored replies of an account to requests that made something, because they may tell of a lead that is blanked.
/// Their keys stay settled: a repeat is answered from what was made, and makes nothing.
pub(crate) async fn forget_replies(tx: &mut Tx, account: AccountId) -> Result<(), DbError> {
    sql("update idempotency set status = null, content_type = null, body = null, held_until = 0
         where account_id = $1 and made is not null and status is not null")
    .bind(account)
    .run(tx)
    .await
    .map(|_| ())
}

/// Forgets every answer that is no longer promised at `seen`, and says how many there were. `seen` is the time the database
/// has seen pass ([`crate::db::see_time`]), not what one server's clock claims.
pub async fn forget_old(db: &Db, seen: Moment) -> Result<u64, DbError> {
    let mut tx = db.begin().await?;
    let forgotten = sql("delete from idempotency where created_at < $1")
        .bind(seen.plus_seconds(-REMEMBERED_SECONDS))
        .run(&mut tx)
        .await?;
    tx.commit().await?;
    Ok(forgotten)
}
