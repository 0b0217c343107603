//! How a website tells who owns the business, and whom it shows as its team.

use crate::chance::Chance;
use crate::lang::Lang;
use crate::people::{Gender, Person};
use crate::site::pages::PageKind;
use crate::site::plan::Plan;
use crate::site::text::escape;
use crate::words;

/// How it is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Telling {
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

/// The owner as the website names them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Told {
    pub(crate) person: Person,
    pub(crate) title: &'static str,
    pub(crate) telling: Telling,
    /// The page it stands on.
    pub(crate) page: PageKind,
}

/// Somebody else who works there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Colleague {
    pub(crate) person: Person,
    pub(crate) title: &'static str,
}

/// Ways of telling that fit the language and the pages there are.
fn ways(lang: Lang, has: &dyn Fn(PageKind) -> bool) -> Vec<(Telling, PageKind)> {
    let all: &[(Telling, PageKind)] = match lang {
        Lang::English => &[
            (Telling::Sentence, PageKind::About),
            (Telling::Founded, PageKind::About),
            (Telling::Greeting, PageKind::About),
            (Telling::Line, PageKind::About),
            (Telling::Label, PageKind::Contact),
            (Telling::Card, PageKind::Team),
            (Telling::Card, PageKind::Team),
            (Telling::JsonLd, PageKind::Home),
        ],
        Lang::German | Lang::French => &[(Telling::Label, PageKind::Imprint), (Telling::Card, PageKind::Team)],
        Lang::Spanish => &[(Telling::Card, PageKind::Team), (Telling::Founded, PageKind::About)],
    };
    all.iter().copied().filter(|(_, page)| has(*page)).collect()
}

/// Draws how the owner is told; `None` where no page fits.
pub(crate) fn draw(chance: &mut Chance, person: Person, lang: Lang, has: &dyn Fn(PageKind) -> bool) -> Option<Told> {
    let ways = ways(lang, has);
    let (telling, page) = ways.get(chance.below(ways.len())).copied()?;
    Some(Told { person, title: title(chance, lang, telling, person.gender), telling, page })
}

fn title(chance: &mut Chance, lang: Lang, telling: Telling, gender: Gender) -> &'static str {
    match (lang, telling, gender) {
        (Lang::English, Telling::Founded | Telling::JsonLd, _) => "Founder",
        (Lang::English, Telling::Card | Telling::Line, _) => {
            chance.pick(&["Owner", "Owner", "Founder", "Founder & CEO", "President", "Co-Owner"])
        }
        (Lang::English, ..) => "Owner",
        (Lang::German, _, Gender::Woman) => chance.pick(&["Inhaberin", "Geschäftsführerin"]),
        (Lang::German, _, Gender::Man) => chance.pick(&["Inhaber", "Geschäftsführer"]),
        (Lang::French, _, Gender::Woman) => "Gérante",
        (Lang::French, _, Gender::Man) => "Gérant",
        (Lang::Spanish, Telling::Founded, _) => "Fundador",
        (Lang::Spanish, _, Gender::Woman) => "Propietaria",
        (Lang::Spanish, _, Gender::Man) => "Propietario",
    }
}

/// Draws the rest of the team.
pub(crate) fn team(chance: &mut Chance, lang: Lang, group: &str, owner: Person) -> Vec<Colleague> {
    let own = words::list(lang, &format!("staff.{group}"));
    let titles = if own.is_empty() || lang != Lang::English { words::list(lang, "staff") } else { own };
    let mut team: Vec<Colleague> = Vec::new();
    for title in titles.iter().take(chance.between(2, 4)) {
        let person = Person::draw(chance, lang);
        let is_known = person.name() == owner.name() || team.iter().any(|known| known.person.name() == person.name());
        if !is_known {
            team.push(Colleague { person, title });
        }
    }
    team
}

/// Writes what is told in words; cards and structured data are written elsewhere.
pub(crate) fn write(out: &mut String, told: &Told, plan: &Plan, business: &str) {
    let mut name = String::new();
    escape(&mut name, business);
    let (person, year) = (told.person.name(), plan.founded);
    let text = match (told.telling, plan.lang) {
        (Telling::Sentence, _) => format!("{person} is the owner of {name} and is there most days."),
        (Telling::Founded, Lang::Spanish) => format!("El negocio fue fundado por {person} en {year}."),
        (Telling::Founded, _) => format!("{name} was founded by {person} in {year}, with one van and one phone."),
        (Telling::Greeting, _) => format!("Hi, my name is {person} and I am the owner of {name}."),
        (Telling::Line, _) => format!("{person}, {}", told.title.replace('&', "&amp;")),
        (Telling::Label, Lang::French) => format!("{} : {person}", told.title),
        (Telling::Label, _) => format!("{}: {person}", told.title),
        (Telling::Card | Telling::JsonLd, _) => return,
    };
    out.push_str("<p>");
    out.push_str(&text);
    out.push_str("</p>\n");
}
