//! Which names of categories make a place one of the kind that is looked for.

use places::{Category, overture};
use rustc_hash::FxHashSet;

use crate::Categories;

/// The names that a source may give to places of a kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Kinds(FxHashSet<String>);

impl Kinds {
    /// The names of a category: those of Overture with all that lies below them, tags of OpenStreetMap, and its own.
    pub fn of(category: &Category) -> Kinds {
        let overture = category.overture_names().iter().map(|name| (*name).to_owned());
        let own = format!("canvass:{}", category.slug);
        Kinds(overture.chain(category.tags()).chain([own]).collect())
    }

    /// Whether a place with this main category is of the kind; `None` when the rest of its categories must say, because
    /// the main one is not known here.
    pub fn decides(&self, primary: &str) -> Option<bool> {
        let named = self.contains(primary);
        (named || overture::exists(primary)).then_some(named)
    }

    /// Whether a place with these categories is of the kind, as a query of a data set decides it.
    pub fn includes(&self, categories: &Categories) -> bool {
        let decided = categories.primary.as_deref().and_then(|primary| self.decides(primary));
        decided.unwrap_or_else(|| categories.hierarchy.iter().any(|name| self.contains(name)))
    }

    /// Whether this is one of the names.
    pub fn contains(&self, name: &str) -> bool {
        self.0.contains(name)
    }

    /// The names.
    pub(super) fn into_names(self) -> impl Iterator<Item = String> {
        self.0.into_iter()
    }
}
