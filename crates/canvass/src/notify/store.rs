//! All SQL about e-mails on their way.

use super::Ending;
use super::send::{LEASE_SECONDS, WAIT_SECONDS_MAX};
use crate::clock::Moment;
use crate::db::{Db, DbError, Tx, sql};
use crate::ids::SearchId;

/// What has become of an e-mail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// It is to be sent.
    Waiting,
    /// A mail server, or the folder, has it.
    Sent,
    /// Nobody took it.
    GivenUp,
}

impl State {
    const ALL: [State; 3] = [State::Waiting, State::Sent, State::GivenUp];

    fn name(self) -> &'static str {
        match self {
            State::Waiting => "waiting",
            State::Sent => "sent",
            State::GivenUp => "given_up",
        }
    }
}

/// A state only a newer version could have written.
#[derive(Debug, thiserror::Error)]
#[error("{0:?} is no state of an e-mail that this version knows")]
pub struct UnknownState(String);

impl TryFrom<String> for State {
    type Error = UnknownState;

    fn try_from(text: String) -> Result<Self, UnknownState> {
        State::ALL.into_iter().find(|state| state.name() == text).ok_or(UnknownState(text))
    }
}

/// How an e-mail stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Posted {
    /// What has become of it.
    #[sqlx(try_from = "String")]
    pub state: State,
    /// How often it was tried.
    pub tries: i64,
    /// When it is tried next, while it waits.
    pub try_at: Moment,
}

/// An e-mail that was taken to be sent.
#[derive(Clone, Debug, sqlx::FromRow)]
pub(super) struct Taken {
    #[sqlx(try_from = "String")]
    pub(super) search_id: SearchId,
    pub(super) ending: String,
    pub(super) created_at: Moment,
    pub(super) tries: i64,
    pub(super) lease_epoch: i64,
}

pub(super) async fn insert(tx: &mut Tx, ending: &Ending, now: Moment) -> Result<(), DbError> {
    sql("insert into outbox
            (search_id, account_id, ending, created_at, state, tries, try_at, lease_until, lease_epoch)
         values ($1, $2, $3, $4, 'waiting', 0, $4, 0, 0) on conflict do nothing")
    .bind(ending.search)
    .bind(ending.account)
    .bind(serde_json::to_string(ending).expect("an ending is plain data"))
    .bind(now)
    .run(tx)
    .await
    .map(|_| ())
}

/// How the e-mail about a search stands. `None` when nobody asked for one, or the search has not ended.
pub async fn find(db: &Db, search: SearchId) -> Result<Option<Posted>, DbError> {
    sql("select state, tries, try_at from outbox where search_id = $1").bind(search).optional(db).await
}

/// E-mails to be sent now, those that have waited longest first. A time later than any that is ever written comes from a
/// clock that was ahead: it is not waited for.
pub(super) async fn due(db: &Db, now: Moment, limit: i64) -> Result<Vec<SearchId>, DbError> {
    let found: Vec<(String,)> =
        sql("select search_id from outbox where state = 'waiting' and (try_at <= $1 or try_at > $3)
            and (lease_until <= $1 or lease_until > $4)
         order by try_at, search_id limit $2")
        .bind(now)
        .bind(limit)
        .bind(now.latest_ahead(WAIT_SECONDS_MAX))
        .bind(now.latest_ahead(LEASE_SECONDS))
        .all(db)
        .await?;
    Ok(found.into_iter().filter_map(|(id,)| SearchId::parse(&id)).collect())
}

/// Takes an e-mail until a moment, and counts the try. `None` when somebody else was faster.
pub(super) async fn take(
    tx: &mut Tx,
    search: SearchId,
    (now, until): (Moment, Moment),
) -> Result<Option<Taken>, DbError> {
    sql("update outbox set lease_until = $3, lease_epoch = lease_epoch + 1, tries = tries + 1
         where search_id = $1 and state = 'waiting' and (try_at <= $2 or try_at > $4)
            and (lease_until <= $2 or lease_until > $5)
         returning search_id, ending, created_at, tries, lease_epoch")
    .bind(search)
    .bind(now)
    .bind(until)
    .bind(now.latest_ahead(WAIT_SECONDS_MAX))
    .bind(now.latest_ahead(LEASE_SECONDS))
    .optional(tx)
    .await
}

/// Settles what has become of an e-mail that was taken, for as long as nobody else has taken it since.
pub(super) async fn settle(tx: &mut Tx, taken: &Taken, state: State, now: Moment) -> Result<(), DbError> {
    sql("update outbox set state = $3, settled_at = $4, lease_until = 0
         where search_id = $1 and lease_epoch = $2 and state = 'waiting'")
    .bind(taken.search_id)
    .bind(taken.lease_epoch)
    .bind(state.name())
    .bind(now)
    .run(tx)
    .await
    .map(|_| ())
}

/// Leaves an e-mail that was taken to be tried again later.
pub(super) async fn postpone(tx: &mut Tx, taken: &Taken, try_at: Moment) -> Result<(), DbError> {
    sql("update outbox set try_at = $3, lease_until = 0
         where search_id = $1 and lease_epoch = $2 and state = 'waiting'")
    .bind(taken.search_id)
    .bind(taken.lease_epoch)
    .bind(try_at)
    .run(tx)
    .await
    .map(|_| ())
}
