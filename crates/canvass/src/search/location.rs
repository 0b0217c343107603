//! A typed location, found on the map: a place of the gazetteer, or one of the sandbox's test places.

use map_providers::geocode::AddressQuery;
use places::{Area, Industry, NotFound, Place, Scope, UnknownIndustry};

use crate::app::App;
use crate::db::DbError;
use crate::geocode::{Finding, LocatedDoor};

/// A location that was found.
#[derive(Clone, Debug)]
pub(super) struct Location {
    /// The name it was found under; typed again, it finds the same.
    pub(super) name: String,
    /// How wide the place itself is.
    pub(super) width: Scope,
    /// How it was read, where it could have been read otherwise.
    pub(super) notes: Vec<String>,
    ground: Ground,
}

#[derive(Clone, Debug)]
enum Ground {
    /// A place of the gazetteer.
    Known(Box<Place>),
    /// A street address in such a place.
    Door(Box<Place>, Box<LocatedDoor>),
    /// An area that stays the same whatever scope is asked for.
    Fixed(Area),
}

/// Why a location cannot be searched.
#[derive(Debug)]
pub(super) enum LocationError {
    NotFound(NotFound),
    /// Nobody knows the street address, and the operator wants no circle around anything else.
    AddressNotFound {
        address: String,
        failures: Vec<String>,
    },
    Db(DbError),
}

/// Whether the very door of a street address matters, or only its town.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Precision {
    /// A circle is measured from it.
    Door,
    /// Its town, county or state is searched.
    Town,
}

/// Finds a location. Test places exist only where the sandbox is a source.
pub(super) async fn locate(app: &App, text: &str, precision: Precision) -> Result<Location, LocationError> {
    let test_place = app.sandbox.as_ref().and_then(|_| ::sandbox::test_place(text));
    if let Some(place) = test_place {
        let area = place.area(Scope::City);
        let name = area.name().to_owned();
        return Ok(Location { name, width: Scope::City, notes: Vec::new(), ground: Ground::Fixed(area) });
    }
    let located = places::locate(text).map_err(LocationError::NotFound)?;
    let mut notes = located.notes();
    let address = AddressQuery::of(&located).filter(|_| precision == Precision::Door);
    let place = Box::new(located.place);
    let (name, width) = (place.name.clone(), place.width);
    let Some(address) = address.filter(|_| !app.geocoders.is_empty()) else {
        return Ok(Location { name, width, notes, ground: Ground::Known(place) });
    };
    match app.geocoders.find(&address).await.map_err(LocationError::Db)? {
        Finding::Found(found) => {
            notes.push(format!(
                "{} was located {} ({}), by {}.",
                found.door.name,
                found.in_words(),
                found.exactness(),
                found.by
            ));
            Ok(Location { name: address.typed, width, notes, ground: Ground::Door(place, Box::new(found)) })
        }
        Finding::Unknown(failures) if app.settings.maps.geocode_required => {
            Err(LocationError::AddressNotFound { address: address.typed, failures })
        }
        Finding::Unknown(failures) => {
            notes.extend(failures);
            Ok(Location { name, width, notes, ground: Ground::Known(place) })
        }
    }
}

/// Finds a kind of business. Test trades exist only where the sandbox is a source.
pub(super) fn industry(app: &App, text: &str) -> Result<Industry, UnknownIndustry> {
    let test_trade = app.sandbox.as_ref().and_then(|_| ::sandbox::test_trade(text));
    match test_trade {
        Some(trade) => Ok(Industry { category: trade.category, exact: true }),
        None => places::industry(text),
    }
}

impl Location {
    /// The area of this scope around it.
    pub(super) fn area(&self, scope: Scope) -> Area {
        match &self.ground {
            Ground::Known(place) | Ground::Door(place, _) => place.area(scope),
            Ground::Fixed(area) => area.clone(),
        }
    }

    /// How the area of this scope differs from what was typed.
    pub(super) fn area_notes(&self, scope: Scope) -> Vec<String> {
        match &self.ground {
            Ground::Known(place) => place.area_notes(scope),
            Ground::Door(..) => Vec::new(),
            Ground::Fixed(area) if scope > Scope::City => {
                vec![format!("{} is always searched as a whole; the scope makes no difference.", area.name())]
            }
            Ground::Fixed(_) => Vec::new(),
        }
    }

    /// A circle around it.
    pub(super) fn circle(&self, radius_miles: f64) -> Area {
        match &self.ground {
            Ground::Known(place) => place.circle(radius_miles),
            Ground::Door(place, found) => Area::circle(
                format!("{} ({})", found.door.name, found.exactness()),
                place.country,
                found.door.point,
                radius_miles,
            ),
            Ground::Fixed(area) => Area::circle(area.name(), area.country(), area.centre(), radius_miles),
        }
    }

    /// How a circle around it differs from what was typed.
    pub(super) fn circle_notes(&self, radius_miles: f64) -> Vec<String> {
        match &self.ground {
            Ground::Known(place) => place.circle_notes(radius_miles),
            Ground::Door(..) | Ground::Fixed(_) => Vec::new(),
        }
    }
}
