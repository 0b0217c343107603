//! Makes businesses of the objects of an answer: by the code of the OpenStreetMap import, then by the exact question.

use place_data::osm::ObjectReader;
use place_data::{Kinds, OperatingStatus, Place};

use super::answer::Object;
use crate::{Found, Question};

/// The businesses that were asked for, ordered by id, each once.
pub(super) fn found(objects: &[Object], question: &Question) -> Vec<Found> {
    let kinds = Kinds::of(question.category);
    let mut reader = ObjectReader::default();
    let places = objects.iter().filter_map(|object| {
        let tags: Vec<(&str, &str)> = object.tags.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect();
        reader.place(object.id, &tags, object.point).filter(|place| is_asked_for(place, &kinds, question))
    });
    let mut found: Vec<Found> = places.map(|place| Found { place, reviews: Vec::new() }).collect();
    found.sort_by(|one, two| one.place.id.cmp(&two.place.id));
    found.dedup_by(|two, one| one.place.id == two.place.id);
    found
}

fn is_asked_for(place: &Place, kinds: &Kinds, question: &Question) -> bool {
    place.status == OperatingStatus::Open
        && kinds.includes(&place.categories)
        && question.cell.contains(place.point)
        && question.area.contains(place.point)
}

#[cfg(test)]
mod tests {
    use place_data::osm::{ElementId, ElementKind};
    use places::{Area, Bounds, Point};

    use super::*;
    use crate::Cell;

    #[test]
    fn only_what_was_asked_for_is_found_and_each_once() {
        let centre = Point { latitude: 30.0, longitude: -97.0 };
        let area = Area::circle("c", "US", centre, 5.0);
        let category = places::category("pizza_restaurant").unwrap();
        let east = Cell::around(&Bounds { south: 29.9, west: -97.0, north: 30.1, east: -96.9 });
        let question = Question { category, words: "pizza".to_owned(), area, cell: east };
        let object = |kind, number, longitude, tags: &[(&str, &str)]| Object {
            id: ElementId { kind, number },
            point: Point { latitude: 30.0, longitude },
            tags: tags.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect(),
        };
        let (node, way) = (ElementKind::Node, ElementKind::Way);
        let pizza = [("amenity", "restaurant"), ("cuisine", "burger; Pizza"), ("name", "Da Vinci")];
        let closed = [pizza[0], pizza[1], pizza[2], ("disused", "yes")];
        let shut = [pizza[0], pizza[1], pizza[2], ("opening_hours", "off")];
        let objects = [
            object(way, 3, -96.99, &pizza),
            object(node, 20, -96.99, &pizza),
            object(node, 100, -96.98, &pizza),
            object(node, 20, -96.99, &pizza),
            object(node, 4, -97.01, &pizza),
            object(node, 5, -96.905, &pizza),
            object(node, 6, -96.99, &[pizza[0], ("cuisine", "pizzoccheri"), pizza[2]]),
            object(node, 7, -96.99, &pizza[..2]),
            object(node, 8, -96.99, &closed),
            object(node, 9, -96.99, &shut),
        ];
        let ids: Vec<String> = found(&objects, &question).into_iter().map(|found| found.place.id).collect();
        assert_eq!(ids, ["n100", "n20", "w3"], "n4 is in another cell, n5 out of the area");
    }
}
