//! The customer's own AI key: used once plan and packs are used up, stored sealed, shown to nobody.

use url::Url;

use super::seal::{self, SealError};
use super::{Endpoint, store};
use crate::app::App;
use crate::config::Secret;
use crate::db::DbError;
use crate::ids::AccountId;

/// Bytes of a key; providers' keys are far shorter.
const KEY_BYTES_MAX: usize = 1_024;
/// Characters of a model's name.
const MODEL_CHARS_MAX: usize = 200;

/// A key, and where and what for it is used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnKey {
    /// The key.
    pub key: Secret,
    /// The provider's API.
    pub base_url: Url,
    /// The model to ask there.
    pub model: String,
}

/// A key as it is stored.
#[derive(Clone, Debug)]
pub(super) struct SealedKey {
    pub(super) sealed: String,
    pub(super) base_url: String,
    pub(super) model: String,
}

/// The key cannot be stored or read.
#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    /// It can be no key.
    #[error("an AI key has 1 to {KEY_BYTES_MAX} visible ASCII characters without spaces")]
    NoKey,
    /// It can be no model.
    #[error("a model's name has 1 to {MODEL_CHARS_MAX} characters")]
    NoModel,
    /// It cannot be sealed or opened.
    #[error(transparent)]
    Seal(#[from] SealError),
    /// The database failed.
    #[error(transparent)]
    Db(#[from] DbError),
}

/// Stores an account's own key, in place of any before.
///
/// Where the key is sent is the operator's word: whoever lets customers choose the address lets them make this server
/// send requests there.
pub async fn set_own_key(app: &App, account: AccountId, own: &OwnKey) -> Result<(), KeyError> {
    let key = own.key.reveal();
    if !(1..=KEY_BYTES_MAX).contains(&key.len()) || !key.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(KeyError::NoKey);
    }
    if !(1..=MODEL_CHARS_MAX).contains(&own.model.chars().count()) || own.model.chars().any(char::is_control) {
        return Err(KeyError::NoModel);
    }
    let sealed = SealedKey {
        sealed: seal::seal(app, account, key)?,
        base_url: own.base_url.to_string(),
        model: own.model.clone(),
    };
    write(app, account, Some(&sealed)).await.map_err(KeyError::Db)
}

/// Forgets an account's own key.
pub async fn clear_own_key(app: &App, account: AccountId) -> Result<(), DbError> {
    write(app, account, None).await
}

/// Whether an account has a key of its own.
pub async fn has_own_key(app: &App, account: AccountId) -> Result<bool, DbError> {
    Ok(store::purse(&app.db, account).await?.is_some_and(|purse| purse.own_key.is_some()))
}

async fn write(app: &App, account: AccountId, key: Option<&SealedKey>) -> Result<(), DbError> {
    let mut tx = app.db.begin().await?;
    store::lock(&mut tx, account).await?;
    store::set_own_key(&mut tx, account, key).await?;
    tx.commit().await
}

/// Where an account's own key leads, when it has one.
pub(super) async fn own_endpoint(app: &App, account: AccountId) -> Result<Option<Endpoint>, KeyError> {
    let Some(purse) = store::purse(&app.db, account).await? else { return Ok(None) };
    let (Some(sealed), Some(base), Some(model)) = (purse.own_key, purse.own_base_url, purse.own_model) else {
        return Ok(None);
    };
    let key = seal::open(app, account, &sealed)?;
    let base = Url::parse(&base).map_err(|_| SealError::Broken)?;
    Ok(Some(Endpoint { base, key: Some(key), model }))
}
