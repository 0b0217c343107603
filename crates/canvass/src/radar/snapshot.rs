//! What one read of a website shows, in a form that can be compared.

use std::collections::{BTreeMap, BTreeSet};

use page_facts::{Finder, Method};
use serde::de::IntoDeserializer;
use serde::de::value::Error as NameError;
use serde::{Deserialize, Serialize};

use crate::lead::{Evidence, Lead};
use crate::signals;
use crate::website::READING_VERSION;

/// A lead keeps the first 20 emails: from this many on, some may be missing.
const EMAILS_WHOLE_MAX: usize = 19;

/// Something that Radar reports changes of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Field {
    /// What the website is built with.
    Platform,
    /// Whether something can be bought.
    Ecommerce,
    /// The booking tool.
    Booking,
    /// The online ordering tool.
    OnlineOrdering,
    /// The chat tool.
    Chat,
    /// Whether there is any advertising pixel; follows from [`Field::AdNetworks`].
    HasAdPixel,
    /// The advertising networks whose pixels are there.
    AdNetworks,
    /// The analytics tools.
    Analytics,
    /// The email addresses.
    Emails,
    /// The owner's name.
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

    /// Those that are read from a website, in the order in which changes are reported.
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

    /// The name used in API responses and in stored baselines.
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

    /// Whether a website can show several values at once.
    pub(super) fn is_list(self) -> bool {
        matches!(self, Field::AdNetworks | Field::Analytics | Field::Emails)
    }

    /// The version with which this build reads the field, from 1. It grows when the finder changes, and when what is read of
    /// a website does; two builds with the same version read the same from the same website.
    pub(super) fn version(self) -> u32 {
        let finder = match self {
            Field::Platform => Finder::Platform,
            Field::Ecommerce => Finder::Ecommerce,
            Field::Booking => Finder::Booking,
            Field::OnlineOrdering => Finder::OnlineOrdering,
            Field::Chat => Finder::Chat,
            Field::HasAdPixel | Field::AdNetworks => Finder::AdNetworks,
            Field::Analytics => Finder::Analytics,
            Field::Emails => Finder::Emails,
            Field::OwnerName => Finder::Owner,
            // The score depends on nearly all of them.
            Field::Score => return signals::reading_version(),
        };
        finder.version() + READING_VERSION - 1
    }
}

/// The values of a field, each with the page it was found on where that is known. At most one where the field is no list.
pub(super) type Values = BTreeMap<String, Option<String>>;

/// The value of a field that is either there or not.
pub(super) const YES: &str = "true";
/// The platform of a website that is built with nothing known.
pub(super) const CUSTOM: &str = "custom";

/// The pages one read saw.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct PagesRead {
    /// Pages and scripts that were read whole.
    pub(super) urls: BTreeSet<String>,
    /// Whether these are all that were chosen.
    pub(super) complete: bool,
}

/// What one read of a website shows. A field that is not there is unknown; one without values is known to show nothing on
/// the pages that were read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Snapshot {
    fields: BTreeMap<Field, Values>,
    pub(super) pages: PagesRead,
}

impl Snapshot {
    /// What a lead says about its website.
    pub(super) fn of(lead: &Lead, pages: PagesRead) -> Snapshot {
        let basic = &lead.signals.basic;
        let mut snapshot = Snapshot { pages, ..Snapshot::default() };
        if !basic.detected {
            return snapshot;
        }
        let platform = basic.platform.as_deref().filter(|slug| *slug != CUSTOM);
        let emails: Vec<&str> = lead.emails.iter().map(|email| email.email.as_str()).collect();
        snapshot.show(lead, Field::Platform, platform);
        snapshot.show(lead, Field::Ecommerce, (basic.ecommerce == Some(true)).then_some(YES));
        snapshot.show(lead, Field::Booking, basic.booking.as_deref());
        snapshot.show(lead, Field::OnlineOrdering, basic.online_ordering.as_deref());
        snapshot.show(lead, Field::Chat, basic.chat.as_deref());
        snapshot.show(lead, Field::AdNetworks, basic.ad_networks.iter().flatten().map(String::as_str));
        snapshot.show(lead, Field::Analytics, basic.analytics.iter().flatten().map(String::as_str));
        if emails.len() <= EMAILS_WHOLE_MAX && is_all_found(lead, Field::Emails, &emails) {
            snapshot.show(lead, Field::Emails, emails);
        }
        let owner = lead.owner_name.as_deref();
        if is_all_found(lead, Field::OwnerName, owner.as_slice()) {
            snapshot.show(lead, Field::OwnerName, owner);
        }
        snapshot
    }

    fn show<'a>(&mut self, lead: &Lead, field: Field, values: impl IntoIterator<Item = &'a str>) {
        let page = |value: &str| {
            let names =
                |proof: &&Evidence| proof.field == field.name() && (proof.value == value || field == Field::Ecommerce);
            lead.evidence.iter().find(names).map(|proof| proof.url.clone())
        };
        let values = values.into_iter().map(|value| (value.to_owned(), page(value))).collect();
        self.fields.insert(field, values);
    }

    /// The values of a field; `None` when they are unknown.
    pub(super) fn values(&self, field: Field) -> Option<&Values> {
        self.fields.get(&field)
    }

    /// Every field that is known.
    pub(super) fn fields(&self) -> impl Iterator<Item = (Field, &Values)> {
        self.fields.iter().map(|(field, values)| (*field, values))
    }

    #[cfg(test)]
    pub(super) fn set(&mut self, field: Field, values: Values) {
        self.fields.insert(field, values);
    }
}

/// Whether finders found all these values, and no others. What was put into a lead later, as by enrichment, is nothing that
/// a read of the website finds again.
fn is_all_found(lead: &Lead, field: Field, values: &[&str]) -> bool {
    let proofs = lead.evidence.iter().filter(|proof| proof.field == field.name() && is_found(proof));
    values.iter().copied().collect::<BTreeSet<_>>() == proofs.map(|proof| proof.value.as_str()).collect()
}

/// Whether a finder found it on a page.
fn is_found(proof: &Evidence) -> bool {
    let name = IntoDeserializer::<NameError>::into_deserializer(proof.method.as_str());
    Method::deserialize(name).is_ok()
}
