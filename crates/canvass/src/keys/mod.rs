//! API keys: what a program shows to be let in. Only a hash is stored; the key is shown once.

mod authenticate;
mod create;
mod secret;
pub(crate) mod store;

pub use authenticate::{AuthenticatedKey, Authenticator};
pub use create::{CreateError, Created, create};
pub use secret::{KEY_PREFIX, SecretKey};
pub use store::{find_working, list, revoke};

use crate::clock::Moment;
use crate::ids::KeyId;

/// A key as its owner sees it later: everything but the key itself.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, sqlx::FromRow)]
pub struct Key {
    /// Its id, by which it is revoked.
    #[sqlx(try_from = "String")]
    pub id: KeyId,
    /// What its owner called it.
    pub name: String,
    /// How it begins, to tell it from its sisters.
    pub prefix: String,
    /// Since when it works.
    pub created_at: Moment,
    /// When it was last used, to the minute.
    pub last_used_at: Option<Moment>,
    /// Since when it no longer works.
    pub revoked_at: Option<Moment>,
}
