//! Who offers a website, by its imprint: a natural person after `Angaben gemäß § 5`, the director of the publication.

use crate::people::names::{self, PersonName};
use crate::people::owner_labels;
use crate::people::ownership::persons::Persons;
use crate::people::ownership::{Clue, Clues, OwnerPage};
use crate::people::sentences;
use crate::people::titles;
use crate::word_set::WordSet;

/// Lines read per page, and those below a label in which the name stands.
const LINES_MAX: usize = 60;
const LINES_BELOW: usize = 3;
/// Longest line with a label, and with a name, in bytes.
const LABEL_BYTES_MAX: usize = 120;
const NAME_BYTES_MAX: usize = 60;
/// Steps charged per line that may be a name.
const NAME_STEPS: usize = 2_000;

/// Words in the path or in a heading of an imprint.
const IMPRINTS: &[&str] = &[
    "impressum",
    "imprint",
    "mentions légales",
    "mentions-legales",
    "mentions_legales",
    "mentions légales",
    "aviso legal",
    "aviso-legal",
    "note legali",
    "note-legali",
    "colofon",
    "legal notice",
    "legal-notice",
    "anbieterkennzeichnung",
];
/// Beginnings of labels of the provider.
const PROVIDERS: &[&str] = &[
    "angaben gem",
    "anbieter",
    "diensteanbieter",
    "betreiber",
    "verantwortliche für diese",
    "verantwortlicher für diese",
    "verantwortlich für diese",
    "verantwortliche person",
    "vertreten durch",
    "vertretungsberechtigt",
    "einzelunternehm",
    "inhaltlich verantwortlich und inhaber",
    "éditeur",
    "editeur",
    "propriétaire",
    "titular",
    "titolare",
    "responsable del sitio",
];
/// Whom French law has every website name; in a small business, its head.
const PUBLISHERS: &[&str] = &[
    "directeur de la publication",
    "directeur de publication",
    "directrice de la publication",
    "responsable de la publication",
    "responsable de publication",
];
/// What is said of who is responsible for the texts, often an employee.
const RESPONSIBLE: &[&str] = &["verantwortlich", "responsable éditorial"];

/// Lines in which the first address of an imprint stands.
const ADDRESS_LINES_MAX: usize = 16;
/// What those are called that nobody owns alone, or whose owner is not who stands above the address.
static CORPORATE: WordSet = WordSet::new(
    "gmbh ug ag kg ohg e.v. ev verein verband stadt gemeinde schule vorstand ltd sarl sas srl s.r.l. snc spa bv b.v. nv vof
     stiftung kirchengemeinde genossenschaft eg",
);

/// Reads the people of an imprint.
pub(super) fn read(page: OwnerPage<'_, '_>, persons: &mut Persons, clues: &mut Clues) {
    if !is_imprint(page) {
        return;
    }
    if let Some((name, line)) = above_address(page)
        && let Some(person) = persons.add(&name.name)
    {
        clues.add(persons.name(person), Clue::Provider, (line, 0));
    }
    for index in 0..page.document.lines.len().min(LINES_MAX) {
        let (line, _) = page.document.line(index);
        if line.len() > LABEL_BYTES_MAX {
            continue;
        }
        let lower = line.to_lowercase();
        if let Some(name) = published_by(page, line, &lower)
            && let Some(person) = persons.add(&name)
        {
            clues.add(persons.name(person), Clue::Provider, (line, 0));
            continue;
        }
        let clue = if PROVIDERS.iter().any(|label| lower.starts_with(label)) {
            Clue::Provider
        } else if PUBLISHERS.iter().any(|label| lower.contains(label)) {
            Clue::Publisher
        } else if RESPONSIBLE.iter().any(|label| lower.contains(label)) {
            // Of a business that is no company whoever is responsible is mostly the owner.
            let has_address = || line.split([' ', ',']).any(is_postcode) || town(page, LINES_MAX).is_some();
            if is_corporate(page) || !has_address() { Clue::Responsible } else { Clue::Publisher }
        } else {
            continue;
        };
        let is_board = line.contains("Vorstand") || line.contains("Vorsitz");
        if let Some(name) = named(page, index).filter(|_| !is_board)
            && let Some(person) = persons.add(&name.name)
        {
            clues.add(persons.name(person), clue, (line, 0));
        }
    }
}

fn is_imprint(page: OwnerPage<'_, '_>) -> bool {
    let says = |text: &str| {
        if text.len() > LABEL_BYTES_MAX {
            return false;
        }
        let lower = text.to_lowercase();
        IMPRINTS.iter().any(|words| lower.contains(words))
    };
    let document = page.document;
    let headings = || (0..document.lines.len().min(LINES_MAX)).filter(|index| document.line(*index).1.heading);
    says(page.path) || says(&document.title) || headings().any(|index| says(document.line(index).0))
}

fn is_postcode(word: &str) -> bool {
    (4..=5).contains(&word.len()) && word.bytes().all(|b| b.is_ascii_digit())
}

/// Who publishes the website by a sentence: `Le présent site est édité par Ann Lee, entrepreneur individuel`.
fn published_by(page: OwnerPage<'_, '_>, line: &str, lower: &str) -> Option<String> {
    const BY: &[&str] = &[
        "édité par ",
        "editado por ",
        "propriété de ",
        "propiedad de ",
        "titularidad de ",
        "proprietà di ",
        "betrieben von ",
        "angeboten von ",
        "eigendom van ",
        "eenmanszaak van ",
        "handelsnaam van ",
        "einzelunternehmen von ",
        "nom commercial de ",
        "ditta individuale di ",
    ];
    let at = BY.iter().find_map(|by| lower.find(by).map(|at| at + by.len()))?;
    let rest = line.get(at..).filter(|rest| names::may_start(rest) && page.document.budget.spend(NAME_STEPS))?;
    let (name, end) = sentences::name_and_end(rest)?;
    let is_company = is_corporate_line(&rest[end..]) || page.site.is_named_in(&name.name);
    (!is_company).then_some(name.name)
}

/// The first line of a page that begins with a postal code.
fn town(page: OwnerPage<'_, '_>, lines_max: usize) -> Option<usize> {
    let is_town = |text: &str| {
        let text = text.trim_start_matches("D-").trim_start_matches("A-").trim_start_matches("CH-");
        is_postcode(text.split(' ').next().unwrap_or(""))
    };
    (2..page.document.lines.len().min(lines_max)).find(|index| is_town(page.document.line(*index).0))
}

/// Whether the first lines name a company, a club or the like.
fn is_corporate(page: OwnerPage<'_, '_>) -> bool {
    (0..page.document.lines.len().min(LINES_MAX)).any(|index| is_corporate_line(page.document.line(index).0))
}

fn is_corporate_line(text: &str) -> bool {
    let mut words = text.split(|c: char| !c.is_alphanumeric() && c != '.');
    words.any(|word| CORPORATE.contains(word.to_lowercase().as_str()))
}

/// The name above the first address of an imprint without labels, unless a company or a club stands there: `Ann Lee`,
/// `Lindenweg 5`, `10115 Berlin`.
fn above_address<'p>(page: OwnerPage<'p, '_>) -> Option<(PersonName, &'p str)> {
    let line = |index: usize| page.document.line(index).0;
    let town = town(page, ADDRESS_LINES_MAX)?;
    let above = || (town.saturating_sub(LINES_BELOW)..town).rev().map(line);
    let is_corporate = above().any(is_corporate_line);
    let text = above().find(|text| name_in(page, text).is_some()).filter(|_| !is_corporate)?;
    Some((name_in(page, text)?, text))
}

/// The name after the colon of a label, or in the lines below it.
fn named(page: OwnerPage<'_, '_>, index: usize) -> Option<PersonName> {
    let line = |index: usize| page.document.line(index).0;
    let beside = line(index)
        .split_once(':')
        .and_then(|(_, rest)| name_in(page, rest).or_else(|| name_in(page, rest.split(',').next().unwrap_or(rest))));
    let mut below = index + 1..=index + LINES_BELOW;
    beside.or_else(|| {
        below.find_map(|below| name_in(page, line(below)).or_else(|| above_street(page, line(below), line(below + 1))))
    })
}

/// A name on no list in the line above a street: `Zxy Qwa`, `Hauptstr. 5`.
fn above_street(page: OwnerPage<'_, '_>, line: &str, next: &str) -> Option<PersonName> {
    let is_street = next.starts_with(char::is_alphabetic) && next.bytes().any(|byte| byte.is_ascii_digit());
    // `Zxy Qwa`, `Acme Soap`, `Hauptstr. 5`
    let is_street = is_street || page.site.is_named_in(next);
    let may_be = is_street && line.len() <= NAME_BYTES_MAX && !page.site.is_named_in(line);
    (may_be && page.document.budget.spend(NAME_STEPS)).then(|| owner_labels::name("inhaber", line)).flatten()
}

/// A line that is a name, alone or beside that of the business: `acme – Ann Lee`.
fn name_in(page: OwnerPage<'_, '_>, line: &str) -> Option<PersonName> {
    let line = line.trim();
    if line.len() > NAME_BYTES_MAX || line.contains(['@', ':']) || !page.document.budget.spend(NAME_STEPS) {
        return None;
    }
    let parts = line.split([',', '|', '–', '—']).flat_map(|part| part.split(" - "));
    let parts = parts
        .map(|part| part.trim().trim_start_matches("Prof. ").trim_start_matches("Herr ").trim_start_matches("Frau "))
        .map(without_profession);
    let single = parts.into_iter().filter_map(names::parse).find(|name| !is_business(page, &name.name));
    single.or_else(|| names::parse_couple(line).map(|[one, _]| one))
}

/// `Heilpraktikerin Ann Lee` without what she is.
fn without_profession(text: &str) -> &str {
    let rest = text.split_once(' ').filter(|(first, rest)| rest.contains(' ') && titles::is_title(first));
    rest.map_or(text, |(_, rest)| rest)
}

/// Whether what reads like a name is that of the business, which imprints repeat: none that begins with a known first name
/// and ends in a known surname.
fn is_business(page: OwnerPage<'_, '_>, name: &str) -> bool {
    let surname = name.rsplit(' ').next().unwrap_or("").to_lowercase();
    page.site.business().is_some_and(|business| business.eq_ignore_ascii_case(name)) && !names::is_surname(&surname)
}
