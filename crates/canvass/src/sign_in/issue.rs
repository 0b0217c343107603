//! Issues links: for the operator to hand over, or to be sent.

use super::link::{AccessLink, Purpose};
use super::store;
use crate::account::{self, Account, Email};
use crate::app::App;
use crate::config::SignUp;
use crate::db::{DbError, Tx};

/// A link that signs the owner of an account in, for the operator to hand over.
pub async fn link_for(app: &App, account: &Account) -> Result<AccessLink, DbError> {
    stored(app, AccessLink::new(app, Purpose::SignIn, Some(account.id), &account.email)).await
}

/// A link that opens an account for an address, for the operator to hand over. `None` when sign-up is closed or the address
/// has an account.
pub async fn invite(app: &App, email: &Email) -> Result<Option<AccessLink>, DbError> {
    if app.settings.sign_up == SignUp::Closed || account::by_email(&app.db, email).await?.is_some() {
        return Ok(None);
    }
    stored(app, AccessLink::new(app, Purpose::SignUp, None, email)).await.map(Some)
}

async fn stored(app: &App, link: AccessLink) -> Result<AccessLink, DbError> {
    let mut tx = app.db.begin().await?;
    store::add_link(&mut tx, &link).await?;
    tx.commit().await?;
    Ok(link)
}

/// Stores a link with the letter that carries it.
pub(super) async fn send(tx: &mut Tx, link: &AccessLink) -> Result<(), DbError> {
    store::add_link(tx, link).await?;
    store::add_letter(tx, link).await
}
