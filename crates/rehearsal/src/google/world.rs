//! The businesses that the rehearsal knows.

use std::sync::{Arc, PoisonError};

use places::{Bounds, Category, Scope};
use sandbox::{Business, test_places};

use super::Rehearsal;
use crate::in_box::in_box;

/// The widest box whose towns are looked into.
const BOX_DEGREES_MAX: f64 = 3.0;
/// Which type each industry is, as the provider's side has it.
const TYPES: &str = include_str!("../../../map-providers/src/google/types.toml");

/// Industries and their types.
fn types() -> impl Iterator<Item = (&'static str, &'static str)> {
    TYPES.lines().filter(|line| !line.starts_with('#')).filter_map(|line| {
        let (slug, name) = line.split_once('=')?;
        Some((slug.trim(), name.trim().trim_matches('"')))
    })
}

/// Google's type for an industry.
pub(super) fn type_of(category: &Category) -> Option<&'static str> {
    types().find(|(slug, _)| *slug == category.slug).map(|(_, name)| name)
}

/// The industry that a type stands for.
pub(super) fn category_of(name: &str) -> Option<&'static Category> {
    let (slug, _) = types().find(|(_, known)| *known == name)?;
    places::category(slug)
}

impl Rehearsal {
    /// The businesses of an industry in a box, and more where that is easier; in an order that has nothing to do with where they lie.
    pub(super) fn businesses_in(&self, category: &'static Category, bounds: &Bounds) -> Arc<Vec<Business>> {
        if bounds.north - bounds.south > BOX_DEGREES_MAX || bounds.east - bounds.west > BOX_DEGREES_MAX {
            return self.businesses(category);
        }
        let options = self.options();
        let mut all = in_box(&self.inner.world, bounds, category);
        all.extend(options.areas.iter().flat_map(|area| self.inner.world.businesses(area, category)));
        all.extend(options.extra.iter().filter(|business| business.category == category).cloned());
        Arc::new(mixed(all))
    }

    /// All businesses of an industry, in an order that has nothing to do with where they lie.
    pub(super) fn businesses(&self, category: &'static Category) -> Arc<Vec<Business>> {
        let mut known = self.inner.businesses.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(businesses) = known.get(category.slug) {
            return Arc::clone(businesses);
        }
        let options = self.options();
        let areas = test_places().map(|place| place.area(Scope::City)).chain(options.areas.iter().cloned());
        let mut all: Vec<Business> = areas.flat_map(|area| self.inner.world.businesses(&area, category)).collect();
        all.extend(options.extra.iter().filter(|business| business.category == category).cloned());
        let businesses = Arc::new(mixed(all));
        known.insert(category.slug, Arc::clone(&businesses));
        businesses
    }
}

/// Each once, in an order that looks random.
fn mixed(mut all: Vec<Business>) -> Vec<Business> {
    all.sort_by_key(|business| (scattered(&business.id), business.id.clone()));
    all.dedup_by(|one, other| one.id == other.id);
    all
}

/// A number that follows from the text, and looks random.
pub(super) fn scattered(text: &str) -> u64 {
    let mixed = text
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    (mixed ^ (mixed >> 29)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}
