//! Compares what kinds of places two records are: by the industries of Canvass, and by what the words of names and
//! categories say.

use std::cell::RefCell;
use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use super::fold::words;
use super::words::standard;
use crate::Categories;

/// Categories read of one place.
const CATEGORIES_MAX: usize = 24;
/// Categories remembered by each thread; all taxonomies together have about 5,000.
const CATEGORIES_CACHED_MAX: usize = 10_000;

/// Kinds of places that share a roof and often a name: a hotel and its restaurant, a supermarket and its pharmacy.
const DEPARTMENTS: &[&str] = &[
    // Eating and drinking.
    "restaurant ristorante restaurante ravintola gaststatte gasthaus grill bistro brasserie trattoria osteria pizzeria pizza diner cafe
     coffee kahvila caffe cafeteria bar pub tavern lounge bakery backerei boulangerie deli burger sushi food",
    "hotel hotelli hotell motel inn hostel resort guesthouse pension lodging accommodation",
    "pharmacy apotheke pharmacie farmacia apteekki drugstore chemist",
    "spa wellness massage sauna",
    "gym fitness",
    "hair salon hairdresser friseur coiffure coiffeur peluqueria kampaamo barber beauty nail cosmetic",
    "tire auto automotive car mechanic garage",
    "wash carwash waschanlage waschstrasse autowaschanlage autopesu",
    "optical optik optiker opticien vision eyewear optometrist optician",
    "photo photography",
    "bank banque banco banca pankki sparkasse credit atm",
    "dentist dental zahnarzt orthodontist",
    "veterinary veterinarian vet animal pet tierarzt",
    "school schule ecole escuela koulu academy university college kindergarten preschool daycare",
    "church kirche eglise iglesia kirkko chapel",
    "museum gallery",
    "theater theatre cinema kino",
    "casino",
    "laundry laundromat cleaner dryclean",
    "nursery florist flower blumen garden",
    "liquor wine",
    "parking garage",
    "gas fuel petrol tankstelle",
    "storage",
    "attorney law legal notary",
    "real estate realty immobilien immobilier",
    "insurance versicherung",
    "supermarket supermarkt supermarche grocery convenience",
    "library",
    "travel reisebuero",
    "department mall",
    "hospital krankenhaus klinikum hopital sairaala ospedale",
];

/// Facilities that carry the name of the place they stand at and are none of its business.
const FACILITIES: &[&str] = &[
    "atm",
    "artwork",
    "atms",
    "bicycle_parking",
    "bicycle_rental",
    "bus_station",
    "charging_station",
    "ev_charging_station",
    "ferry_terminal",
    "information",
    "parcel_locker",
    "parking",
    "parking_entrance",
    "parking_space",
    "playground",
    "post_box",
    "toilets",
    "vending_machine",
    "viewpoint",
];

/// What kind of place it is, prepared for comparison.
#[derive(Clone, Debug, Default)]
pub(super) struct TradeProfile {
    /// Industries of Canvass, by index.
    industries: Vec<u16>,
    /// Bits of `DEPARTMENTS`.
    departments: u64,
    facility: bool,
    known: bool,
}

/// What two places have in common as to their kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TradeAgreement {
    /// The same industry or the same kind of department.
    Same,
    /// Different industries of one group, such as food.
    Related,
    /// Nothing in common.
    Other,
    /// Kinds that are often found under one roof, such as a hotel and a restaurant.
    OtherDepartment,
    /// One of them is not known.
    Unknown,
    /// One is a facility such as an ATM, the other is not.
    Facility,
}

impl TradeProfile {
    pub(super) fn new(categories: &Categories) -> TradeProfile {
        let named = categories
            .primary
            .iter()
            .chain(&categories.basic)
            .chain(&categories.hierarchy)
            .chain(&categories.alternates);
        let mut trade = TradeProfile::default();
        for name in named.take(CATEGORIES_MAX) {
            trade.known = true;
            let (departments, industries) = known(name);
            trade.departments |= departments;
            trade.industries.extend(industries);
        }
        let primary = categories.primary.as_deref().unwrap_or_default();
        trade.facility = FACILITIES.contains(&primary.split_once(['=', ':']).map_or(primary, |(_, value)| value));
        trade.industries.sort_unstable();
        trade.industries.dedup();
        trade
    }

    pub(super) fn compare(&self, other: &TradeProfile) -> TradeAgreement {
        if !self.known || !other.known {
            return TradeAgreement::Unknown;
        }
        if self.facility != other.facility {
            return TradeAgreement::Facility;
        }
        if self.departments & other.departments != 0
            || self.industries.iter().any(|industry| other.industries.contains(industry))
        {
            return TradeAgreement::Same;
        }
        if self.departments != 0 && other.departments != 0 {
            return TradeAgreement::OtherDepartment;
        }
        if self.industries.is_empty() || other.industries.is_empty() {
            return TradeAgreement::Unknown;
        }
        let group = |industry: &u16| places::categories()[usize::from(*industry)].group;
        let related =
            self.industries.iter().any(|industry| other.industries.iter().any(|other| group(other) == group(industry)));
        if related { TradeAgreement::Related } else { TradeAgreement::Other }
    }

    /// Whether these are kinds of places with many branches, which share websites, phones and names.
    pub(super) fn has_branches(&self) -> bool {
        self.departments & department("bank") != 0
    }

    /// Whether a place is of another kind than the departments that the other's name says, as far as can be told.
    pub(super) fn is_beside(&self, called: u64) -> bool {
        self.known
            && called != 0
            && self.departments & called == 0
            && self.departments == 0
            && self.industries.is_empty()
    }

    /// Whether a place whose name says that it is one of these departments is a department of the other place, which is of
    /// another kind.
    pub(super) fn is_department_of(&self, other: &TradeProfile, called: u64) -> bool {
        let apart = matches!(self.compare(other), TradeAgreement::Other | TradeAgreement::OtherDepartment);
        apart
            && called != 0
            && called & other.departments == 0
            && (self.departments == 0 || self.departments & called != 0)
    }
}

/// Departments and industries of a category. There are few categories and many places, hence the cache.
fn known(category: &str) -> (u64, &'static [u16]) {
    thread_local! {
        static KNOWN: RefCell<FxHashMap<String, (u64, &'static [u16])>> = RefCell::default();
    }
    KNOWN.with_borrow_mut(|known| {
        if let Some(found) = known.get(category) {
            return *found;
        }
        let value = category.split_once(['=', ':']).map_or(category, |(_, value)| value);
        // The last word says what it is: a "car_wash" is no car.
        let departments = words(value).iter().rev().map(|word| department(&standard(word))).find(|bits| *bits != 0);
        let departments = departments.unwrap_or_default();
        let found = (departments, industries_of(category));
        if known.len() < CATEGORIES_CACHED_MAX {
            known.insert(category.to_owned(), found);
        }
        found
    })
}

/// The departments that these words of a name name, as bits.
pub(super) fn departments<'a>(words: impl Iterator<Item = &'a str>) -> u64 {
    words.fold(0, |bits, word| bits | department(word))
}

fn department(word: &str) -> u64 {
    static BITS: OnceLock<FxHashMap<String, u64>> = OnceLock::new();
    let bits = BITS.get_or_init(|| {
        let mut bits = FxHashMap::default();
        for (at, list) in DEPARTMENTS.iter().enumerate() {
            for word in list.split_whitespace() {
                *bits.entry(standard(word)).or_insert(0) |= 1 << at;
            }
        }
        bits
    });
    bits.get(word).copied().unwrap_or(0)
}

/// The industries that a category of any source belongs to, by index.
fn industries_of(category: &str) -> &'static [u16] {
    static INDEX: OnceLock<FxHashMap<String, Vec<u16>>> = OnceLock::new();
    let index = INDEX.get_or_init(|| {
        let mut index: FxHashMap<String, Vec<u16>> = FxHashMap::default();
        for (number, category) in places::categories().iter().enumerate() {
            let number = u16::try_from(number).unwrap_or(u16::MAX);
            let mut add = |name: String| index.entry(name).or_default().push(number);
            category.overture.iter().for_each(|name| add((*name).to_owned()));
            category.osm.iter().for_each(|(key, value)| add(format!("{key}={value}")));
            add(format!("canvass:{}", category.slug));
        }
        index
    });
    index.get(category).map_or(&[], Vec::as_slice)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trade(primary: &str) -> TradeProfile {
        TradeProfile::new(&Categories { primary: Some(primary.to_owned()), ..Default::default() })
    }

    #[test]
    fn categories_of_different_sources_are_compared() {
        for (one, other, expected) in [
            ("italian_restaurant", "amenity=restaurant", TradeAgreement::Same),
            ("plumbing", "craft=plumber", TradeAgreement::Same),
            ("hotel", "amenity=restaurant", TradeAgreement::OtherDepartment),
            ("plumbing", "amenity=restaurant", TradeAgreement::Other),
            ("bank_credit_union", "amenity=atm", TradeAgreement::Facility),
            ("no_such_thing", "craft=plumber", TradeAgreement::Unknown),
        ] {
            assert_eq!(trade(one).compare(&trade(other)), expected, "{one} and {other}");
        }
        assert_eq!(trade("plumbing").compare(&TradeProfile::default()), TradeAgreement::Unknown);
    }

    #[test]
    fn a_restaurant_is_a_department_of_a_hotel() {
        let called = departments(["restaurant"].into_iter());
        assert!(trade("restaurant").is_department_of(&trade("hotel"), called));
        assert!(!trade("restaurant").is_department_of(&trade("bar"), called));
    }
}
