//! Typed ids and random bytes. Each kind of id is a type of its own, so that one cannot be passed for another.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;
use std::sync::{Mutex, PoisonError};

use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use uuid::Uuid;

use crate::clock::Moment;
use crate::db::Value;

/// Type-level names of what there are ids of; no values of them exist.
pub mod of {
    /// A tenant: who pays, and whose data it is.
    #[derive(Debug)]
    pub enum Account {}
    /// An API key, by which a program authenticates.
    #[derive(Debug)]
    pub enum Key {}
    /// A session of a signed-in person.
    #[derive(Debug)]
    pub enum Session {}
    /// A link that lets somebody in.
    #[derive(Debug)]
    pub enum AccessLink {}
    /// Something that happened to an account.
    #[derive(Debug)]
    pub enum Activity {}
    /// One search of an area for businesses.
    #[derive(Debug)]
    pub enum Search {}
    /// One delivered business.
    #[derive(Debug)]
    pub enum Lead {}
    /// One enrichment of a search's leads.
    #[derive(Debug)]
    pub enum Enrichment {}
    /// One business watched by Radar.
    #[derive(Debug)]
    pub enum Watch {}
    /// A change that a watch reported.
    #[derive(Debug)]
    pub enum Alert {}
}

/// Names an account.
pub type AccountId = Id<of::Account>;
/// Names an API key; unlike the key itself it is no secret.
pub type KeyId = Id<of::Key>;
/// Names a session; unlike its token it is no secret.
pub type SessionId = Id<of::Session>;
/// Names a link that lets somebody in; unlike its token it is no secret.
pub type AccessLinkId = Id<of::AccessLink>;
/// Names a search.
pub type SearchId = Id<of::Search>;
/// Names a lead.
pub type LeadId = Id<of::Lead>;
/// Names an enrichment.
pub type EnrichmentId = Id<of::Enrichment>;
/// Names a watch.
pub type WatchId = Id<of::Watch>;
/// Names an alert.
pub type AlertId = Id<of::Alert>;

/// The id of an `Of`: a UUIDv7, written with hyphens.
pub struct Id<Of>(Uuid, PhantomData<fn() -> Of>);

impl<Of> Id<Of> {
    /// Wraps a UUID that is known to be of this kind.
    pub fn from_uuid(uuid: Uuid) -> Self {
        Id(uuid, PhantomData)
    }

    /// The UUID itself.
    pub fn uuid(self) -> Uuid {
        self.0
    }

    /// An id that sorts before every other of this time or later.
    pub fn earliest_at(moment: Moment) -> Self {
        let millis = u64::try_from(moment.micros() / 1_000).unwrap_or(0);
        Id::from_uuid(uuid::Builder::from_unix_timestamp_millis(millis, &[0; 10]).into_uuid())
    }

    /// Reads the hyphenated form, in either case; `None` for any other text.
    pub fn parse(text: &str) -> Option<Self> {
        if text.len() != uuid::fmt::Hyphenated::LENGTH {
            return None;
        }
        Uuid::try_parse(text).ok().map(Id::from_uuid)
    }
}

// Written out, because derived ones would demand the same traits of `Of`.
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

impl<Of> schemars::JsonSchema for Id<Of> {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Id".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({"type": "string", "format": "uuid"})
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

/// The port through which ids and random bytes come; tests seed it.
pub trait Ids: Send + Sync + fmt::Debug {
    /// Fills `bytes` with random ones.
    fn fill(&self, bytes: &mut [u8]);

    /// A new UUIDv7: sorts by time, and cannot be guessed.
    fn uuid(&self, now: Moment) -> Uuid {
        let mut random = [0; 10];
        self.fill(&mut random);
        let millis = u64::try_from(now.micros() / 1_000).unwrap_or(0);
        uuid::Builder::from_unix_timestamp_millis(millis, &random).into_uuid()
    }

    /// So many random letters and digits, all equally likely.
    fn letters_and_digits(&self, count: usize) -> String {
        let mut text = String::with_capacity(count);
        while text.len() < count {
            let mut byte = [0];
            self.fill(&mut byte);
            // 248 is four times 62; higher bytes are dropped, because they would make some characters likelier than others.
            if byte[0] < 248 {
                text.push(char::from(BASE62[usize::from(byte[0]) % BASE62.len()]));
            }
        }
        text
    }
}

/// Letters and digits in the order of their bytes.
pub(crate) const BASE62: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

impl dyn Ids {
    /// A new id of the kind asked for.
    pub fn next<Of>(&self, now: Moment) -> Id<Of> {
        Id::from_uuid(self.uuid(now))
    }
}

/// Cryptographically secure random numbers, from a generator per thread that the operating system seeds: no system call for
/// every request.
#[derive(Clone, Copy, Debug)]
pub struct SystemIds;

impl Ids for SystemIds {
    #[expect(clippy::disallowed_methods, reason = "the one place that random numbers come from")]
    fn fill(&self, bytes: &mut [u8]) {
        rand::rng().fill_bytes(bytes);
    }
}

/// Deterministic ids for tests: the same seed gives the same ids in the same order.
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
        let [first, second] = [1_000_000, 2_000_000].map(Moment::from_micros);
        assert!(ids.uuid(first) < ids.uuid(second));
        let earliest = Id::<()>::earliest_at(second).to_string();
        assert!(ids.uuid(first).to_string() < earliest && earliest < ids.uuid(second).to_string());
    }
}
