//! Numbers of a country other than the site's, without a plus sign: the country is named before them, or the site has
//! clues for it.

use rlibphonenumber::Region;

use super::candidates::{Groups, PARSE_STEPS, PhoneFinder};
use super::number::PhoneNumber;
use crate::country::{is_north_american, names};
use crate::page::around;

/// Steps charged for searching for a country named before a number.
const NAMES_STEPS: usize = 500;
/// Bytes before a number in which a country may be named.
const COUNTRY_REACH_BYTES: usize = 160;

/// Countries where every number without a country code is written with its leading zero.
const ZERO_WRITTEN: &[Region] = &[
    Region::DE,
    Region::AT,
    Region::CH,
    Region::GB,
    Region::IE,
    Region::FR,
    Region::BE,
    Region::NL,
    Region::SE,
    Region::FI,
    Region::AU,
    Region::NZ,
    Region::ZA,
    Region::JP,
];

/// Whether a country's numbers are always written with a leading zero.
pub(super) fn writes_zero(region: Region) -> bool {
    ZERO_WRITTEN.contains(&region)
}

impl PhoneFinder<'_> {
    /// `(512) 555-0100` on a page of another country: taken before its own numbers where those have a leading zero,
    /// elsewhere only if it is not valid there.
    pub(super) fn north_american_form(&mut self, groups: Groups<'_>, is_last: bool) -> usize {
        let (start, bytes) = (groups[0].0, self.text.as_bytes());
        let one = usize::from(self.text[start..groups[0].1] == *"1");
        let length = |index: usize| groups.get(one + index).map_or(0, |(from, to)| to - from);
        let count = one
            + match (length(0), length(1), length(2)) {
                (3, 3, 4) => 3,
                (10, ..) if is_last => 1,
                (11, ..) if is_last && one == 0 && bytes[start] == b'1' => 1,
                _ => return 0,
            };
        let end = groups[count - 1].1;
        let is_grouped = count > 2 && bytes[groups[one].0] >= b'2' && bytes[groups[one + 1].0] >= b'2';
        let is_marked = is_grouped && is_north_american_style(self.text, groups[one], groups[one + 1], groups[one + 2]);
        let is_meant = is_marked || (is_last && (is_grouped || count == one + 1) && self.announced(start));
        if !is_meant || self.follows_digits(start) {
            return 0;
        }
        if is_last {
            let main = self.regions.main;
            let raw = &self.text[start..end];
            if !self.budget.spend(PARSE_STEPS) || PhoneNumber::parse_national(raw, main).is_some() {
                return 0;
            }
        }
        self.north_american(groups, Region::US)
    }

    /// Whether digits come right before, such as a country code: `44 207-946-0958`.
    fn follows_digits(&self, start: usize) -> bool {
        let before = around(self.text, start, 4, 0).trim_end_matches([' ', '(', ')', '-', '.', '/']);
        before.ends_with(|c: char| c.is_ascii_digit()) && !self.ends_near(start)
    }

    /// A country directly before the number: `UK: 020 7946 0018`.
    pub(super) fn labelled(&mut self, groups: Groups<'_>) -> usize {
        match self.country_before(groups[0].0) {
            Some((region, gap)) if region != self.regions.main && is_label_gap(gap) => self.abroad(groups, region),
            _ => 0,
        }
    }

    /// A number that does not fit the main country: one of a country named before it, or of one the site has clues for.
    pub(super) fn elsewhere(&mut self, groups: Groups<'_>) -> usize {
        let digits: usize = groups.iter().map(|(from, to)| to - from).sum();
        if digits < 8 {
            return 0;
        }
        let start = groups[0].0;
        if let Some((region, gap)) = self.country_before(start)
            && region != self.regions.main
            && (is_label_gap(gap) || self.text[start..].starts_with('0') || self.announced(start))
        {
            let taken = self.abroad(groups, region);
            if taken > 0 {
                return taken;
            }
        }
        let regions = self.regions;
        regions
            .others
            .iter()
            .find_map(|region| Some(self.abroad(groups, *region)).filter(|taken| *taken > 0))
            .unwrap_or(0)
    }

    fn abroad(&mut self, groups: Groups<'_>, region: Region) -> usize {
        if is_north_american(region) {
            return self.north_american(groups, region);
        }
        let start = groups[0].0;
        let is_label = self.country_before(start).is_some_and(|(named, gap)| named == region && is_label_gap(gap));
        if is_label { self.longest(groups, start, region) } else { self.national(groups, region) }
    }

    /// The country named last before a number, with the text between them; `None` when another number comes between.
    fn country_before(&self, start: usize) -> Option<(Region, &str)> {
        if !self.budget.spend(NAMES_STEPS) {
            return None;
        }
        let window = around(self.text, start, COUNTRY_REACH_BYTES, 0);
        let (region, end) = names::last_before(window)?;
        let gap = &window[end..];
        (!has_long_number(gap)).then_some((region, gap))
    }
}

/// Whether a hyphen, point or bracket joins the groups as in `512-555-0100` and `(512) 555-0100`.
fn is_north_american_style(text: &str, area: (usize, usize), exchange: (usize, usize), line: (usize, usize)) -> bool {
    let between = &text[area.1..exchange.0];
    let after = &text[exchange.1..line.0];
    let is_mark = |mark: &str| mark.contains(['-', '.', '\u{2010}', '\u{2011}', '\u{2012}', '\u{2013}', '\u{2212}']);
    let bracketed = text[..area.0].ends_with('(') && between.starts_with(')');
    !between.contains('/') && !after.contains('/') && (bracketed || (is_mark(between) && is_mark(after)))
}

/// Whether the text between a country and a number is only a mark or a word such as `Phone`.
fn is_label_gap(gap: &str) -> bool {
    gap.len() <= 24
        && !gap.contains('\n')
        && gap.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty()).count() <= 2
}

/// Whether a text contains a number of seven digits or more, in groups or not.
fn has_long_number(text: &str) -> bool {
    let mut digits = 0;
    for c in text.chars() {
        match c {
            '0'..='9' => digits += 1,
            ' ' | '-' | '.' | '(' | ')' | '/' => {}
            _ => digits = 0,
        }
        if digits >= 7 {
            return true;
        }
    }
    false
}
