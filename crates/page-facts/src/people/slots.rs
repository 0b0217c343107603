//! Kinds of elements: lines that stand in elements with the same tag and class mean the same on a page.

use std::hash::Hasher;

use rustc_hash::FxHasher;

use crate::document::Document;
use crate::tokenizer::Tag;

/// Steps charged for reading the tag before a line, on top of its bytes.
const TAG_STEPS: usize = 60;
/// Parts of classes that say that an element shows what somebody does.
const ROLE_CLASSES: [&str; 10] =
    ["role", "position", "job", "designation", "profession", "occupation", "poste", "cargo", "funktion", "title"];

/// The kind of the element that a line is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Slot(u64);

/// The kind of the element that line `index` is in: its tag and its class, whose numbers differ between like elements.
pub(super) fn of_line(document: &Document<'_>, index: usize) -> Option<Slot> {
    let tag = tag_before(document, index)?;
    let mut hasher = FxHasher::default();
    hasher.write_u64(tag.name.key());
    hasher.write_u8(document.line(index).1.heading.into());
    let class = tag.attribute("class").unwrap_or("");
    class.bytes().filter(|byte| !byte.is_ascii_digit()).for_each(|byte| hasher.write_u8(byte));
    Some(Slot(hasher.finish()))
}

/// Whether the class of the element that line `index` is in says that it shows what somebody does.
pub(super) fn shows_role(document: &Document<'_>, index: usize) -> bool {
    let class = class_of(document, index);
    ROLE_CLASSES.iter().any(|word| class.contains(word))
}

/// Whether the class of the element that line `index` is in says that it shows a name.
pub(super) fn shows_name(document: &Document<'_>, index: usize) -> bool {
    class_of(document, index).contains("name")
}

fn tag_before<'h>(document: &Document<'h>, index: usize) -> Option<Tag<'h>> {
    document.opened(index).filter(|tag| document.budget.spend(TAG_STEPS + tag.rest.len()))
}

fn class_of(document: &Document<'_>, index: usize) -> String {
    tag_before(document, index).and_then(|tag| tag.attribute("class")).unwrap_or("").to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_of_the_same_tag_and_class_are_of_one_kind() {
        let document = Document::parse(
            "<h3 class='name n-1'>Ann Lee</h3><p class=role>Owner</p><h3 class='name n-2'>Bob Ray</h3><p>Roofer</p>",
        );
        let kinds: Vec<_> = (0..4).map(|line| of_line(&document, line).unwrap()).collect();
        assert!(kinds[0] == kinds[2] && kinds[1] != kinds[3] && kinds[0] != kinds[1]);
        assert!(shows_role(&document, 1) && !shows_role(&document, 3));
        assert_eq!(of_line(&document, 9), None);
    }
}
