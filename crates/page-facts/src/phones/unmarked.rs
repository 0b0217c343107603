//! Numbers that no word announces: recognised by their leading zero, their grouping, and standing alone.

use rlibphonenumber::Region;

use super::candidates::{Groups, PARSE_STEPS, PhoneFinder};
use super::labels;
use super::number::PhoneNumber;
use crate::page::around;

/// Steps charged per group for comparing the values of a run.
const VALUE_STEPS: usize = 20;
/// Steps charged for the lines around a number.
const LINES_STEPS: usize = 400;
/// Fewest digits of a number that nothing announces.
const UNANNOUNCED_DIGITS_MIN: usize = 9;
/// Bytes on either side of a number in which an email address makes it part of a contact.
const CONTACT_REACH_BYTES: usize = 100;
/// How numbers of nine and ten digits are grouped besides the official way.
const GROUPINGS: &[&[usize]] =
    &[&[3, 3, 3], &[2, 3, 2, 2], &[3, 2, 2, 2], &[2, 3, 4], &[2, 4, 3], &[2, 4, 4], &[4, 3, 3], &[3, 3, 4], &[5, 5]];

impl PhoneFinder<'_> {
    /// Other countries: a trunk zero or a bracketed area code and a valid number, or a word that announces a number.
    pub(super) fn national(&mut self, groups: Groups<'_>, region: Region) -> usize {
        let (start, first_end) = groups[0];
        let digits: usize = groups.iter().map(|(from, to)| to - from).sum();
        if digits < 6 {
            return 0;
        }
        let is_announced = self.announced(start);
        let bracketed = self.text[..start].ends_with('(') && self.text[first_end..].starts_with(')');
        let zero = self.text[start..].starts_with('0') && first_end - start > 1;
        // Only Russia and its neighbours dial an 8 first.
        let eight =
            self.text[start..first_end] == *"8" && matches!(region, Region::RU | Region::KZ | Region::BY | Region::LT);
        // A single group may be an article number, and few digits may be anything.
        let is_marked = (zero || eight || (bracketed && first_end - start > 1)) && groups.len() > 1;
        if is_announced {
            return self.longest(groups, start, region);
        }
        if groups.len() == 1 && zero && (10..=11).contains(&digits) && self.is_contact_cell(groups[0]) {
            return self.longest(groups, start, region);
        }
        let is_strong = is_marked && digits >= UNANNOUNCED_DIGITS_MIN;
        let may_be_alone = groups.len() > 1 && (8..=11).contains(&digits);
        if !(is_strong || may_be_alone) || !self.budget.spend(VALUE_STEPS * groups.len()) || self.is_list(groups) {
            return 0;
        }
        if is_strong { self.longest(groups, start, region) } else { self.alone(groups, region) }
    }

    pub(super) fn line_is_short(&self, start: usize) -> bool {
        let before = around(self.text, start, 60, 0);
        let after = around(self.text, start, 0, 80);
        let before = before.rsplit('\n').next().unwrap_or("");
        let after = after.split('\n').next().unwrap_or("");
        before.len() + after.len() < 40
    }

    /// A number without any mark that stands alone on a line or in a part of it, grouped as numbers are.
    fn alone(&mut self, groups: Groups<'_>, region: Region) -> usize {
        let (start, end) = (groups[0].0, groups[groups.len() - 1].1);
        let written = &self.text[start..end];
        let digits: usize = groups.iter().map(|(from, to)| to - from).sum();
        if written.contains(['/', '(']) || !self.budget.spend(LINES_STEPS) {
            return 0;
        }
        let is_short = self.line_is_short(start);
        let is_cell =
            self.is_cell(start, end) && (digits >= UNANNOUNCED_DIGITS_MIN || self.is_beside_email(start, end));
        if !(is_short || is_cell) || !self.budget.spend(PARSE_STEPS) {
            return 0;
        }
        let Some(number) = PhoneNumber::parse_national(written, region) else { return 0 };
        let lengths: Vec<usize> = groups.iter().map(|(from, to)| to - from).collect();
        let official = number.national.split(|c: char| !c.is_ascii_digit()).filter(|g| !g.is_empty()).map(str::len);
        let has_dots = written.contains('.');
        let is_official = !has_dots && official.eq(lengths.iter().copied());
        // `915.550.100` is an amount.
        let is_usual = is_cell && GROUPINGS.contains(&lengths.as_slice()) && !(has_dots && lengths == [3, 3, 3]);
        let is_labelled = lengths == [4, 4] && self.follows_colon(start) && !are_years(written);
        if (is_official || is_usual || is_labelled) && self.take(start, end, region) { groups.len() } else { 0 }
    }

    /// `Sales: 4590 8000`: whatever the label is, a line that consists of it and a valid number gives a number.
    fn follows_colon(&self, start: usize) -> bool {
        let before = around(self.text, start, 30, 0).trim_end_matches(' ');
        let label = before.rsplit('\n').next().unwrap_or("");
        label.strip_suffix(':').is_some_and(|label| label.starts_with(char::is_alphabetic))
    }

    /// A number in one group that has a line or a part of it to itself, beside an email address.
    pub(super) fn is_contact_cell(&self, group: (usize, usize)) -> bool {
        self.budget.spend(LINES_STEPS) && self.is_cell(group.0, group.1) && self.is_beside_email(group.0, group.1)
    }

    /// Whether nothing but the number stands between line ends or the marks that divide a line, and the line above does
    /// not name it something else.
    fn is_cell(&self, start: usize, end: usize) -> bool {
        let before = around(self.text, start, 40, 0).trim_end_matches(' ');
        let after = around(self.text, end, 0, 8).trim_start_matches(' ');
        let is_start = before.is_empty() || before.ends_with(['\n', '|', '·', '•', '●', '⋅', '∙']);
        let is_end = after.is_empty() || after.starts_with(['\n', '|', '·', '•', '●', '⋅', '∙']);
        let label_end = start - (around(self.text, start, 40, 0).len() - before.trim_end().len());
        is_start && is_end && !(before.ends_with('\n') && labels::names_another_number(self.text, label_end, false))
    }

    fn is_beside_email(&self, start: usize, end: usize) -> bool {
        around(self.text, start, CONTACT_REACH_BYTES, 0).contains('@')
            || around(self.text, end, 0, CONTACT_REACH_BYTES).contains('@')
    }

    /// `500/600/1200`, `36 37 38 39` and other values of one kind.
    fn is_list(&self, groups: Groups<'_>) -> bool {
        let slashes = groups.windows(2).filter(|pair| self.text[pair[0].1..pair[1].0].contains('/')).count();
        let values: Vec<i64> = groups.iter().filter_map(|(from, to)| self.text[*from..*to].parse().ok()).collect();
        let steps: Vec<i64> = values.windows(2).map(|pair| pair[1] - pair[0]).collect();
        slashes > 1 || (steps.len() > 1 && steps.iter().all(|step| *step > 0 && *step == steps[0]))
    }
}

/// `2015 2016`, which could be a number in many countries.
fn are_years(written: &str) -> bool {
    written.split(' ').all(|group| group.starts_with("19") || group.starts_with("20"))
}
