//! A parsed page: what the finders read.

use std::borrow::Cow;

use crate::budget::StepBudget;
use crate::elements::{LineContext, Link, Picture, Script, TextLine};
use crate::page::around;
use crate::tokenizer::{Tag, Token, Tokenizer};

/// Longest tag that is read again, in bytes.
const TAG_BYTES_MAX: usize = 1_000;

/// A parsed page.
#[derive(Debug, Default)]
pub(crate) struct Document<'h> {
    /// The page source.
    pub(crate) html: &'h str,
    /// Visible text; blocks are separated by line feeds.
    pub(crate) text: String,
    pub(crate) lines: Vec<TextLine>,
    pub(crate) links: Vec<Link<'h>>,
    pub(crate) scripts: Vec<Script<'h>>,
    /// Meta tags as (name or property in lower case, content).
    pub(crate) metas: Vec<(String, Cow<'h, str>)>,
    /// Values of `data-cfemail`, with their offset in the text.
    pub(crate) cloudflare: Vec<(&'h str, usize)>,
    /// Other attributes that contain an `@`, as (name, value, offset in the text).
    pub(crate) at_attributes: Vec<(&'h str, Cow<'h, str>, usize)>,
    /// Text ranges that CSS displays right to left.
    pub(crate) reversed: Vec<(usize, usize)>,
    pub(crate) title: String,
    /// The `lang` attribute of the `html` element.
    pub(crate) lang: Option<&'h str>,
    /// Byte ranges of link tags in the page source.
    pub(crate) anchors: Vec<(usize, usize)>,
    /// Byte ranges of the page source that are no markup: comments and text areas.
    pub(crate) comments: Vec<(usize, usize)>,
    /// Whether the page may store the parts of an address in several attributes.
    pub(crate) split_emails: bool,
    /// Literals of the technology rules, as (index of the literal, byte offset in the page source).
    pub(crate) markers: Vec<(usize, usize)>,
    /// Structured data items written as microdata or microformats.
    pub(crate) items: Vec<serde_json::Value>,
    /// Pictures; their attributes are read only where people are presented.
    pub(crate) pictures: Vec<Picture<'h>>,
    /// URLs of maps that the page shows in frames.
    pub(crate) maps: Vec<Cow<'h, str>>,
    /// Steps left for the finders.
    pub(crate) budget: StepBudget,
}

impl<'h> Document<'h> {
    /// The text of line `index` and its context.
    pub(crate) fn line(&self, index: usize) -> (&str, LineContext) {
        let Some(line) = self.lines.get(index) else { return ("", LineContext::default()) };
        (self.text.get(line.start..line.end).unwrap_or(""), line.context)
    }

    /// The tag opened last before line `index`, unless it is very long.
    pub(crate) fn opened(&self, index: usize) -> Option<Tag<'h>> {
        let start = self.lines.get(index)?.opened as usize;
        match Tokenizer::new(around(self.html, start, 0, TAG_BYTES_MAX)).next() {
            Some(Token::Open(tag)) => Some(tag),
            _ => None,
        }
    }

    /// The index of the line that contains byte `at` of the text.
    pub(crate) fn line_at(&self, at: usize) -> usize {
        self.lines.partition_point(|line| line.start <= at).saturating_sub(1)
    }

    /// Whether byte `at` of the text is displayed right to left.
    pub(crate) fn is_reversed(&self, at: usize) -> bool {
        let index = self.reversed.partition_point(|(_, end)| *end < at);
        self.reversed.get(index).is_some_and(|(start, _)| *start <= at)
    }

    /// The content of the first meta tag with this name.
    pub(crate) fn meta(&self, name: &str) -> Option<&str> {
        self.metas.iter().find(|(n, _)| n == name).map(|(_, content)| content.as_ref())
    }
}
