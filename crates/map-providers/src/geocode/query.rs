//! The question to a geocoder, from a typed location.

use places::{Located, Point, Scope, StreetText};

use super::AddressQuery;

/// How far beyond a town's own circle its addresses may lie: the circle is about its people, not its borders, and the town in
/// an address is the one whose post office serves it.
const REACH_MILES: f64 = 10.0;
const REACH_FACTOR: f64 = 1.5;
/// Radius of a place that has no circle.
const RADIUS_MILES: f64 = 15.0;

impl AddressQuery {
    /// What to ask for a typed location; `None` when it names no street, or no town or postal code that the street is in.
    #[must_use]
    pub fn of(located: &Located) -> Option<AddressQuery> {
        let place = &located.place;
        let StreetText { number, street, .. } = located.street.clone()?;
        if place.width != Scope::City {
            return None;
        }
        let radius = place.area(Scope::City).radius_miles().unwrap_or(RADIUS_MILES);
        Some(AddressQuery {
            typed: place.street.as_ref().map_or_else(|| place.name.clone(), |typed| format!("{typed}, {}", place.name)),
            number,
            street,
            city: place.city.clone(),
            state: place.state.clone(),
            postal_code: place.postal_code.clone(),
            country: place.country,
            within: place.circle(radius * REACH_FACTOR + REACH_MILES).bounds(),
        })
    }

    /// House number and street as one text, in the order that every geocoder reads.
    #[must_use]
    pub fn house_and_street(&self) -> String {
        match &self.number {
            Some(number) => format!("{number} {}", self.street),
            None => self.street.clone(),
        }
    }

    /// The whole address on one line.
    #[must_use]
    pub fn one_line(&self) -> String {
        let region = [self.state.as_deref(), self.postal_code.as_deref()];
        let region = region.into_iter().flatten().collect::<Vec<&str>>().join(" ");
        let parts = [self.house_and_street(), self.city.clone().unwrap_or_default(), region];
        let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        parts.join(", ")
    }

    /// The middle of the box.
    pub(super) fn centre(&self) -> Point {
        let within = &self.within;
        let width =
            if within.west > within.east { within.east - within.west + 360.0 } else { within.east - within.west };
        let longitude = within.west + width / 2.0;
        let longitude = if longitude > 180.0 { longitude - 360.0 } else { longitude };
        Point { latitude: f64::midpoint(within.south, within.north), longitude }
    }
}
