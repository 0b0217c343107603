//! The suppression list: businesses that asked to be left alone. They are not read, delivered, exported or watched.
//!
//! An entry is a domain, an email or a phone. `set` holds the rules that say which businesses an entry covers; `cache` gives
//! each process a current copy of the list. What is stored of such businesses already is removed by `removal`.

mod cache;
mod criteria;
mod parse;
mod remove;
mod set;
mod shared_sites;
mod store;

pub use cache::Suppressions;
pub(crate) use criteria::Criteria;
pub use parse::{EntryError, parse};
pub use remove::{RemoveError, remove};
pub use set::SuppressedSet;
pub use store::{Listed, list};
pub(crate) use store::{add, added_since};

use std::fmt;

/// What an entry of the list is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A domain with its subdomains, and every email at them.
    Domain,
    /// One email.
    Email,
    /// One phone.
    Phone,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Kind; 3] = [Kind::Domain, Kind::Email, Kind::Phone];

    /// Its name, stored and shown.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Domain => "domain",
            Kind::Email => "email",
            Kind::Phone => "phone",
        }
    }
}

/// An entry of the list, in the one form in which it is compared.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Entry {
    kind: Kind,
    value: String,
}

impl Entry {
    /// What it is.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// `ada.com`, `joe@ada.com` or `+15125550100`.
    pub fn value(&self) -> &str {
        &self.value
    }

    /// As it is stored: `domain:ada.com`.
    fn key(&self) -> String {
        format!("{}:{}", self.kind.name(), self.value)
    }
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.value)
    }
}

/// A stored entry is not understood.
#[derive(Debug, thiserror::Error)]
#[error("{0:?} on the suppression list was written by a version that this one does not know")]
pub struct UnknownEntry(String);

impl TryFrom<String> for Entry {
    type Error = UnknownEntry;

    fn try_from(key: String) -> Result<Entry, UnknownEntry> {
        let known = key.split_once(':').and_then(|(kind, value)| {
            let kind = Kind::ALL.into_iter().find(|one| one.name() == kind)?;
            Some(Entry { kind, value: value.to_owned() })
        });
        known.ok_or(UnknownEntry(key))
    }
}
