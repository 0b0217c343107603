//! A place, prepared once for any number of comparisons.

use places::Point;
use rustc_hash::{FxHashMap, FxHashSet};

use super::address::AddressProfile;
use super::contact::{Phone, WebAddress};
use super::fold::words;
use super::name::NameProfile;
use super::trade::{TradeProfile, departments};
use super::words::standard;
use crate::Place;

/// Names, phones and web addresses compared of one place.
const NAMES_MAX: usize = 6;
const PHONES_MAX: usize = 8;
const WEB_ADDRESSES_MAX: usize = 12;
/// Districts per degree, within which the same street and house number are the same house.
const DISTRICTS: f64 = 25.0;
/// Places of one source that may share a phone or a website before it says little about which place it is.
const COMMON_MIN: u32 = 5;

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
        let towns = place.addresses.iter().flat_map(|address| address.locality.iter().chain(&address.region));
        let towns: Vec<String> = towns.flat_map(|town| words(town)).map(|word| standard(&word)).collect();
        let all_names = std::iter::once(&place.name).chain(place.translations.iter().map(|(_, name)| name));
        let mut names: Vec<NameProfile> = Vec::new();
        for name in all_names.take(NAMES_MAX) {
            names.extend(NameProfile::new(name, &towns));
        }
        let region = Some(country.as_str()).filter(|country| !country.is_empty());
        let mut phones: Vec<Phone> =
            place.phones.iter().take(PHONES_MAX).filter_map(|phone| Phone::parse(phone, region)).collect();
        phones.sort_unstable();
        phones.dedup();
        let web = place
            .websites
            .iter()
            .chain(&place.socials)
            .take(WEB_ADDRESSES_MAX)
            .filter_map(|url| WebAddress::parse(url));
        let (shared, websites): (Vec<WebAddress>, Vec<WebAddress>) = web.partition(|web| web.on_shared_site);
        Profile {
            called: departments(names.iter().flat_map(NameProfile::trade_words)),
            names,
            towns,
            point: place.point,
            phones,
            websites,
            handles: shared.into_iter().map(|web| web.site).collect(),
            emails: place.emails.iter().map(|email| email.trim().to_lowercase()).collect(),
            address: address.map(AddressProfile::new).unwrap_or_default(),
            trade: TradeProfile::new(&place.categories),
            brand: place.brand.as_ref().map(|brand| brand.name.as_deref().map(words).unwrap_or_default().concat()),
            name: place.name.clone(),
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

    /// Calls `each` with a kind and a key for all that two records of one place may share.
    pub(crate) fn blocks(&self, mut each: impl FnMut(u8, BlockKey<'_>)) {
        self.phones.iter().for_each(|phone| each(0, BlockKey::Number(phone.block())));
        self.websites.iter().for_each(|web| each(1, BlockKey::Text(&web.site)));
        self.handles.iter().for_each(|handle| each(2, BlockKey::Text(handle)));
        if let Some((number, street)) = self.address.block() {
            #[expect(clippy::cast_possible_truncation, reason = "at most 360")]
            let district =
                ((self.point.latitude * DISTRICTS).round() as i32, (self.point.longitude * DISTRICTS).round() as i32);
            each(3, BlockKey::House(number, street, district));
        }
    }
}

/// What two records of one place may share.
#[derive(Hash)]
pub(crate) enum BlockKey<'a> {
    Number(u64),
    Text(&'a str),
    /// House number, street, and a few kilometres around.
    House(u32, &'a str, (i32, i32)),
}

/// Marks phones and websites that many places of one source have: those of chains, malls and head offices.
pub(crate) fn mark_common(profiles: &mut [Profile], sources: &[usize]) {
    let mut phones: FxHashMap<(usize, u64), u32> = FxHashMap::default();
    let mut sites: FxHashMap<(usize, &str), u32> = FxHashMap::default();
    for (profile, source) in profiles.iter().zip(sources) {
        profile.phones.iter().for_each(|phone| *phones.entry((*source, phone.digits)).or_default() += 1);
        profile.websites.iter().for_each(|web| *sites.entry((*source, web.site.as_str())).or_default() += 1);
    }
    let phones: FxHashSet<u64> =
        phones.into_iter().filter(|(_, count)| *count > COMMON_MIN).map(|((_, digits), _)| digits).collect();
    let sites: FxHashSet<String> =
        sites.into_iter().filter(|(_, count)| *count > COMMON_MIN).map(|((_, site), _)| site.to_owned()).collect();
    for profile in profiles {
        profile.phones.iter_mut().for_each(|phone| phone.common = phones.contains(&phone.digits));
        profile.websites.iter_mut().for_each(|web| web.common = sites.contains(&web.site));
    }
}
