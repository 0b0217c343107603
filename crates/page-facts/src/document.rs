//! Parses a page in one pass and collects what the finders need: visible text in lines, links, scripts, meta tags,
//! attributes that contain an `@`, and microdata.

use std::borrow::Cow;

use memchr::{memchr, memmem};

use crate::addresses::is_map;
use crate::budget::StepBudget;
use crate::elements::OpenElement;
pub(crate) use crate::elements::{LineContext, Link, Picture, Script, TextLine};
use crate::page::around;
pub(crate) use crate::parsed::Document;
use crate::people::names;
use crate::prescan::{NextByte, Prescan, hides, may_code_at, shows_testimonials, stands_for_at, style_texts};
use crate::structured::microdata::Microdata;
use crate::tag_roles::{Role, TagRole, role_of};
use crate::tags;
use crate::text::{Gap, TextBuilder, unescape, unescape_attribute};
use crate::tokenizer::{Tag, TagName, Token, Tokenizer};

/// Links kept per page.
const LINKS_MAX: usize = 5_000;
/// Attributes with an `@` kept per page.
const AT_ATTRIBUTES_MAX: usize = 500;
/// Meta tags kept per page.
const METAS_MAX: usize = 300;
/// Scripts kept per page.
const SCRIPTS_MAX: usize = 2_000;
/// Bytes of a `noscript` element searched for an address.
const NOSCRIPT_BYTES_MAX: usize = 2_000;
/// Steps charged per token.
const TOKEN_STEPS: usize = 2;
/// Bytes of a title that are kept.
const TITLE_BYTES_MAX: usize = 4_096;
/// Steps charged for searching a `noscript` element.
const NOSCRIPT_STEPS: usize = 200;
/// Maps in frames kept per page.
const MAPS_MAX: usize = 50;
/// Pictures kept per page.
const PICTURES_MAX: usize = 300;
/// Text lines kept per page.
const LINES_MAX: usize = 100_000;

impl<'h> Document<'h> {
    /// Parses a page with the full budget for its length.
    #[cfg(test)]
    pub(crate) fn parse(html: &'h str) -> Document<'h> {
        Document::parse_within(html, StepBudget::of(html.len(), crate::budget::StepReserve::default()))
    }

    /// Parses a page. The finders draw from what remains of the budget.
    pub(crate) fn parse_within(html: &'h str, budget: StepBudget) -> Document<'h> {
        budget.next_phase();
        let mut reader = DocumentBuilder::new(html, budget);
        for token in Tokenizer::new(html) {
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
}

#[derive(Debug)]
struct DocumentBuilder<'h> {
    html: &'h str,
    document: Document<'h>,
    builder: TextBuilder,
    microdata: Option<Microdata<'h>>,
    hidden: Option<OpenElement<'h>>,
    reversed: Option<(OpenElement<'h>, usize)>,
    testimonials: Option<OpenElement<'h>>,
    context: LineContext,
    link_open: bool,
    /// Lines before the heading that was opened last.
    lines_before_heading: usize,
    /// Byte offset of the last opening tag; pages are shorter than 4 GiB.
    opened: u32,
    has_cloudflare: bool,
    has_reversed: bool,
    /// Where the source may name the class of testimonials; the last is the next one.
    testimonial_places: Vec<usize>,
    split_emails: bool,
    markers: Vec<(usize, usize)>,
    at_signs: NextByte<'h>,
    ampersands: NextByte<'h>,
}

impl<'h> DocumentBuilder<'h> {
    fn new(html: &'h str, budget: StepBudget) -> Self {
        let prescan = Prescan::scan(html);
        let microdata =
            (prescan.has("emprop") || prescan.has("vcard") || prescan.has("h-card")).then(Microdata::default);
        DocumentBuilder {
            html,
            document: Document { html, budget, ..Document::default() },
            builder: TextBuilder::for_page(html.len()),
            microdata,
            hidden: None,
            reversed: None,
            testimonials: None,
            context: LineContext::default(),
            link_open: false,
            lines_before_heading: 0,
            opened: 0,
            has_cloudflare: prescan.has("cfemail="),
            has_reversed: prescan.has("bidi-override"),
            testimonial_places: prescan.testimonials.iter().rev().copied().collect(),
            split_emails: prescan.has("-domain=") || prescan.has("-email="),
            markers: prescan.markers,
            at_signs: NextByte::new(b'@', html),
            ampersands: NextByte::new(b'&', html),
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
            let context = LineContext { link: self.link_open, ..self.context };
            self.document.lines.push(TextLine { start, end: start, context, opened: self.opened });
        }
    }

    fn open(&mut self, tag: &Tag<'h>) {
        let name = tag.name.key();
        self.opened = u32::try_from(tag.start).unwrap_or(u32::MAX);
        self.end_select(name);
        if let Some(hidden) = &mut self.hidden {
            hidden.open(tag.name);
        }
        if let Some((reversed, _)) = &mut self.reversed {
            reversed.open(tag.name);
        }
        self.enter_testimonials(tag, name);
        let TagRole { gap, role } = role_of(name);
        self.enter_or_leave(role, true);
        let is_at = role == Role::Image && stands_for_at(tag, self.at_signs.is_in(tag));
        self.builder.mark(if is_at { Gap::None } else { gap });
        match role {
            Role::Image if is_at => self.text("@"),
            Role::Image if self.document.pictures.len() < PICTURES_MAX => {
                self.document.pictures.push(Picture { tag: *tag, at: self.builder.len() });
            }
            Role::Anchor => self.link(tag),
            Role::Meta => self.meta(tag),
            Role::Html => self.document.lang = tag.attribute("lang"),
            Role::Frame => self.frame(tag),
            Role::Noscript if self.says_address(tag) => {}
            Role::Noscript | Role::Hidden => self.hide(tag),
            Role::Styled if hides(tag.rest) => self.hide(tag),
            _ => {}
        }
        self.special_attributes(tag, role);
        if let Some(microdata) = &mut self.microdata {
            microdata.open(tag, self.builder.len(), &self.document.budget);
        }
    }

    fn enter_testimonials(&mut self, tag: &Tag<'h>, name: u64) {
        while self.testimonial_places.last().is_some_and(|place| *place < tag.start) {
            self.testimonial_places.pop();
        }
        if let Some(open) = &mut self.testimonials {
            open.open(tag.name);
            return;
        }
        let is_named = self.testimonial_places.last().is_some_and(|place| *place < tag.start + tag.rest.len() + 12);
        if is_named && shows_testimonials(tag, name) {
            self.testimonials = Some(OpenElement::new(tag.name));
            self.context.testimonial = true;
        }
    }

    fn leave_testimonials(&mut self, name: TagName<'h>) {
        if self.testimonials.as_mut().is_some_and(|open| open.close(name)) {
            self.testimonials = None;
            self.context.testimonial = false;
        }
    }

    fn special_attributes(&mut self, tag: &Tag<'h>, role: Role) {
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
            self.reversed = Some((OpenElement::new(tag.name), self.builder.len()));
        }
        let may_tell = !matches!(role, Role::Meta | Role::Image | Role::Frame | Role::Silent);
        if may_tell
            && self.document.at_attributes.len() < AT_ATTRIBUTES_MAX
            && (self.at_signs.is_in(tag) || (self.ampersands.is_in(tag) && may_code_at(tag.rest)))
        {
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
        let (mut href, mut label, mut token) = (None, None, None);
        for (name, value) in tag.attributes() {
            match name.len() {
                4 if href.is_none() && name.eq_ignore_ascii_case("href") => href = Some(value),
                5 if name.eq_ignore_ascii_case("title") => label = Some(value),
                10 if label.is_none() && name.eq_ignore_ascii_case("aria-label") => label = Some(value),
                17 if name.eq_ignore_ascii_case("data-mailto-token") => token = Some(value),
                _ => {}
            }
        }
        let Some(href) = href.filter(|_| self.document.links.len() < LINKS_MAX) else { return };
        let at = self.builder.len();
        let href = match token {
            // TYPO3 keeps the encoded link apart; older versions wrote it into the link as a call.
            Some(token) => Cow::Owned(format!("javascript:linkTo_UnCryptMailto('{}')", unescape_attribute(token))),
            None => unescape_attribute(href.trim()),
        };
        self.document.links.push(Link { href, start: at, end: at, label });
        self.link_open = true;
    }

    /// Keeps the URL of a map.
    fn frame(&mut self, tag: &Tag<'h>) {
        if self.document.maps.len() >= MAPS_MAX || memmem::find(tag.rest.as_bytes(), b"/map").is_none() {
            return;
        }
        let sources = tag.attributes().filter(|(name, value)| name.ends_with("src") && is_map(value));
        let found: Vec<Cow<'h, str>> = sources.take(1).map(|(_, value)| unescape_attribute(value)).collect();
        self.document.maps.extend(found);
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

    /// Whether a `noscript` element contains an address; its text is read only then.
    fn says_address(&self, tag: &Tag<'h>) -> bool {
        if !self.document.budget.spend(NOSCRIPT_STEPS) {
            return false;
        }
        let rest = around(self.html, tag.start, 0, NOSCRIPT_BYTES_MAX);
        let inside = &rest[..memmem::find(rest.as_bytes(), b"</noscript").unwrap_or(rest.len())];
        memchr(b'@', inside.as_bytes()).is_some()
    }

    /// Ends a list of options that was never closed: nothing but options may be inside.
    fn end_select(&mut self, name: u64) {
        if let Some(hidden) = &self.hidden
            && matches!(name, tags::SELECT | tags::INPUT | tags::TABLE | tags::TR | tags::TD | tags::FORM)
            && hidden.is_named(TagName::new("select"))
        {
            self.hidden = None;
        }
    }

    fn hide(&mut self, tag: &Tag<'h>) {
        if self.hidden.is_none() && !tag.rest.ends_with('/') {
            self.hidden = Some(OpenElement::new(tag.name));
        }
    }

    fn close(&mut self, name: TagName<'h>) {
        if self.hidden.as_mut().is_some_and(|hidden| hidden.close(name)) {
            self.hidden = None;
        }
        self.close_reversed(name);
        self.leave_testimonials(name);
        let lower = name.key();
        if lower == tags::A {
            self.end_link();
        }
        let TagRole { gap, role } = role_of(lower);
        self.enter_or_leave(role, false);
        if let Some(microdata) = &mut self.microdata {
            microdata.close(name.0, self.builder.as_str(), &self.document.budget);
        }
        self.builder.mark(gap);
    }

    fn close_reversed(&mut self, name: TagName<'h>) {
        if let Some((_, start)) = self.reversed.take_if(|(reversed, _)| reversed.close(name)) {
            self.document.reversed.push((start, self.builder.len()));
        }
    }

    fn enter_or_leave(&mut self, role: Role, inside: bool) {
        match role {
            Role::Heading => {
                self.context.heading = inside;
                if inside {
                    self.lines_before_heading = self.document.lines.len();
                } else {
                    self.join_name();
                }
            }
            Role::Nav => self.context.nav = inside,
            Role::Quote => self.context.quote = inside,
            Role::Footer => self.context.footer = inside,
            Role::Address => self.context.address = inside,
            Role::Main => self.context.nav = false,
            _ => {}
        }
    }

    /// Makes one line of a heading that shows a first name above a surname.
    fn join_name(&mut self) {
        let Some([first, last]) = self.document.lines.get(self.lines_before_heading..) else { return };
        let (first, last) = (first.start, last.start);
        if names::is_name_of_lines(self.builder.as_str().get(first..).unwrap_or("")) {
            self.builder.join_line(last);
            self.document.lines.pop();
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
            tags::STYLE => {
                let at = self.builder.len();
                let room = AT_ATTRIBUTES_MAX.saturating_sub(self.document.at_attributes.len());
                let texts = style_texts(body).take(room).map(|text| ("content-text", Cow::Owned(text), at));
                self.document.at_attributes.extend(texts);
            }
            tags::TITLE if self.document.title.is_empty() && self.hidden.is_none() => {
                let head = around(body, 0, 0, TITLE_BYTES_MAX);
                self.document.title = unescape(head).split_whitespace().collect::<Vec<_>>().join(" ");
            }
            // What looks like markup in there is text.
            tags::TEXTAREA => self.document.comments.push((tag.start, tag.start + tag.rest.len() + body.len() + 10)),
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
        TextLine::end_all(&mut document.lines, &document.text);
        document.split_emails = self.split_emails;
        document.markers = self.markers;
        document
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_grow_linearly_with_length() {
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
            let steps = |times: usize| Document::parse(&piece.repeat(times)).budget.spent();
            let (small, large) = (steps(1_000), steps(10_000));
            assert!(large <= small * 10 + 100, "{piece}: {small} steps became {large}");
        }
    }

    #[test]
    fn an_unclosed_list_or_drawing_does_not_hide_the_page() {
        for html in [
            "<select><option>a<table><tr><td>shown</table>",
            "<select><option>a<select><option>b</select><p>shown",
            "<select><option>a</select><p>shown",
            "<li><svg width=1></a></li><p>shown",
            "<li><svg><path/><foreignObject><div>x</div></foreignObject></svg></li><p>shown",
        ] {
            assert_eq!(Document::parse(html).text, "shown", "{html}");
        }
    }

    #[test]
    fn lines_know_their_context() {
        let document = Document::parse(
            "<nav><a href=/>Home</a></nav><h1>Roofs</h1><blockquote>good</blockquote><footer>2024</footer>",
        );
        let places: Vec<(&str, LineContext)> = (0..document.lines.len()).map(|index| document.line(index)).collect();
        assert_eq!(places.iter().map(|(line, _)| *line).collect::<Vec<_>>(), ["Home", "Roofs", "good", "2024"]);
        assert!(places[0].1.nav && places[0].1.link && places[1].1.heading && places[2].1.quote && places[3].1.footer);
        assert_eq!(document.line_at(document.text.find("good").unwrap()), 2);
    }
}
