//! What tags mean for the text around them, looked up at once: a page has thousands.

use crate::tags;
use crate::text::Gap;

/// What a tag does besides separating texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// Nothing.
    Plain,
    Heading,
    Nav,
    Quote,
    Footer,
    Address,
    Main,
    Image,
    Anchor,
    Meta,
    Html,
    Frame,
    Noscript,
    /// Its content is not shown.
    Hidden,
    /// Part of a line that a style may hide.
    Styled,
    /// Its attributes never contain an email address.
    Silent,
}

/// The gap and the role of a tag.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TagRole {
    pub(crate) gap: Gap,
    pub(crate) role: Role,
}

/// Tags other than plain ones that start a new line.
const KNOWN: &[(u64, Gap, Role)] = &[
    (tags::B, Gap::Joint, Role::Styled),
    (tags::STRONG, Gap::Joint, Role::Plain),
    (tags::I, Gap::Joint, Role::Styled),
    (tags::EM, Gap::Joint, Role::Styled),
    (tags::U, Gap::Joint, Role::Plain),
    (tags::S, Gap::Joint, Role::Plain),
    (tags::SPAN, Gap::Joint, Role::Styled),
    (tags::FONT, Gap::Joint, Role::Plain),
    (tags::SMALL, Gap::Joint, Role::Plain),
    (tags::SUP, Gap::Joint, Role::Plain),
    (tags::SUB, Gap::Joint, Role::Plain),
    (tags::MARK, Gap::Joint, Role::Plain),
    (tags::ABBR, Gap::Joint, Role::Plain),
    (tags::BDI, Gap::Joint, Role::Plain),
    (tags::BDO, Gap::Joint, Role::Plain),
    (tags::WBR, Gap::Joint, Role::Plain),
    (tags::CODE, Gap::Joint, Role::Plain),
    (tags::INS, Gap::Joint, Role::Plain),
    (tags::DEL, Gap::Joint, Role::Plain),
    (tags::BIG, Gap::Joint, Role::Plain),
    (tags::TT, Gap::Joint, Role::Plain),
    (tags::Q, Gap::Joint, Role::Plain),
    (tags::CITE, Gap::Joint, Role::Plain),
    (tags::TIME, Gap::Joint, Role::Plain),
    (tags::STRIKE, Gap::Joint, Role::Plain),
    (tags::A, Gap::Space, Role::Anchor),
    (tags::BUTTON, Gap::Space, Role::Plain),
    (tags::IMG, Gap::Space, Role::Image),
    (tags::INPUT, Gap::Space, Role::Plain),
    (tags::LABEL, Gap::Space, Role::Plain),
    (tags::SVG, Gap::Space, Role::Hidden),
    (tags::PICTURE, Gap::Space, Role::Plain),
    (tags::IFRAME, Gap::Space, Role::Frame),
    (tags::VIDEO, Gap::Space, Role::Silent),
    (tags::AUDIO, Gap::Space, Role::Plain),
    (tags::PATH, Gap::Space, Role::Plain),
    (tags::USE, Gap::Space, Role::Plain),
    (tags::NOSCRIPT, Gap::None, Role::Noscript),
    (tags::META, Gap::None, Role::Meta),
    (tags::LINK, Gap::None, Role::Silent),
    (tags::G, Gap::None, Role::Plain),
    (tags::SOURCE, Gap::None, Role::Silent),
    (tags::H1, Gap::Line, Role::Heading),
    (tags::H2, Gap::Line, Role::Heading),
    (tags::H3, Gap::Line, Role::Heading),
    (tags::H4, Gap::Line, Role::Heading),
    (tags::H5, Gap::Line, Role::Heading),
    (tags::H6, Gap::Line, Role::Heading),
    (tags::NAV, Gap::Line, Role::Nav),
    (tags::BLOCKQUOTE, Gap::Line, Role::Quote),
    (tags::FOOTER, Gap::Line, Role::Footer),
    (tags::ADDRESS, Gap::Line, Role::Address),
    (tags::MAIN, Gap::Line, Role::Main),
    (tags::AREA, Gap::Line, Role::Anchor),
    (tags::HTML, Gap::Line, Role::Html),
    (tags::SELECT, Gap::Line, Role::Hidden),
    (tags::DATALIST, Gap::Line, Role::Hidden),
    (tags::TEMPLATE, Gap::Line, Role::Hidden),
    (tags::OPTION, Gap::Line, Role::Silent),
];

/// A hash table of the known tags, a power of two in size; an empty place has the key 0, which no tag has.
static TABLE: [(u64, TagRole); PLACES] = table();
const PLACES: usize = 1024;

const fn table() -> [(u64, TagRole); PLACES] {
    let mut table = [(0, TagRole { gap: Gap::Line, role: Role::Plain }); PLACES];
    let mut index = 0;
    while index < KNOWN.len() {
        let (key, gap, role) = KNOWN[index];
        let mut place = place_of(key);
        while table[place].0 != 0 {
            place = (place + 1) % PLACES;
        }
        table[place] = (key, TagRole { gap, role });
        index += 1;
    }
    table
}

/// The upper bits of a product, which depend on all bits of the key.
const fn place_of(key: u64) -> usize {
    (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 54) as usize
}

/// Looks up a tag by the key of its name.
pub(crate) fn role_of(name: u64) -> TagRole {
    let mut place = place_of(name);
    loop {
        let (key, role) = TABLE[place];
        // One branch for both: nearly always the first place holds the tag, or nothing.
        if (key == name) | (key == 0) {
            return role;
        }
        place = (place + 1) % PLACES;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_known_tag_is_found_and_others_are_plain() {
        for (key, gap, role) in KNOWN {
            let found = role_of(*key);
            assert_eq!((found.gap, found.role), (*gap, *role));
        }
        for name in ["div", "p", "li", "x-card", "custom-element"] {
            let found = role_of(crate::tokenizer::key(name));
            assert_eq!((found.gap, found.role), (Gap::Line, Role::Plain), "{name}");
        }
    }
}
