//! Decides which part of a page a byte belongs to, and whether what is written there is in use.
//!
//! In use is what the browser loads or shows, what a script names, and what waits for the visitor's consent
//! (`type="text/plain"`, `data-src`): it is the site's tool either way. So are `noscript` and `template` elements, whose
//! content a pixel or a script needs. Not in use are comments in HTML and JavaScript, conditional comments, which only
//! dead browsers read, text, security policies, and hints such as `preconnect`, which themes leave behind for years, unless WordPress made them
//! from the scripts it loads.

use memchr::{memchr, memmem, memrchr, memrchr2};

use crate::document::Document;
use crate::page::around;
use crate::tokenizer::{Tag, TagName};

/// Bytes searched backwards to decide whether a position is inside a tag.
const LOOK_BACK_BYTES: usize = 8 * 1024;
/// Bytes of a tag read for its attributes.
const TAG_BYTES_MAX: usize = 2_000;
/// Bytes before a position in a script in which a comment around it may start.
const COMMENT_BYTES_MAX: usize = 2_000;
/// Bytes before a position in a script in which its line may start.
const LINE_BYTES_MAX: usize = 400;

/// The part of the page a host or marker is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum SourceZone {
    /// A script, a style sheet, a form, an element's settings: the page works with it.
    Load,
    /// An image, a frame, a video, an icon or a meta tag: the page shows it.
    Shown,
    /// A link tag.
    Link,
    /// An inline script.
    Script,
}

/// Why something in the source is not in use.
pub(crate) type NotInUse = &'static str;

/// Reads the zones of one page. Positions are best asked for in order.
#[derive(Debug)]
pub(crate) struct Zones<'s, 'h> {
    source: &'s str,
    /// `None` for a script that was fetched.
    document: Option<&'s Document<'h>>,
    /// Everything before this byte has been searched for angle brackets.
    looked_to: usize,
    /// The last angle bracket before it.
    bracket: Option<usize>,
    /// How many scripts, comments and links start at or before the last byte asked about.
    begun: [usize; 3],
}

impl<'s, 'h> Zones<'s, 'h> {
    pub(crate) fn new(source: &'s str, document: Option<&'s Document<'h>>) -> Zones<'s, 'h> {
        Zones { source, document, looked_to: 0, bracket: None, begun: [0; 3] }
    }

    /// Which part of the page byte `at` belongs to, or why it is not in use.
    pub(crate) fn at(&mut self, at: usize) -> Result<SourceZone, NotInUse> {
        let Some(document) = self.document else { return Ok(SourceZone::Script) };
        let [scripts, comments, links] = &mut self.begun;
        let inside = |ranges: &[(usize, usize)], begun: &mut usize| {
            let after = count_begun(ranges, |(start, _)| *start <= at, begun);
            after > 0 && at < ranges[after - 1].1
        };
        let after = count_begun(&document.scripts, |script| script.start <= at, scripts);
        if let Some(script) = after.checked_sub(1).map(|index| &document.scripts[index])
            && at < script.start + script.body.len()
        {
            return Ok(if script.is_json_ld { SourceZone::Link } else { SourceZone::Script });
        }
        if inside(&document.comments, comments) {
            return Err("commented out");
        }
        if inside(&document.anchors, links) {
            return Ok(SourceZone::Link);
        }
        match self.bracket_before(at) {
            Some(bracket) if self.source.as_bytes()[bracket] == b'<' => tag_zone(self.source, bracket),
            _ => Err("written in the text"),
        }
    }

    /// Whether byte `at` of an inline script is in a comment.
    pub(crate) fn is_commented_code(&self, at: usize) -> bool {
        let Some(document) = self.document else { return false };
        let after = document.scripts.partition_point(|script| script.start <= at);
        let Some(script) = after.checked_sub(1).map(|index| &document.scripts[index]) else { return false };
        let within = at - script.start;
        within <= script.body.len() && in_code_comment(script.body, within)
    }

    /// The last angle bracket before `at`. Positions are queried in order, so each byte is searched once per pass.
    fn bracket_before(&mut self, at: usize) -> Option<usize> {
        if at < self.looked_to {
            (self.looked_to, self.bracket) = (0, None);
        }
        let floor = at.saturating_sub(LOOK_BACK_BYTES);
        let from = floor.max(self.looked_to);
        let found = memrchr2(b'<', b'>', &self.source.as_bytes()[from..at]).map(|place| from + place);
        self.bracket = found.or(self.bracket);
        self.looked_to = at;
        self.bracket.filter(|bracket| *bracket >= floor)
    }
}

/// How many of the elements of a page begin at or before a byte, given how many began at or before the one asked about last,
/// which is close by and mostly before it.
fn count_begun<T>(elements: &[T], has_begun: impl Fn(&T) -> bool, begun: &mut usize) -> usize {
    let is_behind = begun.checked_sub(1).is_some_and(|last| !has_begun(&elements[last]));
    if is_behind {
        *begun = elements[..*begun].partition_point(has_begun);
    } else {
        *begun += elements[*begun..].iter().position(|element| !has_begun(element)).unwrap_or(elements.len() - *begun);
    }
    *begun
}

/// What the tag that starts at `bracket` does with its addresses.
fn tag_zone(source: &str, bracket: usize) -> Result<SourceZone, NotInUse> {
    let bytes = &source.as_bytes()[bracket + 1..];
    let length = bytes.iter().take(16).position(|byte| !byte.is_ascii_alphanumeric()).unwrap_or(16).min(bytes.len());
    let name = &source[bracket + 1..bracket + 1 + length];
    let is = |other: &str| name.eq_ignore_ascii_case(other);
    if is("link") || is("meta") {
        let rest = around(source, bracket + 1 + length, 0, TAG_BYTES_MAX);
        let rest = &rest[..memchr(b'>', rest.as_bytes()).unwrap_or(rest.len())];
        let tag = Tag { name: TagName::new(name), rest, start: bracket };
        return if is("link") { link_zone(&tag) } else { meta_zone(&tag) };
    }
    let shows =
        ["img", "iframe", "video", "audio", "source", "embed", "object", "image", "picture"].iter().any(|n| is(n));
    Ok(if shows { SourceZone::Shown } else { SourceZone::Load })
}

fn link_zone(tag: &Tag<'_>) -> Result<SourceZone, NotInUse> {
    let rel = tag.attribute("rel").unwrap_or("").to_ascii_lowercase();
    let is_any = |words: &[&str]| rel.split_ascii_whitespace().any(|word| words.contains(&word));
    if is_any(&["preconnect", "dns-prefetch", "prefetch", "prerender"]) && !is_any(&["stylesheet", "preload"]) {
        // WP Rocket writes these for the hosts that it saw visitors' browsers connect to.
        if tag.rest.contains("data-rocket-preconnect") || tag.rest.contains("data-rocket-prefetch") {
            return Ok(SourceZone::Load);
        }
        return Err("only a hint to connect early");
    }
    if is_any(&["canonical", "alternate", "me", "author", "publisher", "license", "search", "help", "shortlink"]) {
        return Ok(SourceZone::Link);
    }
    let is_image = tag.attribute("as").is_some_and(|kind| kind.eq_ignore_ascii_case("image"));
    Ok(if is_image || rel.contains("icon") || rel.contains("image_src") { SourceZone::Shown } else { SourceZone::Load })
}

fn meta_zone(tag: &Tag<'_>) -> Result<SourceZone, NotInUse> {
    let is_policy = tag
        .attribute("http-equiv")
        .is_some_and(|name| name.get(..23).is_some_and(|start| start.eq_ignore_ascii_case("content-security-policy")));
    if is_policy { Err("only allowed by the security policy") } else { Ok(SourceZone::Shown) }
}

/// Whether byte `at` of a script is in a `//` comment that fills its line, or in a `/* */` comment.
fn in_code_comment(script: &str, at: usize) -> bool {
    let bytes = script.as_bytes();
    let floor = at.saturating_sub(LINE_BYTES_MAX);
    let line = memrchr(b'\n', &bytes[floor..at]).map(|end| floor + end + 1).or((floor == 0).then_some(0));
    if let Some(start) = line {
        let line = script.get(start..at).unwrap_or("").trim_start();
        // `//<![CDATA[` opens many scripts; where line breaks were lost the code follows on the same line.
        // The address itself may start the line: `//cdn.example.com`.
        if line.len() > 2 && line.starts_with("//") && !line.starts_with("//<![CDATA[") {
            return true;
        }
    }
    let from = at.saturating_sub(COMMENT_BYTES_MAX);
    let Some(open) = memmem::rfind(&bytes[from..at], b"/*") else { return false };
    let is_code = match (from + open).checked_sub(1).map(|before| bytes[before]) {
        // `image/*` and `"/*"` are no comments.
        Some(before) => {
            before.is_ascii_whitespace() || matches!(before, b';' | b'{' | b'}' | b'(' | b')' | b',' | b'>')
        }
        None => true,
    };
    is_code && memmem::find(&bytes[from + open..at], b"*/").is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn zone(html: &str) -> Result<SourceZone, NotInUse> {
        let document = Document::parse(html);
        let at = html.find("//x.test").unwrap() + 2;
        let mut zones = Zones::new(html, Some(&document));
        let zone = zones.at(at)?;
        if zone == SourceZone::Script && zones.is_commented_code(at) { Err("a comment in a script") } else { Ok(zone) }
    }

    #[test]
    fn what_a_page_uses_is_told_from_what_it_mentions() {
        use SourceZone::{Link, Load, Script, Shown};
        for (html, expected) in [
            ("<script src=\"https://x.test/a.js\"></script>", Some(Load)),
            (
                "<script type=\"text/plain\" data-cookieconsent=\"marketing\" data-src=\"//x.test/a.js\"></script>",
                Some(Load),
            ),
            (
                "<script type=\"text/plain\" class=\"optanon-category-C0004\" src=\"//x.test/a.js\"></script>",
                Some(Load),
            ),
            ("<script type=\"text/plain\">s.src='//x.test/a.js'</script>", Some(Script)),
            ("<noscript><img src=\"//x.test/tr?id=1\"></noscript>", Some(Shown)),
            ("<template><script src=\"//x.test/a.js\"></script></template>", Some(Load)),
            ("<link rel=stylesheet href=//x.test/a.css>", Some(Load)),
            ("<link rel=\"preload\" as=\"script\" href=\"//x.test/a.js\">", Some(Load)),
            ("<link rel=preload as=image href=//x.test/a.png>", Some(Shown)),
            ("<link rel=\"shortcut icon\" href=\"//x.test/a.png\">", Some(Shown)),
            ("<link href=\"https://x.test\" crossorigin rel='preconnect dns-prefetch'>", None),
            ("<link rel=prefetch href=//x.test/a.js>", None),
            ("<link rel='dns-prefetch' href='//x.test' />", None),
            ("<link rel=\"dns-prefetch\" href=\"//x.test\" />", None),
            ("<link rel='preconnect' href='//x.test' />", None),
            ("<link data-rocket-preconnect href=//x.test rel=preconnect>", Some(Load)),
            ("<link rel=\"canonical\" href=\"https://x.test/\">", Some(Link)),
            ("<meta http-equiv=\"Content-Security-Policy\" content=\"script-src https://x.test\">", None),
            ("<meta property=og:image content=\"https://x.test/a.png\">", Some(Shown)),
            ("<iframe src=\"//x.test/a\"></iframe>", Some(Shown)),
            ("<a href=\"//x.test/a\">a</a>", Some(Link)),
            ("<p>//x.test/a</p>", None),
            ("<!-- <script src=\"//x.test/a.js\"></script> -->", None),
            ("<!--[if lt IE 9]><script src=\"//x.test/a.js\"></script><![endif]-->", None),
            ("<!--[if !IE]><!--><script src=\"//x.test/a.js\"></script><!--<![endif]-->", Some(Load)),
            ("<textarea><script src=\"//x.test/a.js\"></script></textarea>", None),
            ("<script>\n  // s.src = '//x.test/a.js';\n</script>", None),
            ("<script>a();\n/* s.src = '//x.test/a.js'; */</script>", None),
            ("<script>/* old */ s.src = '//x.test/a.js';</script>", Some(Script)),
            ("<script>f('image/*'); s.src = '//x.test/a.js';</script>", Some(Script)),
            ("<script>\n//x.test/a.js\n</script>", Some(Script)),
            ("<script>//<![CDATA[ s.src = '//x.test/a.js';</script>", Some(Script)),
        ] {
            assert_eq!(zone(html).ok(), expected, "{html}");
        }
    }
}
