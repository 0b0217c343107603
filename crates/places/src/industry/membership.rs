//! Which places of open data belong to a category: Overture's categories with everything below them, and OpenStreetMap's tags.

use std::collections::HashSet;

use super::catalogue::Category;
use crate::overture::{self, Successor};

/// Marks a category in `industries.toml` that counts without what is below it.
const ALONE_MARK: char = '=';

/// An Overture category that an industry names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct OvertureEntry {
    pub(super) name: &'static str,
    /// Whether the categories below it count as well.
    pub(super) extent: Extent,
}

/// How much of Overture's hierarchy an entry stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    /// The category alone: it is wider than the industry, and only places that are nothing more specific count.
    Alone,
    /// The category and everything below it.
    Subtree,
}

impl OvertureEntry {
    pub(super) fn read(text: &'static str) -> OvertureEntry {
        match text.strip_prefix(ALONE_MARK) {
            Some(name) => OvertureEntry { name, extent: Extent::Alone },
            None => OvertureEntry { name: text, extent: Extent::Subtree },
        }
    }
}

/// All Overture categories whose places belong to an industry, in both vocabularies.
#[derive(Debug)]
pub(super) struct OvertureMembers {
    pub(super) names: HashSet<&'static str>,
    /// Those of them below which unknown categories count as well.
    open: HashSet<&'static str>,
}

impl OvertureMembers {
    /// Entries with their subtrees, under all names that these categories have or had.
    pub(super) fn new(entries: &[OvertureEntry]) -> OvertureMembers {
        let mut open = HashSet::new();
        let mut alone = HashSet::new();
        for entry in entries {
            match (entry.extent, overture::successor(entry.name)) {
                (Extent::Alone, _) => alone.extend(std::iter::once(entry.name).chain(overture::aliases(entry.name))),
                (Extent::Subtree, Some(Successor::Renamed(current))) => {
                    open.extend([entry.name, current].into_iter().flat_map(overture::subtree));
                }
                (Extent::Subtree, _) => open.extend(overture::subtree(entry.name)),
            }
        }
        let aliases: Vec<&str> = open.iter().flat_map(|name| overture::aliases(name)).collect();
        open.extend(aliases);
        OvertureMembers { names: open.union(&alone).copied().collect(), open }
    }
}

impl Category {
    /// The names of all Overture categories whose places belong to this industry: those that `industries.toml` lists, what
    /// is below them in either vocabulary, and the names that these categories had or have in the other vocabulary.
    #[must_use]
    pub fn overture_names(&self) -> &HashSet<&'static str> {
        &self.overture_members().names
    }

    /// Whether a place of Overture Maps belongs to this industry. `hierarchy` is the record's own, from the widest category to the
    /// narrowest; it decides only if `primary` is a category that this program does not know, and may be empty.
    /// Alternate categories do not count: they say what a place might also be.
    #[must_use]
    pub fn matches_overture<S: AsRef<str>>(&self, primary: &str, hierarchy: &[S]) -> bool {
        let members = self.overture_members();
        if members.names.contains(primary) {
            return true;
        }
        if overture::exists(primary) {
            return false;
        }
        let known = hierarchy.iter().rev().map(AsRef::as_ref).find(|name| overture::exists(name));
        known.is_some_and(|name| members.open.contains(name))
    }

    /// Whether a place of OpenStreetMap with this tag belongs to this industry. A value may be a list: `pizza;burger`.
    #[must_use]
    pub fn matches_osm(&self, key: &str, value: &str) -> bool {
        value.split(';').any(|value| self.osm.contains(&(key, value.trim())))
    }

    /// The OpenStreetMap tags of this industry as `key=value`.
    pub fn tags(&self) -> impl Iterator<Item = String> {
        self.osm.iter().map(|(key, value)| format!("{key}={value}"))
    }
}
