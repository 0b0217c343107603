//! Opens a session for somebody who has proved who they are.

use super::{AGE_SECONDS_MAX, IDLE_SECONDS_MAX, SET_PASSWORD_SECONDS, SessionToken, store};
use crate::app::App;
use crate::db::{DbError, Tx};
use crate::ids::AccountId;

/// A session to open.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NewSession<'a> {
    pub(crate) account: AccountId,
    /// What it is opened with.
    pub(crate) device: &'a str,
    /// Whether a link proved who this is, so that the present password is not needed to set a new one.
    pub(crate) by_link: bool,
}

/// Opens a session, as part of the transaction that proved who this is. Its token is known to nobody else.
pub(crate) async fn open(tx: &mut Tx, app: &App, new: NewSession<'_>) -> Result<SessionToken, DbError> {
    let now = app.clock.now();
    let token = SessionToken::generate(&*app.ids);
    let row = store::SessionRow {
        id: app.ids.next(now),
        account: new.account,
        device: new.device,
        hash: token.hash(),
        created_at: now,
        expires_at: now.plus_seconds(IDLE_SECONDS_MAX.min(AGE_SECONDS_MAX)),
        may_set_password_until: if new.by_link { now.plus_seconds(SET_PASSWORD_SECONDS) } else { now },
    };
    store::insert(tx, &row).await?;
    Ok(token)
}
