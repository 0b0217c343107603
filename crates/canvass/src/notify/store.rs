//! All SQL about the outbox.

use super::{Ending, LEASE_SECONDS, WAIT_SECONDS_MAX};
use crate::clock::Moment;
use crate::config::Settings;
use crate::db::{Db, DbError, Tx, sql};
use crate::ids::{SearchId, of};
use crate::jobs::{Job, Lease, Table, Terms, guarded};

/// Where an e-mail stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MailState {
    /// It is to be sent.
    Waiting,
    /// A mail server, or the folder, has it.
    Sent,
    /// Every try failed, or none can succeed.
    GivenUp,
}

impl MailState {
    const ALL: [MailState; 3] = [MailState::Waiting, MailState::Sent, MailState::GivenUp];

    fn name(self) -> &'static str {
        match self {
            MailState::Waiting => "waiting",
            MailState::Sent => "sent",
            MailState::GivenUp => "given_up",
        }
    }
}

/// A state only a newer version could have written.
#[derive(Debug, thiserror::Error)]
#[error("{0:?} is no state of an e-mail that this version knows")]
pub struct UnknownState(String);

impl TryFrom<String> for MailState {
    type Error = UnknownState;

    fn try_from(text: String) -> Result<Self, UnknownState> {
        MailState::ALL.into_iter().find(|state| state.name() == text).ok_or(UnknownState(text))
    }
}

/// How far an e-mail is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, from_row::FromRow)]
pub struct MailProgress {
    /// Where it stands.
    #[row(try_from = "String")]
    pub state: MailState,
    /// Times it was taken to be sent.
    pub tries: i64,
    /// The time of the next try, while it waits.
    pub try_at: Moment,
}

/// An e-mail in the outbox: the job of sending it.
#[derive(Clone, Debug, from_row::FromRow)]
pub struct OutboxMail {
    /// The search whose end it tells; each search has at most one.
    #[row(try_from = "String", rename = "search_id")]
    pub(super) search: SearchId,
    /// An [`Ending`] as JSON.
    pub(super) ending: String,
    pub(super) created_at: Moment,
    pub(super) tries: i64,
}

impl Job for OutboxMail {
    type Of = of::Search;

    const TABLE: Table = Table {
        name: "outbox",
        id: "search_id",
        open: "state = 'waiting'",
        takeable: "true",
        due_at: "try_at",
        on_take: ", tries = tries + 1",
    };

    fn id(&self) -> SearchId {
        self.search
    }

    fn terms(_: &Settings) -> Terms {
        Terms { lease: LEASE_SECONDS, lease_max: LEASE_SECONDS, wait_max: WAIT_SECONDS_MAX }
    }
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

/// How far the e-mail about a search is. `None` when none was asked for, or the search has not ended.
pub async fn find(db: &Db, search: SearchId) -> Result<Option<MailProgress>, DbError> {
    sql("select state, tries, try_at from outbox where search_id = $1").bind(search).optional(db).await
}

/// Ends the job of sending an e-mail.
pub(super) async fn settle<J: Job>(
    tx: &mut Tx,
    lease: &Lease<J>,
    state: MailState,
    now: Moment,
) -> Result<(), DbError> {
    guarded(lease, "state = $3, settled_at = $4, lease_until = 0, lease_owner = null", "")
        .bind(state.name())
        .bind(now)
        .run(tx)
        .await
        .map(|_| ())
}
