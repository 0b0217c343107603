//! Reads titles inside sentences: `our lead hygienist, Ann Lee, has ...`, `contact Ann Lee, our office manager, at ...`,
//! and paragraphs that begin with a name: `Ann Lee is our controller`.

use std::sync::LazyLock;

use memchr::memmem;

use crate::document::Document;
use crate::literals::Literals;
use crate::page::around;
use crate::people::affiliation::{self, NamedCompany, PageSubject};
use crate::people::names::{self, PersonName, Trust};
use crate::people::sentences::{self, StatedRole};
use crate::people::{bios, other_companies, owners, the_dead, titles};
use crate::site::Site;
use crate::word_set::WordSet;

/// Places examined per page.
const PLACES_MAX: usize = 400;
/// Words such as `contact` looked at per page.
const CONTACTS_MAX: usize = 2_000;
/// Steps charged per place.
const PLACE_STEPS: usize = 1_500;
/// Sentences of a paragraph that are examined.
const SENTENCES_MAX: usize = 40;
/// Longest name above a paragraph that repeats it, in bytes.
const NAME_BYTES_MAX: usize = 40;
/// Bytes after `our` in which title and name must stand.
const REACH_BYTES: usize = 100;

static OUR: LazyLock<memmem::Finder<'static>> = LazyLock::new(|| memmem::Finder::new("ur "));
static FULL_STOP: LazyLock<memmem::Finder<'static>> = LazyLock::new(|| memmem::Finder::new(". "));
/// `contact`, `email` and `call`, without the first letters so that capitals do not matter.
static CONTACT: LazyLock<Option<Literals>> = LazyLock::new(|| Literals::new(["ontact ", "mail ", "all "].into_iter()));

/// Finds people whose title a sentence names together with `our`, or whom it tells to contact.
pub(super) fn find(document: &Document<'_>, readable: &[bool], site: &Site) -> Vec<StatedRole> {
    let bytes = document.text.as_bytes();
    let mut found = Vec::new();
    for at in OUR.find_iter(bytes).take(PLACES_MAX) {
        // Not `your`, `hour` or `four`.
        let is_our =
            at > 0 && bytes[at - 1].eq_ignore_ascii_case(&b'o') && (at == 1 || !bytes[at - 2].is_ascii_alphanumeric());
        if is_our && let Some((line, at)) = place(document, readable, at) {
            let several = yours(line, at, true);
            found.extend(if several.is_empty() { ours(line, at, site).into_iter().collect() } else { several });
        }
        let is_your = at > 1 && &bytes[at - 2..at] == b"Yo" && (at == 2 || bytes[at - 3].is_ascii_whitespace());
        if is_your && let Some((line, at)) = place(document, readable, at) {
            found.extend(yours(line, at, false));
        }
    }
    if let Some(search) = CONTACT.as_ref() {
        search.each(&document.text, CONTACTS_MAX, |word| {
            let is_name = bytes.get(word.end()).is_some_and(u8::is_ascii_uppercase);
            if is_name && let Some((line, end)) = place(document, readable, word.end()) {
                found.extend(contact(line, end, site));
            }
        });
    }
    found
}

/// The line around a byte of the text and the place in it, if the line may be read and the budget allows.
fn place<'d>(document: &'d Document<'_>, readable: &[bool], at: usize) -> Option<(&'d str, usize)> {
    let index = document.line_at(at);
    let start = document.lines.get(index)?.start;
    let is_readable = readable.get(index) == Some(&true) && document.budget.spend(PLACE_STEPS);
    is_readable.then(|| (document.line(index).0, at - start))
}

/// What stands between a name and `our` with a title; longer ones first.
const BEFORE_OUR: &[&str] = &[
    ", who has been ",
    " who has been ",
    ", who serves as ",
    ", who is ",
    " who is ",
    " has been ",
    " serves as ",
    " became ",
    ", is ",
    ", ",
    " is ",
    " as ",
];

/// `our lead hygienist, Ann Lee`, `our controller Ann Lee`, and `Ann Lee, our controller`.
fn ours(line: &str, at: usize, site: &Site) -> Option<StatedRole> {
    let (before, rest) = (line.get(..at.checked_sub(1)?)?, line.get(at + 3..)?);
    let phrase = titles::phrase(around(rest, 0, 0, REACH_BYTES))?;
    let stated = |name: PersonName| {
        let snippet = around(line, at, 60, 100).to_owned();
        Some(StatedRole { name, title: bios::capitalised(phrase), snippet })
    };
    // `Ann Lee, our office manager`, `Ann Lee is our office manager`.
    if let Some(head) = BEFORE_OUR.iter().find_map(|words| before.strip_suffix(words))
        && let Some(name) = sentences::name_at_end(around(head, head.len(), 40, 0), Trust::Low)
    {
        return stated(name);
    }
    let after = &rest[phrase.len()..];
    let after = [", ", " is ", " "].iter().find_map(|sign| after.strip_prefix(sign))?;
    let (name, end) = sentences::name_and_end(after)?;
    let is_company = affiliation::goes_on_as_company(&after[end..]);
    let is_anothers = affiliation::company_after(&after[end..], affiliation::OF, site) == NamedCompany::Another;
    if is_company || is_anothers { None } else { stated(name) }
}

/// `Your innkeepers, Ann and Bob Lee, welcome you`: those who serve the reader, at the start of a sentence.
/// `only_several` leaves one person to be read elsewhere.
fn yours(line: &str, at: usize, only_several: bool) -> Vec<StatedRole> {
    let Some(rest) = line.get(at + 3..) else { return Vec::new() };
    let Some(phrase) = titles::phrase(around(rest, 0, 0, REACH_BYTES)) else { return Vec::new() };
    let after = &rest[phrase.len()..];
    let Some(after) = [", ", " is ", " are ", ": "].iter().find_map(|sign| after.strip_prefix(sign)) else {
        return Vec::new();
    };
    let Some((names, end)) = sentences::people_and_end(after) else { return Vec::new() };
    if affiliation::goes_on_as_company(&after[end..]) {
        return Vec::new();
    }
    let one = phrase.strip_suffix('s').filter(|one| titles::is_head(one.rsplit(' ').next().unwrap_or(one)));
    if only_several && (one.is_none() || names.len() < 2) {
        return Vec::new();
    }
    let title = bios::capitalised(one.unwrap_or(phrase));
    let snippet = around(line, at, 10, 120).to_owned();
    names.into_iter().map(|name| StatedRole { name, title: title.clone(), snippet: snippet.clone() }).collect()
}

/// `contact Ann Lee, Program Manager, at ...`.
fn contact(line: &str, at: usize, site: &Site) -> Option<StatedRole> {
    let rest = line.get(at..)?;
    if let Some(stated) = title_then_name(line, at, rest, site) {
        return Some(stated);
    }
    let (name, end) = sentences::name_and_end(rest)?;
    let after = rest[end..].strip_prefix(", ")?;
    let title = after.split([',', '.', '(', ';', ':']).next().unwrap_or("");
    let title = [" at ", " by ", " on ", " via ", " or "]
        .iter()
        .fold(title, |title, end| title.split(*end).next().unwrap_or(title));
    let is_title = title.starts_with(char::is_uppercase) && titles::is_title(title) && names::parse(title).is_none();
    let is_anothers = affiliation::company_after(&after[title.len()..], &[" of "], site) == NamedCompany::Another
        || other_companies::names_another(title, site);
    (is_title && !is_anothers).then(|| StatedRole {
        name,
        title: title.trim().to_owned(),
        snippet: around(line, at, 20, 120).to_owned(),
    })
}

/// `contact Sales Manager Ann Lee at ...`.
fn title_then_name(line: &str, at: usize, rest: &str, site: &Site) -> Option<StatedRole> {
    let near = around(rest, 0, 0, REACH_BYTES);
    let ends = near.match_indices(' ').map(|(end, _)| end).take(4);
    let (title, after) = ends
        .map(|end| (&near[..end], &near[end + 1..]))
        .filter(|(title, after)| titles::is_title_phrase(title) && names::starts_with_first_name(after))
        .last()?;
    let (name, end) = sentences::name_and_end(after)?;
    let is_anothers = affiliation::company_after(&after[end..], &[" of "], site) == NamedCompany::Another
        || affiliation::goes_on_as_company(&after[end..]);
    (!is_anothers).then(|| StatedRole { name, title: title.to_owned(), snippet: around(line, at, 20, 120).to_owned() })
}

/// `Ann Lee is our controller`, at the start of a paragraph. Only what is said of this business counts.
pub(super) fn at_start(line: &str, site: &Site, subject: PageSubject, is_staff_page: bool) -> Option<StatedRole> {
    let line = line.trim_start_matches(['(', ' ']);
    of_name(line, sentences::name_and_end(line)?, site, (subject, is_staff_page))
}

/// `Zxy Lee is our controller` below `Zxy Lee`: a name that is repeated so need not be on a list.
pub(super) fn below_name(line: &str, above: &str, site: &Site, page: (PageSubject, bool)) -> Option<StatedRole> {
    let is_name = (5..=NAME_BYTES_MAX).contains(&above.len()) && above.contains(' ');
    let rest = is_name.then(|| line.strip_prefix(above)).flatten()?;
    if !rest.starts_with(" is ") || names::parse(above).is_some() {
        return None;
    }
    of_name(line, (names::parse_as(above, Trust::High)?, above.len()), site, page)
}

/// What the sentence at the start of a line says of the person whose name ends at `end`.
fn of_name(
    line: &str,
    (name, end): (PersonName, usize),
    site: &Site,
    (subject, is_staff_page): (PageSubject, bool),
) -> Option<StatedRole> {
    let after = &line[end..];
    if !after.starts_with([' ', ',']) {
        return None;
    }
    let first = affiliation::sentence(line, end);
    let is_tied = match subject {
        PageSubject::Business => {
            is_staff_page || affiliation::says_ours(first) || site.is_named_in(first) || is_namesake(&name, site)
        }
        PageSubject::Anything => affiliation::says_ours(first) || site.is_named_in(first),
    };
    if !is_tied || affiliation::quotes_somebody(first) {
        return None;
    }
    // On the site of one person, the company they work with is the one behind it.
    let is_staff = is_staff_page && subject == PageSubject::Business;
    let is_tied = is_staff || site.carries(&name.name);
    let title = bios::role(&name, first, site, is_tied);
    // `Ann Lee has been here since 2004. She is our controller`: on a page about the staff the paragraph is about her.
    // In passing, later sentences name degrees, and what else somebody founded: a league, a charity.
    let is_theirs = |title: &String| is_staff && owners::rank(title) == 0 && titles::is_title(title);
    let title = title.or_else(|| bios::role(&name, line, site, is_tied).filter(is_theirs))?;
    Some(StatedRole { name, title, snippet: around(line, 0, 0, 140).to_owned() })
}

/// Whether the business carries the surname: on the site of Finch Law, Ann Finch is of the business.
fn is_namesake(name: &PersonName, site: &Site) -> bool {
    name.name.rsplit(' ').next().is_some_and(|surname| surname.len() > 3 && site.carries(surname))
        || site.carries(&name.name)
}

/// Public officials, whom sentences on the pages of others tell of.
static OFFICIALS: WordSet = WordSet::new(
    "mayor governor senator congressman congresswoman councilman councilwoman councilor councillor alderman assemblyman
     assemblywoman bürgermeister bürgermeisterin maire sindaco alcalde alcaldesa",
);

/// `Winemaker Tom Keller joined us in 2005`: a sentence that begins with a title and a name.
pub(super) fn title_first(line: &str, site: &Site, is_staff_page: bool) -> Vec<StatedRole> {
    let mut found = Vec::new();
    let ends = FULL_STOP.find_iter(line.as_bytes());
    let starts = std::iter::once(0).chain(ends.map(|at| at + 2).take(SENTENCES_MAX));
    for start in starts {
        let sentence = &line[start..];
        let words = around(sentence, 0, 0, REACH_BYTES).split(' ').take(4);
        let heads = words
            .scan(0, |at, word| {
                *at += word.len() + 1;
                Some((*at, word))
            })
            .filter(|(_, word)| titles::is_plain_head(word));
        // The last one: in `Executive Chef Ann Lee` both words are nouns.
        let Some(end) = heads.map(|(end, _)| end).last() else { continue };
        let (Some(title), Some(rest)) = (sentence.get(..end - 1), sentence.get(end..)) else { continue };
        let is_title = title.starts_with(char::is_uppercase)
            && titles::is_title_phrase(title)
            && !OFFICIALS.contains_any_case(title.rsplit(' ').next().unwrap_or(title));
        if !is_title || !names::starts_with_first_name(rest) {
            continue;
        }
        let Some((name, name_end)) = sentences::name_and_end(rest) else { continue };
        let sentence = affiliation::sentence(line, start);
        let is_ours = is_staff_page || affiliation::says_ours(sentence) || is_namesake(&name, site);
        let goes_on =
            rest[name_end..].starts_with(" ") && rest[name_end..].trim_start().starts_with(char::is_lowercase);
        let is_over = the_dead::is_long_ago(sentence) || the_dead::retires(&rest[name_end..]);
        if is_ours && goes_on && !affiliation::quotes_somebody(sentence) && !is_over {
            found.push(StatedRole { name, title: title.to_owned(), snippet: around(line, start, 0, 140).to_owned() });
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(html: &str) -> String {
        let document = Document::parse(html);
        let readable = vec![true; document.lines.len()];
        let found = find(&document, &readable, &Site::of("https://acme.com/"));
        found.iter().map(|role| format!("{}={}", role.name.name, role.title)).collect::<Vec<_>>().join("; ")
    }

    #[test]
    fn sentences_name_staff() {
        for (html, expect) in [
            ("<p>Say hello to our lead hygienist, Ann Lee, who has been here for years.</p>", "Ann Lee=Lead hygienist"),
            ("<p>Our office manager is Ann Lee.</p>", "Ann Lee=Office manager"),
            (
                "<p>Feel free to write to Ann Lee, our Marketing Director, at any time.</p>",
                "Ann Lee=Marketing Director",
            ),
            ("<p>To transfer, contact Ann Lee, Program Manager, at 555-0100.</p>", "Ann Lee=Program Manager"),
            ("<p>Her daughter, Amy Lee, is our event coordinator.</p>", "Amy Lee=Event coordinator"),
            ("<p>Your innkeepers, Pat and Lou Lee, welcome you.</p>", "Pat Lee=Innkeeper; Lou Lee=Innkeeper"),
            (
                "<p>Our veterinarians, Dr. Ann Lee and Dr. Bob Ray, love cats.</p>",
                "Ann Lee=Veterinarian; Bob Ray=Veterinarian",
            ),
            ("<p>Our clients, Ann Lee and Bob Ray, love cats.</p>", ""),
            ("<p>Your realtor is Ann Lee.</p>", "Ann Lee=Realtor"),
            ("<p>Your manager likes Ann Lee.</p>", ""),
            ("<p>Ask your dentist, Ann Lee, about it.</p>", ""),
            ("<p>Ask our dentist about Ann Lee.</p>", ""),
            ("<p>We thank our partner, Lee Roofing Inc, and our client, Ann Lee.</p>", ""),
            ("<p>Contact Ann Lee, CEO of Other Corp, for more.</p>", ""),
            ("<p>In four manager, Ann Lee</p>", ""),
        ] {
            assert_eq!(shown(html), expect, "{html}");
        }
    }

    #[test]
    fn a_paragraph_begins_with_a_person_of_the_business() {
        let site = Site::of("https://acme.com/");
        let shown = |line: &str, subject| {
            at_start(line, &site, subject, false)
                .map(|role| format!("{}={}", role.name.name, role.title))
                .unwrap_or_default()
        };
        assert_eq!(shown("Ann Lee is our controller.", PageSubject::Business), "Ann Lee=Controller");
        assert_eq!(shown("Ann Lee joined Acme in 2004 as a designer.", PageSubject::Anything), "Ann Lee=Designer");
        assert_eq!(shown("Ann Lee is an actress and director.", PageSubject::Business), "");
        assert_eq!(shown("Ann Lee is the mayor, said our reporter.", PageSubject::Business), "");
    }

    #[test]
    fn a_paragraph_of_a_staff_page_is_about_whom_it_begins_with() {
        let site = Site::of("https://acme.com/");
        let line = "Ann Lee is the glue that keeps us together. She has been the office manager since 1992.";
        let shown = |is_staff_page| at_start(line, &site, PageSubject::Business, is_staff_page).map(|role| role.title);
        assert_eq!((shown(true).as_deref(), shown(false)), (Some("Office manager"), None));
        let studied = "Ann Lee came from Waco to our college. She is a Master of Professional Accounting today.";
        assert!(at_start(studied, &site, PageSubject::Business, true).is_none());
    }

    #[test]
    fn a_sentence_begins_with_a_title() {
        let shown = |line: &str| {
            title_first(line, &Site::of("https://finchlaw.com/"), false)
                .iter()
                .map(|role| format!("{}={}", role.name.name, role.title))
                .collect::<Vec<_>>()
                .join("; ")
        };
        assert_eq!(shown("We began in 1998. Winemaker Tom Keller joined us in 2005."), "Tom Keller=Winemaker");
        assert_eq!(shown("Executive Chef Ann Lee cooks for us."), "Ann Lee=Executive Chef");
        assert_eq!(shown("Attorney Ann Finch has practiced law for years."), "Ann Finch=Attorney");
        assert_eq!(shown("Attorney Ann Lee has practiced law for years."), "");
        assert_eq!(shown("President Joe Lee met the mayor."), "");
        assert_eq!(shown("Winemaker Tom Keller, our neighbour."), "");
        assert_eq!(shown("Our winemaker likes Tom Keller."), "");
    }
}
