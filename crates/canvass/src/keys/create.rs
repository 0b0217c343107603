//! Makes a key for an account.

use super::{Key, SecretKey, store};
use crate::app::App;
use crate::db::DbError;
use crate::ids::AccountId;

/// Characters a key's name may have.
const NAME_CHARS_MAX: usize = 100;

/// A new key, with the secret that is shown this once.
#[derive(Clone, Debug)]
pub struct Created {
    /// The key as it is listed.
    pub key: Key,
    /// The key itself.
    pub secret: SecretKey,
}

/// The key cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum CreateError {
    /// A name is needed to tell keys apart.
    #[error("a key needs a name of 1 to {NAME_CHARS_MAX} characters; name it after the tool that will use it")]
    Name,
    /// The database failed.
    #[error(transparent)]
    Db(#[from] DbError),
}

/// Makes a key called `name`.
pub async fn create(app: &App, account: AccountId, name: &str) -> Result<Created, CreateError> {
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
    Ok(Created { key, secret })
}
