//! One fetched page as it is handed in, and its decoded, size-limited form that every finder reads.

use std::borrow::Cow;

use crate::charset;

/// Bytes read from one page; the rest is dropped and the page marked as cut.
pub const PAGE_BYTES_MAX: usize = 4 * 1024 * 1024;

/// One fetched page, as it came off the wire (after decompression).
#[derive(Debug, Clone, Copy)]
pub struct RawPage<'a> {
    /// The address the page was finally read from.
    pub url: &'a str,
    /// The `Content-Type` header, if there was one.
    pub content_type: Option<&'a str>,
    /// The bytes of the page.
    pub body: &'a [u8],
}

/// What is already known about the business, and scripts fetched beside its pages.
#[derive(Debug, Clone, Copy, Default)]
pub struct Context<'a> {
    /// Two-letter region for phone numbers written without a country code, such as `US`.
    pub region: Option<&'a str>,
    /// The business's name as the listing has it.
    pub business_name: Option<&'a str>,
    /// Public scripts that the pages load and that were fetched too, such as tag-manager containers.
    pub scripts: &'a [RawPage<'a>],
}

/// A page decoded to text, cut to [`PAGE_BYTES_MAX`].
#[derive(Debug)]
pub(crate) struct Page<'a> {
    /// Where it was read from.
    pub(crate) url: &'a str,
    /// The whole page as text.
    pub(crate) html: Cow<'a, str>,
    /// Bytes that came off the wire.
    pub(crate) bytes: usize,
    /// Whether the end of the page was dropped.
    pub(crate) cut: bool,
}

impl<'a> Page<'a> {
    /// Decodes a raw page: header, byte-order mark, meta tag, then a guess.
    pub(crate) fn decode(raw: &RawPage<'a>) -> Page<'a> {
        let cut = raw.body.len() > PAGE_BYTES_MAX;
        let body = if cut { &raw.body[..PAGE_BYTES_MAX] } else { raw.body };
        Page { url: raw.url, html: charset::decode(body, raw.content_type), bytes: raw.body.len(), cut }
    }

    /// Whether the page came over TLS.
    pub(crate) fn is_https(&self) -> bool {
        self.url.get(..8).is_some_and(|scheme| scheme.eq_ignore_ascii_case("https://"))
    }
}

/// The largest byte index not above `at` that is a character border of `text`.
pub(crate) fn floor_char(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// The part of `text` within `before` bytes ahead of `at` and `after` bytes behind it, on character borders.
pub(crate) fn around(text: &str, at: usize, before: usize, after: usize) -> &str {
    let start = floor_char(text, at.saturating_sub(before));
    let end = floor_char(text, at.saturating_add(after));
    &text[start..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cutting_never_splits_a_character() {
        let text = "aé€😀";
        for at in 0..12 {
            assert!(text.is_char_boundary(floor_char(text, at)));
        }
        assert_eq!(around(text, 2, 1, 1), "é");
        assert_eq!(around(text, 3, 9, 99), text);
    }

    #[test]
    fn a_page_over_the_limit_is_cut_and_says_so() {
        let body = vec![b'a'; PAGE_BYTES_MAX + 1];
        let page = Page::decode(&RawPage { url: "HTTPS://a.de/", content_type: None, body: &body });
        assert!(page.cut && page.is_https());
        assert_eq!((page.html.len(), page.bytes), (PAGE_BYTES_MAX, PAGE_BYTES_MAX + 1));
    }
}
