//! Where listings come from: the port a search asks, and the sources that answer it.

mod dedup;
pub mod sources;

pub use dedup::{DedupKey, dedup_keys};

use std::fmt;

use futures::stream::BoxStream;
use places::{Area, Category, Industry, Place, Point};

use crate::plan::Scope;

/// A business as its source lists it.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Listing {
    /// Stable for as long as the source knows the business, with the source's name before it.
    pub business_id: String,
    /// What it is called.
    pub name: String,
    /// E.164.
    pub phone: Option<String>,
    /// Its website, as listed.
    pub website: Option<String>,
    /// Where it is.
    pub address: PostalAddress,
    /// Its point on the map.
    pub point: Option<Point>,
    /// Average rating, 0 to 5.
    pub rating: Option<f64>,
    /// How many reviews that stands on.
    pub review_count: Option<i64>,
    /// What customers wrote; a few.
    pub reviews: Vec<String>,
    /// Whether it belongs to a chain.
    pub is_chain: bool,
}

/// A postal address in parts.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct PostalAddress {
    /// Street and number.
    pub street: Option<String>,
    /// Town.
    pub city: Option<String>,
    /// State or region.
    pub state: Option<String>,
    /// Postal code.
    pub postal_code: Option<String>,
    /// Two-letter country.
    pub country: Option<String>,
}

impl PostalAddress {
    /// On one line, as an envelope has it. `None` when nothing is known.
    pub fn line(&self) -> Option<String> {
        let region: Vec<&str> = [&self.state, &self.postal_code].into_iter().flatten().map(String::as_str).collect();
        let region = (!region.is_empty()).then(|| region.join(" "));
        let parts: Vec<&str> = [&self.street, &self.city, &region].into_iter().flatten().map(String::as_str).collect();
        (!parts.is_empty()).then(|| parts.join(", "))
    }
}

/// What a source is like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct About {
    /// Its name, as `coverage.source` shows it.
    pub name: &'static str,
    /// Whom to name when its data is shown.
    pub attribution: Option<&'static str>,
    /// Whether its listings have ratings.
    pub has_ratings: bool,
}

/// A location somebody typed, found on the map.
#[derive(Clone, Debug)]
pub struct Spot {
    /// What it was read as.
    pub name: String,
    /// How wide it is by itself.
    pub width: Scope,
    /// How it was read, where it could have been read otherwise.
    pub notes: Vec<String>,
    ground: Ground,
}

#[derive(Clone, Debug)]
enum Ground {
    /// A place of the gazetteer.
    Known(Box<Place>),
    /// An area that is as wide as it is, whatever scope is asked for.
    Fixed(Area),
}

impl Spot {
    /// A place of the gazetteer.
    pub fn known(located: places::Located) -> Spot {
        let notes = located.notes();
        let place = located.place;
        Spot { name: place.name.clone(), width: place.width, notes, ground: Ground::Known(Box::new(place)) }
    }

    /// An area with a name of its own.
    pub fn fixed(area: Area) -> Spot {
        Spot { name: area.name().to_owned(), width: Scope::City, notes: Vec::new(), ground: Ground::Fixed(area) }
    }

    /// The area of this scope around it.
    pub fn area(&self, scope: Scope) -> Area {
        match &self.ground {
            Ground::Known(place) => place.area(scope),
            Ground::Fixed(area) => area.clone(),
        }
    }

    /// How the area of this scope differs from what was typed.
    pub fn area_notes(&self, scope: Scope) -> Vec<String> {
        match &self.ground {
            Ground::Known(place) => place.area_notes(scope),
            Ground::Fixed(area) if scope > Scope::City => {
                vec![format!("{} is always searched as a whole; the scope makes no difference.", area.name())]
            }
            Ground::Fixed(_) => Vec::new(),
        }
    }

    /// How a circle around it differs from what was typed.
    pub fn circle_notes(&self, radius_miles: f64) -> Vec<String> {
        match &self.ground {
            Ground::Known(place) => place.circle_notes(radius_miles),
            Ground::Fixed(_) => Vec::new(),
        }
    }

    /// A circle around it.
    pub fn circle(&self, radius_miles: f64) -> Area {
        match &self.ground {
            Ground::Known(place) => place.circle(radius_miles),
            Ground::Fixed(area) => Area::circle(area.name(), area.country(), area.centre(), radius_miles),
        }
    }
}

/// What a source is asked for.
#[derive(Clone, Debug)]
pub struct Query {
    /// Which kind of business.
    pub category: &'static Category,
    /// Where.
    pub area: Area,
    /// The words it was asked for with.
    pub words: Words,
}

/// The words a search was asked for with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Words {
    /// Kind of business.
    pub industry: String,
    /// Place.
    pub location: String,
}

/// Why a source cannot go on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SourceError {
    /// It may work in a while.
    #[error("{0}")]
    Transient(String),
    /// It will not work, however often it is tried.
    #[error("{0}")]
    Permanent(String),
}

/// Somebody who lists businesses.
///
/// The same query gives the same listings in the same order, for as long as the source's data is the same: a search
/// that was interrupted goes on where it was.
pub trait Listings: Send + Sync + fmt::Debug {
    /// What it is like.
    fn about(&self) -> About;

    /// Finds a location on the map.
    fn locate(&self, location: &str) -> Result<Spot, places::NotFound>;

    /// Reads a kind of business.
    fn industry(&self, industry: &str) -> Result<Industry, places::UnknownIndustry>;

    /// About how many there are, when that is cheap to say.
    fn count(&self, query: &Query) -> Option<u64>;

    /// The listings, one by one, in their fixed order. `tries` is how often in a row this query met trouble.
    fn open(&self, query: &Query, tries: u32) -> BoxStream<'static, Result<Listing, SourceError>>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_written_on_one_line() {
        let address = |parts: [Option<&str>; 4]| {
            let [street, city, state, postal_code] = parts.map(|part| part.map(str::to_owned));
            PostalAddress { street, city, state, postal_code, country: Some("US".into()) }.line()
        };
        let whole = address([Some("1100 Congress Ave"), Some("Austin"), Some("TX"), Some("78701")]);
        assert_eq!(whole.as_deref(), Some("1100 Congress Ave, Austin, TX 78701"));
        assert_eq!(address([None, Some("Austin"), Some("TX"), None]).as_deref(), Some("Austin, TX"));
        assert_eq!(address([None, None, None, None]), None);
    }
}
