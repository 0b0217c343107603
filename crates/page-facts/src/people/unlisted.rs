//! People whom only something else than their names vouches for: an owner's title beside a heading, a label with the
//! business's name in between, an email address that is made of the name.

use memchr::memchr_iter;

use crate::byte_set::{ByteSet, Separator};
use crate::people::names::{self, PersonName, Trust};
use crate::people::one_line::Titled;
use crate::people::owners::{self, FOUNDER_RANK};
use crate::people::reader::{LINE_STEPS, PageReader};
use crate::people::{PEOPLE_MAX, other_companies, owner_labels, titles};

/// Longest line with a name, and with a name and a title, in bytes.
const NAME_BYTES_MAX: usize = 50;
const LINE_BYTES_MAX: usize = 100;
/// Email addresses examined per page, and lines above one in which its owner is named.
const EMAILS_MAX: usize = 60;
const LINES_ABOVE: usize = 3;
/// Longest line that is a label, in bytes.
const LABEL_BYTES_MAX: usize = 26;
/// Longest part of an email address before its `@`, in bytes.
const MAILBOX_BYTES_MAX: usize = 64;
/// Shortest surname that an email address is searched for, in bytes.
const SURNAME_BYTES_MIN: usize = 3;
/// What separates a name from the title in one line.
static SEPARATORS: [Separator; 4] = Separator::all([", ", " - ", " – ", " | "]);

impl PageReader<'_, '_> {
    /// Reads the headings and labels of the page for owners.
    pub(super) fn unlisted_owners(&mut self) {
        let document = self.document;
        for index in 0..self.readable.len() {
            let (line, place) = document.line(index);
            if !self.readable[index] {
                continue;
            }
            if place.heading && may_be_unlisted(line) {
                self.owner_in_heading(index);
            } else if line.len() <= LABEL_BYTES_MAX && owner_labels::is_label(line.strip_suffix(':').unwrap_or(line)) {
                self.owner_below_business(index);
            }
        }
    }

    /// `Zxy Qwa` as a heading, with `Owner & Founder` below it or `Titolare` above it.
    fn owner_in_heading(&mut self, index: usize) {
        let document = self.document;
        let (line, below) = (document.line(index).0, document.line(index + 1).0);
        let above = document.line(index.max(1) - 1).0.trim_end_matches(':');
        // Below another heading the label belongs to that one.
        let is_above = index > 0
            && owner_labels::is_label(above)
            && (index < 2 || !document.line(index - 2).1.heading)
            && owner_labels::name(above, line).is_some();
        // `Owner: Dana Whitfield` below the name of a horse.
        let is_below = || {
            !below.contains(": ")
                && owner_labels::names_owner(below)
                && owners::rank(below) >= FOUNDER_RANK
                && titles::is_title(below)
        };
        if !(is_above || is_below()) || !document.budget.spend(LINE_STEPS) {
            return;
        }
        let title = if is_above { above } else { below };
        let name = names::parse_as(line, Trust::High).filter(owner_labels::is_plausible);
        let Some(name) = name.filter(|name| !self.is_business(&name.name)) else { return };
        let (first, last) = if is_above { (index - 1, index) } else { (index, index + 1) };
        if self.objection(first, last, title).is_none() {
            self.line = index;
            self.keep("the heading beside an owner's title", (name, title.to_owned()), &format!("{line}, {title}"));
        }
    }

    /// `Inhaber:`, then the name of the business, then that of its owner.
    fn owner_below_business(&mut self, index: usize) {
        let document = self.document;
        let label = document.line(index).0.trim_end_matches([':', ' ']);
        let (business, person) = (document.line(index + 1).0, document.line(index + 2).0);
        let is_business = business.len() <= NAME_BYTES_MAX
            && document.budget.spend(LINE_STEPS)
            && names::parse(business).is_none()
            && (self.site.is_named_in(business) || self.is_business(business));
        let name = is_business.then(|| names::parse(person)).flatten();
        if let Some(name) = name.filter(|_| self.objection(index + 2, index + 2, label).is_none()) {
            self.line = index + 2;
            self.keep("below a label and the name of the business", (name, label.to_owned()), person);
        }
    }

    /// Whether a heading is the name of the business rather than of a person.
    pub(super) fn is_business(&self, name: &str) -> bool {
        self.site.is_called(&name.split(' ').collect::<Vec<_>>())
    }

    /// `Zxy Qwa, Office Manager` above `zxy.qwa@acme.com`.
    pub(super) fn unlisted_with_email(&mut self) {
        let document = self.document;
        for at in memchr_iter(b'@', document.text.as_bytes()).take(EMAILS_MAX) {
            let index = document.line_at(at);
            let mailbox = mailbox_before(&document.text, at);
            if mailbox.len() <= SURNAME_BYTES_MIN || self.found.len() >= PEOPLE_MAX {
                continue;
            }
            let found = (index.saturating_sub(LINES_ABOVE)..=index).rev().find_map(|line| self.owner_of(line, mailbox));
            if let Some((line, titled)) = found {
                self.line = line;
                self.keep("a name that the email address below it repeats", titled, document.line(line).0);
            }
        }
    }

    /// The person in a line whose name makes the mailbox, with the title beside or below the name.
    fn owner_of(&self, index: usize, mailbox: &str) -> Option<(usize, Titled)> {
        let document = self.document;
        let (line, _) = document.line(index);
        if self.readable.get(index) != Some(&true) || line.len() > LINE_BYTES_MAX || !may_be_unlisted(line) {
            return None;
        }
        let (name, title) =
            ByteSet::of(line).split_once_at(line, &SEPARATORS).unwrap_or((line, document.line(index + 1).0));
        if !titles::may_be_title(title) || !document.budget.spend(LINE_STEPS) {
            return None;
        }
        let name = names::parse_as(name, Trust::High).filter(|name| is_made_of(mailbox, name))?;
        let is_theirs = titles::is_title(title)
            && !titles::is_of_several(title)
            && !other_companies::names_another(title, self.site)
            && self.objection(index, index, title).is_none();
        is_theirs.then(|| (index, (name, title.to_owned())))
    }
}

/// Whether a line may name someone on no list: others were read before.
pub(super) fn may_be_unlisted(line: &str) -> bool {
    let first = line.split([' ', ',']).next().unwrap_or("");
    (5..=LINE_BYTES_MAX).contains(&line.len())
        && line.starts_with(char::is_uppercase)
        && line.split([',', '|', '–']).next().is_some_and(|name| name.len() <= NAME_BYTES_MAX && name.contains(' '))
        && !names::is_first_name_in_any_case(first)
}

/// The part of an email address before its `@`.
fn mailbox_before(text: &str, at: usize) -> &str {
    let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(**byte, b'.' | b'_' | b'-');
    let length = text.as_bytes()[..at].iter().rev().take(MAILBOX_BYTES_MAX).take_while(is_part).count();
    &text[at - length..at]
}

/// `zxy.qwa`, `zqwa` and `zxyqwa` are made of `Zxy Qwa`.
fn is_made_of(mailbox: &str, name: &PersonName) -> bool {
    let mailbox = mailbox.to_ascii_lowercase();
    let lower = name.name.to_lowercase();
    let (Some(first), Some(surname)) = (lower.split(' ').next(), lower.rsplit(' ').next()) else { return false };
    let rest = mailbox.strip_prefix(first).or_else(|| mailbox.strip_prefix(first.get(..1)?));
    surname.len() >= SURNAME_BYTES_MIN && rest.is_some_and(|rest| rest.trim_matches(['.', '_', '-']) == surname)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mailbox_is_made_of_a_name() {
        let name = names::parse_as("Zxy Qwamble", Trust::High).unwrap();
        for mailbox in ["zxy.qwamble", "zqwamble", "Zxy_Qwamble", "zxyqwamble"] {
            assert!(is_made_of(mailbox, &name), "{mailbox}");
        }
        assert!(!is_made_of("info", &name) && !is_made_of("zxy", &name) && !is_made_of("qwamble", &name));
        assert_eq!(mailbox_before("write to zxy.q@acme.com", 14), "zxy.q");
    }
}
