//! Links that let somebody in once. A link's token is signed and not stored: whoever reads the database cannot use it.

use std::fmt;

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use url::Url;
use uuid::Uuid;

use crate::account::Email;
use crate::app::App;
use crate::clock::Moment;
use crate::ids::{AccessLinkId, AccountId};
use crate::secret;

/// How every token begins, so that one can be recognised, and hidden, wherever it turns up.
pub const LINK_PREFIX: &str = "cv_link_";
/// Separates this use of the server's secret from others.
const SECRET_PURPOSE: &str = "canvass access link 1";
/// Bytes of the signature that a token carries.
const SIGNATURE_BYTES: usize = 16;
const ID_BYTES: usize = 16;
/// Lifetime of a link that is printed, of one to set a new password, and of one that confirms an address or invites.
const PRINTED_SECONDS: i64 = 15 * 60;
const RESET_SECONDS: i64 = 60 * 60;
const CONFIRM_SECONDS: i64 = 24 * 60 * 60;

/// What a link is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Signs the owner of an account in.
    SignIn,
    /// Opens an account, and signs its owner in.
    SignUp,
    /// Signs in an owner who forgot the password and sets another.
    Reset,
    /// Gives the account another address.
    Email,
}

impl Purpose {
    /// All of them.
    pub const ALL: [Purpose; 4] = [Purpose::SignIn, Purpose::SignUp, Purpose::Reset, Purpose::Email];

    /// As it is stored and shown.
    pub fn name(self) -> &'static str {
        match self {
            Purpose::SignIn => "sign_in",
            Purpose::SignUp => "sign_up",
            Purpose::Reset => "reset",
            Purpose::Email => "email",
        }
    }

    fn seconds(self) -> i64 {
        match self {
            Purpose::SignIn => PRINTED_SECONDS,
            Purpose::Reset => RESET_SECONDS,
            Purpose::SignUp | Purpose::Email => CONFIRM_SECONDS,
        }
    }
}

/// A purpose only a newer version could have written.
#[derive(Debug, thiserror::Error)]
#[error("{0:?} is no purpose of a link that this version knows")]
pub struct UnknownPurpose(String);

impl TryFrom<String> for Purpose {
    type Error = UnknownPurpose;

    fn try_from(text: String) -> Result<Self, UnknownPurpose> {
        Purpose::ALL.into_iter().find(|purpose| purpose.name() == text).ok_or(UnknownPurpose(text))
    }
}

/// A link as it is stored.
#[derive(Clone, Debug, from_row::FromRow)]
pub struct AccessLink {
    /// Names it.
    #[row(try_from = "String")]
    pub id: AccessLinkId,
    /// What it is for.
    #[row(try_from = "String")]
    pub purpose: Purpose,
    /// Whose it is; nothing before the account of a sign-up exists.
    pub(super) account_id: Option<String>,
    /// The address it is for.
    #[row(try_from = "String")]
    pub email: Email,
    pub(super) password_hash: Option<String>,
    pub(super) created_at: Moment,
    /// Until when it works.
    pub expires_at: Moment,
    pub(super) used_at: Option<Moment>,
}

impl AccessLink {
    /// A link that is not stored yet.
    pub(super) fn new(app: &App, purpose: Purpose, account: Option<AccountId>, email: &Email) -> AccessLink {
        let now = app.clock.now();
        AccessLink {
            id: app.ids.next(now),
            purpose,
            account_id: account.map(|account| account.to_string()),
            email: email.clone(),
            password_hash: None,
            created_at: now,
            expires_at: now.plus_seconds(purpose.seconds()),
            used_at: None,
        }
    }

    pub(super) fn account(&self) -> Option<AccountId> {
        self.account_id.as_deref().and_then(AccountId::parse)
    }

    /// What its owner shows to be let in.
    pub fn token(&self, app: &App) -> std::io::Result<LinkToken> {
        let signature = mac(app, self.id)?.finalize().into_bytes();
        let text = [LINK_PREFIX.as_bytes(), hex::encode(self.id.uuid()).as_bytes()].concat();
        let text = String::from_utf8(text).unwrap_or_default();
        Ok(LinkToken(format!("{text}{}", hex::encode(&signature[..SIGNATURE_BYTES]))))
    }

    /// The address that its owner opens. The token is behind the `#`, which browsers keep to themselves.
    pub fn address(&self, app: &App, base: &Url) -> std::io::Result<String> {
        Ok(format!("{}/app/welcome#{}", base.as_str().trim_end_matches('/'), self.token(app)?.reveal()))
    }
}

/// The token of a link. Never printed: its `Debug` shows only the prefix.
#[derive(Clone, PartialEq, Eq)]
pub struct LinkToken(String);

impl LinkToken {
    /// The token itself, for the address of the link. Never log it.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// The link that a token names, if it was signed by this server or one that shares its secret.
    pub(super) fn open(app: &App, text: &str) -> std::io::Result<Option<AccessLinkId>> {
        let bytes = text.trim().strip_prefix(LINK_PREFIX).and_then(|text| hex::decode(text).ok());
        let Some((id, signature)) = bytes.as_deref().and_then(|bytes| bytes.split_at_checked(ID_BYTES)) else {
            return Ok(None);
        };
        let Ok(id) = Uuid::from_slice(id).map(AccessLinkId::from_uuid) else { return Ok(None) };
        let is_ours = signature.len() == SIGNATURE_BYTES && mac(app, id)?.verify_truncated_left(signature).is_ok();
        Ok(is_ours.then_some(id))
    }
}

impl fmt::Debug for LinkToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{LINK_PREFIX}...")
    }
}

fn mac(app: &App, id: AccessLinkId) -> std::io::Result<Hmac<Sha256>> {
    let key = secret::derive(app, SECRET_PURPOSE)?;
    let mut mac = Hmac::<Sha256>::new_from_slice(&key).expect("HMAC takes a key of any length");
    mac.update(id.uuid().as_bytes());
    Ok(mac)
}
