//! Reads the lines of a page for people: names with titles beside, below or above them, and what sentences state.

use crate::document::{Document, LineContext};
use crate::explain;
use crate::facts::Method;
use crate::finders::Finder;
use crate::people::affiliation::PageSubject;
use crate::people::cards::{self, Block, Card, Side};
use crate::people::letters::title_of_letters;
use crate::people::mention::{OwnerClaim, PersonMention};
use crate::people::names;
use crate::people::one_line::Titled;
use crate::people::sentences::{PageKind, StatedRole};
use crate::people::signatures::Places;
use crate::people::{
    PEOPLE_MAX, PERSON_STEPS, bios, one_line, other_companies, owners, sentences, staff_sentences, testimonials, titles,
};
use crate::site::Site;
use crate::structured::business::Structured;

/// Steps charged per line that may be a name or a title, before its bytes are counted.
const LINE_STEPS: usize = 2_000;
const LINE_STEPS_PER_BYTE: usize = 20;
/// Lines examined per page.
const LINES_MAX: usize = 20_000;
/// Why someone is refused who belongs elsewhere.
const ANOTHER_COMPANY: &str = "someone of another company";
/// Blocks of names and titles kept per page.
const BLOCKS_MAX: usize = 2_000;
/// Longest line with a name and a title, in bytes; and one that also holds contacts.
const LINE_BYTES_MAX: usize = 100;
const CONTACT_LINE_BYTES_MAX: usize = 200;
/// Shortest paragraph, in bytes.
const PARAGRAPH_BYTES_MIN: usize = 40;
const PARAGRAPH_BYTES_MAX: usize = 4_000;
/// People with titles that make a page a team page.
const TEAM_MIN: usize = 2;
/// Headings examined for words such as "team".
const HEADINGS_MAX: usize = 60;

/// Collects the people of one page.
pub(super) struct PageReader<'d, 'h> {
    document: &'d Document<'h>,
    site: &'d Site,
    subject: PageSubject,
    /// For each line, whether it may name people of the business.
    readable: Vec<bool>,
    /// Whether the page presents the people of the business.
    is_staff_page: bool,
    /// Whether the page tells the story of the business.
    is_about: bool,
    blocks: Vec<Block>,
    /// What paragraphs say of people; what stands beside a name comes first.
    paragraphs: Vec<StatedRole>,
    /// People refused because they belong to another company.
    outsiders: usize,
    /// The line being read.
    line: usize,
    /// Where people were named.
    places: Places,
    /// The people, each with the line that names them.
    found: Vec<(usize, PersonMention)>,
}

impl<'d, 'h> PageReader<'d, 'h> {
    pub(super) fn new(url: &str, document: &'d Document<'h>, structured: &Structured, site: &'d Site) -> Self {
        let subject = if structured.is_article { PageSubject::Anything } else { PageSubject::Business };
        let path = url.split("://").nth(1).and_then(|rest| rest.find('/').map(|at| &rest[at..])).unwrap_or("");
        let headings = (0..document.lines.len().min(LINES_MAX)).filter(|at| document.line(*at).1.heading);
        let is_staff_page = subject == PageSubject::Business
            && (testimonials::is_about_staff(path)
                || testimonials::is_about_staff(&document.title)
                || headings.take(HEADINGS_MAX).any(|at| testimonials::is_about_staff(document.line(at).0)));
        let is_about = subject == PageSubject::Business
            && [path, &document.title].iter().any(|text| testimonials::tells_story(text));
        let readable = testimonials::readable_lines(document, LINES_MAX);
        let (blocks, paragraphs, places, found) = (Vec::new(), Vec::new(), Places::default(), Vec::new());
        PageReader {
            document,
            site,
            subject,
            readable,
            is_staff_page,
            is_about,
            blocks,
            paragraphs,
            outsiders: 0,
            line: 0,
            places,
            found,
        }
    }

    /// Reads the whole page; `known` people come first.
    pub(super) fn read(mut self, known: Vec<PersonMention>) -> Vec<PersonMention> {
        self.found = known.into_iter().map(|person| (0, person)).collect();
        self.lines();
        let side = self.page_side();
        for block in std::mem::take(&mut self.blocks) {
            for card in block.cards(self.document, side.0) {
                self.line = card.line;
                self.card(card, side);
            }
        }
        self.drop_signatures();
        self.found.sort_by_key(|(line, _)| *line);
        for stated in std::mem::take(&mut self.paragraphs) {
            self.keep("a paragraph about the person", (stated.name, stated.title), &stated.snippet);
        }
        if self.found.iter().filter(|(_, person)| person.method == Method::Text).count() >= TEAM_MIN {
            self.rest_of_the_team();
        }
        let (document, site) = (self.document, self.site);
        let kind = PageKind { subject: self.subject, is_about: self.is_about };
        for stated in sentences::find(document, &self.readable, site, kind).into_iter().take(PEOPLE_MAX) {
            self.keep("a sentence about the owner", (stated.name, stated.title), &stated.snippet);
        }
        if self.subject == PageSubject::Business {
            for stated in staff_sentences::find(document, &self.readable, site).into_iter().take(PEOPLE_MAX) {
                self.keep("a sentence about the staff", (stated.name, stated.title), &stated.snippet);
            }
        }
        let mut found = self.found.into_iter().map(|(_, person)| person).collect();
        other_companies::drop_strangers(&mut found, site, if self.is_staff_page { 0 } else { self.outsiders });
        found
    }

    /// Examines every line, collecting blocks of names and titles.
    fn lines(&mut self) {
        let mut from = 0;
        for index in 0..self.readable.len() {
            if self.found.len() + self.paragraphs.len() >= PEOPLE_MAX || self.blocks.len() >= BLOCKS_MAX {
                self.document.budget.note_cut();
                break;
            }
            if index < from {
                continue;
            }
            self.line = index;
            let (line, place) = self.document.line(index);
            if !self.readable[index] {
                self.own_people_in_testimonials(line, place);
                continue;
            }
            if line.len() > PARAGRAPH_BYTES_MIN {
                self.paragraph(line);
            }
            if !self.may_hold_person(line) {
                continue;
            }
            if !self.document.budget.spend(LINE_STEPS + LINE_STEPS_PER_BYTE * line.len()) {
                break;
            }
            if let Some(end) = self.short_line(line, index, from) {
                from = end;
            }
        }
    }

    /// Whom the business quotes as its own: `Ann Lee, Designer, Acme` on the site of Acme.
    fn own_people_in_testimonials(&mut self, line: &str, place: LineContext) {
        let may_be = place.testimonial && line.len() <= LINE_BYTES_MAX && names::may_start(line) && line.contains(',');
        if may_be
            && self.site.is_named_in(line)
            && self.document.budget.spend(LINE_STEPS + LINE_STEPS_PER_BYTE * line.len())
        {
            for (name, title) in one_line::read(line, self.site) {
                self.keep("quoted as one of the business's own", (name, title), line);
            }
        }
    }

    /// Cheap checks by which most lines are skipped.
    fn may_hold_person(&self, line: &str) -> bool {
        if line.len() > CONTACT_LINE_BYTES_MAX || !line.contains(' ') || !line.bytes().any(|b| b.is_ascii_uppercase()) {
            return false;
        }
        if line.len() > LINE_BYTES_MAX && !line.bytes().any(|b| b.is_ascii_digit() || b == b'@') {
            return false;
        }
        may_be_label(line) || names::may_start(line) || starts_with_title(line)
    }

    /// A name and a title on one line, or the start of a block. Returns the line after what was read.
    fn short_line(&mut self, line: &str, index: usize, from: usize) -> Option<usize> {
        let mut both = one_line::read(line, self.site);
        if both.is_empty() && self.subject == PageSubject::Business && line.len() <= LINE_BYTES_MAX {
            both.extend(one_line::without_separator(line, self.site));
        }
        if !both.is_empty() {
            self.places.note(self.document, index..=index, &both[0].0);
            if self.is_signed(index) || other_companies::is_company_line(self.document.line(index + 1).0, self.site) {
                explain::refused(Finder::People, "the author of a quotation", line);
                return None;
            }
            self.places.kept(self.found.len());
            for (name, title) in both {
                self.keep("name and title on one line", (name, title), line);
            }
            return None;
        }
        cards::name(line)?;
        let block = cards::block(self.document, &self.readable, index, from);
        let end = block.end;
        self.blocks.push(block);
        Some(end)
    }

    /// `Ann Lee is our controller`, at the start of a paragraph.
    fn paragraph(&mut self, line: &str) {
        if line.len() < PARAGRAPH_BYTES_MAX
            && self.subject == PageSubject::Business
            && self.document.budget.spend(line.len())
        {
            self.paragraphs.extend(staff_sentences::title_first(line, self.is_staff_page));
        }
        let start = line.trim_start_matches(['(', ' ']);
        if !names::starts_with_first_name(start) || !self.document.budget.spend(LINE_STEPS) {
            return;
        }
        if let Some(stated) = staff_sentences::at_start(line, self.site, self.subject, self.is_staff_page) {
            self.paragraphs.push(stated);
        }
    }

    /// On which side of names this page has titles, and how many say so.
    fn page_side(&self) -> (Side, usize) {
        let (mut above, mut below) = (0, 0);
        for (side, count) in self.blocks.iter().filter_map(|block| block.side(self.document)) {
            *if side == Side::Above { &mut above } else { &mut below } += count;
        }
        if above > below { (Side::Above, above) } else { (Side::Below, below) }
    }

    /// Keeps the person of a card, if nothing shows that they belong elsewhere.
    fn card(&mut self, card: Card, (page, votes): (Side, usize)) {
        let Some(title_line) = card.title_line else { return self.untitled(card) };
        let document = self.document;
        let (line, _) = document.line(card.line);
        let text = document.line(title_line).0.trim_end_matches([':', ' ']);
        // What is said of one person is more exact than the heading above several.
        let own = if card.is_group { self.role_in(&card, self.bio(&card)) } else { None };
        let title = own.or_else(|| card.title.clone()).unwrap_or_else(|| text.to_owned());
        let (first, last) = (card.line.min(title_line), card.line.max(title_line));
        let is_above = title_line < card.line && card.title.is_none();
        self.places.note(document, first..=last, &card.name);
        let reason = if self.is_signed(first) || (is_above && self.is_signed(card.line)) {
            Some("the author of a quotation")
        } else if other_companies::names_another(&title, self.site)
            || other_companies::is_company_line(document.line(last + 1).0, self.site)
        {
            Some(ANOTHER_COMPANY)
        } else if is_above
            && !(page == Side::Above && votes >= TEAM_MIN && (self.is_staff_page || is_longer_title(&title)))
            && !cards::is_believed_above(document, &card, &title)
        {
            Some("a title above the name, on a page that has them elsewhere")
        } else {
            None
        };
        if let Some(reason) = reason {
            explain::refused(Finder::People, reason, line);
            self.outsiders += usize::from(reason == ANOTHER_COMPANY);
            return;
        }
        self.places.kept(self.found.len());
        let rule = if is_above { "title above the name" } else { "title below the name" };
        let snippet = if is_above { format!("{text}: {line}") } else { format!("{line}, {text}") };
        self.keep(rule, (card.name, title), &snippet);
    }

    /// A name without a title beside it: the biography below it, or its letters, may state one.
    fn untitled(&mut self, card: Card) {
        let (document, is_article) = (self.document, self.subject == PageSubject::Anything);
        let (line, _) = document.line(card.line);
        let letters = title_of_letters(&card.name);
        let bio = if is_article { None } else { self.bio(&card) };
        if (bio.is_none() && letters.is_none()) || self.is_signed(card.line) {
            return;
        }
        match (self.role_in(&card, bio), letters) {
            // A doctor's profession says more than what the biography calls them, unless they own the practice.
            (Some(title), Some(letters)) if owners::rank(&title) == 0 => {
                self.keep("credentials", (card.name, letters), line);
            }
            (Some(title), _) => {
                let bio = bio.unwrap_or("");
                let snippet = format!("{line}: {}", bio.chars().take(120).collect::<String>());
                self.keep("the text below the name", (card.name, title), &snippet);
                if bios::is_one_of_several(bio)
                    && let Some((_, person)) = self.found.last_mut()
                {
                    person.claim = OwnerClaim::OneOfSeveral;
                }
            }
            (None, Some(letters)) => self.keep("credentials", (card.name, letters), line),
            (None, None) => {}
        }
    }

    /// The paragraph below a name.
    fn bio(&self, card: &Card) -> Option<&'d str> {
        let at = (card.line + 1..card.line + 3).find(|at| !cards::is_contact(self.document.line(*at).0))?;
        let (bio, place) = self.document.line(at);
        let is_bio = bio.len() > PARAGRAPH_BYTES_MIN && !place.heading && self.readable.get(at) == Some(&true);
        is_bio.then_some(bio)
    }

    fn role_in(&self, card: &Card, bio: Option<&str>) -> Option<String> {
        let bio = bio.filter(|_| self.document.budget.spend(LINE_STEPS))?;
        let title = bios::role(&card.name, bio, self.site, self.is_staff_page)?;
        (!other_companies::names_another(&title, self.site)).then_some(title)
    }

    /// On a team page, accepts names that are on no list.
    fn rest_of_the_team(&mut self) {
        let document = self.document;
        for index in 0..self.readable.len() {
            let (line, place) = document.line(index);
            let is_candidate =
                line.len() < 50 && self.readable[index] && !place.link && line.contains(' ') && !names::may_start(line);
            if !is_candidate || !titles::may_be_title(document.line(index + 1).0) {
                continue;
            }
            if self.found.len() >= PEOPLE_MAX || !document.budget.spend(LINE_STEPS) {
                break;
            }
            let (next, _) = document.line(index + 1);
            let Some(name) = names::parse_as(line, names::Trust::High) else { continue };
            if titles::is_title(next)
                && one_line::read(next, self.site).is_empty()
                && !titles::is_title(line)
                && names::parse(next).is_none()
                && !self.is_signed(index)
                && !other_companies::names_another(next, self.site)
            {
                self.keep("among others with titles", (name, next.to_owned()), &format!("{line}, {next}"));
            }
        }
    }

    fn is_signed(&self, index: usize) -> bool {
        testimonials::follows_quote(self.document, self.site, index)
    }

    /// Drops people whose names sign paragraphs.
    fn drop_signatures(&mut self) {
        let dropped = self.places.signatures(self.document);
        let mut index = 0;
        self.found.retain(|(_, person)| {
            let is_signature = dropped.contains(&index);
            index += 1;
            if is_signature {
                explain::refused(Finder::People, "one of several names that sign paragraphs", &person.name);
            }
            !is_signature
        });
    }

    fn keep(&mut self, rule: &'static str, titled: Titled, snippet: &str) {
        if self.found.len() >= PEOPLE_MAX || !self.document.budget.spend(PERSON_STEPS) {
            return;
        }
        let (name, title) = titled;
        explain::accepted(Finder::People, rule, &name.name);
        let title = Some(clean_title(&title)).filter(|title| !title.is_empty());
        let snippet = snippet.chars().take(160).collect::<String>().replace('\n', " ");
        let (name, claim, method) = (name.name, OwnerClaim::Title, Method::Text);
        self.found.push((self.line, PersonMention { name, title, email: None, claim, method, snippet }));
    }
}

/// Whether a colon, bar or dash may separate a title from a name. The byte scan rejects most lines immediately.
fn may_be_label(line: &str) -> bool {
    let bytes = line.as_bytes();
    let rare = bytes.iter().fold(false, |found, byte| found | matches!(byte, b':' | b'|' | b'-' | 0x80..));
    (rare && (line.contains([':', '–', '|']) || bytes.windows(3).any(|w| w == b" - "))) || line.contains("...")
}

/// A title of several words; `The Gardener` is a book.
fn is_longer_title(title: &str) -> bool {
    title.contains(' ') && !title.starts_with("The ")
}

/// Whether a title may precede a name: `Managing Director Ann Lee`.
fn starts_with_title(line: &str) -> bool {
    line.len() < 60
        && line.starts_with(|c: char| c.is_ascii_uppercase())
        && line.split(' ').count() > 2
        && line.split(' ').take(4).any(titles::is_plain_head)
}

fn clean_title(title: &str) -> String {
    let title = title.trim().trim_end_matches(" Email").trim_end_matches(" Bio").trim();
    // The full stop of a sentence, not of `Asst. Mgr.`.
    let last = title.rsplit(' ').next().unwrap_or("");
    let title = if last.len() > 6 { title.trim_end_matches('.') } else { title };
    title.trim_matches(['-', '–', '|', ',', ':', ' ', '(', ')']).split_whitespace().collect::<Vec<_>>().join(" ")
}
