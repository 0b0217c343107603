//! Sentences that say who began, owns or left the business, by whatever they call the person: `After years in other
//! kitchens, Ann decided to open her own bakery`, `Today she is the co-owner`.

use crate::page::lower_in_place;
use crate::people::affiliation;
use crate::people::mention::PersonMention;
use crate::people::names::{self, Trust};
use crate::people::ownership::business_words;
use crate::people::ownership::departures::{self, Departure, Taken};
use crate::people::ownership::persons::{Persons, Reference, Who};
use crate::people::ownership::phrases::{self, Act};
use crate::people::ownership::told_lines;
use crate::people::ownership::unlisted_names;
use crate::people::ownership::{Clue, Clues, OwnerPage};
use crate::people::{cards, early_years, owner_labels, the_dead};

/// Longest line that is read, in bytes.
const LINE_BYTES_MAX: usize = 3_000;
/// Steps charged per line, and per byte of it: phrases, references, and names that are parsed.
const LINE_STEPS: usize = 3_000;
const LINE_STEPS_PER_BYTE: usize = 20;
/// Bytes between a verb and its subject.
const SUBJECT_BYTES_MAX: usize = 110;
/// Bytes before a verb whose subject comes later: `Prior to`.
const START_BYTES_MAX: usize = 24;
/// Longest heading above a paragraph that is a name, in bytes, and lines between them.
const HEADING_BYTES_MAX: usize = 60;
const HEADING_LINES: usize = 3;

/// What sentences in the first person say, for whoever turns out to speak.
#[derive(Default)]
pub(super) struct Spoken {
    /// The line and the place in it of each statement, and the title that it implies.
    pub(super) statements: Vec<(usize, usize, Clue, &'static str)>,
}

/// Reads all lines that hold a phrase of owning; `found` are the people found on the page.
pub(super) fn read(
    page: OwnerPage<'_, '_>,
    found: &[PersonMention],
    persons: &mut Persons,
    clues: &mut Clues,
) -> Spoken {
    let mut reader = Reader {
        page,
        persons,
        clues,
        spoken: Spoken::default(),
        takers: Vec::new(),
        is_sold: false,
        owners_called: 0,
    };
    for index in told_lines::with_phrases(page) {
        let Some(line) = page.line(index).filter(|line| line.len() <= LINE_BYTES_MAX) else { continue };
        if !page.document.budget.spend(LINE_STEPS + LINE_STEPS_PER_BYTE * line.len()) {
            break;
        }
        reader.line(index, line);
    }
    let is_founder = |mention: &&PersonMention| departures::is_founding(mention.title.as_deref());
    let founders: Vec<&str> = found.iter().filter(is_founder).map(|mention| mention.name.as_str()).collect();
    let is_others = reader.owners_called > 0;
    let taken = Taken { founders: &founders, takers: &reader.takers, is_sold: reader.is_sold, is_others };
    departures::supersede(reader.persons, taken, reader.clues);
    reader.spoken
}

/// Reads the sentences of one page.
pub(super) struct Reader<'r, 'p, 'h> {
    pub(super) page: OwnerPage<'p, 'h>,
    pub(super) persons: &'r mut Persons,
    pub(super) clues: &'r mut Clues,
    spoken: Spoken,
    /// Those who took the business over from others, each with the year if it is known.
    pub(super) takers: Vec<(usize, Option<u16>)>,
    /// Whether others bought it who are not named.
    pub(super) is_sold: bool,
    /// Owners whom the page calls by first names that are nobody's here: `owned and operated by Ann`.
    pub(super) owners_called: usize,
}

/// A line, whom it refers to, and whom the heading above it names.
pub(super) struct Paragraph<'l> {
    pub(super) index: usize,
    pub(super) line: &'l str,
    pub(super) references: Vec<Reference>,
    pub(super) heading: Option<usize>,
}

impl Reader<'_, '_, '_> {
    fn line(&mut self, index: usize, line: &str) {
        if self.page.is_front && !told_lines::may_tell(self.page, line) {
            return;
        }
        let found = phrases::find(&format!(" {} ", lower_in_place(line)));
        if found.is_empty() || affiliation::quotes_somebody(line) && line.starts_with(['“', '"', '‘']) {
            return;
        }
        let is_role = |(_, _, act): &(usize, usize, Act)| matches!(act, Act::Role(_));
        let heading = self.heading_above(index, line, found.iter().any(is_role));
        for name in unlisted_names::in_line(self.page, line, &found) {
            self.persons.add(&name);
        }
        let page = self.page;
        if !page.is_front {
            self.persons.add_called(line, |first| told_lines::full_name(page, first));
        }
        if found.iter().any(is_role)
            && let Some(name) = unlisted_names::titled(self.page, line)
            && let Some(person) = self.persons.add(&name)
        {
            self.add(person, (Clue::Stated, "Owner"), (line, 0));
        }
        let paragraph = Paragraph { index, line, references: self.persons.references(line), heading };
        self.possessions(&paragraph);
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
            // `Ann Lee (Instructor)`
            let bare = line.split_once(" (").map_or(line, |(name, _)| name);
            let name = match cards::name(line).or_else(|| cards::name(bare)) {
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
            Act::Takes(_) if is_of_the_past(line, at, act) => self.takes_long_ago(paragraph, at),
            _ if is_of_the_past(line, at, act) => {}
            Act::Verb(title) => self.verb(paragraph, (at, end), (Clue::Stated, title)),
            Act::Takes(title) => self.takes(paragraph, (at, end), title),
            Act::Leads => self.verb(paragraph, (at, end), (Clue::Leads, "")),
            Act::Around(title) => self.around(paragraph, (at, end), title),
            Act::Makes => self.passive(paragraph, (at, end), (Clue::Own, "")),
            Act::Heir => self.heir(paragraph, (at, end)),
            Act::Team => self.team(paragraph, at),
            Act::Turns => self.turns(paragraph, (at, end)),
            Act::Independent => self.independent(paragraph, (at, end)),
            Act::Born => self.born(paragraph, (at, end)),
            Act::Behind => self.behind(paragraph, (at, end)),
            Act::Passive(title) => self.passive(paragraph, (at, end), (Clue::Stated, title)),
            Act::LedBy => self.passive(paragraph, (at, end), (Clue::Leads, "")),
            Act::Passes(title) => self.passes(paragraph, (at, end), title),
            Act::Role(title) => self.role(paragraph, (at, end), title),
        }
    }

    /// Whether the page tells of the business or of somebody. A front page may tell of anyone.
    pub(super) fn is_about(&self) -> bool {
        self.page.tells_story && !self.page.is_front
    }

    /// Whether a sentence tells of this business: on a page about other subjects `the company` is theirs.
    pub(super) fn is_told(&self, sentence: &str) -> bool {
        let site = self.page.site;
        self.is_about()
            || affiliation::says_ours(sentence)
            || business_words::names_this(sentence, site)
            || business_words::has_first_word(sentence, site)
    }

    /// Gives a clue to the subject of the sentence, or keeps it for whoever says `I`. Returns who got it.
    pub(super) fn give(
        &mut self,
        paragraph: &Paragraph<'_>,
        at: usize,
        (clue, title): (Clue, &'static str),
    ) -> Vec<usize> {
        let last = last_before(paragraph, at);
        if last.is_some_and(|last| last.who == Who::Speaker) {
            self.say(paragraph, at, (clue, title));
            return Vec::new();
        }
        let place = (paragraph.line, at);
        let Some(person) = self.subject(paragraph, at).or_else(|| subject_after(paragraph, at)) else {
            let name = unlisted_names::before(self.page, &paragraph.line[..at]);
            let person = name.and_then(|name| self.persons.add(&name));
            person.into_iter().for_each(|person| self.add(person, (clue, title), place));
            return person.into_iter().collect();
        };
        if clue == Clue::Stated
            && is_now(affiliation::sentence(paragraph.line, at))
            && !departures::is_founding(Some(title))
        {
            self.takers.push((person, None));
        }
        // `Ann and Bob Lee opened`: both, in this order.
        let is_partner = |last: &Reference, other: &&Reference| {
            other.at == last.at && other.who != last.who && other.who != Who::Person(person)
        };
        let partner = last.and_then(|last| paragraph.references.iter().find(|other| is_partner(last, other)));
        let partner = partner.and_then(|partner| match partner.who {
            Who::Person(partner) => Some(partner),
            _ => None,
        });
        let both: Vec<usize> = partner.into_iter().chain([person]).collect();
        both.iter().for_each(|one| self.add(*one, (clue, title), place));
        both
    }

    /// Keeps what a sentence in the first person says.
    pub(super) fn say(&mut self, paragraph: &Paragraph<'_>, at: usize, (clue, title): (Clue, &'static str)) {
        // Where several are presented, each speaks below their own name.
        if self.persons.only().is_none()
            && let Some(speaker) = self.persons.presented_above(self.page, paragraph.index)
        {
            self.add(speaker, (clue, title), (paragraph.line, at));
            return;
        }
        self.spoken.statements.push((paragraph.index, at, clue, title));
    }

    /// Adds a clue for a person.
    pub(super) fn add(&mut self, person: usize, (clue, title): (Clue, &'static str), place: (&str, usize)) {
        self.clues.add_titled(self.persons.name(person), (clue, title), place);
    }

    /// Who does what a verb at byte `at` says: whoever was named last in its sentence; for a pronoun, before it; else whom
    /// the heading names.
    pub(super) fn subject(&self, paragraph: &Paragraph<'_>, at: usize) -> Option<usize> {
        let Some(last) = last_before(paragraph, at) else { return self.unsaid_subject(paragraph, at) };
        let line = paragraph.line;
        if business_words::ends_in_elder(line[..at].trim_end())
            || business_words::ends_in_elder(line[..last.at].trim_end())
        {
            return None;
        }
        match last.who {
            Who::Person(person) => (!affiliation::is_outsider(&line[..last.at])).then_some(person),
            Who::Speaker => None,
            Who::Pronoun if &line[last.at..last.end] == "who" => named_before_who(paragraph, last),
            Who::Pronoun | Who::They => self.antecedent(paragraph, last),
        }
    }

    /// Whom the heading names, where the verb needs no subject: `Nel 2009 apre la bottega`.
    fn unsaid_subject(&self, paragraph: &Paragraph<'_>, at: usize) -> Option<usize> {
        let (line, heading) = (paragraph.line, paragraph.heading?);
        let sentence = &line[business_words::last_sentence(&line[..at])..];
        let is_bare = paragraph.references.iter().all(|reference| !matches!(reference.who, Who::They | Who::Speaker));
        (is_bare && told_lines::is_pro_drop(sentence)).then_some(heading)
    }

    /// Whom a pronoun means. A paragraph is about whom it names first, or whom its heading names; others occur in it.
    fn antecedent(&self, paragraph: &Paragraph<'_>, pronoun: &Reference) -> Option<usize> {
        let before = paragraph.references.iter().take_while(|reference| reference.at < pronoun.at);
        let mut named = before.filter_map(|reference| match reference.who {
            Who::Person(person) => Some((person, reference.at)),
            _ => None,
        });
        let is_insider = |at: usize| !affiliation::is_outsider(&paragraph.line[..at]);
        if pronoun.who == Who::They {
            return named.last().map(|(person, _)| person).or(paragraph.heading);
        }
        let first = || named.next().filter(|(_, at)| is_insider(*at)).map(|(person, _)| person);
        paragraph.heading.or_else(first).or_else(|| self.persons.only())
    }
}

/// Whom a sentence names after what they did: `Before opening her own firm, Ann Lee worked at a large one`.
fn subject_after(paragraph: &Paragraph<'_>, at: usize) -> Option<usize> {
    const STARTS: &[&str] = &["Before", "Prior to", "After", "Since", "Upon", "Having", "While", "By", "In"];
    let line = paragraph.line;
    let start = &line[business_words::last_sentence(&line[..at])..at];
    if start.len() > START_BYTES_MAX || !STARTS.iter().any(|word| start.starts_with(word)) {
        return None;
    }
    let next = paragraph.references.iter().find(|reference| reference.at > at)?;
    let between = &line[at..next.at];
    let is_theirs = between.len() <= SUBJECT_BYTES_MAX && between.ends_with(", ") && !ends_sentence(between);
    match next.who {
        Who::Person(person) if is_theirs => Some(person),
        _ => None,
    }
}

/// Whom `who` means: `Ann Lee, who opened`, but not `Ann Lee reads about a woman who opens`.
fn named_before_who(paragraph: &Paragraph<'_>, who: &Reference) -> Option<usize> {
    let last = paragraph.references.iter().rev().find(|reference| reference.end <= who.at)?;
    let between = paragraph.line[last.end..who.at].trim_end();
    match last.who {
        Who::Person(person) if between.is_empty() || between.starts_with(',') || is_a(between) => {
            (!affiliation::is_outsider(&paragraph.line[..last.at])).then_some(person)
        }
        _ => None,
    }
}

/// Whether nothing but what somebody is stands between the name and `who`: `Ann Lee is a groomer who opened`.
fn is_a(between: &str) -> bool {
    let is_one = [" is a ", " is an ", " was a "].iter().any(|words| between.starts_with(words));
    is_one && !between.contains(',') && !between.contains(" of ") && !between.contains(" to ")
}

/// Whether a sentence says who has the business now, whoever began it.
fn is_now(sentence: &str) -> bool {
    [" now ", "oday", "urrent", " heute ", " oggi ", "ujourd"].iter().any(|word| sentence.contains(word))
}

/// Whether a sentence tells of what was before, or of somebody dead.
fn is_of_the_past(line: &str, at: usize, act: Act) -> bool {
    let sentence = affiliation::sentence(line, at);
    let is_purchase = matches!(act, Act::Takes(_) | Act::Passes(_));
    departures::is_past(sentence)
        || departures::has_ended(&line[at..])
        || the_dead::is_named_in(sentence)
        || is_history(line, at, sentence)
        || is_purchase && departures::is_decades_ago(sentence)
}

/// Whether a sentence tells of earlier years, or goes on from one that does: `Founded in 1880 by Ann Lee. She started it with`.
/// The last year before the verb counts, or else those after it.
fn is_history(line: &str, at: usize, sentence: &str) -> bool {
    let is_today = [
        "oday",
        " now ",
        " still ",
        "urrent",
        " heute ",
        " oggi ",
        "ujourd",
        "resent",
        "eneration",
        " hoy ",
        "ctual",
        "andaag",
    ]
    .iter()
    .any(|word| sentence.contains(word));
    let before = departures::years(&line[..at]).last();
    let is_early =
        before.map_or_else(|| early_years::is_of_earlier_years(sentence), |year| year < early_years::FOUNDED_MIN);
    is_early && !is_today
}

/// The last reference before byte `at`, in the same sentence and not far.
pub(super) fn last_before<'r>(paragraph: &'r Paragraph<'_>, at: usize) -> Option<&'r Reference> {
    let last = paragraph.references.iter().rev().find(|reference| reference.end <= at)?;
    let between = &paragraph.line[last.end..at];
    (between.len() <= SUBJECT_BYTES_MAX && !ends_sentence(between)).then_some(last)
}

/// Whether a sentence ends within a text.
pub(super) fn ends_sentence(text: &str) -> bool {
    business_words::sentence_end(text) < text.len() || text.contains(['!', '?', ';'])
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
