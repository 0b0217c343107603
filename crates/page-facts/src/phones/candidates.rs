//! Finds candidates for phone numbers in visible text. Hand-written, because the library's matcher reads 1 MB/s.

use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind};
use rlibphonenumber::Region;

use crate::budget::StepBudget;
use crate::page::around;
use crate::phones::number::PhoneNumber;
use crate::word_set::WordSet;

/// Digit runs examined per page.
const RUNS_MAX: usize = 4_000;
/// Candidates parsed by the library per page.
const PARSES_MAX: usize = 1_500;
/// Steps charged per digit run.
const RUN_STEPS: usize = 30;
const GROUP_STEPS: usize = 30;
/// Steps charged for searching for a word that announces a phone number.
const WORDS_STEPS: usize = 60;
/// Steps charged for one call of the library.
pub(crate) const PARSE_STEPS: usize = 3_000;
/// Digit groups per run.
const GROUPS_MAX: usize = 24;

/// Words that announce a phone number.
static PHONE_WORDS: WordSet = WordSet::new(
    "phone call tel text fax mobile cell dial contact reach whatsapp sms office hotline toll number telefon
     téléphone teléfono telefono telefax fon mobil handy ring ☎ 📞 ph: ph. p: t: m: f: o: p. t. c:",
);

static PHONE_SEARCH: LazyLock<Option<AhoCorasick>> =
    LazyLock::new(|| AhoCorasick::builder().kind(Some(AhoCorasickKind::DFA)).build(PHONE_WORDS.iter()).ok());

/// A phone number and its byte range in the text.
#[derive(Debug)]
pub(crate) struct PhoneCandidate {
    pub(crate) number: PhoneNumber,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

/// Finds the phone numbers in a text.
pub(crate) fn find(text: &str, region: Region, budget: &StepBudget) -> Vec<PhoneCandidate> {
    let mut finder = PhoneFinder { text, region, budget, found: Vec::new(), parses: 0 };
    let mut at = 0;
    let mut runs = 0;
    while let Some(run) = next_run(text, at) {
        at = run.end;
        runs += 1;
        if runs > RUNS_MAX || finder.parses > PARSES_MAX {
            budget.note_cut();
            break;
        }
        if !budget.spend(RUN_STEPS + GROUP_STEPS * run.groups.len()) {
            break;
        }
        finder.run(&run);
    }
    finder.found
}

/// Digit groups with the separators that may occur inside a phone number.
#[derive(Debug)]
struct DigitRun {
    /// Byte range of each group.
    groups: Vec<(usize, usize)>,
    /// Whether a plus sign precedes the first group.
    plus: bool,
    end: usize,
}

fn next_run(text: &str, from: usize) -> Option<DigitRun> {
    let bytes = text.as_bytes();
    let first = from + bytes[from..].iter().position(u8::is_ascii_digit)?;
    let before = text[..first].trim_end_matches('(');
    let plus = before.ends_with('+');
    let mut groups = Vec::new();
    let mut at = first;
    loop {
        let start = at;
        while bytes.get(at).is_some_and(u8::is_ascii_digit) {
            at += 1;
        }
        groups.push((start, at));
        match separator(&text[at..]) {
            Some(skip) if groups.len() < GROUPS_MAX => at += skip,
            _ => break,
        }
    }
    Some(DigitRun { groups, plus, end: at.max(first + 1) })
}

/// Length of a separator that may occur inside a number, when a digit follows it.
fn separator(rest: &str) -> Option<usize> {
    let mut skip = 0;
    for c in rest.chars().take(4) {
        match c {
            c if c.is_ascii_digit() => return (skip > 0).then_some(skip),
            ' ' | '-' | '.' | '(' | ')' | '/' | '\u{2010}'..='\u{2015}' | '\u{2212}' | '·' | '•' => {
                skip += c.len_utf8();
            }
            _ => return None,
        }
    }
    None
}

struct PhoneFinder<'t> {
    text: &'t str,
    region: Region,
    budget: &'t StepBudget,
    found: Vec<PhoneCandidate>,
    parses: usize,
}

impl PhoneFinder<'_> {
    fn run(&mut self, run: &DigitRun) {
        let mut group = 0;
        let north_american = matches!(self.region, Region::US | Region::CA);
        while group < run.groups.len() {
            let plus = (group == 0 && run.plus) || self.text[..run.groups[group].0].ends_with('+');
            let taken = if plus {
                self.international(run, group)
            } else if north_american {
                self.north_american(run, group)
            } else {
                self.national(run, group)
            };
            group += taken.max(1);
        }
    }

    /// `+44 20 7946 0958`: the most groups that make a valid number.
    fn international(&mut self, run: &DigitRun, first: usize) -> usize {
        let start = run.groups[first].0 - 1;
        self.longest(run, first, start)
    }

    /// Tries the longest sequence of groups that is a valid number.
    fn longest(&mut self, run: &DigitRun, first: usize, start: usize) -> usize {
        let mut digits = 0;
        let mut last = first;
        for (index, (from, to)) in run.groups.iter().enumerate().skip(first) {
            digits += to - from;
            if digits > 15 {
                break;
            }
            last = index;
        }
        let start = if self.text[..start].ends_with('(') { start - 1 } else { start };
        for end in (first..=last).rev().take(6) {
            if self.take(start, run.groups[end].1) {
                return end - first + 1;
            }
        }
        0
    }

    /// `512-555-0100`, `(512) 555-0100`, `1.512.555.0100`, and bare digits after a word that announces a number.
    fn north_american(&mut self, run: &DigitRun, first: usize) -> usize {
        if let Some(groups) = self.vanity(run, first) {
            return groups;
        }
        let lengths: Vec<usize> = run.groups[first..].iter().take(4).map(|(from, to)| to - from).collect();
        let one = lengths.first() == Some(&1) && self.text.as_bytes()[run.groups[first].0] == b'1';
        let shape = &lengths[usize::from(one)..];
        let groups = match shape {
            [3, 3, 4, ..] => 3,
            [10, ..] | [11, ..] if self.announced(run.groups[first].0) => 1,
            [3, 7, ..] | [6, 4, ..] if self.announced(run.groups[first].0) => 2,
            // `00 44 ...`: an international number with its dialling prefix.
            [_, ..] if self.text[run.groups[first].0..].starts_with("00") => {
                return self.longest(run, first, run.groups[first].0);
            }
            _ => return 0,
        } + usize::from(one);
        let (start, end) = (run.groups[first].0, run.groups[first + groups - 1].1);
        let follows = run
            .groups
            .get(first + groups)
            .is_some_and(|next| self.text[end..next.0].len() == 1 && !self.text[end..next.0].starts_with([' ', '/']));
        if follows || !self.well_spaced(start, end) {
            return 0;
        }
        if self.take(start, end) { groups } else { 0 }
    }

    /// `1-800-GOT-JUNK`: a toll-free prefix and seven letters or digits, at least three of them letters.
    fn vanity(&mut self, run: &DigitRun, first: usize) -> Option<usize> {
        let is_toll_free = |(from, to): (usize, usize)| {
            matches!(&self.text[from..to], "800" | "833" | "844" | "855" | "866" | "877" | "888")
        };
        let code = (first..run.groups.len().min(first + 2)).find(|index| is_toll_free(run.groups[*index]))?;
        let end = run.groups[code].1;
        let (mut count, mut letters, mut length) = (0, 0, 0);
        for c in self.text[end..].chars().take(14) {
            match c {
                'A'..='Z' => letters += 1,
                '0'..='9' => {}
                '-' | '.' | ' ' | ')' if count < 7 => {
                    length += 1;
                    continue;
                }
                _ => break,
            }
            count += 1;
            length += 1;
        }
        let is_one_word =
            count == 7 && letters >= 3 && !self.text[end + length..].starts_with(|c: char| c.is_ascii_lowercase());
        (is_one_word && self.take(run.groups[first].0, end + length)).then_some(run.groups.len() - first)
    }

    /// Other countries: a trunk zero and a valid number, or a word that announces a number.
    fn national(&mut self, run: &DigitRun, first: usize) -> usize {
        let start = run.groups[first].0;
        let trunk = self.text[start..].starts_with('0');
        let digits: usize = run.groups[first..].iter().map(|(from, to)| to - from).sum();
        if digits < 6 || !(trunk || self.announced(start)) {
            return 0;
        }
        // A single group with a leading zero may be an article number.
        if run.groups.len() - first == 1 && !self.announced(start) {
            return 0;
        }
        self.longest(run, first, start)
    }

    /// Groups separated only by spaces could be unrelated numbers, so something else must indicate a phone number.
    fn well_spaced(&self, start: usize, end: usize) -> bool {
        let number = &self.text[start..end];
        number.contains(['-', '.', ')', '\u{2010}', '\u{2011}', '\u{2012}', '\u{2013}', '·', '•'])
            || self.text[..start].ends_with('(')
            || self.announced(start)
            || self.line_is_short(start)
    }

    fn line_is_short(&self, start: usize) -> bool {
        let before = around(self.text, start, 60, 0);
        let after = around(self.text, start, 0, 80);
        let before = before.rsplit('\n').next().unwrap_or("");
        let after = after.split('\n').next().unwrap_or("");
        before.len() + after.len() < 40
    }

    /// Whether a word that announces a phone number occurs shortly before.
    fn announced(&self, start: usize) -> bool {
        if !self.budget.spend(WORDS_STEPS) {
            return false;
        }
        let before = around(self.text, start, 40, 0);
        let before = before.rsplit('\n').next().unwrap_or("").to_lowercase();
        PHONE_SEARCH.as_ref().is_some_and(|words| words.is_match(&before))
    }

    fn take(&mut self, start: usize, end: usize) -> bool {
        if !self.stands_alone(start, end) || self.parses > PARSES_MAX || !self.budget.spend(PARSE_STEPS) {
            return false;
        }
        self.parses += 1;
        let extension = extension_after(&self.text[end..]);
        let Some(mut number) = PhoneNumber::parse(&self.text[start..end], self.region) else { return false };
        number.extension = number.extension.or(extension);
        self.found.push(PhoneCandidate { number, start, end });
        true
    }

    /// Whether the match is not part of a word, price, file name, URL or longer number.
    fn stands_alone(&self, start: usize, end: usize) -> bool {
        let before = self.text[..start].trim_end_matches('(').chars().next_back();
        let after = self.text[end..].chars().next();
        let joined_before = before.is_some_and(|c| {
            (c.is_alphanumeric() && !c.is_lowercase()) || c.is_ascii_digit() || "$€£#_=%@&".contains(c)
        });
        let slash_before = self.text[..start].ends_with(['/', '-', ','])
            && self.text[..start - 1].ends_with(|c: char| c.is_ascii_alphanumeric());
        let lower_before =
            before.is_some_and(char::is_lowercase) && !self.text[..start].ends_with('(') && !self.announced(start);
        let joined_after = after.is_some_and(|c| c == '%' || c == '_' || c == '=' || c == '@');
        !joined_before && !slash_before && !lower_before && !joined_after
    }
}

/// Reads `ext. 12`, `x12` or `extension 12` directly after a number.
fn extension_after(rest: &str) -> Option<String> {
    let rest = around(rest, 0, 0, 24).trim_start_matches([' ', ',', '(']).to_ascii_lowercase();
    let after = ["extension", "ext.", "ext", "x"].iter().find_map(|word| rest.strip_prefix(word))?;
    let digits: String = after.trim_start_matches([' ', ':', '.']).chars().take_while(char::is_ascii_digit).collect();
    (1..=6).contains(&digits.len()).then_some(digits)
}

/// Whether the words directly before or after a number say that it is a fax number.
pub(crate) fn says_fax(text: &str, start: usize, end: usize) -> bool {
    let before = around(text, start, 32, 0).to_lowercase();
    // Only the text after the previous number applies: "Tel 1 Fax 2 Tel 3".
    let near = before.rsplit(|c: char| c.is_ascii_digit()).next().unwrap_or("");
    let fax_at = near.rfind("fax").or_else(|| near.rfind("fx:")).or_else(|| near.rfind("fx."));
    let voice_at = ["tel", "phone", "call", "mobile", "cell", "fon:"]
        .iter()
        .filter_map(|word| near.rfind(word).filter(|at| !near[*at..].starts_with("telefax")))
        .max();
    // "Phone/Fax" names both; it is treated as a voice line.
    if fax_at.is_some_and(|fax| {
        voice_at.is_none_or(|voice| voice < fax && !near[voice..fax].contains('/') && !near[voice..fax].contains('&'))
    }) {
        return true;
    }
    let trimmed = near.trim_end_matches([' ', '(', '+', '\n']);
    if trimmed.ends_with("f:") || trimmed.ends_with(" f.") || trimmed == "f" {
        return true;
    }
    let after = around(text, end, 0, 16).to_lowercase();
    let after = after.trim_start_matches([' ', '-', '–']);
    after.starts_with("(fax)") || after.starts_with("fax\n") || after == "fax" || after.starts_with("(f)")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, region: Region, expect: &[&str]) {
        let found: Vec<String> =
            find(text, region, &StepBudget::default()).into_iter().map(|c| c.number.e164).collect();
        assert_eq!(found, expect, "{text}");
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
        check("512–555–0100", Region::US, &["+15125550100"]);
        check("Call 1-800-GOT-JUNK today", Region::US, &["+18004685865"]);
        check("1-888-WOODING (Toll-Free)", Region::US, &["+18889663464"]);
        check("open 800 AM to 900 PM, 888 SOUTH Main", Region::US, &[]);
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
            "512-555-0100-99",
        ] {
            check(text, Region::US, &[]);
        }
    }

    #[test]
    fn fax_is_distinguished_from_voice() {
        for (text, expect) in [
            ("Fax: 512-555-0100", true),
            ("Phone 512-555-0100", false),
            ("Tel 512-555-0101 Fax 512-555-0100", true),
            ("Fax 512-555-0101 Tel 512-555-0100", false),
            ("512-555-0100 (fax)", true),
            ("F: 512-555-0100", true),
            ("Telefax 512-555-0100", true),
            ("Phone/Fax: 512-555-0100", false),
        ] {
            let start = text.find("512-555-0100").unwrap();
            assert_eq!(says_fax(text, start, start + 12), expect, "{text}");
        }
    }
}
