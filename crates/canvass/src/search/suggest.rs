//! Completes an industry or a place while it is typed.

use places::{Category, Scope};

use crate::app::App;

/// A place that begins with what was typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlaceSuggestion {
    /// A name that a search understands.
    pub name: String,
    /// How wide it is.
    pub width: Scope,
    /// Two-letter country code.
    pub country: &'static str,
    /// Its inhabitants; `None` when they are not known.
    pub population: Option<u64>,
}

/// Places that begin with what was typed, best known first. Test places exist only where the sandbox is a source.
pub fn suggest_places(app: &App, typed: &str, limit: usize) -> Vec<PlaceSuggestion> {
    let start = typed.trim().to_lowercase();
    let test_places = ::sandbox::test_places()
        .filter(|place| app.sandbox.is_some() && !start.is_empty() && place.name().to_lowercase().starts_with(&start))
        .map(|place| PlaceSuggestion {
            name: place.name(),
            width: Scope::City,
            country: place.country(),
            population: None,
        });
    let known = places::complete(typed, limit).into_iter().map(|place| PlaceSuggestion {
        population: Some(place.population).filter(|people| *people > 0),
        name: place.name,
        width: place.width,
        country: place.country,
    });
    test_places.chain(known).take(limit).collect()
}

/// Kinds of business that fit what was typed, best first.
pub fn suggest_industries(typed: &str, limit: usize) -> Vec<&'static Category> {
    places::complete_industry(typed, limit)
}
