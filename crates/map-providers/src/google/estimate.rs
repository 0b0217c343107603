//! How many calls an area will take, for a quote.

use places::{Area, Category};

use super::PAGE_SIZE;
use crate::Question;

/// Calls for every call that would do if businesses came in full pages; measured with clustered businesses.
const OVERHEAD: f64 = 1.4;
/// Businesses of an industry for 1,000 people, where nothing better is known.
const USUAL: f64 = 0.35;
/// The same for groups of industries, and for industries that are much more common than their group.
const GROUPS: [(&str, f64); 8] = [
    ("home", 0.4),
    ("health", 0.3),
    ("beauty", 0.5),
    ("food", 0.3),
    ("auto", 0.4),
    ("professional", 0.3),
    ("shop", 0.25),
    ("community", 0.4),
];
const COMMON: [(&str, f64); 14] = [
    ("restaurant", 2.5),
    ("doctor", 1.5),
    ("lawyer", 1.2),
    ("real_estate_agent", 1.2),
    ("hair_salon", 1.2),
    ("church", 1.0),
    ("general_contractor", 1.0),
    ("dentist", 0.7),
    ("insurance_agent", 0.9),
    ("auto_repair", 0.8),
    ("accountant", 0.6),
    ("clothing_store", 0.8),
    ("school", 0.6),
    ("coffee_shop", 0.6),
];

/// Calls that the businesses in the question's area will take.
pub(super) fn calls(question: &Question) -> u32 {
    let businesses = people(&question.area) / 1_000.0 * for_a_thousand(question.category);
    let pages = (businesses / PAGE_SIZE as f64).ceil().max(1.0) * OVERHEAD;
    let boxes = question.area.boxes().len() as f64;
    pages.max(boxes).ceil().min(f64::from(u32::MAX)) as u32
}

fn for_a_thousand(category: &Category) -> f64 {
    let common = COMMON.iter().find(|(slug, _)| *slug == category.slug);
    let group = GROUPS.iter().find(|(group, _)| *group == category.group);
    common.or(group).map_or(USUAL, |(_, share)| *share)
}

/// People in the area: towns by their centre; of a town that is larger than the area its share.
fn people(area: &Area) -> f64 {
    let towns = area.towns();
    let inside = towns.iter().filter(|town| area.contains(town.point)).map(|town| {
        let share = area.radius_miles().map_or(1.0, |radius| (radius / town.radius_miles.max(0.1)).powi(2).min(1.0));
        town.population as f64 * share
    });
    inside.sum()
}

#[cfg(test)]
mod tests {
    use places::{Bounds, Point, Scope};

    use super::*;
    use crate::Cell;

    #[test]
    fn a_quote_follows_the_population() {
        let question = |area: Area, slug: &str| Question {
            category: places::category(slug).unwrap(),
            words: String::new(),
            cell: Cell::around(&Bounds { south: 0.0, west: 0.0, north: 1.0, east: 1.0 }),
            area,
        };
        let austin = || places::locate("Austin, TX").unwrap().place;
        let dentists = calls(&question(austin().area(Scope::City), "dentist"));
        let restaurants = calls(&question(austin().area(Scope::City), "restaurant"));
        assert!((20..200).contains(&dentists), "{dentists}");
        assert!(restaurants > 2 * dentists, "{restaurants}");
        let sea = Area::circle("sea", "US", Point { latitude: -45.0, longitude: -30.0 }, 5.0);
        assert_eq!(calls(&question(sea, "dentist")), 2);
    }
}
