//! The HTML tokenizer: splits a page into tags and text in one forward pass, as a browser would, without building a
//! tree.

use memchr::{memchr, memmem};

use crate::blocks::{first_of, near};
use crate::tags;

/// Attributes read per tag.
const ATTRIBUTES_MAX: usize = 256;

/// A token of HTML.
#[derive(Debug, PartialEq, Eq, Clone, Copy)]
pub(crate) enum Token<'h> {
    /// Characters between tags, character references not decoded.
    Text(&'h str),
    /// An opening tag.
    Open(Tag<'h>),
    /// A closing tag.
    Close(TagName<'h>),
    /// An element whose content is not markup (`script`, `style`, `title`, ...), with that content.
    Raw(Tag<'h>, &'h str),
    /// A comment: its byte range in the page source.
    Comment(usize, usize),
}

/// For each byte 1 if it ends a name, else 0.
type NameEnds = [u8; 256];

/// Bytes that end the name of a tag.
static TAG_NAME_ENDS: NameEnds = {
    let mut ends = [1; 256];
    let mut byte = 0_u8;
    while byte < 128 {
        ends[byte as usize] = !(byte.is_ascii_alphanumeric() || byte == b'-' || byte == b':') as u8;
        byte += 1;
    }
    ends
};

/// Bytes that end the name of an attribute.
static ATTRIBUTE_NAME_ENDS: NameEnds = {
    let mut ends = [0; 256];
    let mut byte = 0_u8;
    while byte < 128 {
        ends[byte as usize] = (byte.is_ascii_whitespace() || byte == b'=' || byte == b'/') as u8;
        byte += 1;
    }
    ends
};

/// Whether a byte behind `<` makes that markup: looked up, because which of them it is cannot be predicted.
static STARTS_MARKUP: [bool; 256] = {
    let mut starts = [false; 256];
    let mut byte = 0_u8;
    while byte < 128 {
        starts[byte as usize] = byte.is_ascii_alphabetic() || matches!(byte, b'/' | b'!' | b'?');
        byte += 1;
    }
    starts
};

/// Where the name at the start of `bytes` ends. The lengths of names cannot be predicted, so eight bytes are looked up
/// without a branch.
fn name_end(bytes: &[u8], ends: &NameEnds) -> usize {
    let (blocks, rest) = bytes.as_chunks::<8>();
    for (index, block) in blocks.iter().enumerate() {
        let found = (0..8).fold(0, |found, at| found | (u32::from(ends[usize::from(block[at])]) << at));
        if found != 0 {
            return index * 8 + found.trailing_zeros() as usize;
        }
    }
    let in_rest = rest.iter().position(|byte| ends[usize::from(*byte)] != 0);
    in_rest.map_or(bytes.len(), |at| blocks.len() * 8 + at)
}

/// A tag name as written, and its [`key`]: compare by [`TagName::key`] or [`TagName::is`].
#[derive(Debug, PartialEq, Eq, Clone, Copy)]
pub(crate) struct TagName<'h>(pub(crate) &'h str, u64);

impl<'h> TagName<'h> {
    pub(crate) fn new(name: &'h str) -> TagName<'h> {
        TagName(name, key(name))
    }

    /// The name at the start of a text.
    fn at_start(text: &'h str) -> TagName<'h> {
        let name = &text[..name_end(text.as_bytes(), &TAG_NAME_ENDS)];
        match text.as_bytes().first_chunk::<8>() {
            // Digits and signs of a name have the bit set that makes letters lower case.
            Some(eight) => {
                let packed = u64::from_be_bytes(*eight) | 0x2020_2020_2020_2020;
                TagName(name, packed.checked_shr(64 - 8 * name.len().min(8) as u32).unwrap_or(0))
            }
            None => TagName::new(name),
        }
    }

    /// The name as an integer; see [`key`].
    pub(crate) fn key(self) -> u64 {
        self.1
    }

    /// Whether both are the same name, in any case.
    pub(crate) fn is(self, other: TagName<'_>) -> bool {
        self.1 == other.1
            && self.0.len() == other.0.len()
            && (self.0.len() <= 8 || self.0.eq_ignore_ascii_case(other.0))
    }
}

/// The first eight bytes of a tag name in lower case, packed into an integer.
pub(crate) const fn key(name: &str) -> u64 {
    let bytes = name.as_bytes();
    let mut packed = 0;
    let mut at = 0;
    while at < bytes.len() && at < 8 {
        packed = (packed << 8) | bytes[at].to_ascii_lowercase() as u64;
        at += 1;
    }
    packed
}

/// An opening tag: its name and everything between the name and `>`.
#[derive(Debug, PartialEq, Eq, Clone, Copy)]
pub(crate) struct Tag<'h> {
    pub(crate) name: TagName<'h>,
    /// The attributes as written.
    pub(crate) rest: &'h str,
    /// Byte offset of the tag in the page source.
    pub(crate) start: usize,
}

impl<'h> Tag<'h> {
    /// The attributes in order; values are not decoded.
    pub(crate) fn attributes(&self) -> Attributes<'h> {
        Attributes { rest: self.rest, left: ATTRIBUTES_MAX }
    }

    /// Byte offset of what ends the tag: `>`, or the end of the page.
    pub(crate) fn end(&self) -> usize {
        self.start + 1 + self.name.0.len() + self.rest.len()
    }

    /// The value of an attribute, not decoded. The first one wins, as in browsers.
    pub(crate) fn attribute(&self, name: &str) -> Option<&'h str> {
        self.attributes().find(|(n, _)| n.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }
}

/// Iterates over the attributes of one tag.
#[derive(Debug)]
pub(crate) struct Attributes<'h> {
    rest: &'h str,
    /// How many more may be read.
    left: usize,
}

impl<'h> Iterator for Attributes<'h> {
    type Item = (&'h str, &'h str);

    fn next(&mut self) -> Option<Self::Item> {
        let rest = skip(self.rest, |byte| byte.is_ascii_whitespace() || byte == b'/');
        if rest.is_empty() || self.left == 0 {
            self.rest = "";
            return None;
        }
        self.left -= 1;
        let (name, after) = split_at_char(rest, 1 + name_end(&rest.as_bytes()[1..], &ATTRIBUTE_NAME_ENDS));
        let trimmed = skip(after, |byte| byte.is_ascii_whitespace());
        let Some(value) = trimmed.strip_prefix('=') else {
            self.rest = after;
            return Some((name, ""));
        };
        let value = skip(value, |byte| byte.is_ascii_whitespace());
        let (value, remains) = take_value(value);
        self.rest = remains;
        Some((name, value))
    }
}

/// A text without the ASCII characters of a kind at its start.
fn skip(text: &str, is_skipped: impl Fn(u8) -> bool) -> &str {
    &text[text.bytes().position(|byte| !is_skipped(byte)).unwrap_or(text.len())..]
}

fn take_value(text: &str) -> (&str, &str) {
    if let Some(quote @ (b'"' | b'\'')) = text.as_bytes().first().copied() {
        let inner = &text[1..];
        return near(quote, inner.as_bytes()).map_or((inner, ""), |end| (&inner[..end], &inner[end + 1..]));
    }
    text.split_at(text.bytes().position(|b| b.is_ascii_whitespace()).unwrap_or(text.len()))
}

/// Splits after `at` bytes, moved forward to a character boundary.
fn split_at_char(text: &str, at: usize) -> (&str, &str) {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at += 1;
    }
    text.split_at(at)
}

/// Iterates over the tokens of a page.
#[derive(Debug)]
pub(crate) struct Tokenizer<'h> {
    html: &'h str,
    at: usize,
    /// Set per kind of quote once a search for a closing one failed: none further on can be closed either.
    no_more: [bool; 2],
}

impl<'h> Tokenizer<'h> {
    pub(crate) fn new(html: &'h str) -> Self {
        Tokenizer { html, at: 0, no_more: [false; 2] }
    }

    /// The index of the `>` that ends the tag starting at `from`, taking quoted values into account.
    fn tag_end(&mut self, from: usize) -> usize {
        let bytes = self.html.as_bytes();
        let mut at = from;
        loop {
            // So end tags without attributes, and most behind a quoted value.
            if bytes.get(at) == Some(&b'>') {
                return at;
            }
            let Some(found) = first_of(*b">\"'", &bytes[at..]) else { return bytes.len() };
            let here = at + found;
            at = here + 1;
            let kind = match bytes[here] {
                b'>' => return here,
                b'"' => 0,
                _ => 1,
            };
            if self.no_more[kind] || !follows_equals(&bytes[from..here]) {
                continue;
            }
            match near(bytes[here], &bytes[at..]) {
                Some(close) => at += close + 1,
                None => self.no_more[kind] = true,
            }
        }
    }

    /// Continues after the next `>`.
    fn skip_tag(&mut self, from: usize) {
        let bytes = self.html.as_bytes();
        let here = bytes.get(from) == Some(&b'>');
        let end = if here { Some(0) } else { near(b'>', &bytes[from..]) };
        self.at = end.map_or(bytes.len(), |end| from + end + 1);
    }

    /// Continues after the end of the comment.
    fn skip_comment(&mut self, from: usize) {
        self.at = memmem::find(&self.html.as_bytes()[from..], b"-->").map_or(self.html.len(), |end| from + end + 3);
    }

    /// Where the text at `from` ends: at the next `<` that starts markup.
    fn text_end(&self, from: usize) -> usize {
        let bytes = self.html.as_bytes();
        let mut at = from;
        while let Some(found) = near(b'<', &bytes[at..]) {
            at += found;
            if bytes.get(at + 1).is_some_and(|next| STARTS_MARKUP[usize::from(*next)]) {
                return at;
            }
            at += 1;
        }
        bytes.len()
    }

    /// Reads `<...`. `None` when it is a literal `<` in the text, or a declaration, which is skipped.
    fn markup(&mut self) -> Option<Token<'h>> {
        let start = self.at;
        let bytes = self.html.as_bytes();
        match bytes.get(start + 1)? {
            b'!' if bytes[start..].starts_with(b"<!--") => {
                self.skip_comment(start + 4);
                Some(Token::Comment(start, self.at))
            }
            b'!' | b'?' => {
                self.skip_tag(start);
                None
            }
            b'/' => {
                let name = TagName::at_start(&self.html[start + 2..]);
                self.skip_tag(start + 2 + name.0.len());
                (!name.0.is_empty()).then_some(Token::Close(name))
            }
            letter if letter.is_ascii_alphabetic() => Some(self.open(start)),
            _ => None,
        }
    }

    fn open(&mut self, start: usize) -> Token<'h> {
        let name = TagName::at_start(&self.html[start + 1..]);
        let after_name = start + 1 + name.0.len();
        let end = self.tag_end(after_name);
        let tag = Tag { name, rest: &self.html[after_name..end], start };
        self.at = (end + 1).min(self.html.len());
        if is_raw(name) && !(tag.rest.ends_with('/') && name.0.len() != 6) { self.raw(tag) } else { Token::Open(tag) }
    }

    /// Reads up to the closing tag of a raw element; an unclosed one extends to the end of the page.
    fn raw(&mut self, tag: Tag<'h>) -> Token<'h> {
        let from = self.at;
        let bytes = self.html.as_bytes();
        let mut at = from;
        let mut may_be_unclosed = tag.name.0.len() == 3;
        while let Some(found) = memchr(b'<', &bytes[at..]) {
            let close = at + found;
            if bytes.get(close + 1) != Some(&b'/') {
                // Only inside `foreignObject` has a drawing HTML of its own.
                may_be_unclosed &=
                    !matches!(bytes.get(close + 1), Some(b'f' | b'F')) || !is_foreign(&bytes[close + 1..]);
                at = close + 1;
                continue;
            }
            let name = &bytes[close + 2..];
            if may_be_unclosed && ends_drawing(name) {
                self.at = close;
                return Token::Raw(tag, &self.html[from..close]);
            }
            let len = tag.name.0.len();
            if name.len() >= len && name[..len].eq_ignore_ascii_case(tag.name.0.as_bytes()) {
                self.skip_tag(close + 2 + len);
                return Token::Raw(tag, &self.html[from..close]);
            }
            at = close + 2;
        }
        self.at = bytes.len();
        Token::Raw(tag, &self.html[from..])
    }
}

fn is_foreign(name: &[u8]) -> bool {
    name.get(..13).is_some_and(|name| name.eq_ignore_ascii_case(b"foreignObject"))
}

/// Whether a closing tag belongs to an element around a drawing, which was then never closed.
fn ends_drawing(name: &[u8]) -> bool {
    let length = name.iter().position(|b| !b.is_ascii_alphanumeric()).unwrap_or(name.len());
    let ends: [&[u8]; 9] = [b"div", b"li", b"ul", b"nav", b"td", b"p", b"body", b"section", b"button"];
    ends.iter().any(|end| name[..length].eq_ignore_ascii_case(end))
}

fn is_raw(name: TagName<'_>) -> bool {
    // Drawings are long and contain no facts.
    matches!(name.key(), tags::SVG | tags::STYLE | tags::TITLE | tags::SCRIPT | tags::TEXTAREA) && name.0.len() <= 8
}

fn follows_equals(before: &[u8]) -> bool {
    let is_behind_space = || before.trim_ascii_end().last() == Some(&b'=');
    before.last().is_some_and(|last| *last == b'=' || (last.is_ascii_whitespace() && is_behind_space()))
}

impl<'h> Iterator for Tokenizer<'h> {
    type Item = Token<'h>;

    fn next(&mut self) -> Option<Token<'h>> {
        let bytes = self.html.as_bytes();
        while self.at < bytes.len() {
            let start = self.at;
            // A lone `<` is part of the text that follows it.
            let from = if bytes[start] == b'<' {
                let token = self.markup();
                if token.is_some() {
                    return token;
                }
                if self.at > start {
                    continue;
                }
                start + 1
            } else {
                start
            };
            let end = self.text_end(from);
            self.at = end;
            return Some(Token::Text(&self.html[start..end]));
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(html: &str, expect: &str) {
        let mut shown = String::new();
        for token in Tokenizer::new(html) {
            match token {
                Token::Text(t) => shown.push_str(t),
                Token::Open(t) => {
                    let list: Vec<String> = t.attributes().map(|(n, v)| format!("{n}={v}")).collect();
                    shown.push_str(&format!("[{} {}]", t.name.0, list.join("|")));
                }
                Token::Close(n) => shown.push_str(&format!("[/{}]", n.0)),
                Token::Raw(t, body) => shown.push_str(&format!("{{{}:{body}}}", t.name.0)),
                Token::Comment(..) => {}
            }
        }
        assert_eq!(shown, expect, "{html}");
    }

    #[test]
    fn pages_are_tokenized_as_browsers_do() {
        check("a<b>c</b>", "a[b ]c[/b]");
        check("<a href=x title='1 > 0'>t</a >", "[a href=x|title=1 > 0]t[/a]");
        check("<a  b = \"c\"d/>", "[a b=c|d=]");
        check("1 < 2 <3", "1 < 2 <3");
        check("<!-- <a> --><!doctype html><?php x ?>z", "z");
        check("<script>if (a<b) '</a>'</SCRIPT >x", "{script:if (a<b) '</a>'}x");
        check("<title>T</title><style>p>a{}</style>", "{title:T}{style:p>a{}}");
        check("<p don't>can't</p>", "[p don't=]can't[/p]");
        check("<input value=a/b checked>", "[input value=a/b|checked=]");
        check("<img alt=\"é\" é=ü>", "[img alt=é|é=ü]");
    }

    #[test]
    fn broken_markup_ends_with_the_page() {
        check("<a href=\"x", "[a href=x]");
        check("<script>x", "{script:x}");
        check("<!-- x", "");
        check("</", "");
        check("<", "<");
        check("<a href=\"x>y</a> 'z", "[a href=x]y[/a] 'z");
        check("</>x", "x");
    }
}
