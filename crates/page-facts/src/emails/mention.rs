//! A mention of an email address, before the mentions of all pages are merged.

use crate::facts::Method;

/// One mention of an email address.
#[derive(Debug, Clone)]
pub(crate) struct EmailMention {
    /// In lower case.
    pub(crate) email: String,
    pub(crate) method: Method,
    /// The surrounding text.
    pub(crate) snippet: String,
}
