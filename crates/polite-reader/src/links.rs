//! Finds the links of a page in one pass over its bytes, without building a tree. Hostile markup yields fewer links, never
//! more work: the pass is linear and bounded.

use memchr::{memchr, memchr2, memmem};
use url::Url;

use crate::limits::{FRAMES_MAX, LINK_TEXT_BYTES_MAX, LINKS_MAX, URL_CHARS_MAX};

/// A link of a page.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Link<'p> {
    /// The attribute's raw bytes.
    pub(crate) href: &'p [u8],
    /// The raw bytes between the tags, truncated.
    pub(crate) text: &'p [u8],
}

/// The links and redirects of a page.
#[derive(Debug, Default)]
pub(crate) struct PageLinks<'p> {
    pub(crate) links: Vec<Link<'p>>,
    /// Sources of frames; an old site may consist of nothing else.
    pub(crate) frames: Vec<&'p [u8]>,
    /// `<base href>`.
    pub(crate) base: Option<&'p [u8]>,
    /// The target of `<meta http-equiv=refresh>`.
    pub(crate) refresh: Option<&'p [u8]>,
}

/// Scans every tag that can lead somewhere.
pub(crate) fn scan(html: &[u8]) -> PageLinks<'_> {
    let mut found = PageLinks::default();
    let mut at = 0;
    while let Some(open) = memchr(b'<', &html[at..]) {
        at += open + 1;
        let Some(kind) = tag_of(&html[at..]) else { continue };
        match kind {
            Tag::Comment => at = after(html, at, b"-->"),
            Tag::Script => at = after(html, at, b"</script"),
            Tag::Style => at = after(html, at, b"</style"),
            tag => at = found.take(html, at, tag),
        }
        if found.links.len() >= LINKS_MAX {
            break;
        }
    }
    found
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tag {
    Anchor,
    Frame,
    Base,
    Meta,
    Comment,
    Script,
    Style,
}

/// The relevant tag that starts here, if any.
fn tag_of(rest: &[u8]) -> Option<Tag> {
    let named = |name: &[u8]| {
        rest.len() > name.len()
            && rest[..name.len()].eq_ignore_ascii_case(name)
            && matches!(rest[name.len()], b' ' | b'\t' | b'\n' | b'\r' | b'\x0c' | b'/' | b'>')
    };
    match rest.first()? | 0x20 {
        b'a' if named(b"a") => Some(Tag::Anchor),
        b'f' if named(b"frame") => Some(Tag::Frame),
        b'b' if named(b"base") => Some(Tag::Base),
        b'm' if named(b"meta") => Some(Tag::Meta),
        b's' if named(b"script") => Some(Tag::Script),
        b's' if named(b"style") => Some(Tag::Style),
        b'!' if rest.starts_with(b"!--") => Some(Tag::Comment),
        _ => None,
    }
}

/// The position after the next `end`, ignoring case, or the end of the page.
fn after(html: &[u8], from: usize, end: &[u8]) -> usize {
    let mut at = from;
    while let Some(next) = memchr(end[0], &html[at..]) {
        at += next;
        if html.len() - at >= end.len() && html[at..at + end.len()].eq_ignore_ascii_case(end) {
            return at + end.len();
        }
        at += 1;
    }
    html.len()
}

impl<'p> PageLinks<'p> {
    /// Reads one tag and returns the position after it.
    fn take(&mut self, html: &'p [u8], at: usize, tag: Tag) -> usize {
        let end = tag_end(html, at);
        let attributes = &html[at..end];
        match tag {
            Tag::Anchor => {
                if let Some(href) = attribute(attributes, b"href") {
                    self.links.push(Link { href, text: link_text(html, end) });
                }
            }
            Tag::Frame if self.frames.len() < FRAMES_MAX => self.frames.extend(attribute(attributes, b"src")),
            Tag::Base if self.base.is_none() => self.base = attribute(attributes, b"href"),
            Tag::Meta if self.refresh.is_none() => self.refresh = refresh_target(attributes),
            _ => {}
        }
        end
    }
}

/// Where a tag ends; a `>` inside quotes does not count.
fn tag_end(html: &[u8], from: usize) -> usize {
    let mut at = from;
    while at < html.len() {
        match html[at] {
            b'>' => return at,
            quote @ (b'"' | b'\'') if at > from && html[..at].trim_ascii_end().last() == Some(&b'=') => {
                at += 1 + memchr(quote, &html[at + 1..]).unwrap_or(html.len() - at - 1);
            }
            _ => {}
        }
        at += 1;
    }
    html.len()
}

/// The value of an attribute within a tag.
fn attribute<'p>(tag: &'p [u8], name: &[u8]) -> Option<&'p [u8]> {
    let mut at = 0;
    while let Some(equals) = memchr(b'=', &tag[at..]) {
        let before = tag[at..at + equals].trim_ascii_end();
        let start = before
            .iter()
            .rposition(|byte| byte.is_ascii_whitespace() || *byte == b'/' || *byte == b'"' || *byte == b'\'');
        let key = &before[start.map_or(0, |start| start + 1)..];
        let (value, next) = attribute_value(tag, at + equals + 1);
        if key.eq_ignore_ascii_case(name) {
            return Some(value.trim_ascii());
        }
        at = next;
    }
    None
}

/// An attribute's value and the position after it.
fn attribute_value(tag: &[u8], from: usize) -> (&[u8], usize) {
    let blank = tag[from..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    let start = from + blank;
    match tag.get(start) {
        Some(quote @ (b'"' | b'\'')) => {
            let length = memchr(*quote, &tag[start + 1..]).unwrap_or(tag.len() - start - 1);
            (&tag[start + 1..start + 1 + length], (start + length + 2).min(tag.len()))
        }
        _ => {
            let length = tag[start..].iter().take_while(|byte| !byte.is_ascii_whitespace()).count();
            (&tag[start..start + length], start + length)
        }
    }
}

/// The bytes of a link's text including markup, truncated.
fn link_text(html: &[u8], tag_end: usize) -> &[u8] {
    let start = (tag_end + 1).min(html.len());
    let window = &html[start..html.len().min(start + 4 * LINK_TEXT_BYTES_MAX)];
    let mut at = 0;
    while let Some(next) = memchr(b'<', &window[at..]) {
        at += next;
        let tag = window[at + 1..].get(..2);
        if tag.is_some_and(|tag| tag.eq_ignore_ascii_case(b"/a") || tag.eq_ignore_ascii_case(b"a ")) {
            return &window[..at];
        }
        at += 1;
    }
    window
}

/// The URL in `content="5; url=/new"`, when the tag is a quick refresh.
fn refresh_target(tag: &[u8]) -> Option<&[u8]> {
    if !attribute(tag, b"http-equiv")?.eq_ignore_ascii_case(b"refresh") {
        return None;
    }
    let content = attribute(tag, b"content")?;
    let split = memchr2(b';', b',', content)?;
    let (seconds, target) = (content[..split].trim_ascii(), content[split + 1..].trim_ascii_start());
    let quick = seconds.len() <= 2 && seconds.iter().all(|byte| byte.is_ascii_digit() || *byte == b'.');
    let rest = target.get(3..).filter(|_| target[..3].eq_ignore_ascii_case(b"url"))?.trim_ascii_start();
    let rest = rest.strip_prefix(b"=")?.trim_ascii();
    quick.then(|| rest.strip_prefix(b"'").and_then(|rest| rest.strip_suffix(b"'")).unwrap_or(rest))
}

/// The URL a script redirects to, as in `location.href = "/home"`. Only for pages that contain nothing else, because a script
/// that waits for a click looks the same.
pub(crate) fn script_target(html: &[u8]) -> Option<&[u8]> {
    for at in memmem::find_iter(html, b"location") {
        let rest = html[at + b"location".len()..].trim_ascii_start();
        let rest = rest.strip_prefix(b".href").unwrap_or(rest).trim_ascii_start();
        let call =
            rest.strip_prefix(b".replace").or_else(|| rest.strip_prefix(b".assign")).map(<[u8]>::trim_ascii_start);
        let Some(value) = rest.strip_prefix(b"=").or_else(|| call?.strip_prefix(b"(")) else { continue };
        let value = value.trim_ascii_start();
        let Some(quote @ (b'"' | b'\'')) = value.first() else { continue };
        let Some(length) = memchr(*quote, &value[1..]) else { continue };
        return Some(&value[1..=length]);
    }
    None
}

/// Resolves an attribute to an absolute URL that can be visited. What is too long to be requested is dropped before anything
/// is allocated for it: the page's base is part of every resolved link.
pub(crate) fn resolve(base: &Url, href: &[u8]) -> Option<Url> {
    if href.len() > URL_CHARS_MAX {
        return None;
    }
    let text = String::from_utf8_lossy(href);
    let text = text.trim();
    if text.is_empty() || text.starts_with('#') {
        return None;
    }
    let text = if text.contains('&') {
        text.replace("&amp;", "&").replace("&#38;", "&").replace("&#x2F;", "/").replace("&#47;", "/")
    } else {
        text.to_owned()
    };
    let mut url = base.join(&text).ok()?;
    url.set_fragment(None);
    if url.as_str().len() > URL_CHARS_MAX {
        return None;
    }
    matches!(url.scheme(), "http" | "https").then_some(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hrefs(html: &str) -> Vec<String> {
        scan(html.as_bytes()).links.iter().map(|link| String::from_utf8_lossy(link.href).into_owned()).collect()
    }

    #[test]
    fn links_are_found_in_all_common_notations() {
        let cases = [
            (r#"<a href="/contact">Contact</a>"#, vec!["/contact"]),
            ("<A HREF='/contact'>", vec!["/contact"]),
            ("<a href=/contact>", vec!["/contact"]),
            ("<a class=x\n href = \"/contact\" >", vec!["/contact"]),
            (r#"<a data-href="/no" href="/yes">"#, vec!["/yes"]),
            (r#"<a title="a > b" href="/x">"#, vec!["/x"]),
            (r#"<a title="it's" href="/x">"#, vec!["/x"]),
            (r#"<a name="top">"#, vec![]),
            (r#"<abbr href="/no"><article href="/no">"#, vec![]),
            (r#"<!-- <a href="/no"> --><a href="/x">"#, vec!["/x"]),
            (r#"<script>s='<a href="/no">'</script><a href="/x">"#, vec!["/x"]),
            (r#"<SCRIPT>s='<a href="/no">'</SCRIPT ><a href="/x">"#, vec!["/x"]),
            (r#"<a href="/x"#, vec!["/x"]),
            ("<a href=", vec![""]),
            ("<a", vec![]),
            ("<", vec![]),
        ];
        for (html, expected) in cases {
            assert_eq!(hrefs(html), expected, "{html}");
        }
    }

    #[test]
    fn the_text_of_a_link_ends_with_the_link() {
        let html = br#"<a href="/x"><span>Our <b>team</b></span></a> and more"#;
        assert_eq!(scan(html).links[0].text, b"<span>Our <b>team</b></span>");
    }

    #[test]
    fn frames_bases_and_refreshes_are_found() {
        let html = br#"<base href="/de/"><meta http-equiv="Refresh" content="0; URL='/start'"><frame src="menu.html"><FRAME src=x><iframe src=y>"#;
        let found = scan(html);
        assert_eq!(found.base, Some(b"/de/".as_slice()));
        assert_eq!(found.refresh, Some(b"/start".as_slice()));
        assert_eq!(found.frames, [b"menu.html".as_slice(), b"x"]);
        assert_eq!(scan(br#"<meta http-equiv=refresh content="300">"#).refresh, None);
        assert_eq!(scan(br#"<meta http-equiv=refresh content="300;url=/">"#).refresh, None);
    }

    #[test]
    fn script_redirects_are_recognised() {
        let cases: [(&str, Option<&str>); 9] = [
            ("<script>window.location = '/home';</script>", Some("/home")),
            ("<script>location.href=\"https://shop.com/en/\"</script>", Some("https://shop.com/en/")),
            ("<script>document.location.replace( 'a.html' )</script>", Some("a.html")),
            ("<script>top.location.assign('/x')</script>", Some("/x")),
            ("<script>if (location == x) { window.location.href = '/y' }</script>", Some("/y")),
            ("<script>location.href = target</script>", None),
            ("<p>our location is 'downtown'</p>", None),
            ("location", None),
            ("location='", None),
        ];
        for (html, expected) in cases {
            assert_eq!(script_target(html.as_bytes()), expected.map(str::as_bytes), "{html}");
        }
    }

    #[test]
    fn what_cannot_be_visited_is_not_a_link() {
        let base = Url::parse("https://shop.com/a/b").unwrap();
        for href in
            ["", "#top", "mailto:a@b.c", "tel:1", "javascript:void(0)", "ftp://x.com/", "http://", "data:text/html,x"]
        {
            assert_eq!(resolve(&base, href.as_bytes()), None, "{href}");
        }
        assert_eq!(resolve(&base, b"../c?x=1&amp;y=2#z").unwrap().as_str(), "https://shop.com/c?x=1&y=2");
    }

    #[test]
    fn what_is_too_long_to_be_requested_is_not_a_link() {
        let base = Url::parse("https://shop.com/a/").unwrap();
        let path = "x".repeat(URL_CHARS_MAX - base.as_str().len());
        assert!(resolve(&base, path.as_bytes()).is_some());
        assert_eq!(resolve(&base, format!("{path}x").as_bytes()), None);
        assert_eq!(resolve(&base, "é".repeat(URL_CHARS_MAX / 4).as_bytes()), None, "percent-encoding makes it longer");
        assert_eq!(resolve(&base, "x/".repeat(1_000_000).as_bytes()), None);
        assert_eq!(scan("<frame src=x>".repeat(10_000).as_bytes()).frames.len(), FRAMES_MAX);
    }

    #[test]
    fn ten_thousand_links_are_limited() {
        assert_eq!(hrefs(&"<a href=/x>y</a>".repeat(10_000)).len(), LINKS_MAX);
    }
}
