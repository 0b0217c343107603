//! Chooses the best value of each field among several records of one place.

use std::cmp::Reverse;

use super::{Field, Merged, SourceTag};
use crate::matching::{AddressAgreement, AddressProfile, Phone, WebAddress};
use crate::{Address, NameSource, OperatingStatus, Place};

/// Websites, profiles, emails and phones read of one record.
const VALUES_MAX: usize = 20;

/// Whether two values are the same, however they are written.
trait IsSame {
    fn is_same(&self, other: &Self) -> bool;
}

impl IsSame for String {
    fn is_same(&self, other: &String) -> bool {
        self == other
    }
}

/// Merges the records of one place. `None` without a record.
///
/// Records come in the operator's order of sources; the first one gives the id. Each field is taken from the record that has the
/// best value: complete rather than partial, an own domain rather than a page in a network, a valid phone number; then from
/// the newest record, then from the first. Phones, emails, websites and profiles of all records are united.
#[must_use]
pub fn merge(parts: Vec<(SourceTag, Place)>) -> Option<Merged> {
    let mut parts = parts;
    if parts.len() <= 1 {
        let (source, place) = parts.pop()?;
        return Some(Merged::single(source, place));
    }
    let mut merging = Merging::new(&parts);
    merging.single_values();
    merging.categories();
    merging.contacts();
    merging.address();
    merging.origins();
    let Merging { place, mut field_sources, .. } = merging;
    field_sources.sort_by_key(|(field, _)| *field);
    let aliases = parts[1..].iter().map(|(source, place)| (source.clone(), place.id.clone())).collect();
    Some(Merged { place, source: parts[0].0.clone(), aliases, field_sources })
}

struct Merging<'a> {
    parts: &'a [(SourceTag, Place)],
    /// Indexes of the records, the newest first.
    newest: Vec<usize>,
    place: Place,
    field_sources: Vec<(Field, SourceTag)>,
}

impl<'a> Merging<'a> {
    fn new(parts: &'a [(SourceTag, Place)]) -> Merging<'a> {
        let mut newest: Vec<usize> = (0..parts.len()).collect();
        newest.sort_by_key(|at| Reverse(updated(&parts[*at].1)));
        Merging { parts, newest, place: parts[0].1.clone(), field_sources: Vec::new() }
    }

    /// The record with the highest rank; of equal ones the newest. Rank 0 means that the record has no value.
    fn best(&self, rank: impl Fn(&Place) -> u64) -> Option<usize> {
        let mut best: Option<(u64, usize)> = None;
        for at in &self.newest {
            let rank = rank(&self.parts[*at].1);
            if rank > best.map_or(0, |(rank, _)| rank) {
                best = Some((rank, *at));
            }
        }
        best.map(|(_, at)| at)
    }

    fn credit(&mut self, field: Field, part: usize) {
        self.field_sources.push((field, self.parts[part].0.clone()));
    }

    /// Takes a field from the record with the highest rank.
    fn take(&mut self, field: Field, rank: impl Fn(&Place) -> u64, copy: impl Fn(&mut Place, &Place)) {
        if let Some(part) = self.best(rank) {
            copy(&mut self.place, &self.parts[part].1);
            self.credit(field, part);
        }
    }

    fn single_values(&mut self) {
        self.take(Field::Name, name_rank, |into, from| {
            into.name.clone_from(&from.name);
            into.name_source = from.name_source;
        });
        self.take(Field::Status, status_rank, |into, from| into.status = from.status);
        self.take(Field::Brand, brand_rank, |into, from| into.brand.clone_from(&from.brand));
        self.take(
            Field::OpeningHours,
            |place| u64::from(place.opening_hours.is_some()),
            |into, from| into.opening_hours.clone_from(&from.opening_hours),
        );
        self.take(
            Field::Rating,
            |place| if place.rating.is_some() { 1 + place.review_count.unwrap_or(0).unsigned_abs() } else { 0 },
            |into, from| (into.rating, into.review_count) = (from.rating, from.review_count),
        );
        for (_, place) in &self.parts[1..] {
            for translation in &place.translations {
                if !self.place.translations.iter().any(|(language, _)| *language == translation.0) {
                    self.place.translations.push(translation.clone());
                }
            }
        }
        let confidences = self.parts.iter().filter_map(|(_, place)| place.confidence);
        self.place.confidence = confidences.max_by(f64::total_cmp);
    }

    /// The categories of the first record that has any; those of the others become further categories.
    fn categories(&mut self) {
        let Some(first) = self.parts.iter().position(|(_, place)| place.categories.primary.is_some()) else { return };
        let mut categories = self.parts[first].1.categories.clone();
        for (_, place) in self.parts {
            let other = &place.categories;
            for name in other.primary.iter().chain(&other.hierarchy).chain(&other.alternates) {
                let known = categories.primary.as_ref() == Some(name) || categories.hierarchy.contains(name);
                if !known && !categories.alternates.contains(name) {
                    categories.alternates.push(name.clone());
                }
            }
        }
        self.place.categories = categories;
        self.credit(Field::Category, first);
    }

    fn contacts(&mut self) {
        let websites = self.unite(Field::Website, |place| &place.websites, website_value);
        let socials = self.unite(Field::Social, |place| &place.socials, website_value);
        let emails = self.unite(Field::Email, |place| &place.emails, email_value);
        let phones = self.unite(Field::Phone, |place| &place.phones, phone_value);
        let place = &mut self.place;
        (place.websites, place.socials, place.emails, place.phones) = (websites, socials, emails, phones);
    }

    /// The values of all records without repetitions, the best first; of equally good ones those of the newest record. `value`
    /// gives rank and the form by which repetitions are recognised.
    fn unite<K: IsSame>(
        &mut self,
        field: Field,
        list: impl Fn(&Place) -> &Vec<String>,
        value: impl Fn(&str, &Place) -> (u8, K),
    ) -> Vec<String> {
        let mut all: Vec<(u8, K, usize, &'a String)> = Vec::new();
        for part in &self.newest {
            let place = &self.parts[*part].1;
            let texts = list(place).iter().take(VALUES_MAX);
            all.extend(texts.map(|text| {
                let (rank, key) = value(text, place);
                (rank, key, *part, text)
            }));
        }
        all.sort_by_key(|(rank, ..)| Reverse(*rank));
        let mut found: Vec<(u8, K, usize, &'a String)> = Vec::new();
        for value in all {
            if !found.iter().any(|(_, known, ..)| known.is_same(&value.1)) {
                found.push(value);
            }
        }
        found.iter().for_each(|(_, _, part, _)| self.credit(field, *part));
        found.into_iter().map(|(.., text)| text.clone()).collect()
    }

    /// The most complete address, completed by those of the same house, and its position; then other addresses.
    fn address(&mut self) {
        let rank = |place: &Place| place.addresses.first().map_or(0, address_rank);
        let Some(main) = self.best(rank) else {
            self.credit(Field::Point, 0);
            return;
        };
        self.place.point = self.parts[main].1.point;
        self.credit(Field::Point, main);
        let profile = AddressProfile::new(&self.parts[main].1.addresses[0]);
        let mut address = Address::default();
        let mut others: Vec<Address> = self.parts[main].1.addresses[1..].to_vec();
        let order = std::iter::once(main).chain(self.newest.clone().into_iter().filter(|part| *part != main));
        for part in order {
            for (at, other) in self.parts[part].1.addresses.iter().enumerate() {
                let differs = matches!(
                    profile.compare(&AddressProfile::new(other)),
                    AddressAgreement::OtherNumber | AddressAgreement::OtherStreet
                );
                if differs && part != main && !others.contains(other) {
                    others.push(other.clone());
                } else if !differs && at == 0 {
                    self.complete(&mut address, other, part);
                }
            }
        }
        self.place.addresses = std::iter::once(address).chain(others).collect();
    }

    /// Fills what an address lacks, and records where each part comes from.
    fn complete(&mut self, address: &mut Address, from: &Address, part: usize) {
        let fields = [
            (Field::Street, &mut address.freeform, &from.freeform),
            (Field::Locality, &mut address.locality, &from.locality),
            (Field::Postcode, &mut address.postcode, &from.postcode),
            (Field::Region, &mut address.region, &from.region),
            (Field::Country, &mut address.country, &from.country),
        ];
        for (field, into, from) in fields {
            if from.is_some() && into.is_none() {
                into.clone_from(from);
                self.credit(field, part);
            }
        }
    }

    fn origins(&mut self) {
        for (_, place) in &self.parts[1..] {
            for origin in &place.origins {
                if !self.place.origins.contains(origin) {
                    self.place.origins.push(origin.clone());
                }
            }
        }
    }
}

/// The day of the last change, empty if not known. Dates in RFC 3339 sort as text.
fn updated(place: &Place) -> &str {
    let days = place.origins.iter().filter_map(|origin| origin.updated.as_deref()?.get(..10));
    days.max().unwrap_or_default()
}

/// A name in capitals or without any is worse than one in mixed case, and that of a brand or a company than the place's own.
fn name_rank(place: &Place) -> u64 {
    let name = place.name.as_str();
    let own = place.name_source == NameSource::Name;
    let mixed = name.chars().any(char::is_lowercase) && name.chars().any(char::is_uppercase);
    let caseless = !name.chars().any(|letter| letter.is_lowercase() || letter.is_uppercase());
    if name.trim().is_empty() { 0 } else { 1 + u64::from(mixed || caseless) + 2 * u64::from(own) }
}

/// A closure is only believed when it is newer; hence all are equal.
fn status_rank(place: &Place) -> u64 {
    let dated = !updated(place).is_empty();
    1 + u64::from(dated || place.status != OperatingStatus::Open)
}

fn brand_rank(place: &Place) -> u64 {
    place
        .brand
        .as_ref()
        .map_or(0, |brand| 1 + 2 * u64::from(brand.wikidata.is_some()) + u64::from(brand.name.is_some()))
}

fn address_rank(address: &Address) -> u64 {
    let street = address.freeform.as_deref().filter(|street| !street.trim().is_empty());
    let number = street.is_some_and(|street| street.bytes().any(|byte| byte.is_ascii_digit()));
    let parts = [&address.locality, &address.postcode, &address.region, &address.country];
    let complete = parts.iter().filter(|part| part.is_some()).count() as u64;
    10 * u64::from(street.is_some()) + 10 * u64::from(number) + complete
}

/// An own domain is better than a page on a shared site, which is better than what cannot be read.
fn website_value(url: &str, _: &Place) -> (u8, String) {
    match WebAddress::parse(url) {
        Some(web) if web.on_shared_site => (1, web.site),
        Some(web) => (2, format!("{}/{}", web.site, web.page)),
        None => (0, url.trim().to_lowercase()),
    }
}

fn email_value(email: &str, _: &Place) -> (u8, String) {
    (1, email.trim().to_lowercase())
}

/// A phone number, or what cannot be read as one.
enum PhoneKey {
    Number(Phone),
    Text(String),
}

impl IsSame for PhoneKey {
    fn is_same(&self, other: &PhoneKey) -> bool {
        match (self, other) {
            (PhoneKey::Number(one), PhoneKey::Number(other)) => one.is(*other),
            (PhoneKey::Text(one), PhoneKey::Text(other)) => one == other,
            _ => false,
        }
    }
}

/// A number of the place is better than one of the whole company, and one whose country is known than one without.
fn phone_value(phone: &str, place: &Place) -> (u8, PhoneKey) {
    let country = place.addresses.first().and_then(|address| address.country.as_deref());
    match Phone::parse(phone, country) {
        Some(number) => {
            let rank = 1 + 2 * u8::from(number.is_international()) + u8::from(!number.is_company_wide());
            (rank, PhoneKey::Number(number))
        }
        None => (0, PhoneKey::Text(phone.trim().to_owned())),
    }
}
