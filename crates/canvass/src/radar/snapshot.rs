//! What a website shows at one moment, in a form that can be compared.

use std::collections::{BTreeMap, BTreeSet};

use page_facts::Method;
use serde::de::IntoDeserializer;
use serde::de::value::Error as NameError;
use serde::ser::SerializeStruct;
use serde::{Deserialize, Serialize, Serializer};

use crate::lead::{Evidence, Lead};
use crate::website::READERS;

/// Emails from which on a lead may hold only the first of them: then none is missing for sure.
const EMAILS_WHOLE_MAX: usize = 19;

/// Something that can change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Field {
    /// What the website is built with.
    Platform,
    /// Whether something can be bought.
    Ecommerce,
    /// The booking tool.
    Booking,
    /// The ordering tool.
    OnlineOrdering,
    /// The chat tool.
    Chat,
    /// Whether any advertising pixel is there; follows from [`Field::AdNetworks`].
    HasAdPixel,
    /// Whose pixels.
    AdNetworks,
    /// Which analytics.
    Analytics,
    /// The emails.
    Emails,
    /// The owner.
    OwnerName,
    /// The opportunity score; follows from all the others.
    Score,
}

impl Field {
    /// Every field.
    pub const ALL: [Field; 11] = [
        Field::Platform,
        Field::Ecommerce,
        Field::Booking,
        Field::OnlineOrdering,
        Field::Chat,
        Field::HasAdPixel,
        Field::AdNetworks,
        Field::Analytics,
        Field::Emails,
        Field::OwnerName,
        Field::Score,
    ];

    /// Those that are read from a website, in the order in which changes are told.
    pub(super) const READ: [Field; 9] = [
        Field::Platform,
        Field::Ecommerce,
        Field::Booking,
        Field::OnlineOrdering,
        Field::Chat,
        Field::AdNetworks,
        Field::Analytics,
        Field::Emails,
        Field::OwnerName,
    ];

    /// Its name in answers.
    pub fn name(self) -> &'static str {
        match self {
            Field::Platform => "platform",
            Field::Ecommerce => "ecommerce",
            Field::Booking => "booking",
            Field::OnlineOrdering => "online_ordering",
            Field::Chat => "chat",
            Field::HasAdPixel => "has_ad_pixel",
            Field::AdNetworks => "ad_networks",
            Field::Analytics => "analytics",
            Field::Emails => "emails",
            Field::OwnerName => "owner_name",
            Field::Score => "score",
        }
    }

    /// Whether a website can show several at once.
    pub(super) fn is_list(self) -> bool {
        matches!(self, Field::AdNetworks | Field::Analytics | Field::Emails)
    }
}

/// The values of a field; at most one where the field is no list.
pub(super) type Values = BTreeSet<String>;

/// What stands for a yes.
pub(super) const YES: &str = "true";
/// What a website is built with when that is nothing known.
pub(super) const CUSTOM: &str = "custom";

/// What a website shows. A field that is not there is unknown, one without values is known to show nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Snapshot(BTreeMap<Field, Values>);

/// A snapshot as it is stored.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Stored {
    read_by: u32,
    shows: BTreeMap<String, Values>,
}

impl Snapshot {
    /// What a lead says of its website. Only of one that was read completely: else nothing is missing for sure.
    pub(super) fn of(lead: &Lead) -> Snapshot {
        let basic = &lead.signals.basic;
        let mut snapshot = Snapshot::default();
        if !basic.detected {
            return snapshot;
        }
        let one = |value: &Option<String>| value.iter().cloned().collect::<Values>();
        let list = |values: &Option<Vec<String>>| values.iter().flatten().cloned().collect::<Values>();
        snapshot.set(Field::Platform, one(&basic.platform.clone().filter(|slug| slug != CUSTOM)));
        snapshot.set(Field::Ecommerce, one(&(basic.ecommerce == Some(true)).then(|| YES.to_owned())));
        snapshot.set(Field::Booking, one(&basic.booking));
        snapshot.set(Field::OnlineOrdering, one(&basic.online_ordering));
        snapshot.set(Field::Chat, one(&basic.chat));
        snapshot.set(Field::AdNetworks, list(&basic.ad_networks));
        snapshot.set(Field::Analytics, list(&basic.analytics));
        snapshot.set_if_found(lead, Field::Emails, lead.emails.iter().map(|email| email.email.clone()).collect());
        snapshot.set_if_found(lead, Field::OwnerName, one(&lead.owner_name));
        if snapshot.values(Field::Emails).is_some_and(|emails| emails.len() > EMAILS_WHOLE_MAX) {
            snapshot.0.remove(&Field::Emails);
        }
        snapshot
    }

    /// The values of a field; none when they are unknown.
    pub(super) fn values(&self, field: Field) -> Option<&Values> {
        self.0.get(&field)
    }

    pub(super) fn set(&mut self, field: Field, values: Values) {
        self.0.insert(field, values);
    }

    /// Makes a lead say what is known, where this knows it.
    pub(super) fn restore(&self, lead: &mut Lead) {
        let one = |field| self.values(field).map(|values| values.first().cloned());
        let list = |field| self.values(field).map(|values| values.iter().cloned().collect::<Vec<_>>());
        let basic = &mut lead.signals.basic;
        if let Some(platform) = one(Field::Platform) {
            basic.platform = Some(platform.unwrap_or_else(|| CUSTOM.to_owned()));
        }
        basic.ecommerce = one(Field::Ecommerce).map_or(basic.ecommerce, |sells| Some(sells.is_some()));
        for (field, tool) in [
            (Field::Booking, &mut basic.booking),
            (Field::OnlineOrdering, &mut basic.online_ordering),
            (Field::Chat, &mut basic.chat),
            (Field::Emails, &mut lead.primary_email),
            (Field::OwnerName, &mut lead.owner_name),
        ] {
            *tool = one(field).unwrap_or_else(|| tool.take());
        }
        if let Some(networks) = list(Field::AdNetworks) {
            (basic.has_ad_pixel, basic.ad_networks) = (Some(!networks.is_empty()), Some(networks));
        }
        if let Some(analytics) = list(Field::Analytics) {
            (basic.has_analytics, basic.analytics) = (Some(!analytics.is_empty()), Some(analytics));
        }
    }

    /// What was put into a lead later, as by enrichment, is nothing that a read of the website finds again.
    fn set_if_found(&mut self, lead: &Lead, field: Field, values: Values) {
        let proofs = lead.evidence.iter().filter(|proof| proof.field == field.name() && is_found(proof));
        if values == proofs.map(|proof| proof.value.clone()).collect() {
            self.set(field, values);
        }
    }
}

/// Whether a finder found it on a page.
fn is_found(proof: &Evidence) -> bool {
    let name = IntoDeserializer::<NameError>::into_deserializer(proof.method.as_str());
    Method::deserialize(name).is_ok()
}

impl Serialize for Snapshot {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut stored = serializer.serialize_struct("Snapshot", 2)?;
        stored.serialize_field("read_by", &READERS)?;
        stored.serialize_field("shows", &self.0)?;
        stored.end()
    }
}

impl TryFrom<String> for Snapshot {
    type Error = serde_json::Error;

    /// What other readers saw says nothing of a website: these might see more, or less, although it is the same.
    fn try_from(text: String) -> Result<Self, serde_json::Error> {
        let Stored { read_by, mut shows } = serde_json::from_str(&text)?;
        if read_by != READERS {
            return Ok(Snapshot::default());
        }
        let known = Field::READ.into_iter().filter_map(|field| Some((field, shows.remove(field.name())?)));
        Ok(Snapshot(known.collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stored(read_by: u32) -> Snapshot {
        Snapshot::try_from(format!(r#"{{"read_by":{read_by},"shows":{{"chat":["tawk"],"weather":["rain"]}}}}"#))
            .unwrap()
    }

    #[test]
    fn what_these_readers_saw_is_known_again() {
        let mut snapshot = Snapshot::default();
        snapshot.set(Field::Chat, Values::from(["tawk".to_owned()]));
        assert_eq!(stored(READERS), snapshot);
        assert_eq!(Snapshot::try_from(serde_json::to_string(&snapshot).unwrap()).unwrap(), snapshot);
    }

    #[test]
    fn what_other_readers_saw_is_unknown() {
        assert_eq!(stored(READERS.wrapping_add(1)), Snapshot::default());
        assert_eq!(Snapshot::try_from(r#"{"chat":["tawk"]}"#.to_owned()).unwrap(), Snapshot::default());
    }
}
