//! Reads titles inside paragraphs of pages about people: `ask for service manager Ann Lee`, `Ann Lee - Office Manager. Ann
//! joined ...`, and a paragraph that begins with the person whom the heading above it announces.

use crate::page::around;
use crate::people::affiliation::{self, NamedCompany};
use crate::people::sentences::{self, StatedRole};
use crate::people::{bios, headings, names, other_companies, owners, the_dead, titles};
use crate::site::Site;
use crate::word_set::WordSet;

/// Titles read per paragraph.
const FOUND_MAX: usize = 8;
/// Words of a title before a name.
const TITLE_WORDS_MAX: usize = 4;
/// Longest title after a name, in bytes.
const TITLE_BYTES_MAX: usize = 60;

/// Words before a title in the middle of a sentence that speaks of the staff.
static BEFORE: WordSet =
    WordSet::new("with by from and or to ask call contact see meet our is are including for alongside under then");

/// What has been made by somebody who need not be of the business: `designed by architect Ann Lee`.
static WORKS: WordSet = WordSet::new(
    "designed built painted sculpted photographed written composed illustrated directed drawn carved created commissioned",
);

/// `speak with service manager Ann Lee`: a title in lower case before a name.
pub(super) fn find(line: &str, site: &Site) -> Vec<StatedRole> {
    let mut found = Vec::new();
    let mut at = 0;
    let mut words: Vec<(usize, &str)> = Vec::new();
    for word in line.split(' ') {
        let start = at;
        at += word.len() + 1;
        if word.starts_with(char::is_uppercase)
            && let Some((_, head)) = words.last()
            && head.starts_with(|c: char| c.is_ascii_lowercase())
            && titles::is_plain_head(head)
        {
            found.extend(before_name(line, start, &words, site));
            if found.len() >= FOUND_MAX {
                break;
            }
        }
        if words.len() > TITLE_WORDS_MAX {
            words.remove(0);
        }
        words.push((start, word));
    }
    found
}

/// Reads the title that ends where the name at `start` begins.
fn before_name(line: &str, start: usize, words: &[(usize, &str)], site: &Site) -> Option<StatedRole> {
    let rest = &line[start..];
    if !names::starts_with_first_name(rest) {
        return None;
    }
    // The longest run of words that are all part of a title.
    let (index, title_start) = (0..words.len()).find_map(|index| {
        let (from, first) = words[index];
        let phrase = line.get(from..start)?.trim_end();
        let is_modifier = !matches!(first, "and" | "of" | "the" | "&");
        (is_modifier && titles::is_all_title(phrase)).then_some((index, from))
    })?;
    let title = line[title_start..start].trim_end();
    let before = index.checked_sub(1).map_or("", |at| words[at].1).trim_end_matches(',').to_lowercase();
    let sentence = affiliation::sentence(line, start);
    let is_said = affiliation::quotes_somebody(sentence)
        || affiliation::thanks_somebody(sentence)
        || the_dead::is_long_ago(sentence)
        || (before == "by" && index.checked_sub(2).is_some_and(|at| WORKS.contains_any_case(words[at].1)));
    if owners::rank(title) > 0 || !BEFORE.contains(before.as_str()) || is_said {
        return None;
    }
    let (name, end) = sentences::name_and_end(rest)?;
    let is_anothers = affiliation::company_after(&rest[end..], affiliation::OF, site) == NamedCompany::Another;
    (!is_anothers && !affiliation::goes_on_as_company(&rest[end..])).then(|| StatedRole {
        name,
        title: bios::capitalised(title),
        snippet: around(line, start, 60, 80).to_owned(),
    })
}

/// `Ann Lee - Office Manager. Ann joined us in 2010`, `Ann Lee (Office Manager) can fix anything`.
pub(super) fn before_biography(line: &str, site: &Site) -> Option<StatedRole> {
    let (name, end) = sentences::name_and_end(line)?;
    let after = &line[end..];
    let (open, rest) = [", ", " - ", " – ", " — ", " (", ": "]
        .iter()
        .find_map(|sign| after.strip_prefix(sign).map(|rest| (*sign, rest)))?;
    let near = around(rest, 0, 0, TITLE_BYTES_MAX);
    let ends: &[&str] = if open == " (" { &[")"] } else { &[" – ", " - ", " — ", ". ", ": ", ", ", " ("] };
    let title = ends.iter().filter_map(|end| near.find(end).map(|at| &near[..at])).min_by_key(|title| title.len())?;
    let after = &rest[title.len()..];
    let is_title = title.starts_with(char::is_uppercase)
        && titles::is_title(title)
        && titles::singular_title(title).is_none()
        && names::parse(title).is_none();
    let is_company = other_companies::names_another(title, site)
        || affiliation::company_after(after, affiliation::OF_OR_COMMA, site) == NamedCompany::Another;
    let is_quoted = affiliation::quotes_somebody(affiliation::sentence(line, 0));
    (is_title && !is_company && !is_quoted).then(|| StatedRole {
        name,
        title: (*title).to_owned(),
        snippet: around(line, 0, 0, 140).to_owned(),
    })
}

/// `Carl Lee has built fences since 1990`, below the heading `About the Owner`.
pub(super) fn under_heading(line: &str, heading: &str) -> Option<StatedRole> {
    let title = headings::announced(heading)?;
    let (name, end) = sentences::name_and_end(line)?;
    let goes_on = line[end..].starts_with([' ', ',']) && !affiliation::goes_on_as_company(&line[end..]);
    goes_on.then(|| StatedRole { name, title, snippet: format!("{heading}: {}", around(line, 0, 0, 100)) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(found: impl IntoIterator<Item = StatedRole>) -> String {
        found.into_iter().map(|role| format!("{}={}", role.name.name, role.title)).collect::<Vec<_>>().join("; ")
    }

    #[test]
    fn a_title_stands_before_a_name_in_a_sentence() {
        let site = Site::of("https://acme.com/");
        for (line, expect) in [
            ("You will speak with service manager Ann Lee, who knows.", "Ann Lee=Service manager"),
            ("Ask for head chef Bob Ray or pastry chef Ann Lee.", "Bob Ray=Head chef; Ann Lee=Pastry chef"),
            ("According to designer Ann Lee, beige is out.", ""),
            ("Beige is out, says designer Ann Lee.", ""),
            ("We worked with designer Ann Lee of Lee Interiors.", ""),
            ("A gift from former manager Ann Lee.", ""),
            ("The best manager Ann Lee ever had.", ""),
        ] {
            assert_eq!(shown(find(line, &site)), expect, "{line}");
        }
    }

    #[test]
    fn a_biography_begins_with_name_and_title() {
        let site = Site::of("https://acme.com/");
        for (line, expect) in [
            ("Ann Lee - Office Manager. Ann joined us in 2010.", "Ann Lee=Office Manager"),
            ("Ann Lee, Office Manager – Ann joined us in 2010.", "Ann Lee=Office Manager"),
            ("Ann Lee (Lead Technician) can fix anything.", "Ann Lee=Lead Technician"),
            ("Ann Lee, Founder, Other Corp, thinks so.", ""),
            ("Ann Lee, Manager of the shop, says it is easy.", ""),
            ("Ann Lee - what a day. It rained.", ""),
        ] {
            assert_eq!(shown(before_biography(line, &site)), expect, "{line}");
        }
    }

    #[test]
    fn a_heading_announces_whom_the_paragraph_names() {
        assert_eq!(shown(under_heading("Carl Lee has built fences.", "About the Owner")), "Carl Lee=Owner");
        assert_eq!(shown(under_heading("Carl Lee has built fences.", "About the Fence")), "");
        assert_eq!(shown(under_heading("Every owner likes fences.", "About the Owner")), "");
    }
}
