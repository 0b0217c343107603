//! The account of whoever sits at this machine: `canvass find` searches on it without asking for one.

use super::{Account, CreateError, Email, NewAccount, by_email, create};
use crate::app::App;
use crate::credits::{self, GrantError};
use crate::plan::{AddOn, Tier};

/// The reserved address of the local account. It is no customer: lists leave it out, and nobody else can have it.
pub(super) const LOCAL_EMAIL: &str = "find@localhost";

/// The local account cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum LocalError {
    /// It cannot be opened.
    #[error(transparent)]
    Create(#[from] CreateError),
    /// It cannot be given credits.
    #[error(transparent)]
    Grant(#[from] GrantError),
    /// The database failed.
    #[error(transparent)]
    Db(#[from] crate::db::DbError),
}

/// Whether the address is the local account's.
pub(super) fn is_local(email: &Email) -> bool {
    email.as_str() == LOCAL_EMAIL
}

/// The local account, with at least so many credits: on one's own machine nobody has to be asked for them.
pub async fn local(app: &App, credits: i64) -> Result<Account, LocalError> {
    let email = Email(LOCAL_EMAIL.to_owned());
    let account = match by_email(&app.db, &email).await? {
        Some(account) => account,
        None => {
            let new = NewAccount { email, tier: Tier::Scale, credits: Some(credits), add_ons: AddOn::ALL.to_vec() };
            create::open(app, new).await?
        }
    };
    if account.credits >= credits {
        return Ok(account);
    }
    let note = Some("for a search at this machine".to_owned());
    let balance = credits::grant(app, account.id, credits - account.credits, note).await?;
    Ok(Account { credits: balance, ..account })
}
