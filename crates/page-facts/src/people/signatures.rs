//! Recognises testimonials by their arrangement: each name stands below a paragraph, and the last one above none. Where
//! biographies follow names it is the other way round.

use std::ops::RangeInclusive;

use crate::document::Document;
use crate::people::names::PersonName;

/// Names in a row that make them signatures.
const SIGNATURES_MIN: usize = 2;
/// Shortest paragraph, in bytes and in words.
const PARAGRAPH_BYTES_MIN: usize = 28;
const PARAGRAPH_WORDS_MIN: usize = 6;

/// The lines in which a person is named.
struct Place {
    first: usize,
    last: usize,
    /// The person's index among those found, unless they were refused.
    found: Option<usize>,
    /// Whether a heading or the text beside them names the person.
    is_presented: bool,
}

/// Where a page names people.
#[derive(Default)]
pub(super) struct Places(Vec<Place>);

impl Places {
    /// Notes where a person is named, before it is decided whether they are kept.
    pub(super) fn note(&mut self, document: &Document<'_>, lines: RangeInclusive<usize>, name: &PersonName) {
        let (first, last) = (*lines.start(), *lines.end());
        let is_heading = (first..=last).any(|at| document.line(at).1.heading);
        let is_named =
            |at: usize| name.name.split(' ').any(|part| part.len() > 2 && document.line(at).0.contains(part));
        let is_told = is_named(last + 1) || (first > 0 && is_named(first - 1));
        self.0.push(Place { first, last, found: None, is_presented: is_heading || is_told });
    }

    /// Notes that the last person noted is kept at this index.
    pub(super) fn kept(&mut self, index: usize) {
        if let Some(place) = self.0.last_mut() {
            place.found = Some(index);
        }
    }

    /// The indices of people whose names sign paragraphs.
    pub(super) fn signatures(&mut self, document: &Document<'_>) -> Vec<usize> {
        let is_paragraph = |at: usize| {
            let (line, place) = document.line(at);
            let has_words = || line.split_whitespace().nth(PARAGRAPH_WORDS_MIN - 1).is_some();
            line.len() > PARAGRAPH_BYTES_MIN && !place.heading && has_words()
        };
        self.0.sort_by_key(|place| place.first);
        let mut signatures = Vec::new();
        for chain in self.0.chunk_by(|one, next| one.last + 2 == next.first && is_paragraph(one.last + 1)) {
            let (Some(first), Some(last)) = (chain.first(), chain.last()) else { continue };
            let signs = first.first > 0 && is_paragraph(first.first - 1) && !is_paragraph(last.last + 1);
            if chain.len() >= SIGNATURES_MIN && signs && !chain.iter().any(|place| place.is_presented) {
                signatures.extend(chain.iter().filter_map(|place| place.found));
            }
        }
        signatures
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::people::names;

    /// How many of the names in two-line cards of a page are signatures.
    fn count(html: &str) -> usize {
        let document = Document::parse(html);
        let mut places = Places::default();
        for at in 0..document.lines.len() {
            if let Some(name) = names::parse(document.line(at).0) {
                places.note(&document, at..=at + 1, &name);
                places.kept(at);
            }
        }
        places.signatures(&document).len()
    }

    #[test]
    fn names_below_paragraphs_are_signatures() {
        let text = "<p>Everything was ready on the day that had been promised, as always.</p>";
        let (ann, bob) = ("<p>Ann Lee</p><p>Owner</p>", "<p>Bob Ray</p><p>Manager</p>");
        assert_eq!(count(&format!("{text}{ann}{text}{bob}")), 2);
        for html in [
            format!("{ann}{text}{bob}{text}"),
            format!("{text}{ann}{bob}"),
            format!("{text}{ann}"),
            format!("{text}<h3>Ann Lee</h3><p>Owner</p>{text}<h3>Bob Ray</h3><p>Manager</p>"),
            format!("{text}{ann}<p>Ann has been with us for many years and likes it very much.</p>{bob}"),
        ] {
            assert_eq!(count(&html), 0, "{html}");
        }
    }
}
