//! One walk over a page, gathering what the finders need: visible text in lines, links, scripts, meta tags,
//! attributes that hold an address, and microdata.

use std::borrow::Cow;

use memchr::{memchr, memmem};

use crate::budget::Budget;
use crate::glances::{Seen, gap_of, hides, may_hold_at, stands_for_at};
use crate::page::around;
use crate::structured::microdata::Microdata;
use crate::tags;
use crate::text::{Gap, TextBuilder, unescape, unescape_attribute};
use crate::walk::{Name, Tag, Token, Walk};

/// Links kept of one page.
const LINKS_MAX: usize = 5_000;
/// Attributes with an `@` kept of one page.
const AT_ATTRIBUTES_MAX: usize = 500;
/// Meta tags kept of one page.
const METAS_MAX: usize = 300;
/// Scripts kept of one page.
const SCRIPTS_MAX: usize = 2_000;
/// Bytes of a `noscript` that are looked at.
const NOSCRIPT_BYTES_MAX: usize = 2_000;
/// Steps of one token.
const TOKEN_STEPS: usize = 2;
/// Bytes of a title that are read.
const TITLE_BYTES_MAX: usize = 4_096;
/// Steps of looking into a `noscript`.
const NOSCRIPT_STEPS: usize = 200;
/// Lines kept of one page.
const LINES_MAX: usize = 100_000;

/// A link and the text a reader clicks on.
#[derive(Debug)]
pub(crate) struct Link<'h> {
    /// The address as written, decoded.
    pub(crate) href: Cow<'h, str>,
    /// Where its text starts in [`Document::text`].
    pub(crate) start: usize,
    /// Where its text ends.
    pub(crate) end: usize,
    /// The `title` or `aria-label`, when there is one.
    pub(crate) label: Option<&'h str>,
}

/// One inline script.
#[derive(Debug)]
pub(crate) struct Script<'h> {
    /// Its source text.
    pub(crate) body: &'h str,
    /// Where it starts in the page.
    pub(crate) start: usize,
    /// Whether it is JSON-LD.
    pub(crate) is_json_ld: bool,
}

/// Where a line stands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Place {
    /// Inside a heading.
    pub(crate) heading: bool,
    /// Inside navigation.
    pub(crate) nav: bool,
    /// Inside the footer.
    pub(crate) footer: bool,
    /// Begins inside a link.
    pub(crate) link: bool,
    /// Inside a quotation.
    pub(crate) quote: bool,
}

/// A line of the visible text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Line {
    /// Where it starts in [`Document::text`].
    pub(crate) start: usize,
    /// Where it stands on the page.
    pub(crate) place: Place,
}

/// What one walk over a page gathered.
#[derive(Debug, Default)]
pub(crate) struct Document<'h> {
    /// Visible text; blocks are separated by line feeds.
    pub(crate) text: String,
    /// The lines of the text, in order.
    pub(crate) lines: Vec<Line>,
    /// Links, in order.
    pub(crate) links: Vec<Link<'h>>,
    /// Inline scripts.
    pub(crate) scripts: Vec<Script<'h>>,
    /// Meta tags: name or property in lower case, and content.
    pub(crate) metas: Vec<(String, Cow<'h, str>)>,
    /// Values of `data-cfemail`, and where they stand in the text.
    pub(crate) cloudflare: Vec<(&'h str, usize)>,
    /// Other attributes with an `@`: name, value, where.
    pub(crate) at_attributes: Vec<(&'h str, Cow<'h, str>, usize)>,
    /// Values of elements written backwards by style, as ranges of the text.
    pub(crate) reversed: Vec<(usize, usize)>,
    /// The title.
    pub(crate) title: String,
    /// The `lang` of the page.
    pub(crate) lang: Option<&'h str>,
    /// Where the tags of links stand in the page, in order.
    pub(crate) anchors: Vec<(usize, usize)>,
    /// Where comments stand in the page, in order.
    pub(crate) comments: Vec<(usize, usize)>,
    /// Whether an address may be kept in several attributes.
    pub(crate) split_emails: bool,
    /// Marks of the technology table: which, and where in the page.
    pub(crate) marks: Vec<(usize, usize)>,
    /// Structured items written as attributes.
    pub(crate) items: Vec<serde_json::Value>,
    /// Steps left for the finders that read this.
    pub(crate) budget: Budget,
}

impl<'h> Document<'h> {
    /// Walks over a page once, with the budget that its length allows.
    #[cfg(test)]
    pub(crate) fn read(html: &'h str) -> Document<'h> {
        Document::read_within(html, Budget::of(html.len(), crate::budget::Spare::default()))
    }

    /// Walks over a page once. The finders draw from what is left of the budget.
    pub(crate) fn read_within(html: &'h str, budget: Budget) -> Document<'h> {
        budget.next_turn();
        let mut reader = Reader::new(html, budget);
        for token in Walk::new(html) {
            if !reader.document.budget.spend(TOKEN_STEPS) {
                break;
            }
            match token {
                Token::Text(text) => reader.text(text),
                Token::Open(tag) => reader.open(&tag),
                Token::Close(name) => reader.close(name),
                Token::Raw(tag, body) => reader.raw(&tag, body),
                Token::Comment(start, end) => reader.document.comments.push((start, end)),
            }
        }
        reader.finish()
    }

    /// The text of line `index` and where it stands.
    pub(crate) fn line(&self, index: usize) -> (&str, Place) {
        let Some(line) = self.lines.get(index) else { return ("", Place::default()) };
        let end = self.lines.get(index + 1).map_or(self.text.len(), |next| next.start);
        (self.text.get(line.start..end).unwrap_or("").trim_end(), line.place)
    }

    /// The index of the line that holds byte `at` of the text.
    pub(crate) fn line_at(&self, at: usize) -> usize {
        self.lines.partition_point(|line| line.start <= at).saturating_sub(1)
    }

    /// Whether byte `at` of the text stands in an element that is written backwards.
    pub(crate) fn is_reversed(&self, at: usize) -> bool {
        let index = self.reversed.partition_point(|(_, end)| *end < at);
        self.reversed.get(index).is_some_and(|(start, _)| *start <= at)
    }

    /// The content of a meta tag.
    pub(crate) fn meta(&self, name: &str) -> Option<&str> {
        self.metas.iter().find(|(n, _)| n == name).map(|(_, content)| content.as_ref())
    }
}

/// Text that is not shown, until the element that hides it closes.
#[derive(Debug)]
struct Hidden<'h> {
    name: &'h str,
    depth: usize,
}

#[derive(Debug)]
struct Reader<'h> {
    html: &'h str,
    document: Document<'h>,
    builder: TextBuilder,
    microdata: Option<Microdata<'h>>,
    hidden: Option<Hidden<'h>>,
    reversed: Option<(Hidden<'h>, usize)>,
    place: Place,
    link_open: bool,
    has_cloudflare: bool,
    has_reversed: bool,
    split_emails: bool,
    marks: Vec<(usize, usize)>,
}

impl<'h> Reader<'h> {
    fn new(html: &'h str, budget: Budget) -> Self {
        let seen = Seen::look(html);
        let microdata = (seen.has("emprop") || seen.has("vcard") || seen.has("h-card")).then(Microdata::default);
        Reader {
            html,
            document: Document { budget, ..Document::default() },
            builder: TextBuilder::for_page(html.len()),
            microdata,
            hidden: None,
            reversed: None,
            place: Place::default(),
            link_open: false,
            has_cloudflare: seen.has("cfemail="),
            has_reversed: seen.has("bidi-override"),
            split_emails: seen.has("-domain=") || seen.has("enc-email="),
            marks: seen.marks,
        }
    }

    fn text(&mut self, text: &str) {
        if self.hidden.is_some() {
            return;
        }
        let starts_line = self.builder.at_line_start();
        let before = self.builder.len();
        self.builder.push(text);
        if starts_line && self.builder.len() > before && self.document.lines.len() < LINES_MAX {
            let start = if before == 0 { 0 } else { before + 1 };
            self.document.lines.push(Line { start, place: Place { link: self.link_open, ..self.place } });
        }
    }

    fn open(&mut self, tag: &Tag<'h>) {
        let name = tag.name.key();
        if let Some(hidden) = &mut self.hidden
            && tag.name.0.eq_ignore_ascii_case(hidden.name)
        {
            hidden.depth += 1;
        }
        if let Some((hidden, _)) = &mut self.reversed
            && tag.name.0.eq_ignore_ascii_case(hidden.name)
        {
            hidden.depth += 1;
        }
        self.place_of(name, true);
        self.builder.mark(if name == tags::IMG && stands_for_at(tag) { Gap::None } else { gap_of(name) });
        match name {
            tags::IMG if stands_for_at(tag) => self.text("@"),
            tags::A | tags::AREA => self.link(tag),
            tags::META => self.meta(tag),
            tags::HTML => self.document.lang = tag.attribute("lang"),
            tags::NOSCRIPT if self.says_address(tag) => {}
            tags::NOSCRIPT | tags::SVG | tags::SELECT | tags::DATALIST | tags::TEMPLATE => self.hide(tag),
            tags::SPAN | tags::I | tags::B | tags::EM if hides(tag.rest) => self.hide(tag),
            _ => {}
        }
        self.special_attributes(tag, name);
        if let Some(microdata) = &mut self.microdata {
            microdata.open(tag, self.builder.len(), &self.document.budget);
        }
    }

    fn special_attributes(&mut self, tag: &Tag<'h>, name: u64) {
        if tag.rest.len() < 6 {
            return;
        }
        if self.has_cloudflare
            && self.document.cloudflare.len() < AT_ATTRIBUTES_MAX
            && let Some(hex) = tag.attribute("data-cfemail")
        {
            self.document.cloudflare.push((hex, self.builder.len()));
        }
        if self.has_reversed && self.reversed.is_none() && tag.rest.contains("bidi-override") {
            self.reversed = Some((Hidden { name: tag.name.0, depth: 1 }, self.builder.len()));
        }
        let may_tell = !matches!(
            name,
            tags::META | tags::IMG | tags::LINK | tags::SOURCE | tags::IFRAME | tags::OPTION | tags::VIDEO
        );
        if may_tell && self.document.at_attributes.len() < AT_ATTRIBUTES_MAX && may_hold_at(tag.rest) {
            for (name, value) in tag.attributes() {
                let value = unescape_attribute(value);
                if memchr(b'@', value.as_bytes()).is_some() {
                    self.document.at_attributes.push((name, value, self.builder.len()));
                }
            }
        }
    }

    fn link(&mut self, tag: &Tag<'h>) {
        self.end_link();
        self.document.anchors.push((tag.start, tag.start + tag.rest.len() + 8));
        let (mut href, mut label) = (None, None);
        for (name, value) in tag.attributes() {
            match name.len() {
                4 if href.is_none() && name.eq_ignore_ascii_case("href") => href = Some(value),
                5 if name.eq_ignore_ascii_case("title") => label = Some(value),
                10 if label.is_none() && name.eq_ignore_ascii_case("aria-label") => label = Some(value),
                _ => {}
            }
        }
        let Some(href) = href.filter(|_| self.document.links.len() < LINKS_MAX) else { return };
        let at = self.builder.len();
        self.document.links.push(Link { href: unescape_attribute(href.trim()), start: at, end: at, label });
        self.link_open = true;
    }

    fn end_link(&mut self) {
        if self.link_open {
            self.link_open = false;
            let end = self.builder.len();
            if let Some(link) = self.document.links.last_mut() {
                link.end = end;
            }
        }
    }

    fn meta(&mut self, tag: &Tag<'h>) {
        if self.document.metas.len() >= METAS_MAX {
            return;
        }
        let (mut name, mut property, mut content) = (None, None, None);
        for (key, value) in tag.attributes() {
            match key.len() {
                4 if name.is_none() && key.eq_ignore_ascii_case("name") => name = Some(value),
                8 if property.is_none() && key.eq_ignore_ascii_case("property") => property = Some(value),
                7 if content.is_none() && key.eq_ignore_ascii_case("content") => content = Some(value),
                _ => {}
            }
        }
        let (Some(name), Some(content)) = (name.or(property), content) else { return };
        self.document.metas.push((name.to_ascii_lowercase(), unescape_attribute(content)));
    }

    /// What a page shows instead of a script is read when it holds an address.
    fn says_address(&self, tag: &Tag<'h>) -> bool {
        if !self.document.budget.spend(NOSCRIPT_STEPS) {
            return false;
        }
        let rest = around(self.html, tag.start, 0, NOSCRIPT_BYTES_MAX);
        let inside = &rest[..memmem::find(rest.as_bytes(), b"</noscript").unwrap_or(rest.len())];
        memchr(b'@', inside.as_bytes()).is_some()
    }

    fn hide(&mut self, tag: &Tag<'h>) {
        if self.hidden.is_none() && !tag.rest.ends_with('/') {
            self.hidden = Some(Hidden { name: tag.name.0, depth: 1 });
        }
    }

    fn close(&mut self, name: Name<'h>) {
        if let Some(hidden) = &mut self.hidden
            && name.0.eq_ignore_ascii_case(hidden.name)
        {
            hidden.depth -= 1;
            if hidden.depth == 0 {
                self.hidden = None;
            }
        }
        self.close_reversed(name);
        let lower = name.key();
        if lower == tags::A {
            self.end_link();
        }
        self.place_of(lower, false);
        if let Some(microdata) = &mut self.microdata {
            microdata.close(name.0, self.builder.as_str(), &self.document.budget);
        }
        self.builder.mark(gap_of(lower));
    }

    fn close_reversed(&mut self, name: Name<'h>) {
        if let Some((hidden, start)) = &mut self.reversed
            && name.0.eq_ignore_ascii_case(hidden.name)
        {
            hidden.depth -= 1;
            if hidden.depth == 0 {
                let range = (*start, self.builder.len());
                self.document.reversed.push(range);
                self.reversed = None;
            }
        }
    }

    fn place_of(&mut self, name: u64, inside: bool) {
        match name {
            tags::H1 | tags::H2 | tags::H3 | tags::H4 | tags::H5 | tags::H6 => self.place.heading = inside,
            tags::NAV => self.place.nav = inside,
            tags::BLOCKQUOTE => self.place.quote = inside,
            tags::FOOTER => self.place.footer = inside,
            tags::MAIN => self.place.nav = false,
            _ => {}
        }
    }

    fn raw(&mut self, tag: &Tag<'h>, body: &'h str) {
        match tag.name.key() {
            tags::SCRIPT if self.document.scripts.len() < SCRIPTS_MAX && !body.is_empty() => {
                let kind = tag.attribute("type").unwrap_or("");
                let is_json_ld = kind.trim().to_ascii_lowercase().starts_with("application/ld+json");
                let start = tag.start + tag.name.0.len() + tag.rest.len() + 2;
                self.document.scripts.push(Script { body, start, is_json_ld });
            }
            tags::TITLE if self.document.title.is_empty() && self.hidden.is_none() => {
                let head = around(body, 0, 0, TITLE_BYTES_MAX);
                self.document.title = unescape(head).split_whitespace().collect::<Vec<_>>().join(" ");
            }
            _ => {}
        }
    }

    fn finish(mut self) -> Document<'h> {
        self.end_link();
        let mut document = self.document;
        if let Some(microdata) = self.microdata {
            document.items = microdata.finish(self.builder.as_str(), &document.budget);
        }
        document.text = self.builder.finish();
        document.split_emails = self.split_emails;
        document.marks = self.marks;
        document
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_grows_with_length_and_no_faster() {
        for piece in [
            "<",
            "<a",
            "<a href=\"",
            "<a href='x'>",
            "</",
            "<!--",
            "<!-- -->",
            "<script>",
            "<script></script>",
            "&amp;",
            "<svg>",
            "<p>a",
            "@",
            "\u{0}",
            "é<é>",
        ] {
            let steps = |times: usize| Document::read(&piece.repeat(times)).budget.spent();
            let (small, large) = (steps(1_000), steps(10_000));
            assert!(large <= small * 10 + 100, "{piece}: {small} steps became {large}");
        }
    }

    #[test]
    fn lines_know_where_they_stand() {
        let document = Document::read(
            "<nav><a href=/>Home</a></nav><h1>Roofs</h1><blockquote>good</blockquote><footer>2024</footer>",
        );
        let places: Vec<(&str, Place)> = (0..document.lines.len()).map(|index| document.line(index)).collect();
        assert_eq!(places.iter().map(|(line, _)| *line).collect::<Vec<_>>(), ["Home", "Roofs", "good", "2024"]);
        assert!(places[0].1.nav && places[0].1.link && places[1].1.heading && places[2].1.quote && places[3].1.footer);
        assert_eq!(document.line_at(document.text.find("good").unwrap()), 2);
    }
}
