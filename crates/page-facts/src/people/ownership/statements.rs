//! Sentences that say who began, owns or left the business, by whatever they call the person: `After years in other
//! kitchens, Ann decided to open her own bakery`, `Today she is the co-owner`.

use crate::page::lower_in_place;
use crate::people::affiliation::{self, NamedCompany, PageSubject};
use crate::people::names::{self, Trust};
use crate::people::ownership::business_words::{self, Object};
use crate::people::ownership::departures::{self, Departure};
use crate::people::ownership::persons::{Persons, Reference, Who};
use crate::people::ownership::phrases::{self, Act, ROMANCE_TRIGGERS, TRIGGERS};
use crate::people::ownership::unlisted_names;
use crate::people::ownership::{Clue, Clues, OwnerPage};
use crate::people::{cards, owner_labels, sentences, the_dead};

/// Lines read per page, and the longest of them, in bytes.
const LINES_MAX: usize = 150;
const LINE_BYTES_MAX: usize = 3_000;
/// Steps charged per line, and per byte of it: phrases, references, and names that are parsed.
const LINE_STEPS: usize = 3_000;
const LINE_STEPS_PER_BYTE: usize = 20;
/// Bytes between a verb and its subject, and between `founded by` and the name.
const SUBJECT_BYTES_MAX: usize = 110;
const PASSIVE_BYTES_MAX: usize = 70;
/// Bytes between somebody and the noun that says what they are: `Ann Lee is a dentist and the owner`.
const ROLE_BYTES_MAX: usize = 60;
/// Shortest line that is a sentence, in bytes.
const SENTENCE_BYTES_MIN: usize = 40;
/// Longest heading above a paragraph that is a name, in bytes, and lines between them.
const HEADING_BYTES_MAX: usize = 60;
const HEADING_LINES: usize = 3;

/// What sentences in the first person say, for whoever turns out to speak.
#[derive(Default)]
pub(super) struct Spoken {
    /// The line and the place in it of each statement, and the title that it implies.
    pub(super) statements: Vec<(usize, usize, Clue, &'static str)>,
}

/// Reads all lines that hold a phrase of owning.
pub(super) fn read(page: OwnerPage<'_, '_>, persons: &mut Persons, clues: &mut Clues) -> Spoken {
    let mut lines: Vec<usize> = Vec::new();
    let is_english = page.document.lang.is_some_and(|lang| lang.starts_with("en"));
    let romance = ROMANCE_TRIGGERS.as_ref().filter(|_| !is_english);
    for triggers in [TRIGGERS.as_ref(), romance].into_iter().flatten() {
        triggers.each(&page.document.text, LINES_MAX, |found| {
            let line = page.document.line_at(found.start());
            if lines.last() != Some(&line) {
                lines.push(line);
            }
        });
    }
    lines.sort_unstable();
    lines.dedup();
    let mut reader = Reader { page, persons, clues, spoken: Spoken::default() };
    for index in lines.into_iter().take(LINES_MAX) {
        let Some(line) = page.line(index).filter(|line| line.len() <= LINE_BYTES_MAX) else { continue };
        if !page.document.budget.spend(LINE_STEPS + LINE_STEPS_PER_BYTE * line.len()) {
            break;
        }
        reader.line(index, line);
    }
    reader.spoken
}

struct Reader<'r, 'p, 'h> {
    page: OwnerPage<'p, 'h>,
    persons: &'r mut Persons,
    clues: &'r mut Clues,
    spoken: Spoken,
}

/// A line, whom it refers to, and whom the heading above it names.
struct Paragraph<'l> {
    index: usize,
    line: &'l str,
    references: Vec<Reference>,
    heading: Option<usize>,
}

impl Reader<'_, '_, '_> {
    fn line(&mut self, index: usize, line: &str) {
        let found = phrases::find(&format!(" {} ", lower_in_place(line)));
        if found.is_empty() || affiliation::quotes_somebody(line) && line.starts_with(['“', '"', '‘']) {
            return;
        }
        let is_role = |(_, _, act): &(usize, usize, Act)| matches!(act, Act::Role(_));
        let heading = self.heading_above(index, line, found.iter().any(is_role));
        let paragraph = Paragraph { index, line, references: self.persons.references(line), heading };
        for (at, end, act) in found {
            if at < end && line.is_char_boundary(at) && line.is_char_boundary(end) {
                self.phrase(&paragraph, (at, end, act));
            }
        }
    }

    /// Whom the heading above a paragraph names. A name on no list counts beside an owner's title, or if the paragraph goes
    /// on with its first word.
    fn heading_above(&mut self, index: usize, paragraph: &str, beside_title: bool) -> Option<usize> {
        (index.saturating_sub(HEADING_LINES)..index).rev().find_map(|above| {
            let line = self.page.line(above).filter(|line| line.len() <= HEADING_BYTES_MAX)?;
            let is_heading = self.page.document.line(above).1.heading;
            let is_beside = is_heading && above + 1 == index;
            let titled = || names::parse_as(line, Trust::High).filter(owner_labels::is_plausible);
            let repeated = || paragraph.starts_with(line.split(' ').next().unwrap_or(line));
            let name = match cards::name(line) {
                Some(name) => Some(name.name),
                None if is_beside && beside_title => titled().map(|name| name.name),
                None if is_beside && repeated() => unlisted_names::whole(self.page, line),
                None => None,
            };
            match name {
                Some(name) if !self.page.site.is_called(&name.split(' ').collect::<Vec<_>>()) => {
                    self.persons.add(&name)
                }
                // `Big John Lee`
                _ => self.persons.all().position(|name| line.ends_with(name)),
            }
        })
    }

    fn phrase(&mut self, paragraph: &Paragraph<'_>, (at, end, act): (usize, usize, Act)) {
        let line = paragraph.line;
        let sentence = affiliation::sentence(line, at);
        match act {
            Act::Leaves | Act::Sells => {
                let departure = Departure { line, at, end, act, references: &paragraph.references };
                departures::read(self.page, self.persons, departure, self.clues);
            }
            Act::Joins => {
                if let Some(person) = self.subject(paragraph, at)
                    && joins_this(&line[end..])
                {
                    self.clues.add(self.persons.name(person), Clue::Joined, (line, at));
                }
            }
            _ if departures::is_past(sentence) || the_dead::is_named_in(sentence) || is_history(line, at, sentence) => {
            }
            Act::Verb(title) => self.verb(paragraph, (at, end), title),
            Act::Passive(title) => self.passive(paragraph, (at, end), title),
            Act::Role(title) => self.role(paragraph, (at, end), title),
        }
    }

    /// `Ann decided to open her own bakery`.
    fn verb(&mut self, paragraph: &Paragraph<'_>, (at, end): (usize, usize), title: &'static str) {
        let line = paragraph.line;
        let Some(object) = business_words::object(line[end..].trim_start(), self.page.site) else { return };
        // On a page about other subjects `the company` is theirs.
        let sentence = affiliation::sentence(line, at);
        if !self.is_about() && !affiliation::says_ours(sentence) && !self.page.site.is_named_in(sentence) {
            return;
        }
        let clue = if object == Object::This { Clue::Stated } else { Clue::Own };
        departures::bought_from(self.persons, self.clues, (line, end), &paragraph.references);
        self.give(paragraph, at, (clue, title));
    }

    /// Whether the page tells of the business or of somebody. A front page may tell of anyone.
    fn is_about(&self) -> bool {
        self.page.tells_story && !self.page.is_front
    }

    /// `founded in 2004 by husband and wife team Ann and Bob Lee`.
    fn passive(&mut self, paragraph: &Paragraph<'_>, (at, end): (usize, usize), title: &'static str) {
        let (line, site) = (paragraph.line, self.page.site);
        let before = &line[..at];
        let sentence = affiliation::sentence(line, at);
        // `The food drive is run by ...`: the subject must be the business.
        let subject = &before[before.rfind(". ").map_or(0, |end| end + 2)..];
        let is_business = |word: &str| business_words::is_business(&word.to_lowercase());
        let is_general = subject.trim().is_empty()
            || affiliation::is_owner_label(subject)
            || affiliation::speaks_of_itself(subject, site, PageSubject::Business)
            || subject.split(|c: char| !c.is_alphanumeric()).any(is_business);
        let is_told = self.is_about() || affiliation::says_ours(sentence) || site.is_named_in(sentence);
        let is_tied =
            is_told && is_general && (site.is_named_in(sentence) || !affiliation::is_of_another(before, site));
        let first = paragraph.references.iter().find(|reference| reference.at >= end);
        let Some(first) = first.filter(|first| is_tied && first.at - end <= PASSIVE_BYTES_MAX) else { return };
        let between = &line[end..first.at];
        let is_of_others =
            between.split(' ').skip(1).any(|word| word.starts_with(char::is_uppercase) && !is_honorific(word));
        if between.contains(['.', ';']) || is_of_others || business_words::ends_in_elder(between.trim_end()) {
            return;
        }
        let both = paragraph.references.iter().filter(|reference| reference.at == first.at);
        let both: Vec<Who> = both.map(|reference| reference.who).collect();
        for who in both {
            if let Who::Person(person) = who
                && !affiliation::goes_on_as_company(&line[first.end..])
                && !site.is_named_in(self.persons.name(person))
            {
                self.clues.add_titled(self.persons.name(person), (Clue::Stated, title), (line, at));
            }
        }
    }

    /// `Today she is the co-owner`, `our founder Ann`, `Founder and teacher at Acme` below her name.
    fn role(&mut self, paragraph: &Paragraph<'_>, (at, end): (usize, usize), title: &'static str) {
        let (line, site) = (paragraph.line, self.page.site);
        let (before, after) = (&line[..at], &line[end..]);
        if affiliation::owns_something_else(before) || before.ends_with("former ") || before.ends_with("-") {
            return;
        }
        let of = affiliation::company_after(after, affiliation::OF_OR_COMMA, site);
        let names_this = || after.split_once(' ').is_some_and(|(_, rest)| business_words::object(rest, site).is_some());
        if of == NamedCompany::Another && !site.is_named_in(affiliation::sentence(line, at)) && !names_this() {
            return;
        }
        let next = paragraph.references.iter().find(|reference| reference.at >= end);
        if let Some(next) = next.filter(|next| matches!(line.get(end..next.at), Some(" " | ", " | ": " | " is ")))
            && let Who::Person(person) = next.who
        {
            if affiliation::is_ours(before, site, PageSubject::Anything) {
                self.clues.add_titled(self.persons.name(person), (Clue::Stated, title), (line, at));
            }
            return;
        }
        // Cards and labels are read with the people: dogs, deliveries and praise have owners too.
        let is_short = line.len() < SENTENCE_BYTES_MIN;
        if is_short
            && !paragraph.heading.is_some_and(|heading| self.clues.has(self.persons.name(heading), Clue::Namesake))
        {
            return;
        }
        let is_first = before.trim().is_empty() || before.trim().split(' ').count() <= 2 && !before.contains(',');
        if let Some(heading) = paragraph.heading.filter(|_| is_first && paragraph.references.iter().all(|r| r.at > at))
        {
            self.clues.add_titled(self.persons.name(heading), (Clue::Stated, title), (line, at));
        } else if self.is_said_of(paragraph, at) {
            self.give(paragraph, at, (Clue::Stated, title));
        }
    }

    /// Whether the words between somebody and a noun make it theirs: `is a dentist and the`, `, our`.
    fn is_said_of(&self, paragraph: &Paragraph<'_>, at: usize) -> bool {
        const BE: &[&str] = &[
            " is", "’s", "'s", " was", "’m", "'m", " am", " ist", " bin", " est", " suis", " è", " sono", " es",
            " soy", " are", ",",
        ];
        let Some(last) = paragraph.references.iter().rev().find(|reference| reference.end <= at) else { return false };
        let between = &paragraph.line[last.end..at];
        between.len() <= ROLE_BYTES_MAX && !between.contains(". ") && BE.iter().any(|word| between.starts_with(word))
    }

    /// Gives a clue to the subject of the sentence, or keeps it for whoever says `I`.
    fn give(&mut self, paragraph: &Paragraph<'_>, at: usize, (clue, title): (Clue, &'static str)) {
        let last = last_before(paragraph, at);
        if last.is_some_and(|last| last.who == Who::Speaker) {
            self.spoken.statements.push((paragraph.index, at, clue, title));
            return;
        }
        let Some(person) = self.subject(paragraph, at) else {
            if let Some(name) = unlisted_names::before(self.page, &paragraph.line[..at]) {
                self.clues.add_titled(&name, (clue, title), (paragraph.line, at));
            }
            return;
        };
        self.clues.add_titled(self.persons.name(person), (clue, title), (paragraph.line, at));
        // `Ann and Bob Lee opened`: both.
        let partner = last.and_then(|last| {
            paragraph
                .references
                .iter()
                .find(|other| other.at == last.at && other.who != last.who && other.who != Who::Person(person))
        });
        if let Some(Reference { who: Who::Person(partner), .. }) = partner {
            self.clues.add_titled(self.persons.name(*partner), (clue, title), (paragraph.line, at));
        }
    }

    /// Who does what a verb at byte `at` says: whoever was named last in its sentence; for a pronoun, before it; else whom
    /// the heading names.
    fn subject(&self, paragraph: &Paragraph<'_>, at: usize) -> Option<usize> {
        let last = last_before(paragraph, at)?;
        if business_words::ends_in_elder(paragraph.line[..at].trim_end())
            || business_words::ends_in_elder(paragraph.line[..last.at].trim_end())
        {
            return None;
        }
        match last.who {
            Who::Person(person) => Some(person),
            Who::Speaker => None,
            Who::Pronoun | Who::They => {
                let named = paragraph.references.iter().take_while(|reference| reference.at < last.at);
                let mut named = named.filter_map(|reference| match reference.who {
                    Who::Person(person) => Some(person),
                    _ => None,
                });
                if last.who == Who::They {
                    return named.last().or(paragraph.heading);
                }
                // A paragraph is about whom it names first, or whom its heading names; others occur in it.
                paragraph.heading.or_else(|| named.next()).or_else(|| self.persons.only())
            }
        }
    }
}

/// Whether a sentence tells of earlier years, or goes on from one that does: `Founded in 1880 by Ann Lee. She started it with`.
fn is_history(line: &str, at: usize, sentence: &str) -> bool {
    let is_today = ["oday", " now ", " still ", "urrent", " heute ", " oggi ", "ujourd"]
        .iter()
        .any(|word| sentence.contains(word));
    sentences::is_of_earlier_years(sentence) || (!is_today && sentences::is_of_earlier_years(&line[..at]))
}

/// The last reference before byte `at`, in the same sentence and not far.
fn last_before<'r>(paragraph: &'r Paragraph<'_>, at: usize) -> Option<&'r Reference> {
    let last = paragraph.references.iter().rev().find(|reference| reference.end <= at)?;
    let between = &paragraph.line[last.end..at];
    (between.len() <= SUBJECT_BYTES_MAX && !ends_sentence(between)).then_some(last)
}

/// Whether a sentence ends within a text.
fn ends_sentence(text: &str) -> bool {
    business_words::sentence_end(text) < text.len() || text.contains(['!', '?', ';'])
}

/// `Dr.`, `Chef`: what stands before a name in the middle of a sentence.
fn is_honorific(word: &str) -> bool {
    matches!(
        word.trim_end_matches('.'),
        "Dr" | "Mr" | "Mrs" | "Ms" | "Chef" | "Master" | "Sensei" | "Herr" | "Frau" | "M" | "Mme"
    )
}

/// Whether what follows `joined` is this business: `us`, `the practice`.
fn joins_this(after: &str) -> bool {
    let mut words = after.split_whitespace().map(|word| word.trim_matches([',', '.']));
    match words.next() {
        Some("us" | "our" | "the") => true,
        Some(first) => first.starts_with(char::is_uppercase) || matches!(first, "in" | "as"),
        None => false,
    }
}
