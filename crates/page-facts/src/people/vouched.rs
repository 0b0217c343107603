//! People on a page about people whom what is told of them vouches for: `Zxy Qwa`, `Esthetician`, and a paragraph in which
//! `Zxy joined us` and `her clients` occur; several paragraphs that each begin with a doctor.

use crate::byte_set::{ByteSet, Separator};
use crate::page::around;
use crate::people::letters::title_of_letters;
use crate::people::names::{self, PersonName, Trust};
use crate::people::one_line::Titled;
use crate::people::reader::{LINE_STEPS, PARAGRAPH_BYTES_MIN, PageReader, TEAM_MIN};
use crate::people::unlisted::may_be_unlisted;
use crate::people::{PEOPLE_MAX, affiliation, one_line, other_companies, owner_labels, sentences, titles};
use crate::word_set::WordSet;

/// Lines below a name and its title in which its biography is.
const BIO_LINES: usize = 3;
/// Bytes of each of them that are read.
const BIO_BYTES_MAX: usize = 600;
/// Longest heading that is a title and a name, in bytes.
const HEADING_BYTES_MAX: usize = 50;
/// Shortest first name that is searched for, in bytes.
const FIRST_BYTES_MIN: usize = 3;
/// What separates a name from the title in one line.
static SEPARATORS: [Separator; 5] = Separator::all([" - ", " – ", " — ", " | ", ", "]);

/// What a biography says after a name.
static VERBS: WordSet = WordSet::new(
    "is was has had joined brings began started works worked leads oversees manages serves handles runs comes came grew
     loves enjoys specializes specialises studied graduated earned received attended completed holds practices obtained",
);
/// Words of a biography rather than of a product.
static PRONOUNS: WordSet = WordSet::new("she he her his him hers");

impl PageReader<'_, '_> {
    /// Reads a page that presents people for those whom no list knows.
    pub(super) fn vouched(&mut self) {
        if !self.presents_people {
            return;
        }
        for index in 0..self.readable.len() {
            if self.readable[index] && self.found.len() < PEOPLE_MAX {
                self.with_biography(index);
            }
        }
        self.doctors();
        self.titled_headings();
        self.pictures();
    }

    /// `Zxy Qwa` above `Esthetician`, or both in one line, above a biography.
    fn with_biography(&mut self, index: usize) {
        let document = self.document;
        let (line, place) = document.line(index);
        if !may_be_unlisted(line) {
            return;
        }
        let is_separated = one_line::may_be_separated(line);
        let both = is_separated.then(|| ByteSet::of(line).split_once_at(line, &SEPARATORS)).flatten();
        let (text, title, last) = match both {
            Some((text, title)) => (text, title, index),
            None if place.heading => (line, document.line(index + 1).0, index + 1),
            None => return,
        };
        if !titles::may_be_title(title) || !document.budget.spend(LINE_STEPS) || !titles::is_title(title) {
            return;
        }
        let first = text.split(' ').next().unwrap_or("");
        if !self.is_told_of(first, text, last + 1) {
            return;
        }
        let is_theirs = !titles::is_of_several(title) && !other_companies::names_another(title, self.site);
        let name = name(text).filter(|name| is_theirs && !self.site.carries(&name.name));
        if let Some(name) = name.filter(|_| self.objection(index, last, title).is_none()) {
            self.line = index;
            self.keep("a biography that repeats the name", (name, title.to_owned()), &format!("{text}, {title}"));
        }
    }

    /// Whether the lines from `from` tell of somebody of this first name.
    fn is_told_of(&self, first: &str, name: &str, from: usize) -> bool {
        let document = self.document;
        let bio = (from..from + BIO_LINES).map(|at| document.line(at));
        let bio: Vec<&str> = bio
            .take_while(|(_, place)| !place.heading)
            .filter(|(line, _)| line.len() > PARAGRAPH_BYTES_MIN)
            .map(|(line, _)| around(line, 0, 0, BIO_BYTES_MAX))
            .collect();
        let surname = name.split(' ').nth(1).unwrap_or("");
        first.len() >= FIRST_BYTES_MIN
            && document.budget.spend(bio.iter().map(|line| line.len()).sum())
            && bio.iter().any(|line| repeats(line, first, surname))
            && bio
                .iter()
                .any(|line| line.split(|c: char| !c.is_alphabetic()).any(|word| PRONOUNS.contains_any_case(word)))
    }

    /// Paragraphs that begin with `Dr. Ann Lee graduated`, where there are several.
    fn doctors(&mut self) {
        let document = self.document;
        let mut doctors: Vec<(usize, Titled)> = Vec::new();
        for index in 0..self.readable.len() {
            let (line, _) = document.line(index);
            let is_doctor = line.starts_with("Dr") && (line.starts_with("Dr. ") || line.starts_with("Dr "));
            if is_doctor
                && self.readable[index]
                && line.len() > PARAGRAPH_BYTES_MIN
                && document.budget.spend(LINE_STEPS)
                && let Some(doctor) = doctor_at_start(line)
            {
                doctors.push((index, doctor));
            }
        }
        let is_several = doctors.iter().any(|(_, (name, _))| name.name != doctors[0].1.0.name);
        for (index, doctor) in doctors {
            let is_new = self.found.iter().all(|(_, person)| person.name != doctor.0.name);
            if is_several && is_new && self.found.len() < PEOPLE_MAX {
                self.line = index;
                self.keep("one of several paragraphs about doctors", doctor, document.line(index).0);
            }
        }
    }

    /// `Farmer Ann Lee` in several headings: nouns that also mean something else are titles where they head every name.
    fn titled_headings(&mut self) {
        let document = self.document;
        let mut titled: Vec<(usize, Titled)> = Vec::new();
        for index in 0..self.readable.len() {
            let (line, place) = document.line(index);
            let may_be = place.heading && self.readable[index] && line.len() <= HEADING_BYTES_MAX;
            let Some((title, name)) = line.split_once(' ').filter(|_| may_be) else { continue };
            if titles::is_title_word(&title.to_lowercase())
                && document.budget.spend(LINE_STEPS)
                && let Some(name) = names::parse(name)
            {
                titled.push((index, (name, title.to_owned())));
            }
        }
        if titled.len() < TEAM_MIN {
            return;
        }
        for (index, person) in titled {
            let is_new = self.found.iter().all(|(_, known)| known.name != person.0.name);
            if is_new && self.objection(index, index, &person.1).is_none() && self.found.len() < PEOPLE_MAX {
                self.line = index;
                self.keep("a title before the name, in several headings", person, document.line(index).0);
            }
        }
    }

    /// Whether a name in a heading needs no list: there are others on a page about people.
    pub(super) fn name_among_others(&self, line: &str, is_heading: bool) -> Option<PersonName> {
        if is_heading && self.presents_people && self.found.len() >= TEAM_MIN {
            name(line)
        } else {
            names::parse_as(line, Trust::High)
        }
    }
}

/// A name on no list, of two words or of three: `Zxy Qwa Rtz`, `Zxy A. Qwa`.
pub(super) fn name(text: &str) -> Option<PersonName> {
    name_of(text, names::parse_as(text, Trust::High))
}

/// The same for a text that was parsed with [`Trust::High`].
pub(super) fn name_of(text: &str, trusted: Option<PersonName>) -> Option<PersonName> {
    if let Some(name) = trusted.filter(owner_labels::is_plausible) {
        return Some(name);
    }
    let parse = |text: &str| names::parse_as(text, Trust::High).filter(owner_labels::is_plausible);
    let words: Vec<&str> = text.split(' ').collect();
    let [first, middle, last] = words[..] else { return None };
    let name = parse(&format!("{first} {last}"))?;
    let is_initial = middle.len() <= 2 && middle.starts_with(char::is_uppercase);
    let is_whole = name.prefix.is_none() && name.credentials.is_none();
    if !is_whole || !(is_initial || parse(&format!("{middle} {last}")).is_some()) {
        return None;
    }
    let (first, last) = name.name.split_once(' ')?;
    Some(PersonName { name: format!("{first} {middle} {last}"), prefix: None, credentials: None })
}

/// `Dr. Ann Lee graduated`: the doctor at the start of a paragraph about them.
fn doctor_at_start(line: &str) -> Option<Titled> {
    let (name, end) = sentences::name_and_end(line)?;
    let verb = line[end..].strip_prefix(' ')?.split(' ').next()?;
    let is_told = VERBS.contains(verb) && !affiliation::quotes_somebody(affiliation::sentence(line, end));
    let title = title_of_letters(&name).filter(|_| is_told)?;
    Some((name, title))
}

/// Whether a text goes on about the person after the first name: `Zxy joined`, `Zxy Qwa has`, `Zxy's clients`.
fn repeats(text: &str, first: &str, surname: &str) -> bool {
    text.match_indices(first).any(|(at, _)| {
        let is_word = !text[..at].ends_with(char::is_alphanumeric);
        let rest = &text[at + first.len()..];
        let is_person = rest.starts_with("'s ") || rest.starts_with("’s ");
        let goes_on = rest.strip_prefix(' ').is_some_and(|rest| {
            let next = rest.split(|c: char| !c.is_alphabetic()).next().unwrap_or("");
            VERBS.contains(next) || (surname.len() > 1 && rest.starts_with(surname))
        });
        is_word && (is_person || goes_on)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_biography_goes_on_about_the_person() {
        for (text, expect) in [
            ("Zxy joined us in 2004.", true),
            ("A native of Waco, Zxy Qwa has loved trees for years.", true),
            ("Zxy’s clients come back.", true),
            ("Our Zxy line lasts for years.", false),
            ("Zxycor is a brand.", false),
        ] {
            assert_eq!(repeats(text, "Zxy", "Qwa"), expect, "{text}");
        }
    }

    #[test]
    fn a_name_of_three_words_needs_no_list_once_it_is_vouched_for() {
        let shown = |text: &str| name(text).map(|name| name.name);
        assert_eq!(shown("Zxy Qwa Rtzel").as_deref(), Some("Zxy Qwa Rtzel"));
        assert_eq!(shown("Zxy A. Qwamble").as_deref(), Some("Zxy A. Qwamble"));
        assert_eq!((shown("Our Office Hours"), shown("Zxy Sales Manager"), shown("Zxy")), (None, None, None));
    }

    #[test]
    fn a_paragraph_begins_with_a_doctor() {
        let shown = |line: &str| doctor_at_start(line).map(|(name, title)| format!("{}={title}", name.name));
        assert_eq!(shown("Dr. Ann Lee graduated from a college in 2004.").as_deref(), Some("Ann Lee=Doctor"));
        assert_eq!(shown("Dr. Ann Lee says “rest is best” to all."), None);
        assert_eq!(shown("Dr. Ann Lee Skincare at its best."), None);
    }
}
