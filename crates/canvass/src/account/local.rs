//! The local account: `canvass find` searches on it, so that a person at this machine needs none of their own.

use super::{Account, CreateError, Email, LOCAL_EMAIL, NewAccount, by_email, create};
use crate::app::App;
use crate::credits::{self, GrantError};
use crate::plan::{AddOn, Tier};

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

/// The local account, topped up to at least `credits`.
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
