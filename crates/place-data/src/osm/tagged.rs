//! Places out of tags that another format carries, such as the properties of a GeoJSON feature.

use places::Point;

use super::address::Countries;
use super::business::{self, BusinessState};
use super::element::{Coordinate, ElementId, ElementKind};
use super::gather::{CLOSED, OFF_THE_GLOBE, PLANNED, RawElement, RawGeometry, candidate};
use super::place;
use crate::Place;

/// Whether these are tags of a business, or of what was or will be one.
pub(crate) fn is_tagged(tags: &[(&str, &str)]) -> bool {
    let is_value = |value: &str| value.bytes().all(|byte| byte.is_ascii_lowercase() || b"_;: ".contains(&byte));
    let decisive = || tags.iter().filter(|(key, _)| business::is_decisive(key));
    decisive().all(|(_, value)| is_value(value)) && business::state(tags) != BusinessState::None
}

/// The place that these tags describe, without an id of its own; `None` when they describe no business. An error is the reason
/// for which it is left out.
pub(crate) fn tagged_place(
    tags: &[(&str, &str)],
    point: Point,
    countries: &mut Countries,
) -> Option<Result<Place, &'static str>> {
    if !is_tagged(tags) {
        return None;
    }
    match business::state(tags) {
        BusinessState::Closed => return Some(Err(CLOSED)),
        BusinessState::Planned => return Some(Err(PLANNED)),
        BusinessState::Running | BusinessState::None => {}
    }
    let at = Coordinate::from_degrees(point.latitude, point.longitude);
    let id = ElementId { kind: ElementKind::Node, number: 0 };
    let element = RawElement { id, tags, edited: None, geometry: RawGeometry::Node(at) };
    let found = candidate(element).and_then(|found| place::place(&found, point, countries).ok_or(OFF_THE_GLOBE));
    Some(found)
}
