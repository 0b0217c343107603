//! How a website states who owns the business, and whom it shows as its team.

use crate::lang::Lang;
use crate::people::{Gender, Person};
use crate::random::Random;
use crate::site::pages::PageKind;
use crate::words;

/// How the owner is stated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OwnerStatement {
    /// `Jane Doe is the owner of ...`.
    Sentence,
    /// `... founded by Jane Doe in 1998`.
    Founded,
    /// `Hi, my name is Jane Doe and I am the owner of ...`.
    Greeting,
    /// `Jane Doe, Owner` on a line of its own.
    Line,
    /// `Owner: Jane Doe`.
    Label,
    /// A card on the team page.
    Card,
    /// Only in structured data.
    JsonLd,
}

/// The owner as named on the website.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct StatedOwner {
    pub(crate) person: Person,
    pub(crate) title: &'static str,
    pub(crate) statement: OwnerStatement,
    /// The page that states it.
    pub(crate) page: PageKind,
}

/// Another member of the team.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Colleague {
    pub(crate) person: Person,
    pub(crate) title: &'static str,
}

/// Statements that fit the language and the existing pages.
fn ways(lang: Lang, has: &dyn Fn(PageKind) -> bool) -> Vec<(OwnerStatement, PageKind)> {
    let all: &[(OwnerStatement, PageKind)] = match lang {
        Lang::English => &[
            (OwnerStatement::Sentence, PageKind::About),
            (OwnerStatement::Founded, PageKind::About),
            (OwnerStatement::Greeting, PageKind::About),
            (OwnerStatement::Line, PageKind::About),
            (OwnerStatement::Label, PageKind::Contact),
            (OwnerStatement::Card, PageKind::Team),
            (OwnerStatement::Card, PageKind::Team),
            (OwnerStatement::JsonLd, PageKind::Home),
        ],
        Lang::German | Lang::French => {
            &[(OwnerStatement::Label, PageKind::Imprint), (OwnerStatement::Card, PageKind::Team)]
        }
        Lang::Spanish => &[(OwnerStatement::Card, PageKind::Team), (OwnerStatement::Founded, PageKind::About)],
    };
    all.iter().copied().filter(|(_, page)| has(*page)).collect()
}

/// Draws how the owner is stated; `None` when no page fits.
pub(crate) fn draw(
    random: &mut Random,
    person: Person,
    lang: Lang,
    has: &dyn Fn(PageKind) -> bool,
) -> Option<StatedOwner> {
    let ways = ways(lang, has);
    let (statement, page) = ways.get(random.below(ways.len())).copied()?;
    Some(StatedOwner { person, title: title(random, lang, statement, person.gender), statement, page })
}

fn title(random: &mut Random, lang: Lang, statement: OwnerStatement, gender: Gender) -> &'static str {
    match (lang, statement, gender) {
        (Lang::English, OwnerStatement::Founded | OwnerStatement::JsonLd, _) => "Founder",
        (Lang::English, OwnerStatement::Card | OwnerStatement::Line, _) => {
            random.pick(&["Owner", "Owner", "Founder", "Founder & CEO", "President", "Co-Owner"])
        }
        (Lang::English, ..) => "Owner",
        (Lang::German, _, Gender::Woman) => random.pick(&["Inhaberin", "Geschäftsführerin"]),
        (Lang::German, _, Gender::Man) => random.pick(&["Inhaber", "Geschäftsführer"]),
        (Lang::French, _, Gender::Woman) => "Gérante",
        (Lang::French, _, Gender::Man) => "Gérant",
        (Lang::Spanish, OwnerStatement::Founded, _) => "Fundador",
        (Lang::Spanish, _, Gender::Woman) => "Propietaria",
        (Lang::Spanish, _, Gender::Man) => "Propietario",
    }
}

/// Draws the rest of the team.
pub(crate) fn team(random: &mut Random, lang: Lang, group: &str, owner: Person) -> Vec<Colleague> {
    let own = words::list(lang, &format!("staff.{group}"));
    let titles = if own.is_empty() || lang != Lang::English { words::list(lang, "staff") } else { own };
    let mut team: Vec<Colleague> = Vec::new();
    for title in titles.iter().take(random.between(2, 4)) {
        let person = Person::draw(random, lang);
        let is_known = person.name() == owner.name() || team.iter().any(|known| known.person.name() == person.name());
        if !is_known {
            team.push(Colleague { person, title });
        }
    }
    team
}
