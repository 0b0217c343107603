//! Cheap looks at a page or a tag that tell whether a dearer one is worth its while.

use std::sync::LazyLock;

use aho_corasick::packed;
use memchr::{memchr, memchr2, memmem};

use crate::text::Gap;
use crate::walk::Tag;

/// What decides, before the walk, which of the dearer looks are worth their while.
const NEEDLES: [&str; 8] =
    ["itemprop", "vcard", "h-card", "data-cfemail", "bidi-override", "dir=\"rtl\"", "data-domain=", "data-enc-email="];

static NEEDLE_SEARCH: LazyLock<Option<packed::Searcher>> = LazyLock::new(|| packed::Searcher::new(NEEDLES));

/// Which of the needles a page holds.
pub(crate) struct Seen([bool; NEEDLES.len()]);

impl Seen {
    /// Looks over the whole page once.
    pub(crate) fn look(html: &str) -> Seen {
        let mut seen = [false; NEEDLES.len()];
        match NEEDLE_SEARCH.as_ref() {
            Some(search) => {
                for found in search.find_iter(html.as_bytes()) {
                    seen[found.pattern().as_usize()] = true;
                }
            }
            None => seen = NEEDLES.map(|needle| memmem::find(html.as_bytes(), needle.as_bytes()).is_some()),
        }
        Seen(seen)
    }

    /// Whether one of the needles was there.
    pub(crate) fn has(&self, needle: &str) -> bool {
        NEEDLES.iter().zip(self.0).any(|(known, seen)| *known == needle && seen)
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
pub(crate) fn gap_of(name: &[u8]) -> Gap {
    match name {
        b"b" | b"strong" | b"i" | b"em" | b"u" | b"s" | b"span" | b"font" | b"small" | b"sup" | b"sub" | b"mark"
        | b"abbr" | b"bdi" | b"bdo" | b"wbr" | b"code" | b"ins" | b"del" | b"big" | b"tt" | b"q" | b"cite"
        | b"time" | b"strike" => Gap::Joint,
        b"a" | b"button" | b"img" | b"input" | b"label" | b"svg" | b"picture" | b"iframe" | b"video" | b"audio"
        | b"path" | b"use" => Gap::Space,
        b"noscript" | b"meta" | b"link" | b"g" | b"source" => Gap::None,
        _ => Gap::Line,
    }
}
