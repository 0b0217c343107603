//! Titles on no list, on a page about people whose other cards have the same form: `Ann Lee` in a heading above `Lashes`,
//! where three more names in headings stand above titles.

use crate::people::cards;
use crate::people::contact_lines::is_contact;
use crate::people::read_cards::profession;
use crate::people::reader::{LINE_STEPS, PageReader};
use crate::people::unlisted::may_be_unlisted;
use crate::people::{PEOPLE_MAX, names, other_companies, page_words, titles, vouched};

/// Cards with known titles that show the form.
const CARDS_MIN: usize = 3;
/// Longest title on no list, in bytes and in words.
const TITLE_BYTES_MAX: usize = 45;
const TITLE_WORDS_MAX: usize = 5;

impl PageReader<'_, '_> {
    /// Keeps those whose card has the form of the others.
    pub(super) fn cards_alike(&mut self) {
        let document = self.document;
        let known: Vec<usize> = self.found.iter().map(|(line, _)| *line).filter(|line| self.is_card(*line)).collect();
        if known.len() < CARDS_MIN {
            return;
        }
        // Cards of a page show their titles alike: all in headings, or none.
        let in_headings = known.iter().filter(|line| document.line(**line + 1).1.heading).count() * 2 > known.len();
        let mut unknown = Vec::new();
        for index in 0..self.readable.len() {
            let (title, place) = document.line(index + 1);
            let may_be = self.readable[index]
                && self.is_card(index)
                && place.heading == in_headings
                && !place.link
                && is_phrase(title)
                && !known.contains(&index);
            if may_be && document.budget.spend(LINE_STEPS) && !titles::is_title(title) {
                unknown.push(index);
            }
        }
        // Where most are unknown they are something else than titles.
        if unknown.len() * 2 <= known.len() {
            unknown.into_iter().for_each(|index| self.keep_alike(index));
        }
    }

    /// Keeps names on no list below titles, where other names stand below theirs.
    pub(super) fn titles_above_alike(&mut self) {
        let document = self.document;
        let title =
            |at: usize| at.checked_sub(1).map(|above| document.line(above).0).filter(|line| titles::is_title(line));
        let is_above = |at: usize| title(at).is_some() && !titles::is_title(document.line(at + 1).0);
        if self.found.iter().filter(|(line, _)| self.is_card(*line) && is_above(*line)).count() < CARDS_MIN {
            return;
        }
        for index in 0..self.readable.len() {
            let (line, place) = document.line(index);
            let may_be = self.readable[index] && place.heading && !place.nav && may_be_unlisted(line);
            if !may_be || !document.budget.spend(LINE_STEPS) || !is_above(index) {
                continue;
            }
            let Some(title) = title(index).filter(|title| !titles::is_of_several(title)) else { continue };
            let Some(name) = vouched::name(line).filter(|_| self.objection(index - 1, index, title).is_none()) else {
                continue;
            };
            if self.found.len() < PEOPLE_MAX {
                self.line = index;
                let title = profession(&name, title).unwrap_or_else(|| title.to_owned());
                self.keep("below a title, like the others", (name, title), line);
            }
        }
    }

    /// Whether a heading may be the name on a card.
    fn is_card(&self, index: usize) -> bool {
        let (line, place) = self.document.line(index);
        place.heading && !place.nav && line.contains(' ') && names::may_start(line)
    }

    fn keep_alike(&mut self, index: usize) {
        let document = self.document;
        let (line, title) = (document.line(index).0, document.line(index + 1).0);
        let Some(name) = cards::name(line) else { return };
        let is_new = self.found.iter().all(|(_, person)| person.name != name.name);
        let is_theirs = names::parse(title).is_none()
            && !other_companies::names_another(title, self.site)
            && self.objection(index, index + 1, title).is_none();
        if is_new && is_theirs && self.found.len() < PEOPLE_MAX {
            self.line = index;
            self.keep("a card like the others", (name, title.to_owned()), &format!("{line}, {title}"));
        }
    }
}

/// Whether a line may be a title that no list has: a few words, no sentence, no contact and no heading of a section.
pub(super) fn is_phrase(line: &str) -> bool {
    let is_letter = |c: char| c.is_alphabetic() || matches!(c, ' ' | '&' | '/' | '-' | ',' | '.' | '\'' | '’');
    (3..=TITLE_BYTES_MAX).contains(&line.len())
        && line.split(' ').count() <= TITLE_WORDS_MAX
        && line.starts_with(char::is_uppercase)
        && !line.ends_with('.')
        && line.chars().all(is_letter)
        && !is_contact(line)
        && !page_words::is_people_heading(line)
        && !titles::reads_as_sentence(&line.to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_words_may_be_a_title() {
        for line in ["Lashes", "Accounts and operations", "Kinesiolgist"] {
            assert!(is_phrase(line), "{line}");
        }
        for line in ["Loves dogs.", "Call 555-0100", "Read more", "Austin, TX", "Meet the team", "she is great", ""] {
            assert!(!is_phrase(line), "{line}");
        }
    }
}
