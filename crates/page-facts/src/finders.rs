//! The version of each finder: what a baseline was learnt with, so that a better finder is not taken for a changed website.
//!
//! `finders.toml` holds the versions, and what each finder finds on the pages of `tests/cases`. A test fails when a finder
//! finds something else there and its version has not been raised.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

/// A group of findings that is versioned on its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Finder {
    /// [`crate::SiteFacts::emails`].
    Emails,
    /// [`crate::SiteFacts::phones`].
    Phones,
    /// [`crate::SiteFacts::people`].
    People,
    /// [`crate::SiteFacts::owner`].
    Owner,
    /// [`crate::SiteFacts::addresses`].
    Addresses,
    /// [`crate::SiteFacts::hours`].
    Hours,
    /// [`crate::SiteFacts::socials`].
    Socials,
    /// [`crate::Technology::platform`].
    Platform,
    /// [`crate::Technology::ecommerce`].
    Ecommerce,
    /// [`crate::Technology::booking`].
    Booking,
    /// [`crate::Technology::online_ordering`].
    OnlineOrdering,
    /// [`crate::Technology::chat`].
    Chat,
    /// [`crate::Technology::ad_networks`].
    AdNetworks,
    /// [`crate::Technology::analytics`].
    Analytics,
    /// [`crate::SiteFacts::schema_org`].
    SchemaOrg,
    /// What describes a page: its text, copyright year, viewport, generator.
    Pages,
}

impl Finder {
    /// Every finder.
    pub const ALL: [Finder; 16] = [
        Finder::Emails,
        Finder::Phones,
        Finder::People,
        Finder::Owner,
        Finder::Addresses,
        Finder::Hours,
        Finder::Socials,
        Finder::Platform,
        Finder::Ecommerce,
        Finder::Booking,
        Finder::OnlineOrdering,
        Finder::Chat,
        Finder::AdNetworks,
        Finder::Analytics,
        Finder::SchemaOrg,
        Finder::Pages,
    ];

    /// The name in `finders.toml`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Finder::Emails => "emails",
            Finder::Phones => "phones",
            Finder::People => "people",
            Finder::Owner => "owner",
            Finder::Addresses => "addresses",
            Finder::Hours => "hours",
            Finder::Socials => "socials",
            Finder::Platform => "platform",
            Finder::Ecommerce => "ecommerce",
            Finder::Booking => "booking",
            Finder::OnlineOrdering => "online_ordering",
            Finder::Chat => "chat",
            Finder::AdNetworks => "ad_networks",
            Finder::Analytics => "analytics",
            Finder::SchemaOrg => "schema_org",
            Finder::Pages => "pages",
        }
    }

    /// From 1; only ever raised. Two builds with the same version find the same on the same pages.
    #[must_use]
    pub fn version(self) -> u32 {
        VERSIONS[&self]
    }
}

#[derive(Deserialize)]
struct VersionTable {
    finders: BTreeMap<String, Row>,
}

#[derive(Deserialize)]
struct Row {
    version: u32,
}

static VERSIONS: LazyLock<BTreeMap<Finder, u32>> = LazyLock::new(|| {
    let table: VersionTable =
        toml::from_str(include_str!("../finders.toml")).expect("the table is part of the build, and a test reads it");
    Finder::ALL.into_iter().map(|finder| (finder, table.finders[finder.name()].version)).collect()
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_finder_has_a_version() {
        for finder in Finder::ALL {
            assert!(finder.version() >= 1, "{finder:?}");
        }
    }
}
