//! All SQL about map providers.

use map_providers::Reply;

use crate::clock::Moment;
use crate::db::{Db, DbError, On, Tx, sql};

/// Calls of one kind.
#[derive(Clone, Debug, PartialEq, Eq, from_row::FromRow)]
pub struct CallCount {
    /// The provider's name.
    pub provider: String,
    /// What the provider counts them as.
    pub kind: String,
    /// How many.
    pub calls: i64,
}

/// The stored answer to a request, unless it is too old.
pub(super) async fn answer(db: &Db, request: &str, now: Moment) -> Result<Option<Reply>, DbError> {
    let found: Option<(i64, String)> =
        sql("select status, body from provider_answer where request = $1 and expires_at > $2")
            .bind(request)
            .bind(now)
            .optional(db)
            .await?;
    Ok(found.map(|(status, body)| Reply {
        status: u16::try_from(status).unwrap_or_default(),
        retry_after: None,
        body: body.into(),
    }))
}

/// An answer to be kept.
pub(super) struct Kept<'a> {
    pub(super) request: &'a str,
    pub(super) provider: &'a str,
    pub(super) status: u16,
    pub(super) body: &'a str,
    pub(super) expires_at: Moment,
}

/// Keeps an answer; a newer one replaces it.
pub(super) async fn keep(db: &Db, kept: &Kept<'_>) -> Result<(), DbError> {
    let mut tx = db.begin().await?;
    sql("insert into provider_answer (request, provider, status, body, expires_at) values ($1, $2, $3, $4, $5)
         on conflict (request) do update set status = excluded.status, body = excluded.body, expires_at = excluded.expires_at")
        .bind(kept.request)
        .bind(kept.provider)
        .bind(i64::from(kept.status))
        .bind(kept.body)
        .bind(kept.expires_at)
        .run(&mut tx)
        .await?;
    tx.commit().await
}

/// Counts a call under a month or an inquiry, unless that has had as many as it may. `false` when it has.
pub(super) async fn count(tx: &mut Tx, call: (&str, &str), span: &str, most: Option<i64>) -> Result<bool, DbError> {
    let (provider, kind) = call;
    if let Some(most) = most {
        // One writer at a time for each span: a sum over its kinds is what the budget limits.
        let (used,): (i64,) =
            sql("select cast(coalesce(sum(calls), 0) as bigint) from provider_calls where span = $1 and provider = $2")
                .bind(span)
                .bind(provider)
                .one(&mut *tx)
                .await?;
        if used >= most {
            return Ok(false);
        }
    }
    sql("insert into provider_calls (provider, kind, span, calls) values ($1, $2, $3, 1)
         on conflict (span, provider, kind) do update set calls = provider_calls.calls + 1")
    .bind(provider)
    .bind(kind)
    .bind(span)
    .run(tx)
    .await
    .map(|_| ())?;
    Ok(true)
}

/// The calls of a month or an inquiry.
pub async fn calls_of(on: impl Into<On<'_>>, span: &str) -> Result<Vec<CallCount>, DbError> {
    sql("select provider, kind, calls from provider_calls where span = $1 order by provider, kind")
        .bind(span)
        .all(on)
        .await
}

/// Takes the next turn at a provider, and says when that is. Also the lock under which calls of a provider are counted.
pub(super) async fn take_turn(
    tx: &mut Tx,
    provider: &str,
    now: Moment,
    interval_micros: i64,
) -> Result<Moment, DbError> {
    let (next,): (i64,) = sql("insert into provider_turn (provider, next_at) values ($1, $2 + $3)
         on conflict (provider) do update set
             next_at = case when provider_turn.next_at > $2 then provider_turn.next_at else $2 end + $3
         returning next_at")
    .bind(provider)
    .bind(now.micros())
    .bind(interval_micros)
    .one(tx)
    .await?;
    Ok(Moment::from_micros(next - interval_micros))
}

/// Nobody's next turn at a provider is sooner than this.
pub(super) async fn delay_turns(db: &Db, provider: &str, next_at: Moment) -> Result<(), DbError> {
    let mut tx = db.begin().await?;
    sql("update provider_turn set next_at = $2 where provider = $1 and next_at < $2")
        .bind(provider)
        .bind(next_at)
        .run(&mut tx)
        .await?;
    tx.commit().await
}

/// Takes a free slot of a provider for a while. `None` when all are held.
pub(super) async fn take_slot(
    db: &Db,
    provider: &str,
    holder: &str,
    (slots, now, until): (u32, Moment, Moment),
) -> Result<Option<i64>, DbError> {
    let mut tx = db.begin().await?;
    for slot in 0..i64::from(slots) {
        let taken = sql("insert into provider_slot (provider, slot, holder, held_until) values ($1, $2, $3, $4)
             on conflict (provider, slot) do update set holder = excluded.holder, held_until = excluded.held_until
             where provider_slot.held_until <= $5")
        .bind(provider)
        .bind(slot)
        .bind(holder)
        .bind(until)
        .bind(now)
        .run(&mut tx)
        .await?;
        if taken > 0 {
            tx.commit().await?;
            return Ok(Some(slot));
        }
    }
    Ok(None)
}

/// Frees a slot that is still the holder's.
pub(super) async fn free_slot(db: &Db, provider: &str, slot: i64, holder: &str) -> Result<(), DbError> {
    let mut tx = db.begin().await?;
    sql("delete from provider_slot where provider = $1 and slot = $2 and holder = $3")
        .bind(provider)
        .bind(slot)
        .bind(holder)
        .run(&mut tx)
        .await?;
    tx.commit().await
}

/// Deletes what is too old to be used.
pub(super) async fn delete_expired(db: &Db, now: Moment) -> Result<(), DbError> {
    let mut tx = db.begin().await?;
    sql("delete from provider_answer where expires_at <= $1").bind(now).run(&mut tx).await?;
    tx.commit().await
}
