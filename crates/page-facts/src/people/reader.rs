//! Reads the lines of a page for people: names with titles beside, below or above them, and what sentences state.

use memchr::memchr;

use crate::document::{Document, LineContext};
use crate::explain;
use crate::facts::Method;
use crate::finders::Finder;
use crate::people::affiliation::PageSubject;
use crate::people::cards::{self, Block, Side};
use crate::people::common_words::CommonWords;
use crate::people::mention::{OwnerClaim, PersonMention};
use crate::people::names;
use crate::people::one_line::Titled;
use crate::people::ownership::{self, OwnerPage};
use crate::people::sentences::{PageKind, StatedRole};
use crate::people::signatures::Places;
use crate::people::{
    PEOPLE_MAX, PERSON_STEPS, PagePeople, brands, chains, field_labels, inline_titles, kept_titles, merge, one_line,
    other_companies, outsiders, owner_labels, page_words, placeholders, read_cards, sentences, staff_sentences,
    testimonials, titles,
};
use crate::site::Site;
use crate::structured::business::Structured;

/// Steps charged per line that may be a name or a title, before its bytes are counted.
pub(super) const LINE_STEPS: usize = 2_000;
const LINE_STEPS_PER_BYTE: usize = 20;
/// Steps charged per byte of a line whose words are looked up.
const WORD_STEPS_PER_BYTE: usize = 5;
/// Lines examined per page.
const LINES_MAX: usize = 20_000;
/// Blocks of names and titles kept per page.
const BLOCKS_MAX: usize = 2_000;
/// Longest line with a name and a title, in bytes; and one that also holds contacts.
const LINE_BYTES_MAX: usize = 100;
const CONTACT_LINE_BYTES_MAX: usize = 200;
/// Shortest paragraph, in bytes.
pub(super) const PARAGRAPH_BYTES_MIN: usize = 40;
const PARAGRAPH_BYTES_MAX: usize = 4_000;
/// People with titles that make a page a team page.
pub(super) const TEAM_MIN: usize = 2;
/// Headings examined for words such as "team".
const HEADINGS_MAX: usize = 60;

/// Collects the people of one page.
pub(super) struct PageReader<'d, 'h> {
    pub(super) document: &'d Document<'h>,
    pub(super) site: &'d Site,
    pub(super) subject: PageSubject,
    /// The path of its address.
    path: &'d str,
    /// For each line, whether it may name people of the business.
    pub(super) readable: Vec<bool>,
    /// Whether the page presents the people of the business.
    pub(super) is_staff_page: bool,
    /// Whether its address, title or a short heading says that the page is about people, not only how to reach them.
    pub(super) presents_people: bool,
    /// Whether the page tells the story of the business.
    is_about: bool,
    blocks: Vec<Block>,
    /// What paragraphs say of people; what stands beside a name comes first.
    paragraphs: Vec<StatedRole>,
    /// Words that the page uses in lower case.
    pub(super) words: CommonWords<'d, 'h>,
    /// People refused because they belong to another company.
    pub(super) outsiders: usize,
    /// The line being read.
    pub(super) line: usize,
    /// Where people were named.
    pub(super) places: Places,
    /// The people, each with the line that names them.
    pub(super) found: Vec<(usize, PersonMention)>,
}

impl<'d, 'h> PageReader<'d, 'h> {
    pub(super) fn new(url: &'d str, document: &'d Document<'h>, structured: &Structured, site: &'d Site) -> Self {
        let subject = if structured.is_article { PageSubject::Anything } else { PageSubject::Business };
        let path = url.split("://").nth(1).and_then(|rest| rest.find('/').map(|at| &rest[at..])).unwrap_or("");
        let headings = || (0..document.lines.len().min(LINES_MAX)).filter(|at| document.line(*at).1.heading);
        let is_staff_page = subject == PageSubject::Business
            && (testimonials::is_about_staff(path)
                || testimonials::is_about_staff(&document.title)
                || headings().take(HEADINGS_MAX).any(|at| testimonials::is_about_staff(document.line(at).0)));
        let presents_people = subject == PageSubject::Business
            && (page_words::is_people_path(path)
                || page_words::is_people_heading(&document.title)
                || headings().take(HEADINGS_MAX).any(|at| page_words::is_people_heading(document.line(at).0)));
        let is_staff_page = is_staff_page || presents_people;
        let is_about = subject == PageSubject::Business
            && [path, &document.title].iter().any(|text| testimonials::tells_story(text));
        let readable = testimonials::readable_lines(document, LINES_MAX);
        let (blocks, paragraphs, places, found) = (Vec::new(), Vec::new(), Places::default(), Vec::new());
        PageReader {
            document,
            site,
            subject,
            path,
            readable,
            is_staff_page,
            presents_people,
            is_about,
            blocks,
            paragraphs,
            words: CommonWords::of(document),
            outsiders: 0,
            line: 0,
            places,
            found,
        }
    }

    /// Reads the whole page; `known` people come first.
    pub(super) fn read(mut self, known: Vec<PersonMention>) -> PagePeople {
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
            if self.is_rank_elsewhere(&stated) {
                explain::refused(Finder::People, "a rank in another company", &stated.name.name);
                continue;
            }
            self.keep("a paragraph about the person", (stated.name, stated.title), &stated.snippet);
        }
        self.vouched();
        if self.found.iter().filter(|(_, person)| person.method == Method::Text).count() >= TEAM_MIN {
            self.rest_of_the_team();
        }
        if self.subject == PageSubject::Business {
            self.unlisted_owners();
            self.unlisted_with_email();
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
        self.records();
        self.claims_of_the_only_one();
        let mut found: Vec<_> = std::mem::take(&mut self.found).into_iter().map(|(_, person)| person).collect();
        merge::complete_names(&mut found);
        other_companies::drop_strangers(&mut found, site, (!self.is_staff_page).then_some(self.outsiders));
        let page = OwnerPage::new(&self, self.path);
        let is_business = self.subject == PageSubject::Business || page.is_about;
        let clues = if is_business { ownership::read(page, &found) } else { Vec::new() };
        PagePeople { mentions: found, clues }
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
            if !self.document.budget.spend(WORD_STEPS_PER_BYTE * line.len()) {
                break;
            }
            if !names::may_contain(line) && !owner_labels::may_begin(line) {
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
        if line.len() > CONTACT_LINE_BYTES_MAX
            || memchr(b' ', line.as_bytes()).is_none()
            || !line.bytes().any(|b| b.is_ascii_uppercase())
        {
            return false;
        }
        if line.len() > LINE_BYTES_MAX && !line.bytes().any(|b| b.is_ascii_digit() || b == b'@') {
            return false;
        }
        // `Meet Dr. Ann Lee`.
        let line = line.strip_prefix("Meet ").or_else(|| line.strip_prefix("About ")).unwrap_or(line);
        let line = one_line::without_byline(line);
        may_be_label(line) || names::may_start(line) || one_line::starts_with_title(line)
    }

    /// A name and a title on one line, or the start of a block. Returns the line after what was read.
    fn short_line(&mut self, line: &str, index: usize, from: usize) -> Option<usize> {
        let is_business = self.subject == PageSubject::Business && line.len() <= LINE_BYTES_MAX;
        let mut both = if is_business { one_line::bracketed(line, self.site) } else { Vec::new() };
        if both.is_empty() {
            both = one_line::read(line, self.site);
        }
        if both.is_empty() && is_business {
            both = chains::chained(line);
        }
        if both.is_empty()
            && is_business
            && let Some(titled) = one_line::without_separator(line, self.site)
            && names::parse(line).is_none()
        {
            both.push(titled);
        }
        if both.is_empty() && is_business {
            both.extend(one_line::name_and_sentence(line, self.site, self.is_staff_page));
        }
        if both.is_empty() && is_business && self.is_staff_page {
            both.extend(one_line::department_and_name(line));
        }
        if !both.is_empty() {
            self.places.note(self.document, index..=index, &both[0].0);
            let is_credit = outsiders::is_credit(self.document, index, &both[0].1);
            let credit = is_credit.then_some("a credit of a film, a book or a project");
            if let Some(reason) = credit.or_else(|| self.objection(index, index, &both[0].1)) {
                explain::refused(Finder::People, reason, line);
                self.readable[index] = reason != read_cards::ANOTHER_COMPANY;
                return None;
            }
            self.places.kept(self.found.len());
            for (name, title) in both {
                self.keep("name and title on one line", (name, title), line);
            }
            return None;
        }
        if let Some((title, both)) = self.couple(line, index) {
            for name in both {
                self.keep("a couple beside a title of several", (name, title.clone()), line);
            }
            return None;
        }
        cards::name(line)?;
        let block = cards::block(self.document, &self.readable, index, from);
        let end = block.end;
        self.blocks.push(block);
        Some(end)
    }

    /// `Owners` above or below `Ann & Bob Lee`.
    fn couple(&self, line: &str, index: usize) -> Option<(String, [names::PersonName; 2])> {
        let both = names::parse_couple(line)?;
        let title = |at: usize| titles::singular_title(self.document.line(at).0);
        let title = index.checked_sub(1).and_then(title).or_else(|| title(index + 1))?;
        self.objection(index, index, &title).is_none().then_some((title, both))
    }

    /// `Ann Lee is our controller`, at the start of a paragraph.
    fn paragraph(&mut self, line: &str) {
        if line.len() < PARAGRAPH_BYTES_MAX
            && self.subject == PageSubject::Business
            && self.document.budget.spend(line.len())
        {
            self.paragraphs.extend(staff_sentences::title_first(line, self.site, self.is_staff_page));
            if self.presents_people {
                self.paragraphs.extend(inline_titles::find(line, self.site));
            }
        }
        let start = line.trim_start_matches(['(', ' ']);
        let above = if self.line > 0 { self.document.line(self.line - 1) } else { ("", LineContext::default()) };
        let page = (self.subject, self.is_staff_page);
        if let Some(stated) = staff_sentences::below_name(start, above.0, self.site, page) {
            self.paragraphs.push(stated);
            return;
        }
        if !names::starts_with_first_name(start) || !self.document.budget.spend(LINE_STEPS) {
            return;
        }
        let is_business = self.subject == PageSubject::Business;
        if is_business
            && above.1.heading
            && let Some(stated) = inline_titles::under_heading(line, above.0)
        {
            self.paragraphs.push(stated);
            return;
        }
        if is_business
            && self.is_staff_page
            && let Some(stated) = inline_titles::before_biography(line, self.site)
        {
            self.paragraphs.push(stated);
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

    pub(super) fn is_signed(&self, index: usize) -> bool {
        // A signature has no label.
        let is_labelled = field_labels::is_name(self.document.line(index).0);
        !is_labelled && testimonials::follows_quote(self.document, self.site, index, self.presents_people)
    }

    /// Drops people whose names sign paragraphs.
    fn drop_signatures(&mut self) {
        let dropped = self.places.signatures(self.document);
        let mut index = 0;
        self.found.retain(|(line, person)| {
            let is_signature = dropped.contains(&index);
            index += 1;
            if is_signature {
                self.readable[*line] = false;
                explain::refused(Finder::People, "one of several names that sign paragraphs", &person.name);
            }
            !is_signature
        });
    }

    pub(super) fn keep(&mut self, rule: &'static str, titled: Titled, snippet: &str) {
        if self.found.len() >= PEOPLE_MAX || !self.document.budget.spend(PERSON_STEPS) {
            return;
        }
        let (name, title) = titled;
        if placeholders::is_placeholder(&name.name) {
            explain::refused(Finder::People, "a name that samples have", &name.name);
            return;
        }
        if brands::is_brand(&name.name) && !self.site.carries(&name.name) {
            explain::refused(Finder::People, "a brand, not a person", &name.name);
            return;
        }
        // `by Ann Lee, Modern Farmer` in the magazine of that name.
        if title.contains(' ') && self.site.similarity(&title) == 2 {
            explain::refused(Finder::People, "the name of the site, not a title", &name.name);
            return;
        }
        explain::accepted(Finder::People, rule, &name.name);
        let title = kept_titles::kept(&title, self.site);
        let snippet = snippet.chars().take(160).collect::<String>().replace('\n', " ");
        let (name, claim, method) = (name.name, OwnerClaim::Title, Method::Text);
        self.found.push((self.line, PersonMention { name, title, email: None, claim, method, snippet }));
    }
}

/// Whether a colon, bar or dash may separate a title from a name. The byte scan rejects most lines immediately.
fn may_be_label(line: &str) -> bool {
    let bytes = line.as_bytes();
    let rare = bytes.iter().fold(false, |found, byte| found | matches!(byte, b':' | b'|' | b'-' | 0x80..));
    (rare && (line.contains([':', '–', '|']) || bytes.windows(3).any(|w| w == b" - ")))
        || (memchr(b'.', bytes).is_some() && line.contains("..."))
}
