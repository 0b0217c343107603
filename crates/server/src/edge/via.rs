//! The key or session through which an account is used.

use std::fmt;

use canvass::ids::{KeyId, SessionId};
use canvass::plan::Actor;

/// Through what an account is used. Limits count and logs name callers by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Via {
    /// A program, by an API key.
    Key(KeyId),
    /// A person, by a session of the web app.
    Session(SessionId),
}

impl Via {
    /// `key` or `session`, as limits and their headers call it.
    pub fn kind(self) -> &'static str {
        match self {
            Via::Key(_) => "key",
            Via::Session(_) => "session",
        }
    }

    /// Who acts: a program by a key, a person by a session.
    pub fn actor(self) -> Actor {
        match self {
            Via::Key(_) => Actor::Program,
            Via::Session(_) => Actor::Person,
        }
    }
}

impl fmt::Display for Via {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Via::Key(key) => write!(f, "key {key}"),
            Via::Session(session) => write!(f, "session {session}"),
        }
    }
}
