//! Headings that announce who owns the business, and whom they announce: `Meet the owners`, `A note from our founder`,
//! `Your hosts Ann & Bob Lee`. A card with a title below such a heading is read with the people; here is what else follows.

use std::sync::LazyLock;

use crate::document::LineContext;
use crate::literals::Literals;
use crate::page::{around, lower_in_place};
use crate::people::cards;
use crate::people::early_years;
use crate::people::headings;
use crate::people::names::{self, Trust};
use crate::people::owner_labels;
use crate::people::owners;
use crate::people::ownership::persons::Persons;
use crate::people::ownership::{Clue, Clues, OwnerPage, namesakes, unlisted_names};
use crate::people::sentences;
use crate::people::the_dead;
use crate::people::titles;
use crate::word_set::WordSet;

/// Longest heading, in bytes, and headings read per page.
const HEADING_BYTES_MAX: usize = 70;
const HEADINGS_MAX: usize = 60;
/// Longest heading that announces one person, in bytes.
const ONE_BYTES_MAX: usize = 40;
/// Lines below a heading in which the name stands, and bytes before it in one of them.
const LINES_BELOW: usize = 4;
const BYTES_BEFORE: usize = 14;
/// Shortest paragraph, in bytes: it tells of whom the heading announces, and what follows of others.
const PARAGRAPH_BYTES_MIN: usize = 40;
/// Steps charged per line that may begin with a name.
const NAME_STEPS: usize = 2_000;

/// Bytes of a paragraph in which an early year tells of it.
const PARAGRAPH_BYTES_READ: usize = 200;

/// What owners are called in headings, with the title that this implies.
const OWNERS: &[(&str, &str)] = &[
    ("owner", "Owner"),
    ("founder", "Founder"),
    ("proprietor", "Proprietor"),
    ("your host", "Host"),
    ("our host", "Host"),
    ("innkeeper", "Innkeeper"),
    ("gastgeber", "Gastgeber"),
    ("vos hôtes", "Hôte"),
    ("inhaber", "Inhaber"),
    ("praxisinhaber", "Inhaber"),
    ("salonbesitzer", "Inhaber"),
    ("gründer", "Gründer"),
    ("gérant", "Gérant"),
    ("fondateur", "Fondateur"),
    ("fondatrice", "Fondatrice"),
    ("propriétaire", "Propriétaire"),
    ("propietari", "Propietario"),
    ("fundador", "Fundador"),
    ("titolar", "Titolare"),
    ("fondator", "Fondatore"),
    ("eigenaar", "Eigenaar"),
    ("oprichter", "Oprichter"),
];
/// Those of them who began the business.
static FOUNDERS: WordSet = WordSet::new("Founder Gründer Fondateur Fondatrice Fundador Fondatore Oprichter");
/// Literals that every such heading contains, without first letters, in small letters and in capitals.
static NOUNS: LazyLock<Option<Literals>> = LazyLock::new(|| {
    let words = [
        "wner",
        "WNER",
        "ounder",
        "OUNDER",
        "roprietor",
        "ROPRIETOR",
        "ur host",
        "ur Host",
        "UR HOST",
        "nnkeeper",
        "NNKEEPER",
        "astgeber",
        "os hôtes",
        "nhaber",
        "NHABER",
        "onbesitzer",
        "ründer",
        "RÜNDER",
        "érant",
        "ÉRANT",
        "ondateur",
        "ondatrice",
        "ropriétaire",
        "ropietari",
        "undador",
        "UNDADOR",
        "itolar",
        "ITOLAR",
        "ondator",
        "igenaar",
        "IGENAAR",
        "prichter",
    ];
    Literals::new(words.into_iter())
});

/// Words of headings about owners of other things, or that nobody is named below.
const OTHERS: &[&str] = &[
    "home",
    "house",
    "pet",
    "dog",
    "cat",
    "car",
    "property",
    "business owner",
    "work with ",
    "directly",
    "boat",
    "horse",
    "former",
    "previous",
    "past",
    "for ",
    "to ",
    "manual",
    "franchise",
    "ownership",
    "responsib",
    "what ",
    "why ",
    "how ",
    "owner’s man",
    "login",
    "portal",
    "land",
    "building",
    "truck",
    "day",
    "club",
    "award",
    "circle",
    "council",
    "society",
    "board",
];

/// Headings above what somebody says of themselves.
const ABOUT_ME: &[&str] = &[
    "about me",
    "über mich",
    "qui suis-je",
    "chi sono",
    "sobre mí",
    "sobre mi",
    "over mij",
    "my story",
    "meet me",
    "who am i",
    "mon parcours",
    "mi historia",
    "wer ich bin",
];
/// Addresses of such pages.
const PATHS_OF_ONE: &[&str] = &[
    "about me",
    "aboutme",
    "meet me",
    "my story",
    "my practice",
    "ueber mich",
    "zur person",
    "person",
    "qui suis je",
    "chi sono",
    "sobre mi",
    "quien soy",
    "over mij",
    "wer ich bin",
    "mon parcours",
    "mi historia",
    "biography",
    "biografia",
    "biographie",
    "vita",
];
/// Words of a title or an address that announces the owner, and pieces of a title.
const PAGE_WORDS_MAX: usize = 4;
const PIECES_MAX: usize = 6;
/// Words of titles of those who work for others.
static EMPLOYED: WordSet = WordSet::new(
    "manager director coordinator assistant associate pastor minister rector team staff administrator secretary board
     superintendent dean editor chair chairman treasurer editor-in-chief officer apprentice intern volunteer mayor",
);

/// Reads the headings of a page.
pub(super) fn read(page: OwnerPage<'_, '_>, persons: &mut Persons, clues: &mut Clues) {
    let document = page.document;
    let headings = (0..document.lines.len()).filter(|index| document.line(*index).1.heading).take(HEADINGS_MAX);
    for index in headings {
        let may_announce =
            |line: &&str| line.len() <= HEADING_BYTES_MAX && NOUNS.iter().any(|nouns| nouns.occur_in(line));
        let Some(line) = page.line(index).filter(may_announce) else { continue };
        let Some((end, title)) = announced(line).filter(|_| !is_title_of_above(page, index, line)) else { continue };
        let found = match named_in(page, line, end) {
            found if !found.is_empty() => found,
            _ => named_below(page, persons, index),
        };
        let below = || (index + 1..=index + 2).map(|below| document.line(below).0);
        let is_dead = below().any(the_dead::is_named_in);
        let is_of_earlier_years = |line| early_years::is_of_earlier_years(around(line, 0, 0, PARAGRAPH_BYTES_READ));
        let clue = match !is_dead && below().any(is_of_earlier_years) {
            // Whoever began it so long ago does not run it; what is told of an owner may be the business's beginning.
            true if FOUNDERS.contains(title) => Clue::Left,
            true => continue,
            false if is_dead => Clue::Left,
            false => Clue::Stated,
        };
        for name in found.into_iter().filter(|name| !namesakes::is_only_the_business(page, name)) {
            if let Some(person) = persons.add(&name) {
                clues.add_titled(persons.name(person), (clue, title), (line, 0));
            }
        }
    }
}

/// Whether a heading is the title of whom the heading above it names: `Ann Lee`, `Chef & Co-Owner`.
fn is_title_of_above(page: OwnerPage<'_, '_>, index: usize, line: &str) -> bool {
    let (above, place) = index.checked_sub(1).map_or(("", LineContext::default()), |above| page.document.line(above));
    place.heading && titles::is_title(line) && cards::name(above).is_some()
}

/// The title of the owner whom the page's own title or address announces: `About the Owner`, `/meet-the-founders`.
pub(super) fn of_page(page: OwnerPage<'_, '_>) -> Option<&'static str> {
    let may_announce = |text: &str| NOUNS.iter().any(|nouns| nouns.occur_in(text));
    if page.is_front || !(may_announce(&page.document.title) || may_announce(page.path)) {
        return None;
    }
    let is_short = |text: &&str| text.split(' ').count() <= PAGE_WORDS_MAX;
    let announced = |text: &str| announced(text).map(|(_, title)| title);
    pieces(&page.document.title).filter(is_short).find_map(announced).or_else(|| {
        let path = words_of_path(page.path);
        Some(path.as_str()).filter(is_short).and_then(announced)
    })
}

/// The pieces of a page's title.
fn pieces(title: &str) -> impl Iterator<Item = &str> {
    let pieces = title.split(['|', '–', '—', '·', ':']).flat_map(|piece| piece.split(" - "));
    pieces.map(str::trim).filter(|piece| piece.len() <= ONE_BYTES_MAX).take(PIECES_MAX)
}

/// The last part of a page's address as words: `meet the owner`.
fn words_of_path(path: &str) -> String {
    let last = path.split(['?', '#']).next().unwrap_or(path).trim_end_matches('/').rsplit('/').next().unwrap_or("");
    let bare = last.split('.').next().unwrap_or(last);
    bare.split(['-', '_', '+']).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ").to_lowercase()
}

/// Gives whom the page presents what its title or address announces.
pub(super) fn owners_of_page(page: OwnerPage<'_, '_>, persons: &Persons, clues: &mut Clues) {
    let Some(title) = of_page(page).filter(|_| !page.is_front) else { return };
    let presented = |name: &&str| clues.has(name, Clue::Presented) || clues.has(name, Clue::Described);
    let mut named: Vec<String> = persons.all().filter(presented).map(str::to_owned).collect();
    if named.is_empty() {
        named.extend(persons.only().map(|only| persons.name(only).to_owned()));
    }
    let surname = |name: &String| name.rsplit(' ').next().unwrap_or("").to_owned();
    let is_couple = named.len() == 2 && surname(&named[0]) == surname(&named[1]);
    if named.len() == 1 || is_couple {
        named.retain(|name| !clues.has(name, Clue::Stated) && !namesakes::is_only_the_business(page, name));
        for name in named {
            clues.add_titled(&name, (Clue::Stated, title), (&page.document.title, 0));
        }
    }
}

/// Whether an address is that of a page about one person: `/about-me`, `/meet-the-doctor`, `/attorney`.
fn is_path_of_one(path: &str) -> bool {
    let words = words_of_path(path);
    let bare = words.trim_end_matches(" profile").trim_end_matches(" bio");
    let is_trade = |text: &str| {
        let title = headings::announced(text)?.to_lowercase();
        Some(owners::rank(&title) == 0 && !title.split(' ').any(|word| EMPLOYED.contains(word)))
    };
    PATHS_OF_ONE.contains(&words.as_str())
        || is_trade(bare).unwrap_or(false)
        || is_trade(&format!("our {bare}")).unwrap_or(false)
}

/// Reads who the only one is whom a page presents: below `About me`, or `Meet the Baker`.
pub(super) fn only_one(page: OwnerPage<'_, '_>, persons: &mut Persons, clues: &mut Clues) {
    let document = page.document;
    let headings = (0..document.lines.len()).filter(|index| document.line(*index).1.heading).take(HEADINGS_MAX);
    let mut alone = headings.filter(|index| is_of_one(document.line(*index).0));
    let is_story = is_path_of_one(page.path);
    let Some(heading) = alone.next().or_else(|| is_story.then_some(0)).filter(|_| alone.next().is_none()) else {
        return;
    };
    for name in named_below(page, persons, heading) {
        persons.add(&name);
    }
    if let Some(person) = persons.only().filter(|only| !namesakes::is_firm_of_others(page, persons.name(*only))) {
        clues.add(persons.name(person), Clue::Sole, (document.line(heading).0, 0));
    }
}

/// Whether a heading announces one person of the trade: `About me`, `Meet the Baker`, not `Meet the Manager`.
fn is_of_one(line: &str) -> bool {
    if line.len() > ONE_BYTES_MAX
        || !line.starts_with(['A', 'a', 'M', 'm', 'Y', 'Ü', 'ü', 'Q', 'C', 'c', 'S', 'O', 'T', 't', 'W', 'w'])
    {
        return false;
    }
    let lower = lower_in_place(line);
    let is_trade = || {
        // `The Baker`
        let whole;
        let (line, lower) = if lower.starts_with("the ") {
            whole = format!("About {line}");
            (whole.as_str(), lower_in_place(&whole))
        } else {
            (line, lower_in_place(line))
        };
        let title = headings::announced(line)?.to_lowercase();
        let starts = lower.starts_with("meet ") || lower.starts_with("about ") || lower.starts_with("your ");
        Some(starts && owners::rank(&title) == 0 && !title.split(' ').any(|word| EMPLOYED.contains(word)))
    };
    let is_artist =
        || ["about the artist", "meet the artist", "about the maker", "meet the maker"].contains(&lower.as_str());
    ABOUT_ME.contains(&lower.trim_end_matches(['.', ':', '!', '?', ' '])) || is_artist() || is_trade().unwrap_or(false)
}

/// The title that a heading announces, and where the word ends that says so.
fn announced(line: &str) -> Option<(usize, &'static str)> {
    let lower = lower_in_place(line);
    let is_start = |at: usize| !lower[..at].ends_with(|c: char| c.is_alphanumeric());
    let (at, word, title) = OWNERS
        .iter()
        .find_map(|(word, title)| lower.find(word).filter(|at| is_start(*at)).map(|at| (at, *word, *title)))?;
    let end = at + word.len();
    let end = end + lower[end..].find(|c: char| !c.is_alphanumeric()).unwrap_or(lower.len() - end);
    let is_of_others = OTHERS.iter().any(|words| lower.contains(words)) || line.ends_with('?');
    (!is_of_others).then_some((end, title))
}

/// `Your hosts Ann & Bob Lee`: names in the heading itself.
fn named_in(page: OwnerPage<'_, '_>, line: &str, end: usize) -> Vec<String> {
    let rest = line[end..].trim_start_matches([' ', ',', ':', '–', '-']);
    if !rest.contains(' ') || !names::may_start(rest) || !page.document.budget.spend(NAME_STEPS) {
        return Vec::new();
    }
    let people = sentences::people_and_end(rest).map(|(people, _)| people.into_iter().map(|one| one.name).collect());
    people.unwrap_or_else(|| couple_on_no_list(rest))
}

/// `Rob & Zxy Lee`: both names, though the second is on no list.
fn couple_on_no_list(text: &str) -> Vec<String> {
    let both = [" & ", " and ", " und ", " et ", " e ", " y ", " en "].iter().find_map(|sign| text.split_once(sign));
    let Some((one, two)) = both.filter(|(one, _)| names::is_first_name_in_any_case(one)) else { return Vec::new() };
    let two = names::parse_as(two, Trust::High).filter(owner_labels::is_plausible);
    two.map_or_else(Vec::new, |two| {
        let surname = two.name.rsplit(' ').next().unwrap_or("");
        vec![format!("{one} {surname}"), two.name.clone()]
    })
}

/// Names with which the lines below a heading begin: `Ann Lee and Bob Ray met in college`, `Hi, I'm Ann Lee`.
fn named_below(page: OwnerPage<'_, '_>, persons: &Persons, heading: usize) -> Vec<String> {
    for index in heading + 1..=heading + LINES_BELOW {
        let (text, place) = page.document.line(index);
        let is_after_paragraph = index > heading + 1 && page.document.line(index - 1).0.len() > PARAGRAPH_BYTES_MIN;
        if is_after_paragraph && !place.heading {
            break;
        }
        let bare = text.strip_prefix("About ").or_else(|| text.strip_prefix("Meet ")).unwrap_or(text);
        if text.is_empty() || place.heading && cards::name(bare).is_none() && names::parse_couple(bare).is_none() {
            break;
        }
        let Some(line) = page.line(index).filter(|_| page.document.budget.spend(NAME_STEPS)) else { continue };
        let starts = std::iter::once(0).chain(line.match_indices(' ').map(|(at, _)| at + 1));
        let starts = starts.take_while(|at| *at <= BYTES_BEFORE).filter(|at| names::may_start(&line[*at..]));
        let named = starts.into_iter().find_map(|at| sentences::people_and_end(&line[at..]));
        if let Some((people, _)) = named {
            return people.into_iter().map(|one| one.name).collect();
        }
        // `Ann has loved wool since she was five`, where another line names her in full.
        let first = line.split(|c: char| !c.is_alphabetic()).next().unwrap_or("");
        if let Some(person) = persons.called(first) {
            return vec![persons.name(person).to_owned()];
        }
        // Whoever is announced is a person.
        if let Some(name) = unlisted_names::introduced(page, line) {
            return vec![name];
        }
    }
    Vec::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_announce_owners() {
        for (line, title) in [
            ("Meet the Owners", Some("Owner")),
            ("A note from our founder", Some("Founder")),
            ("Your hosts Ann & Bob Lee", Some("Host")),
            ("Praxisinhaberin", Some("Inhaber")),
            ("Inhaberin", Some("Inhaber")),
            ("Notes for dog owners", None),
            ("Co-owner of the year award", None),
            ("Our Team", None),
        ] {
            assert_eq!(announced(line).map(|(_, title)| title), title, "{line}");
        }
    }
}
