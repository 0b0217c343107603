//! The people a page names, and how its sentences refer to them: by their names, their first names or pronouns.

use crate::page::around;
use crate::people::brands;
use crate::people::mention::PersonMention;
use crate::people::names;
use crate::people::ownership::OwnerPage;
use crate::people::placeholders;
use crate::people::sentences;
use crate::word_set::WordSet;

/// People kept per page.
const PERSONS_MAX: usize = 60;
/// References kept per line.
const REFERENCES_MAX: usize = 40;
/// Words of a line that may be first names.
const WORDS_MAX: usize = 400;
/// Longest name in the genitive, in bytes.
const NAME_BYTES_MAX: usize = 40;
/// Lines between a name and what its bearer says below it, and the longest heading with one, in bytes.
const SPEAKER_LINES: usize = 8;
const HEADING_BYTES_MAX: usize = 60;
/// Shortest part of a name that refers to its bearer, in bytes.
const PART_BYTES_MIN: usize = 3;

/// What stands before the second word of the name of a place or a house.
static PLACE_STARTS: WordSet = WordSet::new("San Santa Santo Los Las Saint St. Fort Port Mount Puerto New The the");

/// The people named so far.
#[derive(Default)]
pub(super) struct Persons {
    names: Vec<String>,
    /// How many of them the page presents with titles or in its markup.
    found: usize,
}

/// Whom a word in a sentence refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Who {
    /// A person by number.
    Person(usize),
    /// `he` or `she`.
    Pronoun,
    /// `they`.
    They,
    /// `I`.
    Speaker,
}

/// A reference in a line.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reference {
    pub(super) at: usize,
    pub(super) end: usize,
    pub(super) who: Who,
}

impl Persons {
    /// The people found on the page.
    pub(super) fn of(found: &[PersonMention]) -> Persons {
        let mut persons = Persons::default();
        for mention in found {
            persons.add(&mention.name);
        }
        persons.found = persons.names.len();
        persons
    }

    /// Adds a person, unless known. `None` when there are too many, or the name is a brand's or a sample's.
    pub(super) fn add(&mut self, name: &str) -> Option<usize> {
        if let Some(known) = self.names.iter().position(|known| is_same(known, name) || is_short_for(known, name)) {
            return Some(known);
        }
        // `Ann Lee` of whom the page says in full that she is `Ann Lee Ray`.
        if let Some(known) = self.names.iter().take(self.found).position(|known| begins_with(known, name)) {
            return Some(known);
        }
        let is_family = ["Family", "Brothers", "Sons", "Sisters", "Law"].iter().any(|word| name.ends_with(word));
        let is_person = !is_family && !brands::is_brand(name) && !placeholders::is_placeholder(name);
        (is_person && self.names.len() < PERSONS_MAX).then(|| {
            self.names.push(name.to_owned());
            self.names.len() - 1
        })
    }

    pub(super) fn name(&self, person: usize) -> &str {
        self.names.get(person).map_or("", String::as_str)
    }

    pub(super) fn all(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }

    /// The only person.
    pub(super) fn only(&self) -> Option<usize> {
        (self.names.len() == 1).then_some(0)
    }

    /// Whom the last heading above a line names that is a name.
    pub(super) fn presented_above(&self, page: OwnerPage<'_, '_>, index: usize) -> Option<usize> {
        let headings = (index.saturating_sub(SPEAKER_LINES)..index).rev().map(|above| page.document.line(above));
        let mut named = headings.filter(|(line, place)| place.heading && line.len() <= HEADING_BYTES_MAX);
        named.find_map(|(line, _)| self.all().position(|name| line.ends_with(name)))
    }

    /// Adds those whom a line calls by first names alone and `full` finds in full elsewhere.
    pub(super) fn add_called(&mut self, line: &str, full: impl Fn(&str) -> Option<String>) {
        for (at, word) in words(line).take(WORDS_MAX) {
            let is_name = word.starts_with(char::is_uppercase) && names::is_first_name_in_any_case(word);
            if is_name
                && !self.names.iter().any(|name| is_part(name, word))
                && !may_go_on(&line[at + word.len()..])
                && let Some(name) = full(word)
            {
                self.add(&name);
            }
        }
    }

    /// The person of this name.
    pub(super) fn called_in_full(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|known| is_same(known, name))
    }

    /// The only person whose first name or surname a word is.
    pub(super) fn called(&self, word: &str) -> Option<usize> {
        if word.len() < PART_BYTES_MIN {
            return None;
        }
        let mut bearers =
            self.names.iter().enumerate().filter(|(_, name)| is_part(name, word)).map(|(person, _)| person);
        bearers.next().filter(|_| bearers.next().is_none())
    }

    /// Everyone a line refers to, in order. Names not seen before are added.
    pub(super) fn references(&mut self, line: &str) -> Vec<Reference> {
        let mut references = Vec::new();
        let mut from = 0;
        for (at, word) in words(line) {
            if at < from || references.len() >= REFERENCES_MAX {
                continue;
            }
            let pronoun = match word {
                "He" | "he" | "She" | "she" | "who" | "Sie" | "Er" | "Elle" | "Il" | "Ella" | "Él" | "Lei" | "Lui" => {
                    Some(Who::Pronoun)
                }
                "They" | "they" => Some(Who::They),
                "I" | "Ich" | "ich" | "Je" | "je" | "J" | "Ik" | "ik" | "Ho" | "ho" => Some(Who::Speaker),
                "Her" | "her" | "His" | "his" if is_wish(&line[at + word.len()..]) => Some(Who::Pronoun),
                "My" | "my" if is_wish(&line[at + word.len()..]) => Some(Who::Speaker),
                _ => None,
            };
            if let Some(who) = pronoun {
                references.push(Reference { at, end: at + word.len(), who });
            } else if word.starts_with(char::is_uppercase) {
                from = self.named(line, (at, word), &mut references).unwrap_or(from);
            }
        }
        references
    }

    /// A name at byte `at`, or a part of a known one. Returns where it ends.
    fn named(&mut self, line: &str, (at, word): (usize, &str), references: &mut Vec<Reference>) -> Option<usize> {
        if may_go_on(&line[at + word.len()..])
            && names::is_first_name_in_any_case(word)
            && let Some((people, length)) = people_at(&line[at..])
        {
            let end = at + length;
            // `in San Jose Piano Lessons`, `The Ann Lee Inn`
            if PLACE_STARTS.contains(line[..at].trim_end().rsplit(' ').next().unwrap_or("")) {
                return Some(end);
            }
            // `in Ann Lee Springs`, but `in Ann Lee's kitchen`.
            let is_place = ["in", "near", "at"].iter().any(|word| line[..at].trim_end().ends_with(&format!(" {word}")));
            if is_place && !line[end..].starts_with(['\'', '’']) {
                return Some(end);
            }
            for person in people {
                let who = Who::Person(self.add(&person.name)?);
                references.push(Reference { at, end, who });
            }
            return Some(end);
        }
        let who = Who::Person(self.called(word)?);
        let end = at + word.len();
        match references.last_mut() {
            // `Ann`, then `Zeller`: both parts of one name.
            Some(last) if last.who == who && last.end + 1 == at => last.end = end,
            _ => references.push(Reference { at, end, who }),
        }
        Some(end)
    }
}

/// The people named at the start of a text, also in the genitive: `Ann Lee's kitchen`.
fn people_at(text: &str) -> Option<(Vec<names::PersonName>, usize)> {
    sentences::people_and_end(text).or_else(|| {
        let near = around(text, 0, 0, NAME_BYTES_MAX);
        let end = ["'s", "’s"].iter().filter_map(|genitive| near.find(genitive)).min()?;
        names::parse(&near[..end]).map(|name| (vec![name], end))
    })
}

/// The first and last word of a name: `Jane Doe` and `Jane A. Doe` are the same person.
pub(in crate::people) fn ends_of(name: &str) -> (Option<String>, Option<String>) {
    let mut words = name.split(' ').map(str::to_lowercase);
    let first = words.next();
    (first, words.next_back())
}

/// Whether a name is another one and more words.
pub(in crate::people) fn begins_with(long: &str, short: &str) -> bool {
    short.contains(' ') && long.strip_prefix(short).is_some_and(|rest| rest.starts_with(' '))
}

/// Whether two spellings name one person.
pub(super) fn is_same(one: &str, other: &str) -> bool {
    ends_of(one) == ends_of(other)
}

/// Whether one of two names is short for the other: `Steve Lee` and `Steven Lee`.
fn is_short_for(one: &str, other: &str) -> bool {
    let (Some((first, surname)), Some((second, same))) = (one.split_once(' '), other.rsplit_once(' ')) else {
        return false;
    };
    // `I. Ann Lee`
    let is_initial = |name: &str| name.get(1..2) == Some(".");
    if is_initial(one) && one.ends_with(other) || is_initial(other) && other.ends_with(one) {
        return true;
    }
    let (first, second) = (first.to_lowercase(), second.split(' ').next().unwrap_or("").to_lowercase());
    let shorter = first.len().min(second.len());
    surname.rsplit(' ').next() == Some(same)
        && shorter >= PART_BYTES_MIN
        && (first.starts_with(&second) || second.starts_with(&first))
}

/// Whether a surname or a second person may follow a first name. Most first names stand alone.
fn may_go_on(after: &str) -> bool {
    let Some(rest) = after.strip_prefix(' ').or_else(|| after.strip_prefix(". ")) else { return false };
    let joined = ["and ", "& ", "und ", "et ", "y ", "en ", "e "].iter().find_map(|sign| rest.strip_prefix(sign));
    let rest = joined.unwrap_or(rest);
    let is_particle = ["van ", "von ", "de ", "di ", "del ", "da "].iter().any(|particle| rest.starts_with(particle));
    rest.starts_with(char::is_uppercase) || is_particle || rest.starts_with(['(', '"', '“'])
}

/// Whether the words after `her` are what led her to a business: `her dream of opening`.
fn is_wish(after: &str) -> bool {
    const WISHES: &[&str] = &["dream", "passion", "love", "vision", "goal", "hobby", "idea", "desire"];
    let next = after.trim_start().trim_start_matches("lifelong ").trim_start_matches("long-time ");
    WISHES.iter().any(|wish| next.starts_with(wish))
}

/// Whether a word is the first or the last part of a name.
fn is_part(name: &str, word: &str) -> bool {
    name.split(' ').next() == Some(word) || name.rsplit(' ').next() == Some(word)
}

/// The words of a line, each with its place.
pub(super) fn words(line: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_letter = |c: char| c.is_alphanumeric() || c == '-';
    let mut from = 0;
    std::iter::from_fn(move || {
        let start = from + line[from..].find(is_letter)?;
        let end = line[start..].find(|c| !is_letter(c)).map_or(line.len(), |length| start + length);
        from = end;
        Some((start, &line[start..end]))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(persons: &mut Persons, line: &str) -> Vec<String> {
        let references = persons.references(line);
        let name = |reference: &Reference| match reference.who {
            Who::Person(person) => persons.name(person).to_owned(),
            other => format!("{other:?}"),
        };
        references.iter().map(name).collect()
    }

    #[test]
    fn sentences_refer_to_people_by_parts_of_their_names() {
        let mut persons = Persons::default();
        let line = "Ann Lee opened it. She and Bob Ray met in Waco, and Ann runs it.";
        assert_eq!(shown(&mut persons, line), ["Ann Lee", "Pronoun", "Bob Ray", "Ann Lee"]);
        assert_eq!(shown(&mut persons, "Dr. Lee and I"), ["Ann Lee", "Speaker"]);
        assert_eq!(shown(&mut persons, "by Joe and Sue Ray"), ["Joe Ray", "Sue Ray"]);
        assert_eq!(shown(&mut persons, "Mr. Ray is one of three"), [""; 0], "three are called Ray");
    }

    #[test]
    fn words_have_places() {
        assert_eq!(words("Hi, J.R. é-x").collect::<Vec<_>>(), [(0, "Hi"), (4, "J"), (6, "R"), (9, "é-x")]);
        assert_eq!(words("").count() + words("...").count(), 0);
    }
}
