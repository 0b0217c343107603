//! Words with which addresses, titles and headings announce the people of a business. They are narrower than those that
//! announce staff anywhere: `Contact us` and `Project management` stand on every other page.

use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind};

use crate::document::Document;

/// Longest heading or title of a page about people, in bytes.
const HEADING_BYTES_MAX: usize = 60;
/// Longest line that announces people without being a heading, in bytes; such lines, and lines in all, examined per page.
const ANNOUNCEMENT_BYTES_MAX: usize = 40;
const ANNOUNCEMENTS_MAX: usize = 60;
const LINES_MAX: usize = 2_000;

static PEOPLE: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| search(WORDS));
const WORDS: &[&str] = &[
    "our team",
    "the team",
    "team members",
    "staff",
    "our people",
    "leadership",
    "about us",
    "who we are",
    "doctors",
    "attorneys",
    "lawyers",
    "our agents",
    "realtors",
    "physicians",
    "dentists",
    "veterinarians",
    "employees",
    "personnel",
    "our providers",
    "faculty",
    "officers",
    "board of",
    "our crew",
    "meet the",
    "meet our",
    "our trainers",
    "coaches",
    "stylists",
    "instructors",
    "our story",
    "our history",
    "unser team",
    "das team",
    "über uns",
    "ansprechpartner",
    "mitarbeiter",
    "notre équipe",
    "qui sommes",
    "nuestro equipo",
    "quiénes somos",
    "sobre nosotros",
    "il nostro team",
    "chi siamo",
    "lo staff",
    "ons team",
    "over ons",
    "medewerkers",
    "nossa equipe",
    "quem somos",
];

static PATHS: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| search(PATH_WORDS));
const PATH_WORDS: &[&str] = &[
    "team",
    "staff",
    "people",
    "leadership",
    "/about",
    "aboutus",
    "about-us",
    "who-we-are",
    "doctors",
    "attorneys",
    "lawyers",
    "/agents",
    "our-agents",
    "realtors",
    "physicians",
    "dentists",
    "employees",
    "personnel",
    "bios",
    "providers",
    "faculty",
    "officers",
    "/board",
    "directory",
    "trainers",
    "coaches",
    "stylists",
    "instructors",
    "our-story",
    "history",
    "lenders",
    "/meet",
    "ueber-uns",
    "uber-uns",
    "mitarbeiter",
    "ansprechpartner",
    "equipe",
    "equipo",
    "a-propos",
    "qui-sommes",
    "quienes-somos",
    "nosotros",
    "chi-siamo",
    "over-ons",
    "medewerkers",
    "quem-somos",
];

fn search(words: &[&str]) -> Option<AhoCorasick> {
    AhoCorasick::builder().ascii_case_insensitive(true).kind(Some(AhoCorasickKind::DFA)).build(words).ok()
}

/// Whether the path of an address announces a page about people.
pub(super) fn is_people_path(path: &str) -> bool {
    PATHS.as_ref().is_some_and(|words| words.is_match(path))
}

/// Whether a heading or a title announces people.
pub(super) fn is_people_heading(line: &str) -> bool {
    line.len() <= HEADING_BYTES_MAX && !line.ends_with('?') && PEOPLE.as_ref().is_some_and(|words| words.is_match(line))
}

/// Whether a short line that is no heading announces people: many headings are not marked as such.
pub(super) fn announces_people(document: &Document<'_>) -> bool {
    let lines = (0..document.lines.len().min(LINES_MAX)).map(|at| document.line(at));
    let short = lines.filter(|(line, place)| {
        line.len() <= ANNOUNCEMENT_BYTES_MAX && !place.heading && !place.link && !place.nav && !place.footer
    });
    short.take(ANNOUNCEMENTS_MAX).any(|(line, _)| is_people_heading(line))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_about_people_are_recognised() {
        assert!(is_people_path("/our-team/") && is_people_path("/about") && is_people_heading("Meet the Doctors"));
        for heading in ["Project management", "Contact", "How do we work as a team?", "AI agents", ""] {
            assert!(!is_people_heading(heading), "{heading}");
        }
        assert!(!is_people_path("/contact"));
    }
}
