//! A place, prepared once for any number of comparisons.

use super::address::AddressProfile;
use super::contact::{Phone, WebAddress};
use super::fold::words;
use super::name::NameProfile;
use super::trade::{TradeProfile, departments};
use super::words::standard;
use crate::Place;
use places::Point;

/// Names, phones and web addresses compared of one place.
const NAMES_MAX: usize = 6;
const PHONES_MAX: usize = 8;
const WEB_ADDRESSES_MAX: usize = 12;

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
    pub(super) called: u32,
    pub(super) branded: bool,
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
        let mut phones: Vec<Phone> = place.phones.iter().take(PHONES_MAX).filter_map(|phone| Phone::parse(phone, region)).collect();
        phones.sort_unstable();
        phones.dedup();
        let web = place.websites.iter().chain(&place.socials).take(WEB_ADDRESSES_MAX).filter_map(|url| WebAddress::parse(url));
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
            branded: place.brand.is_some(),
            name: place.name.clone(),
            country,
        }
    }
}
