//! The parts of a page that the walk gathers: links, scripts, and lines with where they stand.

use std::borrow::Cow;

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
