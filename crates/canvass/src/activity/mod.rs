//! What happened to an account: sign-ins and changes that its owner may want to know of, or not recognise.

mod store;

pub use store::list;

use crate::app::App;
use crate::clock::Moment;
use crate::db::{DbError, Tx};
use crate::ids::{AccountId, Id, of};

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Somebody signed in with the password.
    SignedIn,
    /// Somebody signed in with a link.
    SignedInByLink,
    /// A password was wrong.
    SignInFailed,
    /// A session was ended by its owner.
    SignedOut,
    /// All sessions were ended by their owner.
    SignedOutEverywhere,
    /// A new password was set.
    PasswordChanged,
    /// A link to set a new password was asked for.
    ResetRequested,
    /// The account has another address now.
    EmailChanged,
    /// An API key was made.
    KeyCreated,
    /// An API key was revoked.
    KeyRevoked,
    /// The owner took a copy of all data.
    DataExported,
}

impl Kind {
    /// All of them.
    pub const ALL: [Kind; 11] = [
        Kind::SignedIn,
        Kind::SignedInByLink,
        Kind::SignInFailed,
        Kind::SignedOut,
        Kind::SignedOutEverywhere,
        Kind::PasswordChanged,
        Kind::ResetRequested,
        Kind::EmailChanged,
        Kind::KeyCreated,
        Kind::KeyRevoked,
        Kind::DataExported,
    ];

    /// As it is stored and shown.
    pub fn name(self) -> &'static str {
        match self {
            Kind::SignedIn => "signed_in",
            Kind::SignedInByLink => "signed_in_by_link",
            Kind::SignInFailed => "sign_in_failed",
            Kind::SignedOut => "signed_out",
            Kind::SignedOutEverywhere => "signed_out_everywhere",
            Kind::PasswordChanged => "password_changed",
            Kind::ResetRequested => "reset_requested",
            Kind::EmailChanged => "email_changed",
            Kind::KeyCreated => "key_created",
            Kind::KeyRevoked => "key_revoked",
            Kind::DataExported => "data_exported",
        }
    }

    /// It happened from this device.
    pub(crate) fn by(self, device: &str) -> NewActivity<'_> {
        NewActivity { kind: self, device: Some(device), detail: None }
    }

    /// It happened to this.
    pub(crate) fn about(self, detail: &str) -> NewActivity<'_> {
        NewActivity { kind: self, device: None, detail: Some(detail) }
    }
}

/// What happened, to be recorded.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NewActivity<'a> {
    kind: Kind,
    device: Option<&'a str>,
    detail: Option<&'a str>,
}

impl<'a> NewActivity<'a> {
    /// With the name of what it happened to.
    pub(crate) fn about(self, detail: &'a str) -> NewActivity<'a> {
        NewActivity { detail: Some(detail), ..self }
    }
}

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Eq, from_row::FromRow)]
pub struct Activity {
    /// Newer ones sort behind.
    #[row(try_from = "String")]
    pub id: Id<of::Activity>,
    /// The name of its [`Kind`].
    pub kind: String,
    /// What it happened to, such as the name of a key.
    pub detail: Option<String>,
    /// From which device, such as "Firefox on Linux".
    pub device: Option<String>,
    /// When.
    pub created_at: Moment,
}

/// Records what happened, as part of the transaction in which it does.
pub(crate) async fn record(tx: &mut Tx, app: &App, account: AccountId, new: NewActivity<'_>) -> Result<(), DbError> {
    let now = app.clock.now();
    let activity = Activity {
        id: app.ids.next(now),
        kind: new.kind.name().to_owned(),
        detail: new.detail.map(str::to_owned),
        device: new.device.map(str::to_owned),
        created_at: now,
    };
    store::insert(tx, account, &activity).await
}
