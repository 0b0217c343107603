//! Cheap looks at a page or a tag that tell whether a dearer one is worth its while.

use std::sync::LazyLock;

use aho_corasick::Match;
use memchr::{memchr, memchr2, memmem};

use crate::literals::Literals;
use crate::tags;
use crate::technology::rules::RULES;
use crate::text::Gap;
use crate::walk::Tag;

/// What decides, before the walk, which of the dearer looks are worth their while. Each begins where its letters are
/// rare (`data-` is everywhere), since the first four steer the search.
const NEEDLES: [&str; 7] = ["emprop", "vcard", "h-card", "cfemail=", "bidi-override", "-domain=", "enc-email="];
/// Marks kept of one page.
const MARKS_MAX: usize = 20_000;

/// One pass over a page for the needles and all marks of the technology table.
static SEARCH: LazyLock<Option<Literals>> = LazyLock::new(|| {
    Literals::new(NEEDLES.iter().copied().chain(RULES.marks.iter().map(|mark| mark.literal.as_str())))
});

/// What one look over a page saw.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    needles: [bool; NEEDLES.len()],
    /// Marks of the technology table: which, and where it starts.
    pub(crate) marks: Vec<(usize, usize)>,
}

impl Seen {
    /// Looks over the whole page once.
    pub(crate) fn look(html: &str) -> Seen {
        let mut seen = Seen::default();
        if let Some(search) = SEARCH.as_ref() {
            search.each(html, usize::MAX, |found| seen.note(found));
        }
        seen
    }

    fn note(&mut self, found: Match) {
        match found.pattern().as_usize().checked_sub(NEEDLES.len()) {
            None => self.needles[found.pattern().as_usize()] = true,
            Some(mark) if self.marks.len() < MARKS_MAX => self.marks.push((mark, found.start())),
            Some(_) => {}
        }
    }

    /// Whether one of the needles was there.
    pub(crate) fn has(&self, needle: &str) -> bool {
        NEEDLES.iter().zip(self.needles).any(|(known, seen)| *known == needle && seen)
    }
}

/// An `@`, or a character reference that could be one.
pub(crate) fn may_hold_at(rest: &str) -> bool {
    let bytes = rest.as_bytes();
    let coded = || ["&#64;", "&#x40;", "&commat;"].iter().any(|code| memmem::find(bytes, code.as_bytes()).is_some());
    match memchr2(b'@', b'&', bytes) {
        None => false,
        Some(at) => memchr(b'@', &bytes[at..]).is_some() || coded(),
    }
}

/// A picture of an `@`, put there against robots.
pub(crate) fn stands_for_at(tag: &Tag<'_>) -> bool {
    memchr(b'@', tag.rest.as_bytes()).is_some()
        && tag.attribute("alt").is_some_and(|alt| matches!(alt.trim(), "@" | "(@)" | "[@]"))
}

static DISPLAY: LazyLock<memmem::Finder<'static>> = LazyLock::new(|| memmem::Finder::new("display"));

/// Whether a tag's style keeps its text from sight.
pub(crate) fn hides(rest: &str) -> bool {
    DISPLAY.find(rest.as_bytes()).is_some_and(|at| rest[at + 7..].trim_start_matches([':', ' ']).starts_with("none"))
}

/// What stands between the words on either side of a tag.
pub(crate) fn gap_of(name: u64) -> Gap {
    match name {
        tags::B
        | tags::STRONG
        | tags::I
        | tags::EM
        | tags::U
        | tags::S
        | tags::SPAN
        | tags::FONT
        | tags::SMALL
        | tags::SUP
        | tags::SUB
        | tags::MARK
        | tags::ABBR
        | tags::BDI
        | tags::BDO
        | tags::WBR
        | tags::CODE
        | tags::INS
        | tags::DEL
        | tags::BIG
        | tags::TT
        | tags::Q
        | tags::CITE
        | tags::TIME
        | tags::STRIKE => Gap::Joint,
        tags::A
        | tags::BUTTON
        | tags::IMG
        | tags::INPUT
        | tags::LABEL
        | tags::SVG
        | tags::PICTURE
        | tags::IFRAME
        | tags::VIDEO
        | tags::AUDIO
        | tags::PATH
        | tags::USE => Gap::Space,
        tags::NOSCRIPT | tags::META | tags::LINK | tags::G | tags::SOURCE => Gap::None,
        _ => Gap::Line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Literals that the SIMD search takes; with more it would fall back to an automaton, several times slower.
    const LITERALS_MAX: usize = 64;

    #[test]
    fn needles_and_marks_fit_one_fast_pass() {
        let literals = NEEDLES.len() + RULES.marks.len();
        assert!(literals <= LITERALS_MAX, "{literals} literals are too many");
    }
}
