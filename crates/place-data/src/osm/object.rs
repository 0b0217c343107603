//! Places out of single objects that did not come in a file, such as those of a server's answer.

use std::fmt;

use places::Point;

use super::address::Countries;
use super::business::{self, BusinessState};
use super::element::{Coordinate, ElementId};
use super::gather::{RawElement, RawGeometry, candidate};
use super::place;
use crate::Place;

/// Makes places of objects by the rules of an import. Remembers in which country points lie, so keep it for many objects.
#[derive(Default)]
pub struct ObjectReader {
    countries: Countries,
}

impl ObjectReader {
    /// The place that an object is, with the id that an import gives it. `None` when the tags describe no business, or one that
    /// has closed or not opened yet, when it has no name, or when the point is off the globe.
    pub fn place(&mut self, id: ElementId, tags: &[(&str, &str)], point: Point) -> Option<Place> {
        if business::state(tags) != BusinessState::Running {
            return None;
        }
        let at = Coordinate::from_degrees(point.latitude, point.longitude)?;
        let element = RawElement { id, tags, edited: None, geometry: RawGeometry::Node(Some(at)) };
        place::place(&candidate(element).ok()?, at.point(), &mut self.countries)
    }
}

impl fmt::Debug for ObjectReader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ObjectReader").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::super::element::ElementKind;
    use super::*;

    #[test]
    fn an_object_is_read_as_an_import_would() {
        let read = |kind, tags: &[(&str, &str)], latitude| {
            let point = Point { latitude, longitude: -97.743_061_04 };
            ObjectReader::default().place(ElementId { kind, number: 7 }, tags, point)
        };
        let tags = [("craft", "plumber;hvac"), ("name", "Acme"), ("phone", "+1 512 555 0100"), ("addr:city", "Austin")];
        let place = read(ElementKind::Way, &tags, 30.267_153_04).unwrap();
        assert_eq!((place.id.as_str(), place.name.as_str()), ("w7", "Acme"));
        assert_eq!(place.point, Point { latitude: 30.267_153, longitude: -97.743_061 }, "on the grid of OpenStreetMap");
        assert_eq!(place.categories.hierarchy, ["craft=plumber", "craft=hvac"]);
        assert_eq!((place.phones, place.addresses.len()), (vec!["+1 512 555 0100".to_owned()], 1));
        for (tags, latitude) in [
            (&[("craft", "plumber")][..], 30.0),
            (&[("name", "Acme"), ("amenity", "bench")], 30.0),
            (&[("name", "Acme"), ("disused:craft", "plumber")], 30.0),
            (&[("name", "Acme"), ("craft", "plumber")], 91.0),
            (&[("name", "Acme"), ("craft", "plumber")], f64::NAN),
        ] {
            assert_eq!(read(ElementKind::Node, tags, latitude), None, "{tags:?} {latitude}");
        }
    }
}
