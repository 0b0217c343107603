//! API keys, by which programs authenticate. Only a hash is stored; the key itself is shown once.

mod authenticate;
mod create;
mod revoke;
mod secret;
pub(crate) mod store;

pub use authenticate::Authenticator;
pub use create::{CreateError, CreatedKey, create, create_by};
pub use revoke::{revoke, revoke_by};
pub use secret::{KEY_PREFIX, SecretKey};
pub use store::{find_working, list};

use crate::account::Account;
use crate::clock::Moment;
use crate::ids::KeyId;

/// A key as it is listed: everything but the secret.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, from_row::FromRow)]
pub struct Key {
    /// Used to revoke it.
    #[row(try_from = "String")]
    pub id: KeyId,
    /// Chosen by its owner, usually after the tool that uses it.
    pub name: String,
    /// Its first characters, to tell an account's keys apart.
    pub prefix: String,
    /// It works from this moment on.
    pub created_at: Moment,
    /// Accurate to the minute; `None` before the first use.
    pub last_used_at: Option<Moment>,
    /// `None` while it works.
    pub revoked_at: Option<Moment>,
}

/// A working key and the account it belongs to.
#[derive(Clone, Debug, PartialEq, Eq, from_row::FromRow)]
pub struct AuthenticatedKey {
    /// Names the key in limits and logs, where its secret must not appear.
    #[row(rename = "key_id", try_from = "String")]
    pub key: KeyId,
    /// Before the request at hand.
    #[row(rename = "key_last_used_at")]
    pub last_used_at: Option<Moment>,
    /// As it was when the key was looked up.
    #[row(flatten)]
    pub account: Account,
}
