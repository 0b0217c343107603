//! Creates an API key.

use super::{Key, SecretKey, store};
use crate::activity::{self, Kind};
use crate::app::App;
use crate::db::{DbError, Tx};
use crate::ids::AccountId;
use crate::session::AuthenticatedSession;

/// Characters a key's name may have.
const NAME_CHARS_MAX: usize = 100;

/// A new key with its secret, which is shown only this once.
#[derive(Clone, Debug)]
pub struct CreatedKey {
    /// The key as it is listed.
    pub key: Key,
    /// What the client sends.
    pub secret: SecretKey,
}

/// The key cannot be created.
#[derive(Debug, thiserror::Error)]
pub enum CreateError {
    /// The name is empty, too long, or has control characters.
    #[error("a key needs a name of 1 to {NAME_CHARS_MAX} characters; name it after the tool that will use it")]
    Name,
    /// The database failed.
    #[error(transparent)]
    Db(#[from] DbError),
}

/// Creates a key called `name`, for the operator.
pub async fn create(app: &App, account: AccountId, name: &str) -> Result<CreatedKey, CreateError> {
    let mut tx = app.db.begin().await?;
    let created = create_in(&mut tx, app, account, name).await?;
    tx.commit().await?;
    Ok(created)
}

/// Creates a key called `name` for a signed-in person.
pub async fn create_by(app: &App, by: &AuthenticatedSession, name: &str) -> Result<CreatedKey, CreateError> {
    let mut tx = app.db.begin().await?;
    let created = create_in(&mut tx, app, by.account.id, name).await?;
    activity::record(&mut tx, app, by.account.id, Kind::KeyCreated.by(&by.device).about(&created.key.name)).await?;
    tx.commit().await?;
    Ok(created)
}

async fn create_in(tx: &mut Tx, app: &App, account: AccountId, name: &str) -> Result<CreatedKey, CreateError> {
    let name = name.trim();
    if name.is_empty() || name.chars().count() > NAME_CHARS_MAX || name.chars().any(char::is_control) {
        return Err(CreateError::Name);
    }
    let now = app.clock.now();
    let secret = SecretKey::generate(&*app.ids);
    let key = Key {
        id: app.ids.next(now),
        name: name.to_owned(),
        prefix: secret.prefix().to_owned(),
        created_at: now,
        last_used_at: None,
        revoked_at: None,
    };
    store::insert(tx, account, &key, &secret).await?;
    Ok(CreatedKey { key, secret })
}
