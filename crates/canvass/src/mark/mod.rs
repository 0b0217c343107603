//! What people note about a lead: a star, a note, tags. Leads themselves stay as they were delivered.

mod set;
mod store;

pub use set::{MarkError, set};
pub use store::{count_tags, list};

use serde::Serialize;

use crate::ids::LeadId;

/// Characters of a note.
pub const NOTE_CHARS_MAX: usize = 2_000;
/// Tags of one lead.
pub const TAGS_MAX: usize = 20;
/// Characters of a tag.
pub const TAG_CHARS_MAX: usize = 40;

/// What is noted about a lead.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Mark {
    /// Whether it is starred.
    pub starred: bool,
    /// A note.
    pub note: Option<String>,
    /// Tags in lower case, sorted, each once.
    pub tags: Vec<String>,
}

/// A mark with the lead it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MarkedLead {
    /// The lead.
    pub lead: LeadId,
    /// What is noted about it.
    pub mark: Mark,
}

/// A change of a mark. What is left out stays as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MarkChange {
    /// Whether it is starred.
    pub starred: Option<bool>,
    /// A note; an empty one removes it.
    pub note: Option<String>,
    /// All tags that it shall have.
    pub tags: Option<Vec<String>>,
}

impl Mark {
    /// Whether nothing is noted.
    pub fn is_empty(&self) -> bool {
        *self == Mark::default()
    }

    fn change(&mut self, change: MarkChange) {
        self.starred = change.starred.unwrap_or(self.starred);
        if let Some(note) = change.note {
            let note = note.trim();
            self.note = (!note.is_empty()).then(|| note.to_owned());
        }
        if let Some(tags) = change.tags {
            self.tags = tags.iter().map(|tag| tag.trim().to_lowercase()).filter(|tag| !tag.is_empty()).collect();
            self.tags.sort();
            self.tags.dedup();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_leaves_alone_what_it_does_not_name() {
        let mut mark = Mark { starred: true, note: Some("Call in May".into()), tags: vec!["warm".into()] };
        let tags = [" Called ", "called", "", "Austin"].map(str::to_owned).to_vec();
        mark.change(MarkChange { tags: Some(tags), ..MarkChange::default() });
        assert_eq!(
            mark,
            Mark { starred: true, note: Some("Call in May".into()), tags: vec!["austin".into(), "called".into()] }
        );
        mark.change(MarkChange { starred: Some(false), note: Some("  ".into()), tags: Some(Vec::new()) });
        assert!(mark.is_empty());
    }
}
