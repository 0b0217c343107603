//! A fetched page as it is passed in, and the decoded, size-limited form that the finders read.

use std::borrow::Cow;

use crate::charset;

/// Bytes read of one page; the rest is dropped and the page reported as cut.
pub const PAGE_BYTES_MAX: usize = 4 * 1024 * 1024;

/// One fetched page, decompressed but not decoded.
#[derive(Debug, Clone, Copy)]
pub struct RawPage<'a> {
    /// The URL after redirects.
    pub url: &'a str,
    /// The `Content-Type` header, when the response had one.
    pub content_type: Option<&'a str>,
    /// The body, which may be of any type and encoding.
    pub body: &'a [u8],
}

/// What is already known about the business, and the scripts fetched along with its pages.
#[derive(Debug, Clone, Copy, Default)]
pub struct Context<'a> {
    /// Two-letter region for phone numbers without a country code, such as `US`.
    pub region: Option<&'a str>,
    /// The business's name in the listing.
    pub business_name: Option<&'a str>,
    /// Public scripts that the pages load and that were fetched too, such as tag-manager containers.
    pub scripts: &'a [RawPage<'a>],
}

/// A page decoded to text and truncated to [`PAGE_BYTES_MAX`].
#[derive(Debug)]
pub(crate) struct Page<'a> {
    pub(crate) url: &'a str,
    /// The decoded page source.
    pub(crate) html: Cow<'a, str>,
    /// Size of the body before truncation.
    pub(crate) bytes: usize,
    /// Whether the end of the page was dropped.
    pub(crate) cut: bool,
}

impl<'a> Page<'a> {
    /// Decodes a raw page; `charset` says how.
    pub(crate) fn decode(raw: &RawPage<'a>) -> Page<'a> {
        let cut = raw.body.len() > PAGE_BYTES_MAX;
        let body = if cut { &raw.body[..PAGE_BYTES_MAX] } else { raw.body };
        Page { url: raw.url, html: charset::decode(body, raw.content_type), bytes: raw.body.len(), cut }
    }

    pub(crate) fn is_https(&self) -> bool {
        self.url.get(..8).is_some_and(|scheme| scheme.eq_ignore_ascii_case("https://"))
    }
}

/// The largest character boundary of `text` at or below `at`.
pub(crate) fn floor_char(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// The part of `text` from `before` bytes ahead of `at` to `after` bytes past it, on character boundaries.
pub(crate) fn around(text: &str, at: usize, before: usize, after: usize) -> &str {
    let start = floor_char(text, at.saturating_sub(before));
    let end = floor_char(text, at.saturating_add(after));
    &text[start..end]
}

/// The text in lower case with every character at its place; a letter whose lower case takes more or fewer bytes is kept.
pub(crate) fn lower_in_place(text: &str) -> String {
    let lower = |c: char| {
        let mut lower = c.to_lowercase();
        match (lower.next(), lower.next()) {
            (Some(one), None) if one.len_utf8() == c.len_utf8() => one,
            _ => c,
        }
    };
    if text.is_ascii() { text.to_ascii_lowercase() } else { text.chars().map(lower).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn truncation_never_splits_a_character() {
        let text = "aé€😀";
        for at in 0..12 {
            assert!(text.is_char_boundary(floor_char(text, at)));
        }
        assert_eq!(around(text, 2, 1, 1), "é");
        assert_eq!(around(text, 3, 9, 99), text);
    }

    #[test]
    fn lower_case_keeps_every_character_at_its_place() {
        assert_eq!(lower_in_place("ÉCOLE, Owner"), "école, owner");
        // The lower case of the first is longer, that of the second shorter.
        assert_eq!(lower_in_place("İẞA"), "İẞa");
    }

    #[test]
    fn a_page_over_the_limit_is_truncated_and_reported() {
        let body = vec![b'a'; PAGE_BYTES_MAX + 1];
        let page = Page::decode(&RawPage { url: "HTTPS://a.de/", content_type: None, body: &body });
        assert!(page.cut && page.is_https());
        assert_eq!((page.html.len(), page.bytes), (PAGE_BYTES_MAX, PAGE_BYTES_MAX + 1));
    }
}
