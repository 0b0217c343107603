//! Runs of digit groups in a text: everything that could be a phone number, found in one pass.

use crate::budget::StepBudget;
use crate::digits::next_digit;

/// Digit runs examined per page.
const RUNS_MAX: usize = 4_000;
/// Runs kept per page; the others cannot be numbers.
const KEPT_MAX: usize = 2_000;
/// Steps charged per digit run.
const RUN_STEPS: usize = 30;
const GROUP_STEPS: usize = 30;
/// Digit groups per run.
const GROUPS_MAX: usize = 24;
/// Fewest digits of a number.
const DIGITS_MIN: usize = 6;

/// Digit groups with the separators that may occur inside a phone number.
#[derive(Debug, Clone)]
pub(crate) struct DigitRun {
    /// Byte range of each group.
    pub(crate) groups: Vec<(usize, usize)>,
    /// Whether a plus sign precedes the first group.
    pub(crate) plus: bool,
}

/// Calls `each` for every run of a text and returns those that may contain a phone number.
pub(crate) fn scan(text: &str, budget: &StepBudget, mut each: impl FnMut(&DigitRun)) -> Vec<DigitRun> {
    let mut kept = Vec::new();
    let mut run = DigitRun { groups: Vec::new(), plus: false };
    let (mut at, mut runs) = (0, 0);
    while let Some(end) = next_run(text, at, &mut run) {
        at = end;
        runs += 1;
        if runs > RUNS_MAX || kept.len() >= KEPT_MAX {
            budget.note_cut();
            break;
        }
        if !budget.spend(RUN_STEPS + GROUP_STEPS * run.groups.len()) {
            break;
        }
        each(&run);
        if may_be_number(text, &run) {
            kept.push(run.clone());
        }
    }
    kept
}

/// Reads the next run into `run`; returns where it ends.
fn next_run(text: &str, from: usize, run: &mut DigitRun) -> Option<usize> {
    let bytes = text.as_bytes();
    let first = next_digit(bytes, from)?;
    run.plus = has_plus(text, first);
    run.groups.clear();
    let mut at = first;
    loop {
        let start = at;
        while bytes.get(at).is_some_and(u8::is_ascii_digit) {
            at += 1;
        }
        run.groups.push((start, at));
        match separator(&text[at..]) {
            Some(skip) if run.groups.len() < GROUPS_MAX => at += skip,
            _ => break,
        }
    }
    Some(at)
}

/// Whether a plus sign stands before a group: `+44`, `(+44`, `+(44)`, `+ 44`.
pub(crate) fn has_plus(text: &str, first: usize) -> bool {
    let before = text[..first].strip_suffix('(').unwrap_or(&text[..first]);
    if before.ends_with('+') {
        return true;
    }
    let Some(before) = before.strip_suffix(' ').and_then(|rest| rest.strip_suffix('+')) else { return false };
    // `2 + 34` and `x + 34` are sums, `C++ 11` a language.
    let before = before.trim_end();
    let letters = before.chars().rev().take(2).take_while(|c| c.is_alphabetic()).count();
    letters != 1 && !before.ends_with(|c: char| c.is_numeric() || "+=)".contains(c))
}

/// Length of a separator that may occur inside a number, when a digit follows it.
fn separator(rest: &str) -> Option<usize> {
    let mut skip = 0;
    for c in rest.chars().take(5) {
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

/// Whether a run has enough digits, or letters that may stand for digits: `1-800-FLOWERS`.
fn may_be_number(text: &str, run: &DigitRun) -> bool {
    let digits: usize = run.groups.iter().map(|(from, to)| to - from).sum();
    let Some((_, end)) = run.groups.last().filter(|_| digits < DIGITS_MIN) else { return true };
    let rest = text[*end..].trim_start_matches(['-', '.', ' ', ')']);
    digits >= 3 && rest.len() < text.len() - end && rest.starts_with(|c: char| c.is_ascii_uppercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expect: &[(&str, bool)]) {
        let kept = scan(text, &StepBudget::default(), |_| {});
        let shown: Vec<(&str, bool)> =
            kept.iter().map(|run| (&text[run.groups[0].0..run.groups[run.groups.len() - 1].1], run.plus)).collect();
        assert_eq!(shown, expect, "{text}");
    }

    #[test]
    fn runs_keep_their_groups_together() {
        check("Call (512) 555-0100 in 2024", &[("512) 555-0100", false)]);
        check("+44 (0)20 7946 0958", &[("44 (0)20 7946 0958", true)]);
        check("(+39) 010 37 47 811", &[("39) 010 37 47 811", true)]);
        check("Tel + 34 91 555 01 00", &[("34 91 555 01 00", true)]);
        check("2 + 34 91 555 01 00", &[("34 91 555 01 00", false)]);
        check("1-800-FLOWERS", &[("1-800", false)]);
        check("800 and 900, 7 days", &[]);
    }
}
