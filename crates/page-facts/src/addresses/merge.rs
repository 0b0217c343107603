//! Merges the addresses of all pages: one entry per place, the business's own first.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::addresses::AddressMention;
use crate::addresses::structured::VENUE_STANDING;
use crate::addresses::words::{is_house_number, is_short_direction, is_unit_word, plain};
use crate::facts::{Address, Evidence, FoundAddress, Method};

/// Addresses kept per site.
const ADDRESSES_MAX: usize = 200;
/// Mentions that are merged per site.
const MENTIONS_MAX: usize = 400;
/// Repetitions that count for the order.
const REPEATS_MAX: u32 = 4;

/// What the spellings of one place share: postal code or town, house number, first letters of the street's name.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct PlaceKey {
    area: String,
    number: String,
    name: String,
}

struct Entry {
    found: FoundAddress,
    standing: u8,
    suite: String,
    is_own: bool,
}

/// Merges the mentions of all pages, best first.
pub(crate) fn merge(mentions: &[(String, AddressMention)]) -> Vec<FoundAddress> {
    let mut merger = Merger::default();
    // With a street first, so that a mention without one joins the place it belongs to.
    let (with, without): (Vec<_>, Vec<_>) =
        mentions.iter().take(MENTIONS_MAX).partition(|(_, mention)| mention.address.street.is_some());
    for (url, mention) in with.into_iter().chain(without) {
        merger.add(url, mention);
    }
    let mut entries = merger.entries;
    if entries.iter().any(|entry| entry.standing > VENUE_STANDING) {
        entries.retain(|entry| entry.standing > VENUE_STANDING);
    }
    entries.sort_by_key(|entry| {
        let repeats = u8::try_from(entry.found.times_seen.saturating_sub(1).min(REPEATS_MAX)).unwrap_or(0);
        (std::cmp::Reverse(entry.is_own), std::cmp::Reverse(entry.standing + repeats))
    });
    entries.into_iter().map(|entry| entry.found).collect()
}

#[derive(Default)]
struct Merger {
    entries: Vec<Entry>,
    /// Entries by key.
    places: FxHashMap<PlaceKey, Vec<usize>>,
    /// The first entry of each postal code or town.
    areas: FxHashMap<String, usize>,
    /// Page and method of each entry, for counting.
    seen: FxHashSet<(usize, String, Method)>,
}

impl Merger {
    fn add(&mut self, url: &str, mention: &AddressMention) {
        let keys = keys_of(&mention.address);
        let suite = mention.address.street.as_deref().map(suite_of).unwrap_or_default();
        let known = match mention.address.street {
            Some(_) => keys.iter().flatten().find_map(|key| self.known(key, &suite)),
            None => areas_of(&mention.address).find_map(|area| self.areas.get(&area).copied()),
        };
        let place = match known {
            Some(place) => {
                self.join(place, (url, mention), suite);
                place
            }
            None if self.entries.len() < ADDRESSES_MAX => {
                self.push(url, mention, suite);
                self.entries.len() - 1
            }
            None => return,
        };
        for key in keys.into_iter().flatten() {
            let places = self.places.entry(key).or_default();
            if places.len() < 4 && !places.contains(&place) {
                places.push(place);
            }
        }
        for area in areas_of(&mention.address) {
            self.areas.entry(area).or_insert(place);
        }
        if self.seen.insert((place, url.to_owned(), mention.method)) {
            self.entries[place].found.times_seen += 1;
        }
    }

    /// The entry with this key whose suite does not contradict.
    fn known(&self, key: &PlaceKey, suite: &str) -> Option<usize> {
        let places = self.places.get(key)?;
        places.iter().copied().find(|place| {
            let other = &self.entries[*place].suite;
            suite.is_empty() || other.is_empty() || other == suite
        })
    }

    fn push(&mut self, url: &str, mention: &AddressMention, suite: String) {
        let Address { street, city, state, postal_code, country } = mention.address.clone();
        let evidence = Evidence { url: url.to_owned(), method: mention.method, snippet: mention.snippet.clone() };
        let found = FoundAddress { street, city, state, postal_code, country, times_seen: 0, evidence };
        self.entries.push(Entry { found, standing: mention.standing, suite, is_own: mention.is_own });
    }

    /// Adds to an entry what another mention of the place says better.
    fn join(&mut self, place: usize, (url, mention): (&str, &AddressMention), suite: String) {
        let entry = &mut self.entries[place];
        let other = &mention.address;
        let found = &mut entry.found;
        if entry.suite.is_empty() && !suite.is_empty() {
            found.street = other.street.clone();
            entry.suite = suite;
        }
        found.city = found.city.take().or_else(|| other.city.clone());
        found.state = found.state.take().or_else(|| other.state.clone());
        found.country = found.country.take().or_else(|| other.country.clone());
        let is_longer = other
            .postal_code
            .as_ref()
            .is_some_and(|code| found.postal_code.as_ref().is_none_or(|own| own.len() < code.len()));
        if is_longer {
            found.postal_code = other.postal_code.clone();
        }
        if mention.standing > entry.standing {
            entry.standing = mention.standing;
            found.evidence = Evidence { url: url.to_owned(), method: mention.method, snippet: mention.snippet.clone() };
        }
        entry.is_own |= mention.is_own;
    }
}

/// Postal code and town, reduced to what spellings share.
fn areas_of(address: &Address) -> impl Iterator<Item = String> {
    let code = address.postal_code.as_deref().map(|code| {
        let code = if address.country.as_deref() == Some("US") { code.split('-').next().unwrap_or(code) } else { code };
        squeeze(code)
    });
    let town = address.city.as_deref().map(squeeze);
    code.into_iter().chain(town).filter(|area| !area.is_empty())
}

fn keys_of(address: &Address) -> [Option<PlaceKey>; 2] {
    let mut keys = [None, None];
    let Some(street) = address.street.as_deref() else { return keys };
    let (number, name) = number_and_name(street);
    for (key, area) in keys.iter_mut().zip(areas_of(address)) {
        *key = Some(PlaceKey { area, number: number.clone(), name: name.clone() });
    }
    keys
}

/// The house number, and the first letters of the name after it; before it, where the number comes last.
fn number_and_name(street: &str) -> (String, String) {
    let words: Vec<&str> = street.split([' ', ',']).filter(|word| !word.is_empty()).collect();
    let is_name = |word: &str| {
        let letters = word.chars().filter(|c| c.is_alphabetic()).count();
        letters > 1 && !is_short_direction(word) && !is_skipped(&plain(word))
    };
    let after_unit = |at: usize| at > 0 && is_unit_word(&plain(words[at - 1]));
    let number = (0..words.len()).find(|at| is_house_number(words[*at]) && !after_unit(*at));
    let name = match number {
        Some(at) => {
            words[at + 1..].iter().find(|word| is_name(word)).or_else(|| words[..at].iter().find(|word| is_name(word)))
        }
        None => words.iter().find(|word| is_name(word)),
    };
    let number = number.map(|at| squeeze(words[at])).unwrap_or_default();
    // Kinds of streets are abbreviated, names seldom at the start.
    (number, name.map(|word| squeeze(word).chars().take(5).collect()).unwrap_or_default())
}

fn is_skipped(word: &str) -> bool {
    is_unit_word(word) || matches!(word, "north" | "south" | "east" | "west" | "the" | "po" | "p.o")
}

/// The number of a suite, reduced to letters and digits: what follows `Suite` or `#`.
fn suite_of(street: &str) -> String {
    let words: Vec<&str> = street.split([' ', ',']).filter(|word| !word.is_empty()).collect();
    for (index, word) in words.iter().enumerate().skip(1) {
        if let Some(rest) = word.strip_prefix('#') {
            let id = if rest.is_empty() { words.get(index + 1).copied().unwrap_or("") } else { rest };
            return squeeze(id);
        }
        if is_unit_word(&plain(word))
            && let Some(next) =
                words.get(index + 1).filter(|next| next.bytes().any(|b| b.is_ascii_digit()) || next.len() <= 2)
        {
            return squeeze(next);
        }
    }
    String::new()
}

fn squeeze(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mention(line: &str, standing: u8) -> (String, AddressMention) {
        let mut parts = line.split('|').map(|part| (!part.is_empty()).then(|| part.to_owned()));
        let mut next = || parts.next().flatten();
        let address = Address {
            street: next(),
            city: next(),
            state: next(),
            postal_code: next(),
            country: Some("US".to_owned()),
        };
        let mention =
            AddressMention { address, method: Method::Text, snippet: line.to_owned(), standing, is_own: false };
        (format!("https://a.com/{standing}"), mention)
    }

    fn check(lines: &[(&str, u8)], expect: &[(&str, u32)]) {
        let mentions: Vec<_> = lines.iter().map(|(line, standing)| mention(line, *standing)).collect();
        let found = merge(&mentions);
        let shown: Vec<(String, u32)> = found
            .into_iter()
            .map(|a| {
                ([a.street, a.city, a.state, a.postal_code].map(Option::unwrap_or_default).join("|"), a.times_seen)
            })
            .collect();
        let shown: Vec<(&str, u32)> = shown.iter().map(|(line, times)| (line.as_str(), *times)).collect();
        assert_eq!(shown, expect);
    }

    #[test]
    fn spellings_of_one_place_are_one_entry() {
        check(
            &[
                ("3325 W. 26th St.|Erie|PA|16506", 1),
                ("3325 West 26th Street|Erie|PA|16506-1234", 2),
                ("3325 W 26TH ST, Suite 2|ERIE|PA|16506", 3),
                ("|Erie|PA|16506", 4),
            ],
            &[("3325 W 26TH ST, Suite 2|Erie|PA|16506-1234", 4)],
        );
        check(
            &[("Castle Centre, 49-51 New Road|Bath||BA1 1BE", 1), ("49-51 New Rd|Bath||BA1 1BE", 1)],
            &[("Castle Centre, 49-51 New Road|Bath||BA1 1BE", 1)],
        );
        check(
            &[("1 Elm St Suite 100|Austin|TX|78701", 1), ("1 Elm St Suite 200|Austin|TX|78701", 2)],
            &[("1 Elm St Suite 200|Austin|TX|78701", 1), ("1 Elm St Suite 100|Austin|TX|78701", 1)],
        );
        check(
            &[("1 Elm St|Austin|TX|78701", 1), ("1 Oak St|Austin|TX|78701", 5), ("1 Elm Street|Austin|TX|", 2)],
            &[("1 Oak St|Austin|TX|78701", 1), ("1 Elm St|Austin|TX|78701", 2)],
        );
    }
}
