//! What a page about one person says of them without their name: `As the founder of Acme, she treats families`.

use std::sync::LazyLock;

use memchr::memmem::Finder as Search;

use crate::people::affiliation::{self, NamedCompany};
use crate::people::names::PersonName;
use crate::people::reader::{LINE_STEPS, PageReader};

/// Places examined per page.
const PLACES_MAX: usize = 20;

/// Words before the name of a business that claim it, and the title each means.
static CLAIMS: LazyLock<[(Search<'static>, &str); 3]> = LazyLock::new(|| {
    [(Search::new("founder of "), "Founder"), (Search::new("owner of "), "Owner"), (Search::new("founded "), "Founder")]
});

impl PageReader<'_, '_> {
    /// Keeps what sentences about `she`, `he` or `I` say, if the page names one person of the business.
    pub(super) fn claims_of_the_only_one(&mut self) {
        let Some((_, only)) = self.found.first() else { return };
        if !self.presents_people || self.found.iter().any(|(_, person)| person.name != only.name) {
            return;
        }
        let name = PersonName { name: only.name.clone(), prefix: None, credentials: None };
        let found = CLAIMS.iter().find_map(|(search, title)| {
            let places = search.find_iter(self.document.text.as_bytes()).take(PLACES_MAX);
            places.into_iter().find_map(|at| self.claim(at, search.needle().len(), &name)).map(|line| (line, *title))
        });
        if let Some((line, title)) = found {
            self.line = line;
            let snippet = self.document.line(line).0;
            self.keep("a page about one person", (name, title.to_owned()), snippet);
        }
    }

    /// The line of a claim at byte `at` of the text, if it is of this business and of this person.
    fn claim(&self, at: usize, length: usize, name: &PersonName) -> Option<usize> {
        let document = self.document;
        let index = document.line_at(at);
        let start = document.lines.get(index)?.start;
        let (line, place) = document.line(index);
        let is_readable = self.readable.get(index) == Some(&true) && !place.quote && !place.nav;
        if !is_readable || at < start || !document.budget.spend(LINE_STEPS) {
            return None;
        }
        let (before, after) = (line.get(..at - start)?, line.get(at - start + length..)?);
        let sentence = affiliation::sentence(line, at - start);
        let is_own = affiliation::company_after(&format!(" of {after}"), &[" of "], self.site) == NamedCompany::Own;
        (is_own && is_of(before, after, name) && !affiliation::quotes_somebody(sentence)).then_some(index)
    }
}

/// Whether a claim is of the person: `As the founder of Acme, she`, `She is the owner of Acme`, `Dr. Lee founded Acme`.
fn is_of(before: &str, after: &str, name: &PersonName) -> bool {
    let before = before.rsplit(". ").next().unwrap_or(before);
    let subject = before.split(' ').find(|word| !matches!(*word, "Dr." | "Dr" | "In" | "Today,")).unwrap_or("");
    let is_pronoun = |word: &str| matches!(word, "She" | "He" | "I" | "she" | "he");
    let is_named = name.name.split(' ').any(|part| part.len() > 2 && part == subject);
    let goes_on = after.split_once(", ").is_some_and(|(_, rest)| rest.split(' ').next().is_some_and(is_pronoun));
    let is_former = before.contains("former ") || before.contains("not ") || before.contains("co-");
    !is_former && (is_pronoun(subject) || is_named || (subject == "As" && goes_on))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_claim_without_a_name_is_of_the_person_of_the_page() {
        let name = PersonName { name: "Ann Lee-Ray".to_owned(), prefix: None, credentials: None };
        for (before, after, expect) in [
            ("Ann studied in Waco. As the ", "Acme, she treats families.", true),
            ("She is the proud ", "Acme.", true),
            ("Dr. Lee-Ray is the ", "Acme and loves cats.", true),
            ("Her husband is the ", "Acme.", false),
            ("As the ", "Acme once said, time flies.", false),
            ("She is the former ", "Acme.", false),
        ] {
            assert_eq!(is_of(before, after, &name), expect, "{before}{after}");
        }
    }
}
