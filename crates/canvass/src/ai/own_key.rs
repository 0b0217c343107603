//! The customer's own AI key: used once plan and packs are used up, stored sealed, never shown again.

use url::Url;

use super::address::{self, AddressError};
use super::seal::{self, SealError};
use super::sealed_key::{SealedKey, SetBy};
use super::{Endpoint, store};
use crate::app::App;
use crate::config::Secret;
use crate::db::{Db, DbError};
use crate::ids::AccountId;

/// Bytes of a key; providers' keys are far shorter.
const KEY_BYTES_MAX: usize = 1_024;
/// Characters of a model's name.
const MODEL_CHARS_MAX: usize = 200;

/// The default address for own keys.
pub const OPENAI_BASE_URL: &str = "https://api.openai.com/v1";

/// A key, and where and what for it is used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnKey {
    /// The key.
    pub key: Secret,
    /// The provider's API.
    pub base_url: Url,
    /// The model to ask there.
    pub model: String,
    /// Who says so.
    pub set_by: SetBy,
}

/// What may be shown of a key: everything but the key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownKey {
    /// The provider's API.
    pub base_url: String,
    /// The model to ask there.
    pub model: String,
}

/// The key cannot be stored or read.
#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    /// It can be no key.
    #[error("must be 1 to {KEY_BYTES_MAX} visible ASCII characters without spaces")]
    NoKey,
    /// It can be no model.
    #[error("must be 1 to {MODEL_CHARS_MAX} characters long")]
    NoModel,
    /// It may not lead there.
    #[error(transparent)]
    Address(#[from] AddressError),
    /// It cannot be sealed or opened.
    #[error(transparent)]
    Seal(#[from] SealError),
    /// The database failed.
    #[error(transparent)]
    Db(#[from] DbError),
}

/// Stores an account's own key, in place of any before. Where a customer's leads is checked, and checked again at each use.
pub async fn set_own_key(app: &App, account: AccountId, own: &OwnKey) -> Result<(), KeyError> {
    let key = own.key.reveal();
    if !(1..=KEY_BYTES_MAX).contains(&key.len()) || !key.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(KeyError::NoKey);
    }
    if !(1..=MODEL_CHARS_MAX).contains(&own.model.chars().count()) || own.model.chars().any(char::is_control) {
        return Err(KeyError::NoModel);
    }
    if own.set_by == SetBy::Customer {
        address::check(&own.base_url, &app.settings.ai_allow_addresses)?;
    }
    let sealed = SealedKey {
        sealed: seal::seal(app, account, key)?,
        base_url: own.base_url.to_string(),
        model: own.model.clone(),
        set_by: own.set_by,
    };
    write(app, account, Some(&sealed)).await?;
    tracing::info!(account.id = %account, "an account's own AI key was set by the {}", own.set_by.name());
    Ok(())
}

/// Forgets an account's own key.
pub async fn clear_own_key(app: &App, account: AccountId) -> Result<(), DbError> {
    write(app, account, None).await
}

/// What is known of an account's own key, when it has one.
pub async fn own_key(db: &Db, account: AccountId) -> Result<Option<KnownKey>, DbError> {
    let Some(balance) = store::balance(db, account).await? else { return Ok(None) };
    let (Some(_), Some(base_url), Some(model)) = (balance.own_key, balance.own_base_url, balance.own_model) else {
        return Ok(None);
    };
    Ok(Some(KnownKey { base_url: without_user(base_url), model }))
}

/// An operator may have put a password into an address; it is never shown.
fn without_user(address: String) -> String {
    let Ok(mut url) = Url::parse(&address) else { return address };
    // Both fail only for addresses that cannot have a user.
    let _ = (url.set_username(""), url.set_password(None));
    url.into()
}

async fn write(app: &App, account: AccountId, key: Option<&SealedKey>) -> Result<(), DbError> {
    let mut tx = app.db.begin().await?;
    store::lock(&mut tx, account).await?;
    store::set_own_key(&mut tx, account, key).await?;
    tx.commit().await
}

/// Where an account's own key leads, when it has one, and whose word that is.
pub(super) async fn own_endpoint(app: &App, account: AccountId) -> Result<Option<(Endpoint, SetBy)>, KeyError> {
    let Some(balance) = store::balance(&app.db, account).await? else { return Ok(None) };
    let (Some(sealed), Some(base), Some(model)) = (balance.own_key, balance.own_base_url, balance.own_model) else {
        return Ok(None);
    };
    let base = Url::parse(&base).map_err(|_| SealError::Broken)?;
    let set_by = match balance.own_set_by.as_deref() {
        None => SetBy::Operator,
        Some(name) if name == SetBy::Operator.name() => SetBy::Operator,
        // A role that only a newer version knows is trusted no more than a customer.
        Some(_) => SetBy::Customer,
    };
    if set_by == SetBy::Customer {
        // What the operator allows may have changed since.
        address::check(&base, &app.settings.ai_allow_addresses)?;
    }
    let key = seal::open(app, account, &sealed)?;
    Ok(Some((Endpoint { base, key: Some(key), model }, set_by)))
}
