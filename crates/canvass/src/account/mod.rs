//! Accounts: the tenants, each with an e-mail address, a tier, add-ons and a balance.

mod create;
mod local;
mod refill;
mod set;
pub(crate) mod store;

pub(crate) use create::open_in;
pub use create::{CreateError, NewAccount, create};
pub use local::{LocalError, local};
pub use refill::refill_due;
pub use set::{Change, SetError, set};
pub use store::{by_email, find, is_empty, list, notification_email, set_notification_email};

use std::fmt;

use crate::clock::Moment;
use crate::db::Value;
use crate::ids::AccountId;
use crate::plan::{AddOn, Subscription, Tier};

/// An account as it is stored.
#[derive(Clone, Debug, PartialEq, Eq, from_row::FromRow)]
pub struct Account {
    /// Owner of everything that is stored under it.
    #[row(try_from = "String")]
    pub id: AccountId,
    /// Unique among accounts.
    #[row(try_from = "String")]
    pub email: Email,
    /// Names its plan.
    #[row(try_from = "String")]
    pub tier: Tier,
    /// Whether it has the Signals+ add-on.
    pub signals_plus: bool,
    /// Whether it has the Radar add-on.
    pub radar: bool,
    /// The live balance.
    pub credits: i64,
    /// When the balance is next filled up to the plan's monthly credits.
    pub refill_at: Moment,
    /// When it was opened.
    pub created_at: Moment,
}

impl Account {
    /// Whether it has this add-on.
    pub fn has(&self, add_on: AddOn) -> bool {
        match add_on {
            AddOn::SignalsPlus => self.signals_plus,
            AddOn::Radar => self.radar,
        }
    }

    /// What it has bought, as the rules of plans see it.
    pub fn subscription(&self) -> Subscription {
        Subscription { tier: self.tier, signals_plus: self.signals_plus, radar: self.radar }
    }

    /// The add-ons it has.
    pub fn add_ons(&self) -> Vec<AddOn> {
        AddOn::ALL.into_iter().filter(|add_on| self.has(*add_on)).collect()
    }
}

/// The reserved address of the local account, which is no customer: lists leave it out, and it cannot be registered.
const LOCAL_EMAIL: &str = "find@localhost";

/// An e-mail address, lower-cased.
#[derive(Clone, Debug, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(transparent)]
pub struct Email(String);

/// The text is not a valid e-mail address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("that is not an e-mail address; it looks like name@example.com")]
pub struct NotAnEmail;

/// Characters of an e-mail address, as limited by SMTP.
const EMAIL_CHARS_MAX: usize = 254;

impl Email {
    /// Trims, lower-cases and validates an address.
    pub fn parse(text: &str) -> Result<Email, NotAnEmail> {
        let email = text.trim().to_lowercase();
        let (name, domain) = email.rsplit_once('@').ok_or(NotAnEmail)?;
        let plain = |c: char| !c.is_whitespace() && !c.is_control() && !"<>()[],;:\\\"".contains(c);
        let sound_domain = domain.split('.').all(|label| !label.is_empty() && !label.starts_with('-'))
            && domain.chars().all(|c| c.is_alphanumeric() || c == '-' || c == '.');
        let sound_name = !name.is_empty() && !name.contains('@') && name.chars().all(plain);
        let sound = sound_name && sound_domain && email.chars().count() <= EMAIL_CHARS_MAX;
        sound.then_some(Email(email)).ok_or(NotAnEmail)
    }

    /// Whether it is the local account's.
    fn is_local(&self) -> bool {
        self.0 == LOCAL_EMAIL
    }

    /// The address as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Email {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl TryFrom<String> for Email {
    type Error = NotAnEmail;

    fn try_from(text: String) -> Result<Self, NotAnEmail> {
        Email::parse(&text)
    }
}

impl From<&Email> for Value {
    fn from(email: &Email) -> Self {
        Value::from(email.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(given: &str, expected: Option<&str>) {
        assert_eq!(Email::parse(given).ok().as_ref().map(Email::as_str), expected, "{given:?}");
    }

    #[test]
    fn addresses_people_have_are_read_and_others_are_not() {
        check(" Ada@Example.COM ", Some("ada@example.com"));
        check("o'brien+leads@mail.example.co.uk", Some("o'brien+leads@mail.example.co.uk"));
        check("root@localhost", Some("root@localhost"));
        check("jörg@müller.example", Some("jörg@müller.example"));
        for wrong in ["", "ada", "@example.com", "ada@", "a b@example.com", "ada@exa mple.com", "a@b@c", "ada@-x.com"] {
            check(wrong, None);
        }
        check("ada@example..com", None);
        check("ada@example.com\0", None);
        check(&format!("{}@example.com", "a".repeat(300)), None);
    }
}
