//! Cheap checks made before the expensive ones: one scan of the page source for literals, and tests of single tags.

use std::sync::LazyLock;

use memchr::{memchr, memchr_iter, memmem};

use crate::literals::Literals;
use crate::page::around;
use crate::tags;
use crate::technology::rules::RULES;
use crate::tokenizer::Tag;

/// Literals that decide, before parsing, which expensive checks a page needs. Each starts with rare letters (`data-`
/// is everywhere), because the search is driven by four bytes.
const NEEDLES: [&str; 7] = ["emprop", "vcard", "h-card", "cfemail=", "bidi-override", "-domain=", "-email="];
/// Words in classes of elements that show what customers wrote, divided where rare letters begin: `estimate`, `preview` and
/// `&quot;` are everywhere.
const TESTIMONIALS: [(&str, &str); 3] = [("es", "timonial"), ("rev", "iews"), ("q", "uote")];
/// Places of those needles kept per page.
const TESTIMONIALS_MAX: usize = 5_000;
/// Texts examined per style sheet, and their length in bytes.
const STYLE_TEXTS_MAX: usize = 500;
const STYLE_TEXT_BYTES_MAX: usize = 120;
/// Technology markers kept per page.
const MARKERS_MAX: usize = 20_000;

/// How the SIMD search groups the literals, each divided by a `|` where the part begins that is searched for. It compares the
/// first four bytes of that part, their upper and lower halves apart, with all four of a group at once, and looks closer
/// wherever they could be one's. Found by exchanging them for as long as that made for fewer such places in real pages: a
/// sixth of those of literals in the order of the alphabet.
const GROUPS: [[&str; 4]; 16] = [
    [r#""|, "G-"#, r#""|,"G-"#, "lpTag", r#"= "G-"#],
    ["cs.SNIPPET_VERSION", "_|paq.push", "fbq(", "demandwa|re.static"],
    ["/ImageRepository/Document", "/skin/frontend/", "/-/media/", "s|qs-add-to-cart-button"],
    ["/_next/static", "uote", "/_nuxt/", "/bitrix/"],
    ["emprop", "/app/", "iews", "/cpresources/"],
    ["_mtm.push", "/wp-", "my_po|st_key", r#""|:"G-"#],
    ["CR|AFT_CSRF_TOKEN", "vcard", "wixstores", "AppMeasurement"],
    ["joo|mla-script-options", "node|bb.min", r#"<ht|ml id="XenForo"#, "xf-init="],
    ["t|ashop = {", "h|ealcode-widget", "-em|ail=", "-dom|ain="],
    ["h-card", "bidi-override", ".php|?idsite=", "t|imonial"],
    ["js?id=", "clientscrip|t/vbulletin", "'|,'G-", "_|fs_host"],
    ["hog.init(", "gs-viewer-script", "',| 'G-", "'AW-"],
    ["x|mlrpc.php", "dde|d_svc", "fl|arum.core", "drupal-selector="],
    ["catal|og/view/theme", "/content/", "magen|to-init", "/cdn"],
    ["ip|sSettings", "cfemail=", "HCPWidget.", r#"ph|pbb" class"#],
    ["'UA-", "/DesktopModules/", r#""UA-"#, r#""AW-"#],
];

/// Finds the needles and all technology markers in one scan.
static SEARCH: LazyLock<Option<Search>> = LazyLock::new(|| {
    let parts: Vec<Part> = parts();
    Literals::new(parts.iter().map(|part| part.searched)).map(|literals| Search { literals, parts })
});

struct Search {
    literals: Literals,
    /// What it searches for, in its order.
    parts: Vec<Part>,
}

/// The part of a literal that is searched for.
struct Part {
    /// The index of the literal among all of them.
    literal: usize,
    /// What stands before the part.
    before: &'static str,
    searched: &'static str,
}

/// The parts of all literals. The search distributes them in turn: the first of each group, the second of each, and so on.
fn parts() -> Vec<Part> {
    let divided = (0..4).flat_map(|row| GROUPS.iter().map(move |group| group[row]));
    let mut parts: Vec<Part> = divided
        .filter_map(|written| {
            let (before, searched) = written.split_once('|').unwrap_or(("", written));
            let is_it = |literal: &str| literal.strip_prefix(before) == Some(searched);
            Some(Part { literal: all_literals().position(is_it)?, before, searched })
        })
        .collect();
    // None, as a test makes sure.
    let is_missing = |index: &usize| parts.iter().all(|part| part.literal != *index);
    let missing: Vec<usize> = (0..all_literals().count()).filter(is_missing).collect();
    let literals: Vec<&str> = all_literals().collect();
    parts.extend(missing.iter().map(|index| Part { literal: *index, before: "", searched: literals[*index] }));
    parts
}

/// The needles, the ends of words for testimonials, the literals of technology markers.
fn all_literals() -> impl Iterator<Item = &'static str> {
    let testimonials = TESTIMONIALS.iter().map(|(_, end)| *end);
    let markers = RULES.literals.iter().map(|(literal, _)| literal.as_str());
    NEEDLES.iter().copied().chain(testimonials).chain(markers)
}

/// The result of scanning a page.
#[derive(Debug, Default)]
pub(crate) struct Prescan {
    needles: [bool; NEEDLES.len()],
    /// Literals of technology markers, as (index of the literal, byte offset in the page source).
    pub(crate) markers: Vec<(usize, usize)>,
    /// Byte offsets of words that may be the class of testimonials, in order.
    pub(crate) testimonials: Vec<usize>,
}

impl Prescan {
    /// Scans the page source once.
    pub(crate) fn scan(html: &str) -> Prescan {
        let mut prescan = Prescan::default();
        if let Some(search) = SEARCH.as_ref() {
            search.literals.each(html, usize::MAX, |found| {
                let Part { literal, before, .. } = search.parts[found.pattern().as_usize()];
                // Frequent ones are searched for whole; comparing nothing would cost as much as finding them.
                if before.is_empty() || html.as_bytes()[..found.start()].ends_with(before.as_bytes()) {
                    prescan.note(html, literal, found.start() - before.len());
                }
            });
        }
        prescan
    }

    fn note(&mut self, html: &str, literal: usize, at: usize) {
        if let Some(needle) = self.needles.get_mut(literal) {
            *needle = true;
        } else if let Some((start, _)) = TESTIMONIALS.get(literal - NEEDLES.len()) {
            let is_whole = html.as_bytes()[..at].ends_with(start.as_bytes());
            if is_whole && self.testimonials.len() < TESTIMONIALS_MAX {
                self.testimonials.push(at - start.len());
            }
        } else if self.markers.len() < MARKERS_MAX {
            self.markers.push((literal - NEEDLES.len() - TESTIMONIALS.len(), at));
        }
    }

    /// Whether the page contains this needle.
    pub(crate) fn has(&self, needle: &str) -> bool {
        NEEDLES.iter().zip(self.needles).any(|(known, prescan)| *known == needle && prescan)
    }
}

/// Where a byte occurs next in the page source. Tags are asked about in order, so each byte of the source is searched once
/// for all of them.
#[derive(Debug)]
pub(crate) struct NextByte<'h> {
    byte: u8,
    html: &'h str,
    /// The first place that is not before the tag asked about last.
    at: Option<usize>,
}

impl<'h> NextByte<'h> {
    pub(crate) fn new(byte: u8, html: &'h str) -> NextByte<'h> {
        NextByte { byte, html, at: memchr(byte, html.as_bytes()) }
    }

    /// Whether the byte occurs in a tag that does not stand before one asked about earlier.
    pub(crate) fn is_in(&mut self, tag: &Tag<'h>) -> bool {
        let Some(mut at) = self.at else { return false };
        if at < tag.start {
            self.at = memchr(self.byte, &self.html.as_bytes()[tag.start..]).map(|found| tag.start + found);
            at = self.at.unwrap_or(usize::MAX);
        }
        at < tag.end()
    }
}

/// Whether attributes with an `&` contain a character reference to an `@`.
pub(crate) fn may_code_at(rest: &str) -> bool {
    let bytes = rest.as_bytes();
    let is_code =
        |at: usize| ["&#64;", "&#x40;", "&commat;"].iter().any(|code| bytes[at..].starts_with(code.as_bytes()));
    memchr_iter(b'&', bytes).any(is_code)
}

/// Whether an image replaces an `@` to keep it from scrapers; `has_at` is whether one occurs in the tag.
pub(crate) fn stands_for_at(tag: &Tag<'_>, has_at: bool) -> bool {
    if has_at {
        return tag.attribute("alt").is_some_and(|alt| matches!(alt.trim(), "@" | "(@)" | "[@]"));
    }
    // Named so: `/images/at.gif`.
    AT_FILE.find(tag.rest.as_bytes()).is_some()
        && tag.attribute("src").is_some_and(|src| {
            let file = src.rsplit('/').next().unwrap_or("");
            matches!(file.split('.').next(), Some("at" | "arroba" | "klammeraffe"))
        })
}

/// The texts that a style sheet shows and that contain an `@`.
pub(crate) fn style_texts(body: &str) -> impl Iterator<Item = String> + use<'_> {
    memmem::find_iter(body.as_bytes(), b"content:").take(STYLE_TEXTS_MAX).filter_map(|at| {
        let value = around(body, at + 8, 0, STYLE_TEXT_BYTES_MAX).trim_start();
        let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        // Only a longer text can be an address; most are the code of an icon.
        let text = value[1..].split(quote).next().filter(|text| text.len() > 5)?;
        let text = text.replace("\\40 ", "@").replace("\\0040", "@").replace("\\40", "@");
        text.contains('@').then_some(text)
    })
}

static AT_FILE: LazyLock<memmem::Finder<'static>> = LazyLock::new(|| memmem::Finder::new("at."));
static DISPLAY: LazyLock<memmem::Finder<'static>> = LazyLock::new(|| memmem::Finder::new("display"));

/// Whether a tag's inline style hides its text.
pub(crate) fn hides(rest: &str) -> bool {
    DISPLAY.find(rest.as_bytes()).is_some_and(|at| rest[at + 7..].trim_start_matches([':', ' ']).starts_with("none"))
}

/// Whether a tag's class or id says that the element shows testimonials or reviews. Elements whose end tag is often missing,
/// and those that enclose a whole page, do not count.
pub(crate) fn shows_testimonials(tag: &Tag<'_>, name: u64) -> bool {
    let is_container = matches!(
        name,
        tags::DIV
            | tags::SECTION
            | tags::FIGURE
            | tags::UL
            | tags::ASIDE
            | tags::ARTICLE
            | tags::BLOCKQUOTE
            | tags::FIGCAPTION
            | tags::FOOTER
            | tags::CITE
            | tags::SPAN
    );
    if !is_container {
        return false;
    }
    let names =
        || tag.attributes().filter(|(name, _)| name.eq_ignore_ascii_case("class") || name.eq_ignore_ascii_case("id"));
    let is_said = |value: &str| {
        value.split(|c: char| !c.is_alphanumeric()).any(|word| {
            let word = word.to_ascii_lowercase();
            word.starts_with("testimonial")
                || matches!(word.as_str(), "review" | "reviews" | "quote" | "quotes" | "blockquote" | "pullquote")
        })
    };
    let is_staff = |value: &str| ["team", "staff", "Team", "Staff", "author"].iter().any(|word| value.contains(word));
    names().any(|(_, value)| is_said(value)) && !names().any(|(_, value)| is_staff(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Literals the SIMD search accepts; beyond that it falls back to an automaton, which is several times slower.
    const LITERALS_MAX: usize = 64;

    fn shows(html: &str) -> bool {
        let mut tokens = crate::tokenizer::Tokenizer::new(html);
        matches!(tokens.next(), Some(crate::tokenizer::Token::Open(tag)) if shows_testimonials(&tag, tag.name.key()))
    }

    #[test]
    fn elements_with_testimonials_are_known_by_their_class() {
        for html in
            ["<div class='swiper testimonials-slider'>", "<section id=reviews>", "<div class=\"customer-quote\">"]
        {
            assert!(shows(html), "{html}");
        }
        for html in [
            "<body class='page-testimonials'>",
            "<div class='preview'>",
            "<div class='team testimonial'>",
            "<div title='reviews'>",
            "<div class='quoted-price'>",
        ] {
            assert!(!shows(html), "{html}");
        }
    }

    #[test]
    fn needles_and_markers_fit_one_simd_search() {
        let literals: Vec<&str> = all_literals().collect();
        assert!(literals.len() <= LITERALS_MAX, "{} literals are too many", literals.len());
        let parts = parts();
        assert_eq!(parts.len(), literals.len());
        for Part { searched, .. } in &parts {
            let others = parts.iter().filter(|other| other.searched.starts_with(searched)).count();
            assert_eq!(others, 1, "another literal begins with {searched}");
        }
        for literal in literals {
            let is_it = |written: &&str| written.replace('|', "") == *literal;
            assert_eq!(GROUPS.iter().flatten().filter(|written| is_it(written)).count(), 1, "{literal} is in no group");
        }
    }
}
