//! Where clients reach the servers of a database. A server stores it, so that workers and the command line, which listen
//! nowhere, can send links that work.

mod store;

use url::Url;

use crate::app::App;
use crate::db::DbError;

/// A server notes its address every minute. A configured one that is older than this belongs to no running server.
const CONFIGURED_SECONDS_MAX: i64 = 10 * 60;

/// Stores where this server is reached. An address that an operator has configured is not replaced by one that a server
/// merely listens on.
pub async fn note(app: &App) -> Result<(), DbError> {
    let Some(url) = app.own_url() else { return Ok(()) };
    let now = app.clock.now();
    let expired = now.plus_seconds(-CONFIGURED_SECONDS_MAX);
    store::note(&app.db, &url, app.settings.base_url.is_some(), (now, expired)).await
}

/// The base of links: this process's own address, else the one a server of this database has stored.
pub async fn find(app: &App) -> Result<Url, DbError> {
    if let Some(url) = app.own_url() {
        return Ok(url);
    }
    let stored = store::find(&app.db).await?.and_then(|url| Url::parse(&url).ok());
    Ok(stored.unwrap_or_else(|| app.base_url()))
}
