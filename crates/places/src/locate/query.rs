//! A typed location split into words, and what its end may say about state and country.

use super::region_names::names;
use crate::fold::{self, Word};
use crate::gazetteer::gazetteer;
use crate::postal;

/// Words of the longest country name and of the longest first-order region name.
const COUNTRY_WORDS_MAX: usize = 6;
const FIRST_WORDS_MAX: usize = 5;

/// Words that distinguish a state or country from a town of the same name: "New York State", "Georgia (country)".
const STATE_WORDS: &[&str] = &["state", "province", "region"];
const COUNTRY_WORD: &str = "country";

/// A typed location.
pub(super) struct LocationQuery<'t> {
    text: &'t str,
    pub(super) words: Vec<Word>,
}

/// One interpretation of the end of a location. What precedes it is the name of a town or county, or nothing.
#[derive(Clone, Debug)]
pub(super) struct LocationTail {
    /// Number of words before the tail.
    pub(super) rest: usize,
    pub(super) country: Option<usize>,
    pub(super) first: Option<usize>,
    pub(super) postal_code: Option<usize>,
    /// How implausible the interpretation is; 0 is best.
    pub(super) doubt: u8,
}

impl<'t> LocationQuery<'t> {
    pub(super) fn new(text: &'t str) -> LocationQuery<'t> {
        LocationQuery { text, words: fold::words(text) }
    }

    pub(super) fn text(&self) -> &'t str {
        self.text
    }

    /// The same text with only some of its words.
    pub(super) fn with_words(&self, words: &[Word]) -> LocationQuery<'t> {
        LocationQuery { text: self.text, words: words.to_vec() }
    }

    pub(super) fn key(&self, from: usize, to: usize) -> String {
        fold::join(self.words[from..to].iter().map(|word| word.text.as_str()))
    }

    pub(super) fn texts(&self, from: usize, to: usize) -> Vec<&str> {
        self.words[from..to].iter().map(|word| word.text.as_str()).collect()
    }

    /// Whether a comma or similar precedes the word.
    pub(super) fn is_divided_before(&self, at: usize) -> bool {
        at > 0 && self.text[self.words[at - 1].end..self.words[at].start].contains([',', ';', '|', '\n', '\t'])
    }

    /// The words before `to`, as typed.
    pub(super) fn typed(&self, to: usize) -> &'t str {
        match (self.words.first(), self.words[..to].last()) {
            (Some(first), Some(last)) => &self.text[first.start..last.end],
            _ => "",
        }
    }

    /// The words `from..to`, as typed.
    pub(super) fn typed_between(&self, from: usize, to: usize) -> &'t str {
        match (self.words.get(from), self.words[..to].last()) {
            (Some(first), Some(last)) if first.start < last.end => &self.text[first.start..last.end],
            _ => "",
        }
    }

    /// Every interpretation of the end of the location, including the one without a tail.
    pub(super) fn tails(&self) -> Vec<LocationTail> {
        let mut tails = Vec::new();
        for country in self.country_tails() {
            let with_code = self.with_postal_code(&country);
            tails.extend(self.first_tails(with_code.as_ref().unwrap_or(&country)));
        }
        tails
    }

    fn country_tails(&self) -> Vec<LocationTail> {
        let count = self.words.len();
        let none = LocationTail { rest: count, country: None, first: None, postal_code: None, doubt: 0 };
        let mut tails = vec![none.clone()];
        for rest in count.saturating_sub(COUNTRY_WORDS_MAX)..count {
            let end = self.without_last(rest, count, &[COUNTRY_WORD]);
            for named in names().countries(&self.key(rest, end)) {
                let doubt = u8::from(named.by_letters);
                tails.push(LocationTail { rest, country: Some(named.country), doubt, ..none.clone() });
                tails.extend(self.territory_tails(rest, named.country));
            }
        }
        tails
    }

    /// A territory followed by the US: "San Juan, Puerto Rico, USA".
    fn territory_tails(&self, end: usize, country: usize) -> Vec<LocationTail> {
        let countries = &gazetteer().countries;
        if countries[country].code != "US" {
            return Vec::new();
        }
        let named =
            |rest: usize| names().countries(&self.key(rest, end)).iter().map(move |named| (rest, named.country));
        let found = (end.saturating_sub(COUNTRY_WORDS_MAX)..end).flat_map(named);
        let territories = found.filter(|(_, country)| countries[*country].is_us_territory());
        territories
            .map(|(rest, country)| LocationTail {
                rest,
                country: Some(country),
                first: None,
                postal_code: None,
                doubt: 0,
            })
            .collect()
    }

    /// The end of the words `from..to`, without a last one that only says what they are.
    fn without_last(&self, from: usize, to: usize, idle: &[&str]) -> usize {
        let is_idle = to > from + 1 && idle.contains(&self.words[to - 1].text.as_str());
        to - usize::from(is_idle)
    }

    /// The tail with a ZIP code before it, in one of its forms: 78701, 78701-1234, 787011234.
    fn with_postal_code(&self, tail: &LocationTail) -> Option<LocationTail> {
        if tail.country.is_some_and(|country| gazetteer().countries[country].code != "US") {
            return None;
        }
        let words = &self.words[..tail.rest];
        let last = &words.last()?.text;
        let (digits, count) = match (words.len().checked_sub(2).map(|at| &words[at].text), last.len()) {
            (Some(before), 4) if is_digits(last) && before.len() == 5 => (before.as_str(), 2),
            (_, 5) => (last.as_str(), 1),
            (_, 9) if is_digits(last) => (&last[..5], 1),
            _ => return None,
        };
        let code = postal::codes().find(digits)?;
        Some(LocationTail { rest: tail.rest - count, postal_code: Some(code), ..tail.clone() })
    }

    fn first_tails(&self, tail: &LocationTail) -> Vec<LocationTail> {
        let mut tails = vec![tail.clone()];
        for rest in tail.rest.saturating_sub(FIRST_WORDS_MAX)..tail.rest {
            let end = self.without_last(rest, tail.rest, STATE_WORDS);
            for first in names().admin1s(&self.key(rest, end)) {
                if tail.country.is_none_or(|country| gazetteer().admin1s[*first].country == country) {
                    tails.push(LocationTail { rest, first: Some(*first), ..tail.clone() });
                }
            }
        }
        tails
    }
}

impl LocationTail {
    /// Whether a region and country fit the tail. Territories count as the US and as themselves.
    pub(super) fn fits(&self, first: Option<usize>, country: usize) -> bool {
        let countries = &gazetteer().countries;
        let fits_country = self.country.is_none_or(|wanted| {
            wanted == country || (countries[wanted].code == "US" && countries[country].is_us_territory())
        });
        fits_country && self.first.is_none_or(|wanted| Some(wanted) == first)
    }

    /// Whether the tail restricts where the name can be.
    pub(super) fn says_something(&self) -> bool {
        self.country.is_some() || self.first.is_some() || self.postal_code.is_some()
    }
}

pub(super) fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}
