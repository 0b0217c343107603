//! A mention of a person, before the mentions of all pages are merged.

use crate::facts::Method;

/// One mention of a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PersonMention {
    pub(crate) name: String,
    pub(crate) title: Option<String>,
    pub(crate) email: Option<String>,
    /// The evidence that the person is an owner.
    pub(crate) claim: OwnerClaim,
    pub(crate) method: Method,
    pub(crate) snippet: String,
}

/// Evidence that a person is an owner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OwnerClaim {
    /// Only the title, if it is an owner's.
    Title,
    /// Structured data names the person as founder or owner.
    Founder,
    /// None: the page presents the person as one of several with the same title.
    OneOfSeveral,
}
