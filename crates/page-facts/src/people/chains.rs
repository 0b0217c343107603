//! Reads cards that a page sets side by side without anything between them: `Ann Lee Stylist Bob Ray Barber`.

use crate::page::around;
use crate::people::one_line::Titled;
use crate::people::{names, titles};

/// Cards of a chain, bytes of one card, and words of its title.
const CHAIN_MAX: usize = 40;
const LINK_BYTES_MAX: usize = 80;
const TITLE_WORDS_MAX: usize = 5;
/// Spaces in the shortest chain.
const SPACES_MIN: usize = 5;

/// `Ann Lee Stylist Bob Ray Barber`: cards without any separator. Only if the whole line is made of them.
pub(super) fn chained(line: &str) -> Vec<Titled> {
    if spaces(line).count() < SPACES_MIN {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut rest = line;
    while !rest.is_empty() {
        let Some((titled, after)) = link(rest).filter(|_| found.len() < CHAIN_MAX) else { return Vec::new() };
        found.push(titled);
        rest = after;
    }
    if found.len() > 1 { found } else { Vec::new() }
}

/// The name and title at the start of a chain, and what follows them: nothing or another name.
fn link(text: &str) -> Option<(Titled, &str)> {
    let near = around(text, 0, 0, LINK_BYTES_MAX);
    let ends = || spaces(near).chain([near.len()]);
    // A surname ends the name; the title goes on to the next name.
    ends().skip(1).take(3).find_map(|name_end| {
        let name = names::parse(&near[..name_end])?;
        let end = ends().filter(|end| *end > name_end).take(TITLE_WORDS_MAX).find(|end| {
            let title = &near[(name_end + 1).min(*end)..*end];
            let next = text[*end..].trim_start();
            titles::is_title_phrase(title) && (next.is_empty() || names::starts_with_first_name(next))
        })?;
        let title = near[name_end + 1..end].to_owned();
        Some(((name, title), text[end..].trim_start()))
    })
}

/// The places of the spaces in a text.
fn spaces(text: &str) -> impl Iterator<Item = usize> {
    text.bytes().enumerate().filter(|(_, byte)| *byte == b' ').map(|(at, _)| at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cards_without_separators_are_read() {
        let shown = |line: &str| {
            chained(line).iter().map(|(name, title)| format!("{}={title}", name.name)).collect::<Vec<_>>().join("; ")
        };
        assert_eq!(shown("Amy Chen Stylist Rob Hall Barber"), "Amy Chen=Stylist; Rob Hall=Barber");
        assert_eq!(shown("Amy B. Chen Office Manager Rob Hall Owner"), "Amy B. Chen=Office Manager; Rob Hall=Owner");
        assert_eq!(shown("Amy Chen Stylist and Rob Hall Barber"), "");
        assert_eq!(shown("Amy Chen Stylist"), "");
        assert_eq!(shown("Amy Chen Rob Hall Barber Stylist Ann"), "");
        assert_eq!(shown("Grand Hall Hotel Manager Special Rob Hall Barber"), "");
    }
}
