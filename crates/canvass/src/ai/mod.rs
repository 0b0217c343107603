//! The AI port: what models are asked, which one answers, and what pays for it.
//!
//! A [`Model`] answers two questions about one business: who owns it and which email is best, and how to open an email
//! to it. There are three kinds: the built-in rules, which need nothing; any OpenAI-compatible API; and Anthropic's.
//! No answer is trusted: callers check it against the text it was drawn from ([`ground`]).

mod address;
mod allowance;
mod audit;
mod brief;
mod choose;
mod grant;
pub mod ground;
pub mod infer;
mod metered;
mod own_key;
mod prompt;
mod remote;
mod reserve;
mod rules;
mod seal;
mod sealed_key;
mod settle;
pub(crate) mod store;
mod wording;

pub use address::AddressError;
pub use allowance::{Allowance, remaining};
pub use audit::audit;
pub use brief::{Brief, KnownEmail, PageText};
#[cfg(test)]
pub(crate) use choose::model_at;
pub use choose::{Ai, Chosen, choose};
pub use grant::{PackError, grant_pack};
pub use metered::{Feature, Hold, PaidBy};
pub use own_key::{KeyError, KnownKey, OPENAI_BASE_URL, OwnKey, clear_own_key, own_key, set_own_key};
pub use remote::Endpoint;
pub use reserve::{Holder, Reserved, Wanted, reserve};
pub use rules::RULES;
#[cfg(test)]
pub(crate) use rules::who as rules_who;
pub(crate) use rules::{belongs_to, intro as rules_intro, quiet_intro as rules_quiet_intro};
pub use seal::SealError;
pub use sealed_key::SetBy;
pub use settle::{forget_old, give_back, lock_for_refund, refund, spend, while_held};

use std::fmt;

use futures::future::BoxFuture;

use crate::ids::AccountId;

/// A month of an account whose meter and uses disagree. There must never be one.
#[derive(Clone, Debug, PartialEq, Eq, from_row::FromRow)]
pub struct Discrepancy {
    /// The account whose month it is.
    #[row(try_from = "String")]
    pub account: AccountId,
    /// Such as `2026-11`.
    pub month: String,
    /// What the meter says.
    pub used: i64,
    /// Uses that are held or spent.
    pub uses: i64,
}

/// Answers questions about one business.
pub trait Model: Send + Sync + fmt::Debug {
    /// The engine's name in responses: `rules`, or the model's name.
    fn name(&self) -> &str;

    /// The method that evidence names for its findings.
    fn method(&self) -> &'static str {
        "ai"
    }

    /// The owner of the business, and the email that best reaches the decision-maker.
    fn who<'a>(&'a self, brief: &'a Brief) -> BoxFuture<'a, Result<Who, ModelError>>;

    /// Two or three sentences that open an email to it.
    fn intro<'a>(&'a self, brief: &'a Brief) -> BoxFuture<'a, Result<String, ModelError>>;
}

/// A model's answer about a business. Nothing of it is trusted before it is checked.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(default)]
pub struct Who {
    /// As the model spells it.
    pub owner_name: Option<String>,
    /// The owner's title.
    pub owner_title: Option<String>,
    /// The email that best reaches the decision-maker.
    pub email: Option<String>,
}

/// A model did not give a usable answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ModelError {
    /// The connection failed or broke off.
    #[error("the AI provider cannot be reached")]
    Unreachable,
    /// The deadline passed.
    #[error("the AI provider did not answer in time")]
    TooSlow,
    /// It is overloaded, or has an internal error.
    #[error("the AI provider failed with status {0}")]
    Busy(u16),
    /// It refuses the key.
    #[error("the AI provider rejected the key")]
    Refused,
    /// It does not accept what it is asked.
    #[error("the AI provider rejected the request with status {0}")]
    Rejected(u16),
    /// The response exceeds the size limit.
    #[error("the AI provider's response is too long")]
    TooLong,
    /// The response is not in the expected form.
    #[error("the AI provider's response cannot be read")]
    Unintelligible,
}

impl ModelError {
    /// Its name in metrics and traces.
    fn name(&self) -> &'static str {
        match self {
            ModelError::Unreachable => "unreachable",
            ModelError::TooSlow => "slow",
            ModelError::Busy(_) => "busy",
            ModelError::Refused => "refused",
            ModelError::Rejected(_) => "rejected",
            ModelError::TooLong | ModelError::Unintelligible => "unusable",
        }
    }
}
