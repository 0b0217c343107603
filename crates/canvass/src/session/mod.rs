//! Sessions: what the browser of a signed-in person shows instead of an API key.
//!
//! [`Sessions`] is the port through which the server asks who a token belongs to. Signing in is not built yet, so
//! [`NoSessions`] answers for it: every token is unknown.

mod token;

pub use token::{SESSION_PREFIX, SessionToken};

use std::fmt;
use std::sync::Arc;

use futures::future::{BoxFuture, ready};

use crate::account::Account;
use crate::db::DbError;
use crate::ids::SessionId;

/// An open session and the account of the person who signed in, read at the same moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuthenticatedSession {
    /// Names the session in limits and logs, where its token must not appear.
    pub session: SessionId,
    /// As it was when the token was looked up.
    pub account: Account,
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

/// Knows no session.
#[derive(Clone, Copy, Debug)]
pub struct NoSessions;

impl Sessions for NoSessions {
    fn authenticate<'a>(&'a self, _: &'a SessionToken) -> BoxFuture<'a, SessionLookup> {
        Box::pin(ready(Ok(None)))
    }

    fn find_open(&self, _: SessionId) -> BoxFuture<'_, SessionLookup> {
        Box::pin(ready(Ok(None)))
    }
}
