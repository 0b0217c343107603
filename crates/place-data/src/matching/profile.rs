//! A place, prepared once for any number of comparisons.

use std::hash::{Hash, Hasher};

use places::Point;
use rustc_hash::FxHasher;

use super::address::AddressProfile;
use super::contact::{Phone, WebAddress};
use super::fold::words;
use super::name::NameProfile;
use super::shared_contacts::Common;
use super::trade::{TradeProfile, departments};
use super::words::standard;
use crate::Place;

/// Names, phones and web addresses compared of one place.
const NAMES_MAX: usize = 6;
const PHONES_MAX: usize = 8;
const WEB_ADDRESSES_MAX: usize = 12;
/// The same for addresses and emails, and the longest that are kept.
const ADDRESSES_MAX: usize = 4;
const EMAILS_MAX: usize = 8;
const EMAIL_BYTES_MAX: usize = 254;
const NAME_CHARS_MAX: usize = 200;

/// A place, prepared for comparison. Making one costs microseconds, comparing two far less.
#[derive(Clone, Debug)]
pub struct Profile {
    pub(super) names: Vec<NameProfile>,
    /// Words of the town's and the region's names.
    pub(super) towns: Vec<String>,
    pub(super) point: Point,
    pub(super) phones: Vec<Phone>,
    pub(super) websites: Vec<WebAddress>,
    /// Pages on networks and directories, as site and path.
    pub(super) handles: Vec<String>,
    pub(super) emails: Vec<String>,
    pub(super) address: AddressProfile,
    pub(super) trade: TradeProfile,
    /// Departments that the name names.
    pub(super) called: u64,
    /// The brand's name without spaces, empty if there is a brand without a name.
    pub(super) brand: Option<String>,
    pub(super) name: String,
    pub(super) country: String,
}

impl Profile {
    /// Prepares a place.
    #[must_use]
    pub fn new(place: &Place) -> Profile {
        let address = place.addresses.first();
        let country = address.and_then(|address| address.country.clone()).unwrap_or_default();
        let towns = place
            .addresses
            .iter()
            .take(ADDRESSES_MAX)
            .flat_map(|address| address.locality.iter().chain(&address.region));
        let towns: Vec<String> = towns.flat_map(|town| words(town)).map(|word| standard(&word)).collect();
        let all_names = std::iter::once(&place.name).chain(place.translations.iter().map(|(_, name)| name));
        let mut names: Vec<NameProfile> = Vec::new();
        for name in all_names.take(NAMES_MAX) {
            names.extend(NameProfile::new(name, &towns));
        }
        let Contacts { phones, websites, handles } = Contacts::of(place);
        let emails = place.emails.iter().filter(|email| email.len() <= EMAIL_BYTES_MAX);
        Profile {
            called: departments(names.iter().flat_map(NameProfile::trade_words)),
            names,
            towns,
            point: place.point,
            phones,
            websites,
            handles,
            emails: emails.take(EMAILS_MAX).map(|email| email.trim().to_lowercase()).collect(),
            address: address.map(AddressProfile::new).unwrap_or_default(),
            trade: TradeProfile::new(&place.categories),
            brand: place.brand.as_ref().map(|brand| brand.name.as_deref().map(words).unwrap_or_default().concat()),
            name: place.name.chars().take(NAME_CHARS_MAX).collect(),
            country,
        }
    }

    pub(crate) fn point(&self) -> Point {
        self.point
    }

    /// Bit sets of pairs of letters, one for each name; similar names have similar ones.
    pub(crate) fn signatures(&self) -> impl Iterator<Item = u128> {
        self.names.iter().map(|name| name.signature)
    }

    /// Calls `each` with a hash of all that two records of one place may share, except for what many have.
    pub(crate) fn blocks(&self, mut each: impl FnMut(u64)) {
        self.phones.iter().filter(|phone| !phone.common).for_each(|phone| each(hash(0, phone.block())));
        self.websites.iter().filter(|web| !web.common).for_each(|web| each(hash(1, &web.site)));
        self.handles.iter().for_each(|handle| each(hash(2, handle)));
        self.address.block().into_iter().for_each(|house| each(hash(3, house)));
    }

    /// Marks phones and websites that many places have, and drops profiles in networks that many have.
    pub(crate) fn mark_common(&mut self, common: &Common) {
        self.phones.iter_mut().for_each(|phone| phone.common = common.contains(phone_key(phone)));
        self.websites.iter_mut().for_each(|web| web.common = common.contains(website_key(&web.site)));
        self.handles.retain(|handle| !common.contains(handle_key(handle)));
    }

    /// The phones, websites and profiles as hashes, to find out which of them many places have.
    pub(crate) fn contact_keys(&self) -> impl Iterator<Item = u64> {
        keys(&self.phones, &self.websites, &self.handles)
    }
}

/// How a place can be reached.
pub(crate) struct Contacts {
    phones: Vec<Phone>,
    websites: Vec<WebAddress>,
    /// Pages on networks and directories, as site and path.
    handles: Vec<String>,
}

impl Contacts {
    pub(crate) fn of(place: &Place) -> Contacts {
        let country = place.addresses.first().and_then(|address| address.country.as_deref());
        let country = country.filter(|country| !country.is_empty());
        let mut phones: Vec<Phone> =
            place.phones.iter().take(PHONES_MAX).filter_map(|phone| Phone::parse(phone, country)).collect();
        phones.sort_unstable();
        phones.dedup();
        let all = place.websites.iter().chain(&place.socials).take(WEB_ADDRESSES_MAX);
        let web = all.filter_map(|url| WebAddress::parse(url));
        let (shared, websites): (Vec<WebAddress>, Vec<WebAddress>) = web.partition(|web| web.on_shared_site);
        Contacts { phones, websites, handles: shared.into_iter().map(|web| web.site).collect() }
    }

    /// As [`Profile::contact_keys`].
    pub(crate) fn keys(&self) -> impl Iterator<Item = u64> {
        keys(&self.phones, &self.websites, &self.handles)
    }
}

fn keys(phones: &[Phone], websites: &[WebAddress], handles: &[String]) -> impl Iterator<Item = u64> {
    let websites = websites.iter().map(|web| website_key(&web.site));
    phones.iter().map(phone_key).chain(websites).chain(handles.iter().map(|handle| handle_key(handle)))
}

fn phone_key(phone: &Phone) -> u64 {
    hash(0, phone.digits)
}

fn website_key(site: &str) -> u64 {
    hash(1, site)
}

fn handle_key(handle: &str) -> u64 {
    hash(2, handle)
}

fn hash(kind: u8, key: impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    (kind, key).hash(&mut hasher);
    hasher.finish()
}
