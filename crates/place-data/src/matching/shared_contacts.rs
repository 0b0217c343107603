//! Phones, websites and profiles that many places of one source have: those of chains, malls and head offices.

use rustc_hash::FxHashSet;

/// Places of one source that may share a phone or a website before it says little about which place it is.
const COMMON_MIN: usize = 5;

/// What many places of one source have in common, as hashes.
#[derive(Debug, Default)]
pub(crate) struct Common(FxHashSet<u64>);

/// The contacts of all places of one source, as hashes.
#[derive(Debug, Default)]
pub(crate) struct ContactKeys(Vec<u64>);

impl ContactKeys {
    /// Adds those of one place.
    pub(crate) fn add(&mut self, keys: impl IntoIterator<Item = u64>) {
        self.0.extend(keys);
    }
}

impl Common {
    /// Adds what is common in a source.
    pub(crate) fn add(&mut self, contacts: ContactKeys) {
        let mut keys = contacts.0;
        keys.sort_unstable();
        let common = keys.chunk_by(|one, other| one == other).filter(|same| same.len() > COMMON_MIN);
        self.0.extend(common.map(|same| same[0]));
    }

    pub(crate) fn contains(&self, key: u64) -> bool {
        self.0.contains(&key)
    }
}
