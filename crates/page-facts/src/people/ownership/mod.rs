//! Weighs the clues to who owns the business, as `country` weighs those to a country: each of them misleads now and then.
//! A name in a sentence about beginning a business may be a grandfather's, and a shop bears the name of a street.
//!
//! Titles such as `Owner` are read with the people ([`crate::people::owners`]); the clues here are what else a reader sees:
//! sentences, names in headings, who speaks, imprints, the name of the business. They may point at somebody who has no title.

mod announcements;
mod business_words;
pub(super) mod departures;
mod english_phrases;
mod english_triggers;
mod germanic_phrases;
mod imprints;
mod introductions;
mod namesakes;
mod nonprofit;
mod openings;
mod owner_page;
mod passives;
pub(super) mod persons;
mod phrases;
mod roles;
mod romance_phrases;
mod sign_offs;
mod statements;
mod subjects;
mod told_lines;
mod unlisted_names;
mod verbs;
mod voice;
pub(super) mod weigh;

use crate::explain;
use crate::finders::Finder;
use crate::page::around;
use crate::people::mention::PersonMention;
pub(super) use owner_page::OwnerPage;
use persons::Persons;

/// Clues kept per page.
const CLUES_MAX: usize = 200;
/// Longest text kept with a clue, in bytes on either side.
const SNIPPET_BYTES: usize = 70;

/// What a clue is. Clues of one kind count up to a limit, so that a story told twice does not outweigh the rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Clue {
    /// A sentence says that the person began, bought or owns this business.
    Stated,
    /// A sentence says so of a business, but not which: `decided to open her own salon`.
    Own,
    /// A sentence says that the person leads this business, perhaps for others.
    Leads,
    /// The imprint names the person as the one who offers the website.
    Provider,
    /// The imprint names the person as the director of the publication.
    Publisher,
    /// The imprint names the person as responsible for what the website says.
    Responsible,
    /// The business bears the person's whole name, and the page presents the person among those who work there.
    NamesakeAtWork,
    /// The business bears the person's whole name.
    Namesake,
    /// The business bears the person's surname.
    Surname,
    /// The business bears the person's surname, and no other professional is named.
    OnlyProfessional,
    /// What a person practises alone is named after them: `Law Office of Ann Lee`, `Ann Lee Photography`.
    Practice,
    /// A partner whose surname the firm bears.
    NamePartner,
    /// The page presents the person among those who work there, and the business bears the surname.
    SurnameAtWork,
    /// The only one whom a page presents that is about one: `About me`, `Meet the Baker`.
    Sole,
    /// Signs a letter to the visitors of the site.
    Signed,
    /// The person says `I am Ann Lee`.
    Introduced,
    /// The page is written in the first person, and names nobody else.
    Speaks,
    /// The page speaks of `my practice` or `my clients`, and names nobody else.
    SpeaksAsOwner,
    /// A heading or the title of the page is the person's name, or `Meet Ann Lee`.
    Presented,
    /// The page's description or a picture on it names the person.
    Described,
    /// A paragraph of a page about the business begins with the person.
    Opening,
    /// The paragraphs of the page tell of the person and of nobody else.
    Told,
    /// The copyright is the person's.
    Copyright,
    /// Nobody else is named on the site.
    Alone,
    /// Others bought the business or took it over after the person.
    Superseded,
    /// The person joined a business that others had begun, or works for them.
    Joined,
    /// The person retired, died or sold the business.
    Left,
}

impl Clue {
    /// Points for one clue, the most that all of its kind give, and the clue in words, as an explanation prints it.
    fn row(self) -> (i32, i32, &'static str) {
        match self {
            Clue::Stated => (44, 60, "began, bought or owns this business"),
            Clue::Own => (26, 40, "began or has a business of their own"),
            Clue::Leads => (30, 30, "leads this business"),
            Clue::Provider => (44, 44, "the imprint's provider"),
            Clue::Publisher => (40, 40, "director of the publication by the imprint"),
            Clue::Responsible => (22, 22, "responsible for the website by its imprint"),
            Clue::NamesakeAtWork => (44, 44, "works at a business that bears the whole name"),
            Clue::Namesake => (30, 30, "the business bears the whole name"),
            Clue::Surname => (24, 24, "the business bears the surname"),
            Clue::OnlyProfessional => (40, 40, "the only professional, with the surname of the business"),
            Clue::Practice => (42, 42, "a practice or studio that bears the whole name"),
            Clue::NamePartner => (44, 44, "a partner whose surname the firm bears"),
            Clue::SurnameAtWork => (20, 20, "works at a business that bears the surname"),
            Clue::Sole => (26, 26, "the only one on a page about one person"),
            Clue::Signed => (26, 26, "signs a letter to the visitors"),
            Clue::Introduced => (24, 24, "says `I am` and the name"),
            Clue::Speaks => (20, 20, "the page speaks as one person"),
            Clue::SpeaksAsOwner => (16, 16, "speaks of `my` business or clients"),
            Clue::Presented => (14, 14, "a heading or the page's title is the name"),
            Clue::Described => (14, 14, "the page's description or a picture names the person"),
            Clue::Opening => (14, 14, "a paragraph begins with the person"),
            Clue::Told => (12, 12, "the page tells of nobody else"),
            Clue::Copyright => (14, 14, "holds the copyright"),
            Clue::Alone => (16, 16, "nobody else is named"),
            Clue::Superseded => (-100, -100, "others took the business over"),
            Clue::Joined => (-30, -30, "joined or works for the business"),
            Clue::Left => (-100, -100, "retired, died or sold it"),
        }
    }

    /// Points for one clue, and the most that all of its kind give.
    fn points(self) -> (i32, i32) {
        let (points, most, _) = self.row();
        (points, most)
    }

    /// Whether the person does or says something: a name alone is no clue, however often it stands there.
    fn is_active(self) -> bool {
        !matches!(
            self,
            Clue::Namesake
                | Clue::Surname
                | Clue::Presented
                | Clue::Described
                | Clue::Opening
                | Clue::Copyright
                | Clue::Alone
        )
    }

    /// Notes the clue and its points for whoever asks why somebody is the owner.
    fn explain(self, text: &str) {
        let (points, _, words) = self.row();
        let text = format!("{points} points for {text}");
        if points < 0 {
            explain::refused(Finder::Owner, words, &text);
        } else {
            explain::accepted(Finder::Owner, words, &text);
        }
    }
}

/// One clue to who owns the business, and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct OwnerClue {
    pub(crate) name: String,
    pub(crate) clue: Clue,
    /// The title that it implies, such as `Founder`.
    pub(crate) title: Option<&'static str>,
    pub(crate) snippet: String,
}

/// Collects the clues of one page.
#[derive(Default)]
struct Clues(Vec<OwnerClue>);

impl Clues {
    /// Adds a clue that stands at a byte of a line.
    fn add(&mut self, name: &str, clue: Clue, place: (&str, usize)) {
        self.push(OwnerClue { name: name.to_owned(), clue, title: None, snippet: snippet(place) });
    }

    /// Adds a clue that implies a title, unless that is empty.
    fn add_titled(&mut self, name: &str, (clue, title): (Clue, &'static str), place: (&str, usize)) {
        let title = Some(title).filter(|title| !title.is_empty());
        self.push(OwnerClue { name: name.to_owned(), clue, title, snippet: snippet(place) });
    }

    fn push(&mut self, clue: OwnerClue) {
        if self.0.len() < CLUES_MAX {
            clue.clue.explain(&format!("{}: {}", clue.name, clue.snippet));
            self.0.push(clue);
        }
    }

    /// Whether a sentence says of this person that they have, lead or began a business.
    fn has_statement(&self, name: &str) -> bool {
        [Clue::Stated, Clue::Own, Clue::Leads].into_iter().any(|clue| self.has(name, clue))
    }

    /// Whether there is a clue for this person.
    fn has(&self, name: &str, clue: Clue) -> bool {
        self.0.iter().any(|known| known.clue == clue && known.name == name)
    }
}

/// The text around a byte of a line.
fn snippet((line, at): (&str, usize)) -> String {
    around(line, at, SNIPPET_BYTES, SNIPPET_BYTES).replace('\n', " ")
}

/// Reads what a page says of who owns the business; `found` are the people found on it. Only pages that tell of the business
/// or of somebody are read for sentences.
pub(super) fn read(page: OwnerPage<'_, '_>, found: &[PersonMention]) -> Vec<OwnerClue> {
    let mut clues = Clues::default();
    let mut persons = Persons::of(found);
    if page.tells_story {
        introductions::presented(page, &mut persons, &mut clues);
        subjects::presented(page, &mut persons, &mut clues);
    }
    namesakes::read(page, found, &mut persons, &mut clues);
    let named = persons.all().count();
    imprints::read(page, &mut persons, &mut clues);
    if page.tells_story {
        announcements::read(page, &mut persons, &mut clues);
        let spoken = statements::read(page, found, &mut persons, &mut clues);
        sign_offs::read(page, &mut persons, &mut clues);
        announcements::owners_of_page(page, &persons, &mut clues);
        announcements::only_one(page, &mut persons, &mut clues);
        openings::read(page, &mut persons, &mut clues);
        namesakes::named_later(page, found, (&persons, named), &mut clues);
        if !page.is_one_of_many() {
            subjects::told_of(page, &persons, &mut clues);
        }
        voice::read(page, &persons, spoken, &mut clues);
    }
    if !clues.0.is_empty() && nonprofit::is_said_in(&page.document.text) {
        clues.0.clear();
    }
    clues.0
}
