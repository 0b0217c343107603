//! Sessions: what the browser of a signed-in person shows instead of an API key. Only a hash of its token is stored.
//!
//! [`Sessions`] is the port through which the server asks who a token belongs to; [`StoredSessions`] asks the database.

mod authenticate;
mod device;
mod end;
mod open;
pub(crate) mod store;
mod token;

pub use authenticate::StoredSessions;
pub use device::device;
pub use end::{sign_out, sign_out_device, sign_out_everywhere};
pub(crate) use open::{NewSession, open};
pub(crate) use store::forget_ended;
pub use store::list;
pub use token::{SESSION_PREFIX, SessionToken};

use std::fmt;
use std::sync::Arc;

use futures::future::BoxFuture;

use crate::account::Account;
use crate::clock::Moment;
use crate::db::DbError;
use crate::ids::SessionId;

/// Lifetime of a session that is not used, and of any session.
pub const IDLE_SECONDS_MAX: i64 = 30 * 24 * 60 * 60;
const AGE_SECONDS_MAX: i64 = 180 * 24 * 60 * 60;
/// How long after a link was used a password may be set without the present one.
const SET_PASSWORD_SECONDS: i64 = 15 * 60;

/// A session as its owner sees it.
#[derive(Clone, Debug, PartialEq, Eq, from_row::FromRow)]
pub struct Session {
    /// Used to end it.
    #[row(try_from = "String")]
    pub id: SessionId,
    /// What it was opened with, such as "Firefox on Linux".
    pub device: String,
    /// When somebody signed in.
    pub created_at: Moment,
    /// Accurate to the minute.
    pub last_seen_at: Moment,
}

/// An open session and the account of the person who signed in, read at the same moment.
#[derive(Clone, Debug, PartialEq, Eq, from_row::FromRow)]
pub struct AuthenticatedSession {
    /// Names the session in limits and logs, where its token must not appear.
    #[row(rename = "session_id", try_from = "String")]
    pub session: SessionId,
    /// What it was opened with.
    pub device: String,
    /// Before the request at hand.
    pub last_seen_at: Moment,
    /// Until when a password may be set without the present one.
    pub may_set_password_until: Moment,
    /// As it was when the token was looked up.
    #[row(flatten)]
    pub account: Account,
}

impl AuthenticatedSession {
    /// Whether a link has just proved who this is, so that a password may be set without the present one.
    pub fn may_set_password(&self, now: Moment) -> bool {
        now < self.may_set_password_until
    }
}

/// `None` when the session is unknown, has expired, or was ended by signing out.
pub type SessionLookup = Result<Option<Arc<AuthenticatedSession>>, Arc<DbError>>;

/// Looks sessions up. Implementations must not cache: a session that was ended is refused from the next request on.
pub trait Sessions: Send + Sync + fmt::Debug {
    /// The session a token belongs to; also notes that it was used.
    fn authenticate<'a>(&'a self, token: &'a SessionToken) -> BoxFuture<'a, SessionLookup>;

    /// The session while it is open, for requests that outlive their authentication.
    fn find_open(&self, session: SessionId) -> BoxFuture<'_, SessionLookup>;
}
