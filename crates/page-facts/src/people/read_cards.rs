//! Judges the people of cards: whether the title beside a name is theirs, and whether they belong to the business.

use crate::document::LineContext;
use crate::explain;
use crate::finders::Finder;
use crate::people::affiliation::{self, PageSubject};
use crate::people::cards::{self, Card, Side};
use crate::people::letters::title_of_letters;
use crate::people::mention::{OwnerClaim, PersonMention};
use crate::people::names::PersonName;
use crate::people::reader::{LINE_STEPS, PARAGRAPH_BYTES_MIN, PageReader, TEAM_MIN};
use crate::people::sentences::StatedRole;
use crate::people::{
    PEOPLE_MAX, bios, departments, field_labels, headings, names, one_line, other_companies, outsiders, owners,
    the_dead, titles,
};

/// Why someone is refused who belongs elsewhere.
pub(super) const ANOTHER_COMPANY: &str = "someone of another company";
/// Why someone is refused who is quoted.
const QUOTED: &str = "the author of a quotation";

/// Longest line of letters below a name, in bytes.
const LETTERS_BYTES_MAX: usize = 50;
/// Lines between the heading of a letter and the name that signs it.
const LETTER_LINES_MAX: usize = 14;

impl<'d> PageReader<'d, '_> {
    /// Keeps the person of a card, if nothing shows that they belong elsewhere.
    pub(super) fn card(&mut self, card: Card, (page, votes): (Side, usize)) {
        let Some(title_line) = card.title_line else { return self.untitled(card) };
        let document = self.document;
        let (line, _) = document.line(card.line);
        let text = cards::before_contacts(document.line(title_line).0).trim_end_matches([':', ' ']);
        let text = field_labels::title(text).unwrap_or(text);
        // What is said of one person is more exact than the heading above several.
        let own = if card.is_group { self.role_in(&card, self.bio(&card)) } else { None };
        let title = own.or_else(|| card.title.clone()).or_else(|| profession(&card.name, text));
        let title = title.unwrap_or_else(|| text.to_owned());
        let (first, last) = (card.line.min(title_line), card.line.max(title_line));
        let is_above = title_line < card.line && card.title.is_none();
        self.places.note(document, first..=last, &card.name);
        let is_believed = !is_above
            || (page == Side::Above && votes >= TEAM_MIN && (self.is_staff_page || is_longer_title(&title)))
            || cards::is_believed_above(document, &card, &title)
            || self.is_section(&card, title_line)
            || (self.presents_people && card.titles_above >= TEAM_MIN);
        let reason = if is_above && self.is_signed(card.line) {
            Some(QUOTED)
        } else {
            let unbelieved = (!is_believed).then_some("a title above the name, on a page that has them elsewhere");
            self.objection(first, last, &title).or(unbelieved)
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

    /// What shows that the person in lines `first` to `last` does not belong to the business.
    pub(super) fn objection(&self, first: usize, last: usize, title: &str) -> Option<&'static str> {
        let document = self.document;
        if self.is_signed(first) || outsiders::is_quoted_of_company(document, first, title) {
            Some(QUOTED)
        } else if other_companies::names_another(title, self.site)
            || other_companies::is_company_line(document.line(last + 1).0, self.site)
            || (!self.is_staff_page && other_companies::is_guest(title, self.site))
            || (!self.is_staff_page && self.is_of_company_above(first))
        {
            Some(ANOTHER_COMPANY)
        } else if the_dead::is_around(document, first, last) {
            Some("someone dead, or whose years have ended")
        } else if outsiders::is_post(document, last) {
            Some("the author of a post")
        } else if outsiders::is_story(document, last) || outsiders::is_guest_line(document.line(first).0) {
            Some("a customer or a guest")
        } else if outsiders::is_listing(document.line(last + 1).0) {
            Some("an entry of a directory")
        } else if outsiders::praises_below(document, last) {
            Some("a customer, whose praise follows")
        } else if departments::is_department(title) && !self.is_staff_page {
            Some("a department, on a page that does not list the staff")
        } else {
            None
        }
    }

    /// `Lee Roofing` in the heading above `Ann Lee, Owner`, on the site of somebody else.
    fn is_of_company_above(&self, first: usize) -> bool {
        let (above, place) = first.checked_sub(1).map_or(("", LineContext::default()), |at| self.document.line(at));
        let line = self.document.line(first).0;
        let surname = line.split([',', '|', '–']).next().unwrap_or(line).rsplit(' ').next().unwrap_or("");
        place.heading
            && surname.len() > 2
            && other_companies::is_business_of(above, surname)
            && self.site.similarity(above) == 0
    }

    /// `Of Counsel` as the heading above names, on a page about people: the title of each.
    fn is_section(&self, card: &Card, title_line: usize) -> bool {
        let is_heading = |at: usize| self.document.line(at).1.heading;
        self.presents_people && is_heading(title_line) && !is_heading(card.line)
    }

    /// A name without a title beside it: the biography below it, or its letters, may state one.
    fn untitled(&mut self, card: Card) {
        let (document, is_article) = (self.document, self.subject == PageSubject::Anything);
        let (line, _) = document.line(card.line);
        let letters = title_of_letters(&card.name).or_else(|| self.letters_below(&card));
        let bio = if is_article { None } else { self.bio(&card) };
        let section = if letters.is_none() && !is_article { self.section_title(card.line) } else { None };
        if let Some(title) = self.letter_title(&card).filter(|_| !is_article) {
            return self.keep("the signature of a letter", (card.name, title), line);
        }
        if (bio.is_none() && letters.is_none() && section.is_none()) || self.is_signed(card.line) {
            return;
        }
        let role = self.role_in(&card, bio);
        // The heading of a section says less than what is told of the person.
        let letters = letters.or(section.filter(|_| role.is_none()));
        let (next, _) = document.line(card.line + 1);
        if letters.is_some() && (outsiders::is_listing(next) || other_companies::is_company_line(next, self.site)) {
            explain::refused(Finder::People, "an entry of a directory", line);
            return;
        }
        match (role, letters) {
            // `Dr.` alone says less than what the biography calls them.
            (Some(title), Some(letters)) if letters == "Doctor" && owners::rank(&title) == 0 => {
                self.keep("the text below the name", (card.name, title), line);
            }
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

    /// `B.S., CADC II` below a name in a heading, on a page about people: a profession, or else the letters themselves.
    fn letters_below(&self, card: &Card) -> Option<String> {
        let (line, _) = self.document.line(card.line + 1);
        let may_be = self.presents_people
            && self.document.line(card.line).1.heading
            && line.len() <= LETTERS_BYTES_MAX
            && !line.bytes().take(3).all(|byte| byte.is_ascii_lowercase());
        if !may_be || !self.document.budget.spend(LINE_STEPS) {
            return None;
        }
        // `DC, MSc (Sports Medicine)`
        let line = line.split(" (").next().unwrap_or(line);
        let name = names::parse_as(&format!("{}, {line}", card.name.name), names::Trust::High)?;
        let is_whole = name.name == card.name.name && name.credentials.is_some();
        let letters = || line.contains(", ").then(|| line.to_owned());
        title_of_letters(&name).or_else(letters).filter(|_| is_whole)
    }

    /// The title in the heading of a letter that a name signs: `A message from our owner`, some paragraphs, `Ann Lee`.
    fn letter_title(&self, card: &Card) -> Option<String> {
        let above = (card.line.saturating_sub(LETTER_LINES_MAX)..card.line).rev();
        let heading = above.map(|at| self.document.line(at)).find(|(_, place)| place.heading);
        let (line, _) = heading.filter(|_| self.document.budget.spend(LINE_STEPS))?;
        headings::letter_from(line)
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

    /// Whether `Ann Lee is the President of Other Corp` is said of someone whose card has a lesser title.
    pub(super) fn is_rank_elsewhere(&self, stated: &StatedRole) -> bool {
        let title = |person: &PersonMention| person.title.as_deref().is_some_and(|title| owners::rank(title) == 0);
        let has_card = || self.found.iter().any(|(_, person)| person.name == stated.name.name && title(person));
        let is_of_company = || {
            let snippet = stated.snippet.to_lowercase();
            let after = snippet.find(&stated.title.to_lowercase()).map(|at| &snippet[at + stated.title.len()..]);
            after.is_some_and(|after| after.starts_with(" of ") || after.starts_with(" at "))
        };
        owners::rank(&stated.title) > 0
            && !self.site.is_named_in(&stated.snippet)
            && !affiliation::says_ours(&stated.snippet)
            && has_card()
            && is_of_company()
    }

    /// On a team page, accepts names that are on no list.
    pub(super) fn rest_of_the_team(&mut self) {
        let document = self.document;
        // Where the known names are links to profiles, so are the others.
        let count =
            |is: fn(&LineContext) -> bool| self.found.iter().filter(|(at, _)| is(&document.line(*at).1)).count();
        let links = count(|place| place.link);
        // Where most names are headings, a line that is none is a list of what somebody does.
        let in_headings = count(|place| place.heading) * 2 > self.found.len();
        for index in 0..self.readable.len() {
            let (line, place) = document.line(index);
            let line = field_labels::name(line);
            let is_alike = place.heading || !in_headings;
            let is_name = line.len() < 50 && is_alike && (!place.link || links > TEAM_MIN) && line.contains(' ');
            // A known first name was read before; an initial alone was not.
            let is_candidate =
                is_name && self.readable[index] && (!names::may_start(line) || line.find('.') == Some(1));
            if !is_candidate || !titles::may_be_title(document.line(index + 1).0) {
                continue;
            }
            if self.found.len() >= PEOPLE_MAX || !document.budget.spend(LINE_STEPS) {
                break;
            }
            let (next, _) = document.line(index + 1);
            let Some(name) = self.name_among_others(line, place.heading) else { continue };
            let labelled = field_labels::title(next);
            let next = labelled.unwrap_or(next);
            if (labelled.is_some() || titles::is_title(next))
                && !titles::is_of_several(next)
                && one_line::read(next, self.site).is_empty()
                && !titles::is_title(line)
                && names::parse(next).is_none()
                && !self.is_signed(index)
                && !other_companies::names_another(next, self.site)
                && (names::starts_with_first_name(line) || !self.words.make_up(&name.name))
            {
                self.keep("among others with titles", (name, next.to_owned()), &format!("{line}, {next}"));
            }
        }
        if self.presents_people {
            self.rest_of_the_section();
        }
    }
}

/// The profession that a line of letters beside a name implies: `M.A., LPC`.
pub(super) fn profession(name: &PersonName, text: &str) -> Option<String> {
    let is_letters = titles::is_credentials(text);
    let named = is_letters.then(|| names::parse_as(&format!("{}, {text}", name.name), names::Trust::High)).flatten()?;
    title_of_letters(&named)
}

/// A title of several words; `The Gardener` is a book.
fn is_longer_title(title: &str) -> bool {
    title.contains(' ') && !title.starts_with("The ")
}
