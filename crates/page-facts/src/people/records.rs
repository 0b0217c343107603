//! Records of people: elements of one kind that hold names, each beside an element that holds a title. Where most do, the
//! others do too, so that neither name nor title need be on a list: `Zxy Qwa` above `Coordinatrice de projet`.

use std::collections::BTreeMap;

use memchr::memchr;

use crate::byte_set::{ByteSet, Separator};
use crate::people::affiliation::PageSubject;
use crate::people::contact_lines::is_contact;
use crate::people::names::{self, PersonName, Trust};
use crate::people::one_line;
use crate::people::reader::{PARAGRAPH_BYTES_MIN, PageReader, TEAM_MIN};
use crate::people::slots::{self, Slot};
use crate::people::{PEOPLE_MAX, bios, cards, field_labels, job_phrases, other_companies, page_words, titles, vouched};

/// Longest line that is a name, in bytes; and one with a name and a title.
const NAME_BYTES_MAX: usize = 60;
const LINE_BYTES_MAX: usize = 100;
/// Steps charged per line that may be a name, for a name on no list on top, and per line that may be a title.
const NAME_STEPS: usize = 200;
const UNLISTED_STEPS: usize = 500;
const TITLE_STEPS: usize = 1_000;
/// Steps charged per biography.
const BIO_STEPS: usize = 2_000;
/// Lines of the kind of names, per name, that may be titles and contacts.
const CELLS_MAX: usize = 5;
/// Lines examined per page.
const LINES_MAX: usize = 3_000;
/// Where titles stand, in lines from the name: below it, below a place in between, or above it.
const OFFSETS: [isize; 3] = [1, 2, -1];
/// Records with known titles that show the form, so that others need no known title.
const TITLED_MIN: usize = 3;
/// What separates a name from the title in one line.
static SEPARATORS: [Separator; 7] = Separator::all([" – ", " — ", " - ", " | ", " (", ", ", ","]);

/// A line that is a name.
struct Record {
    line: usize,
    name: PersonName,
    is_known: bool,
}

/// The lines in elements of one kind.
#[derive(Default)]
struct Group {
    records: Vec<Record>,
    /// Names with titles in the same line.
    joined: Vec<(Record, String)>,
    /// Lines that are neither.
    others: Vec<usize>,
}

/// The people of a group.
struct Team {
    /// Whether the name of one is on the lists.
    is_known: bool,
    /// Whether the titles stand in the lines of the names.
    is_joined: bool,
    members: Vec<Member>,
}

/// Somebody with a title.
struct Member {
    line: usize,
    title_line: usize,
    name: PersonName,
    title: String,
}

impl Member {
    fn of(record: &Record, title_line: usize, title: String) -> Member {
        Member { line: record.line, title_line, name: record.name.clone(), title }
    }

    /// The first line of their name and title.
    fn first(&self) -> usize {
        self.line.min(self.title_line)
    }

    fn last(&self) -> usize {
        self.line.max(self.title_line)
    }
}

/// What stands at an offset from names.
struct Form {
    offset: isize,
    /// How many names there are, and how many of them are on the lists.
    count: usize,
    known: usize,
    /// How many lines beside them are known titles, read like professions, or have a class that says so.
    titles: usize,
    agents: usize,
    roles: usize,
}

impl Form {
    fn weight(&self) -> (usize, usize, usize) {
        (self.titles, self.agents, self.roles)
    }

    /// What the classes call roles, and what reads like professions, are titles if one of them or a name is known.
    fn is_labelled(&self) -> bool {
        (self.known > 0 && self.roles * 2 > self.count)
            || (self.known + self.titles > 0 && self.agents * 2 > self.count)
    }

    /// Whether this is where the titles are.
    fn is_shown(&self) -> bool {
        self.titles * 2 > self.count || self.is_labelled()
    }

    /// Whether what stands there is a title even if it is on no list.
    fn is_clear(&self) -> bool {
        self.is_labelled() || self.titles >= TITLED_MIN
    }

    /// Whether most names are on no list.
    fn is_rare(&self) -> bool {
        self.known * 2 < self.count
    }
}

impl PageReader<'_, '_> {
    /// Reads the records of a page that presents people.
    pub(super) fn records(&mut self) {
        let is_announced = || self.subject == PageSubject::Business && page_words::announces_people(self.document);
        if self.found.len() >= PEOPLE_MAX || (!self.presents_people && !is_announced()) {
            return;
        }
        let mut teams: Vec<Team> = self.groups().into_values().filter_map(|group| self.team(group)).collect();
        teams.retain(|team| !self.sign_paragraphs(&team.members));
        // Beside a team with names on the lists, elements without any hold something else.
        if teams.iter().any(|team| team.is_known) {
            teams.retain(|team| team.is_known || team.is_joined);
        }
        let mut people: Vec<Member> = teams.into_iter().flat_map(|team| team.members).collect();
        people.sort_by_key(|member| member.line);
        people.into_iter().for_each(|member| self.keep_member(member));
    }

    /// The lines that may be names, by the kind of element.
    fn groups(&self) -> BTreeMap<Slot, Group> {
        let mut groups: BTreeMap<Slot, Group> = BTreeMap::new();
        let mut others = Vec::new();
        for index in (0..self.readable.len()).filter(|index| self.readable[*index]).take(LINES_MAX) {
            let (line, place) = self.document.line(index);
            if place.nav || line.len() > LINE_BYTES_MAX {
                continue;
            }
            if let Some((name, is_known, title)) = self.name_and_title_in(line) {
                let Some(group) = self.group_of(index, &mut groups) else { break };
                group.joined.push((Record { line: index, name, is_known }, title));
            } else if let Some((name, is_known)) = self.name_in(line) {
                let Some(group) = self.group_of(index, &mut groups) else { break };
                group.records.push(Record { line: index, name, is_known });
            } else {
                others.push(index);
            }
        }
        // Other lines matter only beside names that are new, which most pages do not have.
        if groups.values().any(|group| group.records.iter().any(|record| self.is_new(record))) {
            for index in others {
                let Some(slot) = slots::of_line(self.document, index) else { break };
                groups.entry(slot).and_modify(|group| group.others.push(index));
            }
        }
        groups
    }

    fn group_of<'g>(&self, index: usize, groups: &'g mut BTreeMap<Slot, Group>) -> Option<&'g mut Group> {
        Some(groups.entry(slots::of_line(self.document, index)?).or_default())
    }

    fn is_new(&self, record: &Record) -> bool {
        self.found.iter().all(|(line, _)| *line != record.line)
    }

    /// The name that a line is, and whether it is one on the lists.
    fn name_in(&self, line: &str) -> Option<(PersonName, bool)> {
        let line = field_labels::name(line);
        if !line.starts_with(char::is_uppercase) {
            return None;
        }
        let line = without_letters(line);
        if !may_be_name(line) || !self.document.budget.spend(NAME_STEPS) {
            return None;
        }
        // A name on the lists is one that needs no list, too.
        let trusted = names::parse_as(line, Trust::High);
        if trusted.is_some()
            && let Some(name) = names::parse(line)
        {
            return Some((name, true));
        }
        if !self.document.budget.spend(UNLISTED_STEPS) {
            return None;
        }
        let name =
            vouched::name_of(line, trusted).filter(|_| !titles::is_title(line) && !titles::is_of_several(line))?;
        (!self.words.make_up(&name.name) && !self.is_business(&name.name)).then_some((name, false))
    }

    /// A name and a title in one line: `Zxy Qwa, Of Counsel`, `Zxy A. Qwa (Managing Attorney)`.
    fn name_and_title_in(&self, line: &str) -> Option<(PersonName, bool, String)> {
        if !line.starts_with(char::is_uppercase) || !one_line::may_be_separated(line) {
            return None;
        }
        let (left, right) = ByteSet::of(line).split_once_at(line, &SEPARATORS)?;
        let title = right.trim().trim_end_matches(')');
        // Letters alone are part of the name.
        let is_word = |word: &str| word.len() > 3 && word.bytes().skip(1).any(|byte| byte.is_ascii_lowercase());
        let may_be = titles::may_be_title(title) && title.split([' ', ',']).any(is_word) && may_be_name(left);
        if !may_be || !self.document.budget.spend(TITLE_STEPS) {
            return None;
        }
        let (name, is_known) = self.name_in(left)?;
        (titles::is_title(title) && self.is_no_name(title)).then(|| (name, is_known, title.to_owned()))
    }

    /// The people of a group.
    fn team(&self, group: Group) -> Option<Team> {
        let Group { records, joined, others } = group;
        let is_known = records.iter().any(|record| record.is_known) || joined.iter().any(|record| record.0.is_known);
        let is_new = |record: &Record| self.is_new(record);
        let mut members = Vec::new();
        // Most teams were read completely before.
        if records.iter().any(is_new) {
            members.extend(self.with_titles(&records, &others));
        }
        let is_joined = joined.len() >= TEAM_MIN && joined.iter().any(|(record, _)| is_new(record));
        if is_joined {
            members.extend(joined.into_iter().map(|(record, title)| Member::of(&record, record.line, title)));
        }
        let is_read = members.is_empty() && is_known && records.len() >= TEAM_MIN && !records.iter().any(is_new);
        (is_read || !members.is_empty()).then_some(Team { is_known, is_joined, members })
    }

    /// The people of records that show where their titles are.
    fn with_titles(&self, records: &[Record], others: &[usize]) -> Vec<Member> {
        let [first, ..] = records else { return Vec::new() };
        if records.len() == 1 {
            return self.labelled(first).into_iter().collect();
        }
        // The cells of a table hold titles and contacts too.
        let is_other = |line: &&usize| self.title_in(**line).is_none() && !is_contact(self.document.line(**line).0);
        if others.len() > records.len() * CELLS_MAX
            || (others.len() > records.len() && others.iter().filter(is_other).count() > records.len())
        {
            return Vec::new();
        }
        let forms = OFFSETS.iter().rev().map(|offset| self.form(records, *offset));
        match forms.max_by_key(Form::weight).filter(|form| form.is_shown()) {
            Some(form) => records.iter().filter_map(|record| self.member(record, &form)).collect(),
            None if self.are_people(records) => records.iter().filter_map(|record| self.told(record)).collect(),
            None => Vec::new(),
        }
    }

    /// Whether each of them stands below a paragraph and the last above none: customers who sign what they say.
    fn sign_paragraphs(&self, members: &[Member]) -> bool {
        let is_paragraph = |line: usize| {
            let (text, place) = self.document.line(line);
            text.len() > PARAGRAPH_BYTES_MIN && !place.heading
        };
        let is_below = |member: &Member| member.first().checked_sub(1).is_some_and(is_paragraph);
        let last = members.iter().map(Member::last).max().unwrap_or(0);
        !members.is_empty() && members.iter().all(is_below) && !is_paragraph(last + 1)
    }

    /// Somebody whose title stands where those of the others do.
    fn member(&self, record: &Record, form: &Form) -> Option<Member> {
        let beside = |offset: isize| self.beside(record.line, offset);
        let known = |offset: isize| beside(offset).and_then(|line| Some((line, self.title_in(line)?)));
        // Where most names are on the lists, one that is not needs a title that is.
        let phrase = || {
            let line = beside(form.offset).filter(|_| form.is_clear() && (record.is_known || form.is_rare()))?;
            Some((line, self.phrase_in(line)?))
        };
        // A name may go on in the line below it.
        let below = || known(2).filter(|_| form.offset == 1);
        let (line, title) = known(form.offset).or_else(phrase).or_else(below)?;
        Some(Member::of(record, line, title))
    }

    /// One alone, if the classes say which is the name and which the title.
    fn labelled(&self, record: &Record) -> Option<Member> {
        let line = self.beside(record.line, 1).filter(|line| slots::shows_role(self.document, *line))?;
        let title = self.title_in(line).filter(|_| slots::shows_name(self.document, record.line))?;
        Some(Member::of(record, line, title))
    }

    /// Whether most of several names were read as people before.
    fn are_people(&self, records: &[Record]) -> bool {
        let is_found = |record: &&Record| self.found.iter().any(|(_, person)| person.name == record.name.name);
        let found = records.iter().filter(is_found).count();
        found >= TEAM_MIN && found * 2 >= records.len()
    }

    /// Somebody whose title the heading of the section names, or the biography below the name.
    fn told(&self, record: &Record) -> Option<Member> {
        let (bio, place) = self.document.line(record.line + 1);
        let is_bio = bio.len() > PARAGRAPH_BYTES_MIN && !place.heading && self.document.budget.spend(BIO_STEPS);
        let role = is_bio.then(|| bios::role(&record.name, bio, self.site, self.is_staff_page)).flatten();
        let title = role.filter(|role| !other_companies::names_another(role, self.site));
        Some(Member::of(record, record.line, title.or_else(|| self.section_title(record.line))?))
    }

    /// What stands at an offset from the names.
    fn form(&self, records: &[Record], offset: isize) -> Form {
        let known = records.iter().filter(|record| record.is_known).count();
        let mut form = Form { offset, count: records.len(), known, titles: 0, agents: 0, roles: 0 };
        for line in records.iter().filter_map(|record| self.beside(record.line, offset)) {
            let is_title = self.title_in(line).is_some();
            let phrase = if is_title { None } else { self.phrase_in(line) };
            form.titles += usize::from(is_title);
            form.agents += usize::from(is_title || phrase.as_deref().is_some_and(job_phrases::names_an_agent));
            form.roles += usize::from((is_title || phrase.is_some()) && slots::shows_role(self.document, line));
        }
        form
    }

    /// The line at an offset from that of a name, if it may hold the title.
    fn beside(&self, line: usize, offset: isize) -> Option<usize> {
        let at = line.checked_add_signed(offset).filter(|at| self.readable.get(*at) == Some(&true))?;
        // What stands in between is a place or a portrait, not somebody else.
        let between = (offset == 2).then(|| self.document.line(line + 1).0);
        let is_between = |text: &str| {
            text.len() <= NAME_BYTES_MAX && !titles::is_title(text) && !titles::is_past(&text.to_lowercase())
        };
        let is_free = between.is_none_or(is_between);
        (is_free && !self.document.line(at).1.nav).then_some(at)
    }

    fn title_in(&self, line: usize) -> Option<String> {
        let text = cards::before_contacts(self.document.line(line).0).trim_end_matches([':', ' ']);
        let may_be = titles::may_be_title(text) && self.document.budget.spend(TITLE_STEPS);
        (may_be && titles::is_title(text) && self.is_no_name(text)).then(|| text.to_owned())
    }

    /// A title on no list.
    fn phrase_in(&self, line: usize) -> Option<String> {
        let (text, place) = self.document.line(line);
        (job_phrases::is_phrase(text) && !place.link && self.is_no_name(text)).then(|| text.to_owned())
    }

    fn is_no_name(&self, text: &str) -> bool {
        !titles::is_of_several(text)
            && names::parse(text).is_none()
            && one_line::read(text, self.site).is_empty()
            && !other_companies::names_another(text, self.site)
    }

    fn keep_member(&mut self, member: Member) {
        let (first, last) = (member.first(), member.last());
        let Member { line, name, title, .. } = member;
        let is_new = self.found.iter().all(|(at, person)| person.name != name.name && *at != line);
        if is_new && self.found.len() < PEOPLE_MAX && self.objection(first, last, &title).is_none() {
            self.line = line;
            let snippet = format!("{}, {title}", name.name);
            self.keep("a record like the others", (name, title), &snippet);
        }
    }
}

/// Cheap check by which most lines are rejected.
fn may_be_name(line: &str) -> bool {
    (5..=NAME_BYTES_MAX).contains(&line.len())
        && line.starts_with(char::is_uppercase)
        && line.contains(' ')
        && !line.bytes().any(|byte| byte.is_ascii_digit() || matches!(byte, b'@' | b'!' | b'?' | b'&' | b':' | b'/'))
}

/// A name without what follows it in brackets, and without the letters of degrees: `Zxy Qwa (Mrs) LL.B., B.L.`.
fn without_letters(line: &str) -> &str {
    let line = memchr(b'(', line.as_bytes()).and_then(|_| line.split_once(" (")).map_or(line, |(name, _)| name);
    let is_letters = |word: &str| {
        word.trim_end_matches([',', '.']).contains('.') && word.bytes().filter(u8::is_ascii_uppercase).count() > 1
    };
    let mut end = line.len();
    // Without a full stop there are none.
    let points = memchr(b'.', line.as_bytes());
    for (at, _) in points.iter().flat_map(|_| line.match_indices(' ').skip(1)) {
        let word = line[at + 1..].split(' ').next().unwrap_or("");
        if is_letters(word) {
            end = at;
            break;
        }
    }
    line[..end].trim_end_matches([',', ' '])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_ends_before_degrees_and_brackets() {
        for (line, expect) in [
            ("Zxy Qwa LL.B., B.L.", "Zxy Qwa"),
            ("Zxy R. Qwa (MRS) LL.B.", "Zxy R. Qwa"),
            ("Zxy Qwa, M.D., FACS", "Zxy Qwa"),
            ("Zxy Qwa Jr.", "Zxy Qwa Jr."),
            ("Zxy Qwa", "Zxy Qwa"),
        ] {
            assert_eq!(without_letters(line), expect, "{line}");
        }
    }
}
