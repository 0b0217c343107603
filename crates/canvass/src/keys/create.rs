//! Creates an API key.

use super::{Key, SecretKey, store};
use crate::app::App;
use crate::db::DbError;
use crate::ids::AccountId;

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

/// Creates a key called `name`.
pub async fn create(app: &App, account: AccountId, name: &str) -> Result<CreatedKey, CreateError> {
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
    let mut tx = app.db.begin().await?;
    store::insert(&mut tx, account, &key, &secret).await?;
    tx.commit().await?;
    Ok(CreatedKey { key, secret })
}
