//! Reads blocks of lines in which names alternate with titles. Pages put the title below the name or above it; each block
//! shows which by how it starts and ends, and blocks that do not follow the rest of the page.

use crate::document::{Document, LineContext};
pub(super) use crate::people::contact_lines::{before_contacts, is_contact};
use crate::people::names::{self, PersonName};
use crate::people::{departments, field_labels, headings, one_line, owners, titles, vouched};
use crate::site::Site;

/// Lines of one block.
const BLOCK_LINES_MAX: usize = 200;
/// Lines before the first name that may belong to its block.
const LINES_BEFORE_MAX: usize = 6;
/// Steps charged per line of a block.
const LINE_STEPS: usize = 2_000;
/// Names with the surname first that make a list of such.
const REVERSED_MIN: usize = 2;
/// Longest line that is a name or a title, in bytes; and one with contacts after it.
const LINE_BYTES_MAX: usize = 100;
const CONTACT_LINE_BYTES_MAX: usize = 200;

/// A line of a block.
#[derive(Debug)]
pub(super) enum Item {
    Name(PersonName),
    /// A title; `Owner:` with a colon belongs to what follows.
    Title {
        is_label: bool,
        /// `Attorneys`: the heading of several people.
        is_plural: bool,
        /// `Sales`: a department in place of a title.
        is_department: bool,
    },
}

/// Consecutive lines with names and titles.
#[derive(Debug)]
pub(super) struct Block {
    /// Each line with its index in the document.
    pub(super) items: Vec<(usize, Item)>,
    /// The line after the block.
    pub(super) end: usize,
}

/// Where a page puts titles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Below,
    Above,
}

/// A name with the line of its title, if the block gives it one.
#[derive(Debug)]
pub(super) struct Card {
    pub(super) line: usize,
    pub(super) name: PersonName,
    pub(super) title_line: Option<usize>,
    /// The title, when it differs from the text of the line.
    pub(super) title: Option<String>,
    /// Whether the title is a heading above several people.
    pub(super) is_group: bool,
    /// How many titles of its block stand above their names.
    pub(super) titles_above: usize,
}

/// Reads the block around the name in line `index`; lines before `from` belong to another block.
pub(super) fn block(document: &Document<'_>, readable: &[bool], index: usize, from: usize) -> Block {
    let mut start = index;
    while start > from && index - start < LINES_BEFORE_MAX {
        let is_part =
            readable[start - 1] && (is_skipped(document.line(start - 1).0) || title(document, start - 1).is_some());
        if !is_part {
            break;
        }
        start -= 1;
    }
    if start < index && is_of_another(document, start, index) {
        start = index;
    }
    let mut items = Vec::new();
    let mut reversed = Vec::new();
    let mut end = start;
    while end < readable.len() && end - start < BLOCK_LINES_MAX && readable[end] && document.budget.spend(LINE_STEPS) {
        let (line, _) = document.line(end);
        if let Some(name) = name(line) {
            if names::parse_reversed(line).is_some() {
                reversed.push(end);
            }
            items.push((end, Item::Name(name)));
        } else if let Some(title) = title(document, end) {
            // A heading for several people begins a block of its own.
            let is_heading = matches!(title, Item::Title { is_plural: true, .. }) && document.line(end).1.heading;
            if is_heading && end > index {
                break;
            }
            // `CPA, CFP®` between a name and its title.
            if items.last().is_some_and(|(line, item)| {
                matches!(item, Item::Title { .. })
                    && *line + 1 == end
                    && titles::is_only_letters(document.line(*line).0)
            }) {
                items.pop();
            }
            items.push((end, title));
        } else if !is_skipped(line) && !is_letters_of(items.last(), end, line) {
            break;
        }
        end += 1;
    }
    // `Lee, Ann` is a name only in a list of such.
    if reversed.len() < REVERSED_MIN {
        items.retain(|(line, _)| !reversed.contains(line));
    }
    if !alternates(&items) {
        items.retain(|(_, item)| !matches!(item, Item::Title { is_department: true, .. }));
    }
    Block { items, end: end.max(index + 1) }
}

/// Whether the title in line `start` belongs to a name on no list in the heading above it, not to the heading in `index`.
fn is_of_another(document: &Document<'_>, start: usize, index: usize) -> bool {
    let (above, place) = start.checked_sub(1).map_or(("", LineContext::default()), |at| document.line(at));
    place.heading
        && document.line(index).1.heading
        && !document.line(start).1.heading
        && document.budget.spend(LINE_STEPS)
        && vouched::name(above).is_some()
}

/// Longest line of letters behind a name, in bytes.
const LETTERS_BYTES_MAX: usize = 40;

/// `M.S., Ed.D.` below a name, which are no title: one may follow.
fn is_letters_of(last: Option<&(usize, Item)>, index: usize, line: &str) -> bool {
    let Some((at, Item::Name(name))) = last else { return false };
    at + 1 == index
        && line.len() <= LETTERS_BYTES_MAX
        && line.contains(['.', ','])
        && names::parse_as(&format!("{}, {line}", name.name), names::Trust::High)
            .is_some_and(|both| both.name == name.name && both.credentials.is_some())
}

/// Whether a line separates nothing: contacts, or only signs.
fn is_skipped(line: &str) -> bool {
    is_contact(line) || !line.contains(char::is_alphanumeric)
}

/// Whether names and titles take turns. A department beside a title is the heading of a section.
fn alternates(items: &[(usize, Item)]) -> bool {
    let is_name = |item: &(usize, Item)| matches!(item.1, Item::Name(_));
    items.windows(2).all(|pair| is_name(&pair[0]) != is_name(&pair[1])) && items.len().is_multiple_of(2)
}

/// The name that a line consists of, apart from contacts after it.
pub(super) fn name(line: &str) -> Option<PersonName> {
    let line = line.strip_prefix("Meet ").or_else(|| line.strip_prefix("About ")).unwrap_or(line);
    let line = before_contacts(field_labels::name(line));
    if line.len() > LINE_BYTES_MAX || !line.contains(' ') || !names::may_start(line) {
        return None;
    }
    let end = line.find(|c: char| c.is_ascii_digit() || matches!(c, '@' | '[' | '(' | '+')).unwrap_or(line.len());
    // What stands before an `@` is part of the address.
    let end = if line[end..].starts_with('@') { line[..end].rfind(' ').unwrap_or(0) } else { end };
    let bare = line[..end].trim_end_matches([' ', '-', '–', '|', ',', ':']);
    let is_contact =
        bare.len() == line.len() || is_contact(line[bare.len()..].trim_matches([' ', '-', '–', '|', ',', ':']));
    let text = if is_contact { bare } else { line };
    // `Ann Lee B.Sc. (Finance)`
    let with_degree = || names::parse(bare).filter(|name| name.credentials.is_some() && line[end..].starts_with('('));
    names::parse(text).or_else(|| names::parse_reversed(text)).or_else(with_degree)
}

/// A line that is a title and nothing else, apart from contacts after it.
fn title(document: &Document<'_>, index: usize) -> Option<Item> {
    let (line, place) = document.line(index);
    if line.len() > CONTACT_LINE_BYTES_MAX {
        return None;
    }
    if field_labels::title(line).is_some() {
        return Some(Item::Title { is_label: false, is_plural: false, is_department: false });
    }
    let line = before_contacts(line);
    if line.len() > LINE_BYTES_MAX {
        return None;
    }
    let is_short = line.split(' ').take(7).count() < 7;
    let bare = line.trim_end_matches(|c: char| c == ':' || c == ' ' || (c == '.' && is_short));
    // A department alone is a heading; beside a name it is where they work.
    let is_department = !place.heading && !place.link && departments::is_department(bare);
    let is_announced = !is_department && place.heading && headings::announced(bare).is_some();
    let is_title = (is_department || is_announced || titles::is_title(bare))
        && names::parse(bare).is_none()
        && one_line::read(line, &Site::default()).is_empty()
        && one_line::title_then_name(line).is_none()
        && (!place.link || next_to_link(document, index));
    let is_label = line.ends_with(':') && !is_announced;
    // A German label is the same for one and for several.
    let is_plural = || {
        is_announced
            || titles::singular_title(bare).is_some()
            || (is_group(bare) && !is_of_one(document, index, bare))
            || (is_label && matches!(bare, "Geschäftsführer" | "Inhaber" | "Gesellschafter"))
    };
    is_title.then(|| Item::Title { is_label, is_plural: is_plural(), is_department })
}

/// A title inside a link belongs to a card that is a link as a whole, or to a menu.
fn next_to_link(document: &Document<'_>, index: usize) -> bool {
    let is_name = |at: usize| document.line(at).1.link && name(document.line(at).0).is_some();
    (index > 0 && is_name(index - 1)) || is_name(index + 1)
}

/// `Board of Directors`, `Leadership Team`: headings of people rather than the title of one.
fn is_group(line: &str) -> bool {
    let last = line.rsplit(' ').next().unwrap_or("").to_lowercase();
    matches!(
        last.as_str(),
        "directors" | "officers" | "trustees" | "team" | "staff" | "executives" | "managers" | "partners"
    )
}

/// `Administrative Staff` below a name in a heading: what this one is.
fn is_of_one(document: &Document<'_>, index: usize, title: &str) -> bool {
    let above = |at: usize| document.line(at).1.heading && name(document.line(at).0).is_some();
    title.len() > "staff".len()
        && title.ends_with("taff")
        && !document.line(index).1.heading
        && index.checked_sub(1).is_some_and(above)
}

impl Block {
    /// Where this block puts titles, if it shows so itself, and how many people say so.
    pub(super) fn side(&self, document: &Document<'_>) -> Option<(Side, usize)> {
        let items = self.alternating();
        let (first, last) = (items.first()?, items.last()?);
        let is_name = |item: &&(usize, Item)| matches!(item.1, Item::Name(_));
        let titles = items.len() - items.iter().filter(is_name).count();
        let is_label = items.iter().any(|item| matches!(item.1, Item::Title { is_label: true, .. }));
        if titles == 0 {
            return None;
        }
        let side = match (is_name(&first), is_name(&last)) {
            _ if is_label => Side::Above,
            (true, false) => Side::Below,
            (false, true) => Side::Above,
            _ => by_headings(document, items)?,
        };
        Some((side, titles))
    }

    /// The items without a heading for all of them.
    fn alternating(&self) -> &[(usize, Item)] {
        let heads = self
            .items
            .iter()
            .take_while(|(_, item)| matches!(item, Item::Title { is_plural: true, is_label: false, .. }));
        &self.items[heads.count()..]
    }

    /// The people of the block, each with its title.
    pub(super) fn cards(self, document: &Document<'_>, page: Side) -> Vec<Card> {
        let shown = self.side(document);
        let side = shown.map_or(page, |(side, _)| side);
        let titles_above = shown.filter(|(side, _)| *side == Side::Above).map_or(0, |(_, titles)| titles);
        let pairs = self.columns().unwrap_or_else(|| self.neighbours(side));
        let group = self.group(document);
        let named = self.items.into_iter().filter_map(|(line, item)| match item {
            Item::Name(name) => Some((line, name)),
            Item::Title { .. } => None,
        });
        named
            .map(|(line, name)| {
                let title_line = pairs.iter().find(|(name, _)| *name == line).map(|(_, title)| *title);
                let is_group = title_line.is_none() && group.is_some();
                let (title_line, title) = match (title_line, &group) {
                    (Some(at), _) => (Some(at), titles::singular_title(before_contacts(document.line(at).0))),
                    (None, Some((at, title))) => (Some(*at), Some(title.clone())),
                    (None, None) => (None, None),
                };
                Card { line, name, title_line, title, is_group, titles_above }
            })
            .collect()
    }

    /// A heading such as `Owners` above all names of the block.
    fn group(&self, document: &Document<'_>) -> Option<(usize, String)> {
        let (line, item) = self.items.first()?;
        let is_plural = matches!(item, Item::Title { is_plural: true, .. });
        let (text, _) = document.line(*line);
        // `Meet the Owner` announces one person.
        let names = self.items.iter().filter(|(_, item)| matches!(item, Item::Name(_))).count();
        let announced = || headings::announced(text).filter(|_| names == 1);
        let title = titles::singular_title(text).or_else(announced).filter(|_| is_plural)?;
        Some((*line, title))
    }

    /// A row of names above a row of titles, or below it: as many titles as names, several of each.
    fn columns(&self) -> Option<Vec<(usize, usize)>> {
        let items = self.alternating();
        let mut rows: Vec<&[(usize, Item)]> = Vec::new();
        let mut rest = items;
        while let Some((_, first)) = rest.first() {
            let is_name = matches!(first, Item::Name(_));
            let count = rest.iter().take_while(|(_, item)| matches!(item, Item::Name(_)) == is_name).count();
            let (row, left) = rest.split_at(count);
            rows.push(row);
            rest = left;
        }
        let is_even = rows.len().is_multiple_of(2)
            && !rows.is_empty()
            && rows.chunks(2).all(|pair| pair[0].len() == pair[1].len());
        if !is_even || rows.iter().all(|row| row.len() < 2) {
            return None;
        }
        let starts_with_names = matches!(rows.first()?.first()?.1, Item::Name(_));
        let pair = |rows: &[&[(usize, Item)]]| -> Vec<(usize, usize)> {
            let (names, titles) = if starts_with_names { (rows[0], rows[1]) } else { (rows[1], rows[0]) };
            names.iter().zip(titles).map(|(name, title)| (name.0, title.0)).collect()
        };
        Some(rows.chunks(2).flat_map(pair).collect())
    }

    /// Each name with the title next to it on the given side. A plural title belongs to all names next to it.
    fn neighbours(&self, side: Side) -> Vec<(usize, usize)> {
        let items = self.alternating();
        let mut pairs = Vec::new();
        let mut title: Option<(usize, bool)> = None;
        let is_name =
            |at: Option<usize>| at.and_then(|at| items.get(at)).is_some_and(|item| matches!(item.1, Item::Name(_)));
        let mut read = |(at, item): (usize, &(usize, Item))| match &item.1 {
            // Below one name, a plural is the name of a company or the heading of what follows.
            Item::Title { is_plural: true, .. }
                if side == Side::Below && !(is_name(at.checked_sub(1)) && is_name(at.checked_sub(2))) =>
            {
                title = None;
            }
            Item::Title { is_plural, .. } => title = Some((item.0, *is_plural)),
            Item::Name(_) => {
                if let Some((line, is_plural)) = title {
                    pairs.push((item.0, line));
                    title = title.filter(|_| is_plural);
                }
            }
        };
        match side {
            Side::Above => items.iter().enumerate().for_each(&mut read),
            // From the end, so that of two titles below a name the first one counts.
            Side::Below => items.iter().enumerate().rev().for_each(&mut read),
        }
        pairs
    }
}

/// Names in headings have their titles below, titles in headings stand above names.
fn by_headings(document: &Document<'_>, items: &[(usize, Item)]) -> Option<Side> {
    let is_heading = |wanted: bool| {
        items.iter().any(|(line, item)| matches!(item, Item::Name(_)) == wanted && document.line(*line).1.heading)
    };
    match (is_heading(true), is_heading(false)) {
        (true, false) => Some(Side::Below),
        (false, true) => Some(Side::Above),
        _ => None,
    }
}

/// Whether a title above a single name is believed: a book and its author look the same.
pub(super) fn is_believed_above(document: &Document<'_>, card: &Card, title: &str) -> bool {
    let is_short = title.split_whitespace().count() <= 4 && !title.starts_with("The ");
    let is_label = card.title_line.is_some_and(|line| document.line(line).0.ends_with(':'));
    let (next, _) = document.line(card.line + 1);
    let first = card.name.name.split(' ').next().unwrap_or("");
    let has_bio = next.len() > LINE_BYTES_MAX && first.len() > 2 && next.starts_with(first);
    is_short && (is_label || has_bio || is_contact(next) || (title.len() < 30 && owners::rank(title) > 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(lines: &[&str]) -> String {
        let html: String = lines.iter().map(|line| format!("<p>{line}</p>")).collect();
        let document = Document::parse(&html);
        let readable = vec![true; document.lines.len()];
        let first = (0..readable.len()).find(|at| name(document.line(*at).0).is_some()).unwrap();
        let cards = block(&document, &readable, first, 0).cards(&document, Side::Below);
        let show = |card: &Card| {
            let title = card.title_line.map_or("", |line| document.line(line).0.trim_end_matches(':'));
            format!("{}={}", card.name.name, card.title.as_deref().unwrap_or(title))
        };
        cards.iter().map(show).collect::<Vec<_>>().join("; ")
    }

    #[test]
    fn a_block_shows_on_which_side_titles_are() {
        for (lines, expect) in [
            (&["Ann Lee", "Owner", "Bob Ray", "Manager"][..], "Ann Lee=Owner; Bob Ray=Manager"),
            (&["Owner", "Ann Lee", "Manager", "Bob Ray"], "Ann Lee=Owner; Bob Ray=Manager"),
            (&["Owner:", "Ann Lee", "Manager:", "Bob Ray"], "Ann Lee=Owner; Bob Ray=Manager"),
            (&["Ann Lee", "Bob Ray", "Owner", "Manager"], "Ann Lee=Owner; Bob Ray=Manager"),
            (&["Owner", "Manager", "Ann Lee", "Bob Ray"], "Ann Lee=Owner; Bob Ray=Manager"),
            (
                &["Ann Lee", "555-555-0100", "Owner", "Bob Ray", "bob@acme.com", "Manager"],
                "Ann Lee=Owner; Bob Ray=Manager",
            ),
            (&["Owners", "Ann Lee", "Bob Ray"], "Ann Lee=Owner; Bob Ray=Owner"),
            (&["Attorneys", "Ann Lee", "Senior Counsel", "Bob Ray"], "Ann Lee=Senior Counsel; Bob Ray=Attorney"),
            (&["Board of Directors", "Ann Lee", "President", "Bob Ray"], "Ann Lee=President; Bob Ray="),
            (&["Ann Lee", "Broker", "Bob Ray"], "Ann Lee=Broker; Bob Ray="),
            (&["Ann Lee", "Bob Ray"], "Ann Lee=; Bob Ray="),
            (&["Owner", "Ann Lee 555-555-0100", "Manager", "Bob Ray bob@acme.com"], "Ann Lee=Owner; Bob Ray=Manager"),
            (&["Ann Lee", "Acme Advisors"], "Ann Lee="),
            (&["Ann Lee", "NMLS #445566", "Broker", "Bob Ray", "x101", "Manager"], "Ann Lee=Broker; Bob Ray=Manager"),
            (&["Lee, Ann", "Owner", "Ray, Bob M.", "Manager"], "Ann Lee=Owner; Bob M. Ray=Manager"),
            (&["Ann Lee", "Sales", "Bob Ray", "Accounts Payable"], "Ann Lee=Sales; Bob Ray=Accounts Payable"),
            (&["Ann Lee", "Owner", "Sales", "Bob Ray", "Manager"], "Ann Lee=Owner; Bob Ray=Manager"),
            (&["Ann Lee", "Austin, TX", "Broker"], "Ann Lee=Broker"),
            (&["Meet Ann Lee", "Owner"], "Ann Lee=Owner"),
        ] {
            assert_eq!(shown(lines), expect, "{lines:?}");
        }
    }
}
