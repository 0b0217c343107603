//! All SQL about remembered answers.

use uuid::Uuid;

use super::{Answer, Claim, REMEMBERED_SECONDS};
use crate::clock::Moment;
use crate::db::{Db, DbError, Tx, sql};

/// A remembered request.
#[derive(Debug, sqlx::FromRow)]
pub(super) struct Remembered {
    pub(super) fingerprint: String,
    #[sqlx(try_from = "String")]
    pub(super) subject: Subject,
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
    pub(super) fn answer(&self) -> Option<Answer> {
        let status = u16::try_from(self.status?).ok()?;
        Some(Answer { status, content_type: self.content_type.clone()?, body: self.body.clone()? })
    }
}

/// From when until when a request is believed to be at work.
#[derive(Clone, Copy, Debug)]
pub(super) struct Held {
    pub(super) from: Moment,
    pub(super) until: Moment,
}

/// Takes a key that nobody has. `false` when somebody does.
pub(super) async fn insert(tx: &mut Tx, claim: &Claim, fingerprint: &str, held: Held) -> Result<bool, DbError> {
    let inserted = sql("insert into idempotency (account_id, key, fingerprint, subject, held_until, created_at)
         values ($1, $2, $3, $4, $5, $6) on conflict (account_id, key) do nothing")
    .bind(claim.account)
    .bind(claim.key.as_str())
    .bind(fingerprint)
    .bind(claim.subject.to_string())
    .bind(held.until)
    .bind(held.from)
    .run(tx)
    .await?;
    Ok(inserted == 1)
}

/// What is remembered under a key that somebody has.
pub(super) async fn find(tx: &mut Tx, claim: &Claim) -> Result<Remembered, DbError> {
    sql("select fingerprint, subject, status, content_type, body from idempotency
         where account_id = $1 and key = $2")
    .bind(claim.account)
    .bind(claim.key.as_str())
    .one(tx)
    .await
}

/// Takes a key whose holder is believed dead. `false` when it is alive or has answered.
pub(super) async fn take_over(tx: &mut Tx, claim: &Claim, held: Held) -> Result<bool, DbError> {
    let taken = sql("update idempotency set held_until = $4
         where account_id = $1 and key = $2 and status is null and held_until < $3")
    .bind(claim.account)
    .bind(claim.key.as_str())
    .bind(held.from)
    .bind(held.until)
    .run(tx)
    .await?;
    Ok(taken == 1)
}

/// Stores the answer.
pub(super) async fn keep(tx: &mut Tx, claim: &Claim, answer: &Answer) -> Result<(), DbError> {
    sql("update idempotency set status = $3, content_type = $4, body = $5, held_until = null
         where account_id = $1 and key = $2 and status is null")
    .bind(claim.account)
    .bind(claim.key.as_str())
    .bind(i64::from(answer.status))
    .bind(answer.content_type.as_str())
    .bind(answer.body.as_str())
    .run(tx)
    .await
    .map(|_| ())
}

/// Frees a key without an answer.
pub(super) async fn let_go(tx: &mut Tx, claim: &Claim) -> Result<(), DbError> {
    sql("delete from idempotency where account_id = $1 and key = $2 and status is null")
        .bind(claim.account)
        .bind(claim.key.as_str())
        .run(tx)
        .await
        .map(|_| ())
}

/// Frees a key last used before `old`.
pub(super) async fn forget_one(tx: &mut Tx, claim: &Claim, old: Moment) -> Result<(), DbError> {
    sql("delete from idempotency where account_id = $1 and key = $2 and created_at < $3")
        .bind(claim.account)
        .bind(claim.key.as_str())
        .bind(old)
        .run(tx)
        .await
        .map(|_| ())
}

/// Forgets every answer that is no longer promised, and says how many there were.
pub async fn forget_old(db: &Db, now: Moment) -> Result<u64, DbError> {
    let mut tx = db.begin().await?;
    let forgotten = sql("delete from idempotency where created_at < $1")
        .bind(now.plus_seconds(-REMEMBERED_SECONDS))
        .run(&mut tx)
        .await?;
    tx.commit().await?;
    Ok(forgotten)
}
