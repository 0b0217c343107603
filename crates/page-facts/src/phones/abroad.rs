//! Numbers of a country other than the site's, without a plus sign: the country is named before them, or the site has
//! clues for it.

use rlibphonenumber::Region;

use super::candidates::{Groups, PhoneFinder};
use crate::country::{is_north_american, names};
use crate::page::around;

/// Steps charged for searching for a country named before a number.
const NAMES_STEPS: usize = 500;
/// Bytes before a number in which a country may be named.
const COUNTRY_REACH_BYTES: usize = 160;

impl PhoneFinder<'_> {
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
