//! Compares postal addresses: house number, street, unit, postal code.

use std::sync::OnceLock;

use rustc_hash::FxHashSet;

use super::edits;
use super::fold::words;
use super::words::standard;
use crate::Address;

/// Words that introduce a unit inside a house.
const UNIT_WORDS: &[&str] = &[
    "ste",
    "suite",
    "unit",
    "apt",
    "apartment",
    "room",
    "rm",
    "bldg",
    "building",
    "floor",
    "fl",
    "top",
    "bte",
    "local",
];
/// Kinds of streets, which sources abbreviate, translate or leave out.
const STREET_KINDS: &str = "st street str strasse rd road ave avenue av blvd boulevard bd dr drive ln lane ct court pl place platz plaza plz sq square hwy
    highway pkwy parkway cir circle ter terrace trl trail way weg gasse allee rue chemin route quai place cours calle c carrer avenida avda via viale piazza
    corso largo rua travessa praca katu tie kuja gatan gata vagen vej gade straat laan plein n s e w north south east west ne nw se sw the de la le
    du des del di da der den am an im no nr";

/// A postal address, prepared for comparison.
#[derive(Clone, Debug, Default)]
pub(crate) struct AddressProfile {
    /// First and last house number: equal unless the address is a range.
    numbers: Option<(u32, u32)>,
    street: Vec<String>,
    unit: Option<String>,
    postcode: Option<String>,
}

/// What two addresses have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AddressAgreement {
    /// The same house and, as far as known, the same unit.
    Same,
    /// The same house but different units.
    OtherUnit,
    /// The same street, but one of the house numbers is not known.
    SameStreet,
    /// The same street, different house numbers.
    OtherNumber,
    /// Different streets.
    OtherStreet,
    /// Too little is known.
    Unknown,
}

impl AddressProfile {
    pub(crate) fn new(address: &Address) -> AddressProfile {
        let mut profile =
            AddressProfile { postcode: address.postcode.as_deref().and_then(postcode), ..Default::default() };
        if let Some(street) = &address.freeform {
            profile.read_street(street);
        }
        profile
    }

    fn read_street(&mut self, street: &str) {
        let words = if street.contains('#') { words(&street.replace('#', " unit ")) } else { words(street) };
        let mut words = words.iter().enumerate().peekable();
        while let Some((at, word)) = words.next() {
            if UNIT_WORDS.contains(&word.as_str()) {
                self.unit = words.next().map(|(_, unit)| unit.clone()).or(self.unit.take());
            } else if let Some(number) = house_number(word).filter(|_| self.numbers.is_none() || at == 0) {
                let last = words
                    .peek()
                    .and_then(|(_, next)| house_number(next))
                    .filter(|last| *last > number && *last - number < 100);
                if last.is_some() {
                    words.next();
                }
                self.numbers = Some((number, last.unwrap_or(number)));
            } else if !is_street_kind(word) {
                self.street.push(bare_street(&standard(word)).to_owned());
            }
        }
    }

    pub(crate) fn compare(&self, other: &AddressProfile) -> AddressAgreement {
        let known_streets = !self.street.is_empty() && !other.street.is_empty();
        let same_street =
            known_streets && self.street.iter().any(|word| other.street.iter().any(|known| is_like(word, known)));
        let (Some(mine), Some(theirs)) = (self.numbers, other.numbers) else {
            return match (known_streets, same_street) {
                (true, true) => AddressAgreement::SameStreet,
                (true, false) => AddressAgreement::OtherStreet,
                (false, _) => AddressAgreement::Unknown,
            };
        };
        let same_number = mine.0 <= theirs.1 && theirs.0 <= mine.1;
        if known_streets && !same_street {
            return AddressAgreement::OtherStreet;
        }
        if !same_number {
            return if known_streets { AddressAgreement::OtherNumber } else { AddressAgreement::Unknown };
        }
        let other_unit = matches!((&self.unit, &other.unit), (Some(mine), Some(theirs)) if mine != theirs);
        if !known_streets {
            AddressAgreement::SameStreet
        } else if other_unit {
            AddressAgreement::OtherUnit
        } else {
            AddressAgreement::Same
        }
    }

    /// Whether the postal codes agree; `None` when one is not known.
    pub(crate) fn same_postcode(&self, other: &AddressProfile) -> Option<bool> {
        Some(self.postcode.as_ref()? == other.postcode.as_ref()?)
    }

    /// The words that tell streets apart.
    pub(super) fn street(&self) -> &[String] {
        &self.street
    }

    /// Groups addresses that can be the same house.
    pub(crate) fn block(&self) -> Option<(u32, &str)> {
        let street = self.street.iter().max_by_key(|word| word.len())?;
        Some((self.numbers?.0, street.as_str()))
    }
}

/// The number that a word begins with, unless it is an ordinal such as "9th".
fn house_number(word: &str) -> Option<u32> {
    let digits = word.len() - word.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let letters = &word[digits..];
    let ordinal = matches!(letters, "st" | "nd" | "rd" | "th" | "er" | "eme");
    (digits > 0 && letters.len() <= 2 && !ordinal).then(|| word[..digits].parse().ok())?
}

fn is_street_kind(word: &str) -> bool {
    static KINDS: OnceLock<FxHashSet<&str>> = OnceLock::new();
    KINDS.get_or_init(|| STREET_KINDS.split_whitespace().collect()).contains(word)
}

/// A street name without the kind of street that German and Nordic names end with.
fn bare_street(word: &str) -> &str {
    let kinds = ["strase", "str", "straat", "gase", "weg", "platz", "alee", "katu", "tie", "gatan", "vagen"];
    let bare = kinds.iter().find_map(|kind| word.strip_suffix(kind)).unwrap_or(word);
    if bare.len() >= 3 { bare } else { word }
}

fn is_like(one: &str, other: &str) -> bool {
    one == other || (one.len() >= 5 && other.len() >= 5 && edits::distance(one, other) <= 1 + one.len() / 8)
}

/// Letters and digits of a postal code; the first five digits of an American one.
fn postcode(text: &str) -> Option<String> {
    let plain: String =
        text.chars().take(20).filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect();
    let zip = plain.len() == 9 && plain.bytes().all(|byte| byte.is_ascii_digit());
    let plain = if zip { plain[..5].to_owned() } else { plain };
    (plain.len() >= 3).then_some(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compare(one: &str, other: &str) -> AddressAgreement {
        let profile =
            |text: &str| AddressProfile::new(&Address { freeform: Some(text.to_owned()), ..Default::default() });
        profile(one).compare(&profile(other))
    }

    #[test]
    fn addresses_agree_however_they_are_written() {
        for (one, other) in [
            ("3545 Sangani Blvd", "3545 Sangani Boulevard Ste 100"),
            ("1023 9th St", "1023 9th Street"),
            ("Mannerheimintie 12 B", "12 Mannerheimintie"),
            ("Hauptstr. 5", "Hauptstraße 5a"),
            ("12-14 High Street", "14 High St."),
            ("24 rue de la République", "24, Rue de la Republique"),
        ] {
            assert_eq!(compare(one, other), AddressAgreement::Same, "{one} and {other}");
        }
    }

    #[test]
    fn other_houses_units_and_streets_are_told_apart() {
        assert_eq!(compare("12 Main St", "14 Main St"), AddressAgreement::OtherNumber);
        assert_eq!(compare("12 Main St", "12 Elm St"), AddressAgreement::OtherStreet);
        assert_eq!(compare("12 Main St Ste 1", "12 Main St #2"), AddressAgreement::OtherUnit);
        assert_eq!(compare("Main St", "12 Main St"), AddressAgreement::SameStreet);
        assert_eq!(compare("", "12 Main St"), AddressAgreement::Unknown);
        assert_eq!(compare("99999999999999999999", "😀"), AddressAgreement::Unknown);
    }

    #[test]
    fn american_postal_codes_are_compared_by_five_digits() {
        assert_eq!(postcode("60544-8102"), postcode("60544"));
        assert_eq!(postcode("SW1A 1AA").as_deref(), Some("sw1a1aa"));
    }
}
