//! Which names of categories make a place one of the kind that is looked for.

use std::collections::HashSet;

use places::Category;

/// The names that a source may give to places of a kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Kinds(HashSet<String>);

impl Kinds {
    /// The names of a category: those of Overture, tags of OpenStreetMap, and its own.
    pub fn of(category: &Category) -> Kinds {
        let tags = category.osm.iter().map(|(key, value)| format!("{key}={value}"));
        let own = format!("canvass:{}", category.slug);
        Kinds(category.overture.iter().map(|name| (*name).to_owned()).chain(tags).chain([own]).collect())
    }

    /// Whether this is one of the names.
    pub fn contains(&self, name: &str) -> bool {
        self.0.contains(name)
    }
}
