//! Finds phone numbers in visible text. Hand-written, because the library's matcher reads 1 MB/s.

use std::cell::Cell;

use rlibphonenumber::Region;

use crate::budget::StepBudget;
use crate::country::{Regions, is_north_american};
use crate::emails::junk::is_sample;
use crate::explain;
use crate::finders::Finder;
use crate::page::around;
use crate::phones::abroad::writes_zero;
use crate::phones::number::PhoneNumber;
use crate::phones::runs::{DigitRun, has_plus};
use crate::phones::vanity::{self, Lead};
use crate::phones::{dates, labels};

/// Candidates parsed by the library per page.
const PARSES_MAX: usize = 1_500;
/// Steps charged for searching for a word that announces a phone number.
const WORDS_STEPS: usize = 400;
/// Steps charged for reading the label before a number.
const LABEL_STEPS: usize = 800;
/// Steps charged for a valid number: the words around it and its snippet.
const FOUND_STEPS: usize = 3_000;
/// Steps charged for one call of the library.
pub(crate) const PARSE_STEPS: usize = 3_000;
/// Digits from which what follows may be something else.
const COMPLETE_DIGITS: usize = 7;
/// Most digits of a number with its country code.
const DIGITS_MAX: usize = 15;

/// What is said of a number with a label such as `VAT No.`
const ANOTHER_NUMBER: &str = "labelled as a tax, registration, order or similar number";

pub(super) type Groups<'r> = &'r [(usize, usize)];

/// A phone number and its byte range in the text.
#[derive(Debug)]
pub(crate) struct PhoneCandidate {
    pub(crate) number: PhoneNumber,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

/// Finds the phone numbers among the runs of digits of a text.
pub(crate) fn find(text: &str, runs: &[DigitRun], regions: &Regions, budget: &StepBudget) -> Vec<PhoneCandidate> {
    let mut finder =
        PhoneFinder { text, regions, budget, found: Vec::new(), parses: 0, run_start: 0, known: Cell::new(None) };
    for run in runs {
        if finder.parses > PARSES_MAX {
            budget.note_cut();
            break;
        }
        finder.run(run);
    }
    finder.found
}

pub(super) struct PhoneFinder<'t> {
    pub(super) text: &'t str,
    pub(super) regions: &'t Regions,
    pub(super) budget: &'t StepBudget,
    found: Vec<PhoneCandidate>,
    parses: usize,
    /// Where the current run starts.
    run_start: usize,
    /// The last answer of `announced`, which is asked for several times at one place.
    known: Cell<Option<(usize, bool)>>,
}

impl PhoneFinder<'_> {
    /// Reads a run without its dates.
    fn run(&mut self, run: &DigitRun) {
        let groups = run.groups.as_slice();
        if is_bank_account(self.text, groups) {
            return;
        }
        self.run_start = groups[0].0;
        let (mut from, mut at) = (0, usize::from(run.plus));
        while at < groups.len() {
            let length = dates::date_groups(self.text, &groups[at..]);
            if length == 0 {
                at += 1;
                continue;
            }
            explain::refused(
                Finder::Phones,
                "a date or time, not a phone number",
                &self.text[groups[at].0..groups[at + length - 1].1],
            );
            self.segment(&groups[from..at]);
            at += length;
            from = at;
        }
        self.segment(groups.get(from..).unwrap_or(&[]));
    }

    fn segment(&mut self, groups: Groups<'_>) {
        if !groups.is_empty() && dates::is_network_address(self.text, groups) && !self.announced(groups[0].0) {
            return;
        }
        // Groups of other countries' numbers have no fixed length: what follows a tax number could be read as one.
        if let Some((start, _)) = groups.first()
            && !is_north_american(self.regions.main)
            && !has_plus(self.text, *start)
            && groups.iter().map(|(from, to)| to - from).sum::<usize>() >= 6
            && self.budget.spend(LABEL_STEPS)
            && labels::names_another_number(self.text, *start, false)
        {
            explain::refused(Finder::Phones, ANOTHER_NUMBER, &self.text[*start..groups[groups.len() - 1].1]);
            return;
        }
        let mut first = 0;
        while first < groups.len() {
            first += self.number_at(&groups[first..]).max(1);
        }
    }

    /// Reads the number that starts with the first group; returns how many groups it took.
    fn number_at(&mut self, groups: Groups<'_>) -> usize {
        let start = groups[0].0;
        let main = self.regions.main;
        if has_plus(self.text, start) {
            let taken = self.vanity(groups);
            let taken = if taken > 0 { taken } else { self.international(groups) };
            return if taken > 0 { taken } else { refused_groups(groups) };
        }
        // `44 (0)20 7946 0958`: only after a country code is a zero put in brackets.
        if self.text[groups[0].1..].trim_start_matches(' ').starts_with("(0)") && groups[0].1 - start <= 3 {
            let taken = self.longest(groups, start, main);
            if taken > 0 {
                return taken;
            }
        }
        // The `00` of `49.00` are cents.
        let is_decimal = groups[0].1 - start == 2 && self.text[..start].ends_with(['.', ',']);
        if (self.text[start..].starts_with("00") && !is_decimal) || self.text[start..groups[0].1] == *"011" {
            let taken = self.longest(groups, start, main);
            if taken > 0 {
                return taken;
            }
        }
        if is_north_american(main) {
            let taken = self.north_american(groups, main);
            return if taken > 0 { taken } else { self.elsewhere(groups) };
        }
        let digits: usize = groups.iter().map(|(from, to)| to - from).sum();
        if digits < 6 {
            return 0;
        }
        let taken = self.labelled(groups);
        if taken > 0 {
            return taken;
        }
        if writes_zero(main) {
            let taken = self.north_american_form(groups, false);
            if taken > 0 {
                return taken;
            }
        }
        let taken = self.national(groups, main);
        let taken = if taken > 0 { taken } else { self.elsewhere(groups) };
        if taken > 0 { taken } else { self.north_american_form(groups, true) }
    }

    /// Whether the number found last ends shortly before a position.
    pub(super) fn ends_near(&self, start: usize) -> bool {
        self.found.last().is_some_and(|last| last.end + 4 >= start)
    }

    /// `+44 20 7946 0958`: the most groups that make a valid number.
    fn international(&mut self, groups: Groups<'_>) -> usize {
        self.longest(groups, groups[0].0, self.regions.main)
    }

    /// Tries the longest sequence of groups that is a valid number.
    pub(super) fn longest(&mut self, groups: Groups<'_>, start: usize, region: Region) -> usize {
        let mut digits = 0;
        let mut last = 0;
        for (index, (from, to)) in groups.iter().enumerate() {
            let before = digits;
            digits += to - from;
            if digits > DIGITS_MAX || (before >= COMPLETE_DIGITS && self.begins_another(groups, index)) {
                break;
            }
            last = index;
        }
        let start = if self.text[..start].ends_with('(') { start - 1 } else { start };
        for end in (0..=last).rev().take(6) {
            if self.take(start, groups[end].1, region) {
                return end + 1;
            }
        }
        0
    }

    /// Whether the group at `index` is a postcode, a time, or the end of a second number: `030 901820/21`.
    fn begins_another(&self, groups: Groups<'_>, index: usize) -> bool {
        let (from, to) = groups[index];
        let is_slashed = self.text[groups[index - 1].1..from].contains('/');
        let is_next = to - from <= 3 || self.text[from..to] == self.text[groups[0].0..groups[0].1];
        is_postcode(self.text, from, to) || dates::is_hour(self.text, (from, to)) || (is_slashed && is_next)
    }

    /// `512-555-0100`, `(512) 555-0100`, `1.512.555.0100`, and bare digits after a word that announces a number.
    pub(super) fn north_american(&mut self, groups: Groups<'_>, region: Region) -> usize {
        let taken = self.vanity(groups);
        if taken > 0 {
            return taken;
        }
        let (start, bytes) = (groups[0].0, self.text.as_bytes());
        let one = usize::from(groups[0].1 - start == 1 && bytes[start] == b'1');
        let length = |index: usize| groups.get(one + index).map_or(0, |(from, to)| to - from);
        let glued = || self.text[..groups[one].0].ends_with('(') && self.text[groups[one].1..].starts_with(')');
        let count = match (length(0), length(1), length(2)) {
            (3, 3, 4) => 3,
            (10, ..) if self.announced(start) || self.is_contact_cell(groups[0]) => 1,
            (11, ..) if bytes[start] == b'1' && self.announced(start) => 1,
            (3, 7, _) if glued() || self.announced(start) => 2,
            (6, 4, _) if self.announced(start) => 2,
            // `1512 555 0100`, `1784 5550100`: the long-distance 1 runs into the area code.
            (4, 3, 4) if one == 0 && bytes[start] == b'1' && self.announced(start) => 3,
            (4, 7, _) if one == 0 && bytes[start] == b'1' && self.announced(start) => 2,
            _ => return 0,
        } + one;
        let end = groups[count - 1].1;
        let follows = groups
            .get(count)
            .is_some_and(|next| self.text[end..next.0].len() == 1 && !self.text[end..next.0].starts_with([' ', '/']));
        // `302 555 0142 0143`: groups that only spaces join are part of a longer number.
        let number = &self.text[start..end];
        let goes_on = groups.get(count).is_some_and(|next| self.text[end..next.0] == *" ")
            && number.bytes().all(|b| b.is_ascii_digit() || b == b' ')
            && !self.announced(start);
        if follows || goes_on || !self.well_spaced(start, end) {
            return 0;
        }
        if self.take(start, end, region) { count } else { 0 }
    }

    /// Groups separated only by spaces could be unrelated numbers, so something else must indicate a phone number; groups
    /// separated only by slashes are a list of sizes.
    fn well_spaced(&self, start: usize, end: usize) -> bool {
        let number = &self.text[start..end];
        if number.bytes().filter(|b| *b == b'/').count() > 1 {
            return self.announced(start);
        }
        number.contains(['-', '.', ')', '\u{2010}', '\u{2011}', '\u{2012}', '\u{2013}', '\u{2212}', '·', '•'])
            || self.text[..start].ends_with('(')
            || self.announced(start)
            || self.line_is_short(start)
    }

    /// `1-800-GOT-JUNK`: letters stand for digits.
    fn vanity(&mut self, groups: Groups<'_>) -> usize {
        let start = groups[0].0;
        let has_one = self.text[start..groups[0].1] == *"1";
        let code = usize::from(has_one);
        let Some(group) = groups.get(code).filter(|(from, to)| to - from == 3) else { return 0 };
        // Letters follow within ten bytes, after the code or after the exchange.
        if !around(self.text, group.1, 0, 10).bytes().any(|b| b.is_ascii_uppercase()) {
            return 0;
        }
        let lead = Lead { is_announced: self.announced(start), has_one };
        let Some(found) = vanity::read(self.text, *group, lead) else { return 0 };
        if !self.stands_alone(start, found.end) || !self.budget.spend(PARSE_STEPS) {
            return 0;
        }
        let Some(number) = PhoneNumber::parse_national(&format!("+1{}", found.digits), Region::US) else { return 0 };
        explain::accepted(Finder::Phones, "a number written with letters", &self.text[start..found.end]);
        self.found.push(PhoneCandidate { number, start, end: found.end });
        groups.iter().take_while(|(from, _)| *from < found.end).count()
    }

    pub(super) fn announced(&self, start: usize) -> bool {
        if let Some((_, answer)) = self.known.get().filter(|(at, _)| *at == start) {
            return answer;
        }
        let answer = self.budget.spend(WORDS_STEPS) && labels::announced(self.text, start);
        self.known.set(Some((start, answer)));
        answer
    }

    pub(super) fn take(&mut self, start: usize, end: usize, region: Region) -> bool {
        if !self.stands_alone(start, end) || self.parses > PARSES_MAX || !self.budget.spend(PARSE_STEPS) {
            return false;
        }
        self.parses += 1;
        let digits_at = start + usize::from(self.text[start..].starts_with('('));
        let has_bracketed_zero = || self.text[start..end].contains("(0)") && !self.text[digits_at..].starts_with('0');
        let is_international = has_plus(self.text, digits_at) || has_bracketed_zero();
        let raw = &self.text[start..end];
        let parsed = if is_international {
            PhoneNumber::parse_national(&format!("+{}", raw.trim_start_matches(['(', '+'])), region)
        } else {
            PhoneNumber::parse_national(raw, region)
        };
        let Some(mut number) = parsed else { return false };
        if !self.budget.spend(FOUND_STEPS) {
            return false;
        }
        // `(512) 555-0100`, `512-555-0100`
        let is_dialled = is_north_american(region) && raw.contains(['-', '.', ')']);
        if !is_international && labels::names_another_number(self.text, digits_at, is_dialled) {
            explain::refused(Finder::Phones, ANOTHER_NUMBER, raw);
            return false;
        }
        if is_sample(line_before(self.text, self.run_start)) {
            explain::refused(Finder::Phones, "an example of how to write a number", raw);
            return false;
        }
        if labels::is_amount(self.text, end) {
            explain::refused(Finder::Phones, "an amount or a measure, not a phone number", raw);
            return false;
        }
        if labels::is_of_host(self.text, start) {
            explain::refused(Finder::Phones, "the number of the website's host", raw);
            return false;
        }
        number.extension = number.extension.or_else(|| labels::extension_after(&self.text[end..]));
        explain::accepted(Finder::Phones, "a valid number in the text", raw);
        self.found.push(PhoneCandidate { number, start, end });
        true
    }

    /// `T512-555-0100`, `P(512) 555-0100`: a single letter stands for the label.
    fn is_letter_label(&self, start: usize) -> bool {
        let before = around(self.text, start, 4, 0).trim_end_matches('(');
        let mut letters = before.chars().rev();
        matches!(letters.next(), Some('T' | 'P' | 'F' | 'M' | 'O' | 'C'))
            && !letters.next().is_some_and(|c| c.is_alphanumeric() || c == '-')
    }

    /// Whether the match is not part of a word, price, file name, URL or longer number.
    fn stands_alone(&self, start: usize, end: usize) -> bool {
        let before = self.text[..start].trim_end_matches('(').chars().next_back();
        let after = self.text[end..].chars().next();
        let joined_before = before.is_some_and(|c| {
            (c.is_ascii_uppercase() && !self.is_letter_label(start)) || c.is_ascii_digit() || "$€£#_=%@&".contains(c)
        });
        // `512-555-0100/512-555-0101`: the slash follows another number.
        let after_number = self.found.last().is_some_and(|last| last.end + 1 == start);
        let slash_before = !after_number
            && self.text[..start].ends_with(['/', '-', ','])
            && self.text[..start - 1].ends_with(|c: char| c.is_ascii_alphanumeric());
        let lower_before =
            before.is_some_and(char::is_lowercase) && !self.text[..start].ends_with('(') && !self.announced(start);
        let joined_after = after.is_some_and(|c| matches!(c, '%' | '_' | '=' | '@'));
        // `from: '+15125550100'` is code.
        let quote = self.text[..start].trim_end_matches('+').chars().next_back();
        let is_quoted = quote == after && matches!(after, Some('\'' | '"'));
        !joined_before && !slash_before && !lower_before && !joined_after && !is_quoted
    }
}

/// How many groups a number with a plus sign takes that is none: its end is no number of its own.
fn refused_groups(groups: Groups<'_>) -> usize {
    let mut digits = 0;
    let is_within = |(from, to): &&(usize, usize)| {
        digits += to - from;
        digits <= DIGITS_MAX
    };
    groups.iter().take_while(is_within).count()
}

/// `CZ53 0100 ...`: two capital letters before the digits of a bank account.
fn is_bank_account(text: &str, groups: Groups<'_>) -> bool {
    let Some((start, _)) = groups.first() else { return true };
    let digits: usize = groups.iter().map(|(from, to)| to - from).sum();
    let before = around(text, *start, 3, 0).as_bytes();
    let letters = before.iter().rev().take_while(|b| b.is_ascii_uppercase()).count();
    // `RM49 - 03 5555 0100` is a price before a number.
    let is_grouped = groups.get(1).is_none_or(|(from, to)| to - from >= 4 || text[groups[0].1..*from] == *" ");
    digits >= 12 && letters == 2 && is_grouped
}

/// A group of five digits before a place name: `10117 Berlin`.
fn is_postcode(text: &str, from: usize, to: usize) -> bool {
    let place = text[to..].strip_prefix(' ').and_then(|rest| rest.chars().next());
    to - from == 5 && place.is_some_and(char::is_uppercase)
}

fn line_before(text: &str, at: usize) -> &str {
    let before = around(text, at, 40, 0);
    let before = before.rsplit_once('\n').map_or(before, |(_, line)| line);
    before.trim_end_matches(['+', '('])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phones::runs;

    fn check_in(text: &str, regions: &Regions, expect: &[&str]) {
        let budget = StepBudget::default();
        let runs = runs::scan(text, &budget, |_| {});
        let found: Vec<String> = find(text, &runs, regions, &budget).into_iter().map(|c| c.number.e164).collect();
        assert_eq!(found, expect, "{text} in {regions:?}");
    }

    fn check(text: &str, region: Region, expect: &[&str]) {
        check_in(text, &Regions::only(region), expect);
    }

    #[test]
    fn common_formats_are_found() {
        check("Call 512-555-0100 or (512) 555-0101.", Region::US, &["+15125550100", "+15125550101"]);
        check("512.555.0100 / 512.555.0101", Region::US, &["+15125550100", "+15125550101"]);
        check("1-800-555-0199, +1 512 555 0100", Region::US, &["+18005550199", "+15125550100"]);
        check("Phone: 5125550100", Region::US, &["+15125550100"]);
        check("Phone 512 555 0100", Region::US, &["+15125550100"]);
        check("+44 (0)20 7946 0958", Region::US, &["+442079460958"]);
        check("Tel 020 7946 0958, Mobile 07911 123457", Region::GB, &["+442079460958", "+447911123457"]);
        check("Telefon: 030 901820", Region::DE, &["+4930901820"]);
        check("089/1234 5670", Region::DE, &["+498912345670"]);
        check("(512)555-0100", Region::US, &["+15125550100"]);
        check("(512)5550100", Region::US, &["+15125550100"]);
        check("512–555–0100", Region::US, &["+15125550100"]);
        check("512 - 555 - 0100", Region::US, &["+15125550100"]);
        check("T512-555-0100 P(512) 555-0101", Region::US, &["+15125550100", "+15125550101"]);
        check("AT512-555-0100, B512-555-0100", Region::US, &[]);
        check("512-555-0100/512-555-0101", Region::US, &["+15125550100", "+15125550101"]);
        check("by calling: 1784 5550100", Region::VC, &["+17845550100"]);
        check("in 1784 5550100 people", Region::VC, &[]);
        check("Call 1-800-GOT-JUNK today", Region::US, &["+18004685865"]);
        check("1-888-WOODING (Toll-Free)", Region::US, &["+18889663464"]);
        check("+1 (888) 99 FLARE", Region::DE, &["+18889935273"]);
        check("303.555.PAUL", Region::US, &["+13035557285"]);
        check("open 800 AM to 900 PM, 888 SOUTH Main", Region::US, &[]);
        check("1280 x 800 HDR", Region::US, &[]);
    }

    #[test]
    fn all_regions_of_the_north_american_plan_are_read_alike() {
        for region in [Region::PR, Region::JM, Region::BS, Region::BM, Region::GU, Region::CA] {
            check("(512) 555-0100, 787-555-0101", region, &["+15125550100", "+17875550101"]);
        }
    }

    #[test]
    fn numbers_of_other_countries_are_found() {
        check("+ 34 91 555 01 00", Region::US, &["+34915550100"]);
        check("+(44) 748-555-0100", Region::US, &["+447485550100"]);
        check("0044 20 7946 0958", Region::US, &["+442079460958"]);
        check("00 49 30 901820", Region::FR, &["+4930901820"]);
        check("011 44 20 7946 0958", Region::US, &["+442079460958"]);
        check("44 (0)20 7946 0958", Region::US, &["+442079460958"]);
        check("UK: 020 7946 0018", Region::US, &["+442079460018"]);
        check("UK: 020 7946 0018", Region::DE, &["+442079460018"]);
        check("Mexico 55 5555 0100", Region::US, &["+525555550100"]);
        check("United Kingdom\n1 High Street\nPhone: 020 7946 0018", Region::US, &["+442079460018"]);
        check("Germany\nTel. 030 901820\nFrance\nTel. 01 70 18 99 00", Region::US, &["+4930901820", "+33170189900"]);
        // The country belongs to the number before it.
        check("UK 020 7946 0018, 512-555-0100", Region::US, &["+442079460018", "+15125550100"]);
        check("We ship to Mexico. Call 512-555-0100", Region::US, &["+15125550100"]);
        let regions = Regions { main: Region::AT, others: vec![Region::GB] };
        check_in("Tel 020 7946 0958", &regions, &["+442079460958"]);
    }

    #[test]
    fn american_numbers_are_found_on_pages_of_other_countries() {
        for region in [Region::GB, Region::DE, Region::AU, Region::ES] {
            check("Write or ring (512) 555-0100 any day, or 1-800-555-0199", region, &["+15125550100", "+18005550199"]);
            check("512.555.0100", region, &["+15125550100"]);
        }
        check("Tel: 800 555 0199", Region::DK, &["+18005550199"]);
        for text in
            ["512/555/0100", "512 555 0100 of them", "Order 512-555-0100", "SKU-512-555-0100", "0512-555-0100-7"]
        {
            check(text, Region::ES, &[]);
        }
        // A country code precedes it, or it is a number of the country.
        check("44 207-946-0958", Region::FR, &[]);
        check("Tel: 333-555-0100", Region::MX, &["+523335550100"]);
        check("in the year of 333-555-0100", Region::MX, &[]);
    }

    #[test]
    fn a_number_in_a_part_of_a_line_is_found() {
        check("Calle Mayor 12, Madrid | 915 550 100 | info@acme.es", Region::ES, &["+34915550100"]);
        check("Marina Bay Road, the tall building | 6555 0100 | info@acme.sg", Region::SG, &["+6565550100"]);
        check("Jane\n5125550100\njane@acme.com", Region::US, &["+15125550100"]);
        check("Jane\n02079460958\njane@acme.com", Region::GB, &["+442079460958"]);
        check("91.555.01.00", Region::ES, &["+34915550100"]);
        for (text, region) in [
            ("915.550.100", Region::ES),
            ("NIF\n915 550 100", Region::ES),
            ("Account number:\n5125550100\njane@acme.com", Region::US),
            ("Jane\n5125550100\nJoe", Region::US),
            ("item 5125550100 | jane@acme.com", Region::US),
            ("Marina Bay Road, the tall building by the water | 6555 0100 | open", Region::SG),
            ("915 550 100 Ft", Region::ES),
        ] {
            check(text, region, &[]);
        }
    }

    #[test]
    fn what_follows_a_number_is_not_part_of_it() {
        check("Tel: 030 901820/21", Region::DE, &["+4930901820"]);
        check("Tel: 030 901820 / 030 901821", Region::DE, &["+4930901820", "+4930901821"]);
        check("Tel: 030 901820 9:00-17:00", Region::DE, &["+4930901820"]);
        check("Tel: 030 901820-21", Region::DE, &["+493090182021"]);
        check("Tel: 030/901820/21", Region::DE, &["+4930901820"]);
        check("Tel: 074104 10293 Office", Region::IN, &["+917410410293"]);
        check("$49.00 - (201) 555-0100", Region::US, &["+12015550100"]);
        check("from RM49 - 03-5555 0100", Region::MY, &["+60355550100"]);
    }

    #[test]
    fn numbers_without_a_trunk_prefix_are_found_by_their_label() {
        check("Tlf.: 3355 0100", Region::DK, &["+4533550100"]);
        check("Serviço cliente 210 555 010", Region::PT, &["+351210555010"]);
        check("звоните нам: (383) 255-01-00", Region::RU, &["+73832550100"]);
        check("Телефон:\n8 495 255 01 00", Region::RU, &["+74952550100"]);
        check("(067) 155-01-00", Region::UA, &["+380671550100"]);
        check("お電話03-5555-0100", Region::JP, &["+81355550100"]);
        check("Teléfono\n91 555 01 00", Region::ES, &["+34915550100"]);
        check("Tel. 030 901820 10117 Berlin", Region::DE, &["+4930901820"]);
    }

    #[test]
    fn numbers_alone_on_a_line_are_found_by_their_grouping() {
        check("Home\n1300 555 010\nBook now", Region::AU, &["+611300555010"]);
        check("6555 0100", Region::SG, &["+6565550100"]);
        check("33 55 01 00", Region::DK, &["+4533550100"]);
        for (text, region) in [
            ("36 37 38 39", Region::DK),
            ("3355 0100", Region::DK),
            ("3355.0100", Region::SG),
            ("more than 6555 0100 of our customers said that they would come again", Region::SG),
            ("2014 2015", Region::SG),
            ("5 500 000", Region::HU),
            ("13005 550 10", Region::AU),
        ] {
            check(text, region, &[]);
        }
    }

    #[test]
    fn other_numbers_are_ignored() {
        for text in [
            "5125550100",
            "Order 512-555-01001",
            "$512-555-0100",
            "2024-05-12 10:30",
            "192.168.100.1000",
            "id=5125550100",
            "12/24/2023 512",
            "ISBN 978-3-16-148410-0",
            "1,512,555,0100",
            "tracking 1Z5125550100",
            "score 200 300 4000 in a long line of other words that go on and on",
            "123-456-7890",
            "78701-1234",
            "SKU512-555-0100",
            "SKU-512-555-0100",
            "512-555-0100-99",
            "500/600/1200",
            "Order number 5125550100",
            "NPI number: 5125550100",
            "Contact form 5125550100",
            "Service tag 5125550100",
            "Support ticket 5125550100",
            "License # 512-555-0100",
            "e.g. 512-555-0100",
            "512 555 0100 users, more or less, in all the towns of the land",
        ] {
            check(text, Region::US, &[]);
        }
    }

    #[test]
    fn dates_and_registrations_are_no_numbers_anywhere() {
        let texts = [
            "05.03.2024 10:30",
            "05.03.2024, 17:25",
            "Pubblicato il 01/12/2014",
            "09/12/2015 - 08:34",
            "15.05.2015 - 17.05.2015",
            "2014-12-09 07:00",
            "(11) 2014-12-09 07:00",
            "P.IVA 02099550010",
            "Tel. P.I. 02099550010 - C.F. 80088230018",
            "USt-IdNr. DE 030901820",
            "HRB 030 901820",
            "SIRET 017 018 990 00012",
            "IBAN CZ53 0100 0000 4373 1485 0237",
            "0.123456789",
            "5 500 000 Ft",
            "01-28 – 01-31",
            "36 / 37 / 38 / 39",
            "es. 0039 348 / 6750100",
            "Telefono (es. 0039 348 / 6750100)",
            "EAN: 0887942877477",
        ];
        for region in [Region::DE, Region::IT, Region::FR, Region::NL, Region::AT, Region::SE, Region::FI, Region::CZ] {
            for text in texts {
                check(text, region, &[]);
            }
        }
    }
}
