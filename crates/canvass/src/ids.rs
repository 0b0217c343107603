//! Ids and chance. Every id is a type of its own, so that one cannot be passed for another.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;
use std::sync::{Mutex, PoisonError};

use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use uuid::Uuid;

use crate::clock::Moment;
use crate::db::Value;

/// What there are ids of; names only, never made.
pub mod of {
    /// Whose data it is.
    #[derive(Debug)]
    pub enum Account {}
    /// What a program shows to be let in.
    #[derive(Debug)]
    pub enum Key {}
    /// A person who is signed in.
    #[derive(Debug)]
    pub enum Session {}
    /// One run through an area.
    #[derive(Debug)]
    pub enum Search {}
    /// One business that was delivered.
    #[derive(Debug)]
    pub enum Lead {}
    /// One enrichment of a search's leads.
    #[derive(Debug)]
    pub enum Enrichment {}
    /// One business that is watched.
    #[derive(Debug)]
    pub enum Watch {}
    /// Something a watch had to tell.
    #[derive(Debug)]
    pub enum Alert {}
}

/// Which account.
pub type AccountId = Id<of::Account>;
/// Which API key.
pub type KeyId = Id<of::Key>;
/// Which session of a signed-in person.
pub type SessionId = Id<of::Session>;
/// Which search.
pub type SearchId = Id<of::Search>;
/// Which lead.
pub type LeadId = Id<of::Lead>;
/// Which enrichment.
pub type EnrichmentId = Id<of::Enrichment>;
/// Which watch.
pub type WatchId = Id<of::Watch>;
/// Which alert.
pub type AlertId = Id<of::Alert>;

/// The id of an `Of`: a UUIDv7, written with hyphens.
pub struct Id<Of>(Uuid, PhantomData<fn() -> Of>);

impl<Of> Id<Of> {
    /// The id with this value.
    pub fn from_uuid(uuid: Uuid) -> Self {
        Id(uuid, PhantomData)
    }

    /// Reads an id as people write it: with hyphens, in either case. Anything else is no id.
    pub fn parse(text: &str) -> Option<Self> {
        if text.len() != uuid::fmt::Hyphenated::LENGTH {
            return None;
        }
        Uuid::try_parse(text).ok().map(Id::from_uuid)
    }
}

// Derived, these would ask the same of `Of`, which is only a name here.
impl<Of> Copy for Id<Of> {}

impl<Of> Clone for Id<Of> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<Of> PartialEq for Id<Of> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl<Of> Eq for Id<Of> {}

impl<Of> Hash for Id<Of> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}

impl<Of> fmt::Debug for Id<Of> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<Of> fmt::Display for Id<Of> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<Of> serde::Serialize for Id<Of> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl<'de, Of> serde::Deserialize<'de> for Id<Of> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Uuid::deserialize(deserializer).map(Id::from_uuid)
    }
}

impl<Of> From<Id<Of>> for Value {
    fn from(id: Id<Of>) -> Self {
        Value::from(id.0.to_string())
    }
}

impl<Of> TryFrom<String> for Id<Of> {
    type Error = uuid::Error;

    fn try_from(text: String) -> Result<Self, uuid::Error> {
        Uuid::try_parse(&text).map(Id::from_uuid)
    }
}

/// Makes ids and random bytes.
pub trait Ids: Send + Sync + fmt::Debug {
    /// Fills `bytes` with chance.
    fn fill(&self, bytes: &mut [u8]);

    /// A new UUIDv7: sorts by time, and cannot be guessed.
    fn uuid(&self, now: Moment) -> Uuid {
        let mut chance = [0; 10];
        self.fill(&mut chance);
        let millis = u64::try_from(now.micros() / 1_000).unwrap_or(0);
        uuid::Builder::from_unix_timestamp_millis(millis, &chance).into_uuid()
    }
}

impl dyn Ids {
    /// A new id of the kind asked for.
    pub fn next<Of>(&self, now: Moment) -> Id<Of> {
        Id::from_uuid(self.uuid(now))
    }
}

/// Chance from the operating system, by way of a generator in each thread that it seeds again and again: as hard to
/// guess, without a system call for every request.
#[derive(Clone, Copy, Debug)]
pub struct SystemIds;

impl Ids for SystemIds {
    #[expect(clippy::disallowed_methods, reason = "this is the chance everyone else is given")]
    fn fill(&self, bytes: &mut [u8]) {
        rand::rng().fill_bytes(bytes);
    }
}

/// The same ids in the same order for the same seed, for tests.
#[derive(Debug)]
pub struct SeededIds(Mutex<StdRng>);

impl SeededIds {
    /// Starts from a seed.
    pub fn new(seed: u64) -> Self {
        SeededIds(Mutex::new(StdRng::seed_from_u64(seed)))
    }
}

impl Ids for SeededIds {
    fn fill(&self, bytes: &mut [u8]) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).fill_bytes(bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_hyphenated_form_is_an_id() {
        let id: Id<()> = (&SeededIds::new(1) as &dyn Ids).next(Moment::from_micros(1_794_708_184_123_456));
        let text = id.to_string();
        assert_eq!(Id::<()>::parse(&text), Some(id));
        assert_eq!(Id::<()>::parse(&text.to_uppercase()), Some(id));
        for wrong in ["", "1", &text.replace('-', ""), &format!("{{{text}}}"), &text.repeat(1_000), "\0"] {
            assert_eq!(Id::<()>::parse(wrong), None, "{wrong:?}");
        }
    }

    #[test]
    fn ids_sort_by_time() {
        let ids = SeededIds::new(2);
        assert!(ids.uuid(Moment::from_micros(1_000_000)) < ids.uuid(Moment::from_micros(2_000_000)));
    }
}
