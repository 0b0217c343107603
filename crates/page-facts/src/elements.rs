//! Elements of a parsed page: links, scripts, and lines of text with their context.

use std::borrow::Cow;

use crate::tokenizer::{Tag, TagName};

/// A link and its visible text.
#[derive(Debug)]
pub(crate) struct Link<'h> {
    /// The `href`, character references decoded.
    pub(crate) href: Cow<'h, str>,
    /// Where its text starts in `Document::text`.
    pub(crate) start: usize,
    /// Where its text ends in `Document::text`.
    pub(crate) end: usize,
    /// The `title` or `aria-label`.
    pub(crate) label: Option<&'h str>,
}

/// An inline script.
#[derive(Debug)]
pub(crate) struct Script<'h> {
    pub(crate) body: &'h str,
    /// Byte offset of the body in the page source.
    pub(crate) start: usize,
    pub(crate) is_json_ld: bool,
}

/// A picture.
#[derive(Debug)]
pub(crate) struct Picture<'h> {
    pub(crate) tag: Tag<'h>,
    /// Where it stands in `Document::text`.
    pub(crate) at: usize,
}

/// Which elements a line of text is inside of.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct LineContext {
    /// Inside `h1` to `h6`.
    pub(crate) heading: bool,
    /// Inside `nav`.
    pub(crate) nav: bool,
    /// Inside `footer`.
    pub(crate) footer: bool,
    /// Starts inside a link.
    pub(crate) link: bool,
    /// Inside `blockquote`.
    pub(crate) quote: bool,
    /// Inside `address`.
    pub(crate) address: bool,
    /// Inside an element whose class or id says that it shows testimonials or reviews.
    pub(crate) testimonial: bool,
}

/// A line of the visible text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TextLine {
    /// Where it starts in `Document::text`.
    pub(crate) start: usize,
    /// Where it ends, without the white space behind it.
    pub(crate) end: usize,
    pub(crate) context: LineContext,
    /// Byte offset of the tag opened last before it in the page source.
    pub(crate) opened: u32,
}

impl TextLine {
    /// Sets where each line of a text ends: before the next one, and before white space.
    pub(crate) fn end_all(lines: &mut [TextLine], text: &str) {
        let mut next = text.len();
        for line in lines.iter_mut().rev() {
            line.end = line.start + text.get(line.start..next).unwrap_or("").trim_end().len();
            next = line.start;
        }
    }
}

/// An element whose end is waited for, and how many elements of the same name are open, itself included.
#[derive(Debug)]
pub(crate) struct OpenElement<'h> {
    name: TagName<'h>,
    depth: usize,
}

impl<'h> OpenElement<'h> {
    /// An element that has just been opened.
    pub(crate) fn new(name: TagName<'h>) -> Self {
        OpenElement { name, depth: 1 }
    }

    /// Whether tags with a name are counted.
    pub(crate) fn is_named(&self, name: TagName<'_>) -> bool {
        name.is(self.name)
    }

    /// Counts an opening tag inside.
    pub(crate) fn open(&mut self, name: TagName<'_>) {
        self.depth += usize::from(self.is_named(name));
    }

    /// Counts a closing tag; says whether it is that of the element.
    pub(crate) fn close(&mut self, name: TagName<'_>) -> bool {
        self.depth -= usize::from(self.is_named(name));
        self.depth == 0
    }
}
