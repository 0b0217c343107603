//! The point that stands for a geometry.

use places::Point;
use serde_json::Value;

use crate::columns::{on_globe, reasons};
use crate::osm::{Coordinate, middle, point_inside};

/// Geometries within geometries.
const DEPTH_MAX: usize = 4;

/// The point of a geometry: of an area one inside of it, of a line its middle, of several points the first. `None` when there is
/// no geometry.
///
/// # Errors
/// The reason for which the feature is skipped.
pub(super) fn point(geometry: &Value) -> Result<Option<Point>, &'static str> {
    if geometry.is_null() {
        return Ok(None);
    }
    let point = point_of(geometry, 0).filter(|point| on_globe(*point)).ok_or(reasons::BAD_COORDINATES)?;
    if point.latitude == 0.0 && point.longitude == 0.0 {
        return Err(reasons::ZERO_COORDINATES);
    }
    Ok(Some(point))
}

fn point_of(geometry: &Value, depth: usize) -> Option<Point> {
    let coordinates = &geometry["coordinates"];
    match geometry["type"].as_str()? {
        "Point" => position(coordinates),
        "MultiPoint" => position(coordinates.get(0)?),
        "LineString" => middle(&line(coordinates)?).map(Coordinate::point),
        "MultiLineString" => {
            let longest = lines(coordinates)?.into_iter().max_by_key(Vec::len)?;
            middle(&longest).map(Coordinate::point)
        }
        "Polygon" => point_inside(&lines(coordinates)?).map(Coordinate::point),
        "MultiPolygon" => {
            let mut rings = Vec::new();
            for polygon in coordinates.as_array()? {
                rings.extend(lines(polygon)?);
            }
            point_inside(&rings).map(Coordinate::point)
        }
        "GeometryCollection" if depth < DEPTH_MAX => {
            let parts = geometry["geometries"].as_array()?;
            let best = parts.iter().min_by_key(|part| match part["type"].as_str() {
                Some("Point" | "MultiPoint") => 0,
                Some("Polygon" | "MultiPolygon") => 1,
                _ => 2,
            });
            point_of(best?, depth + 1)
        }
        _ => None,
    }
}

fn position(value: &Value) -> Option<Point> {
    Some(Point { longitude: value.get(0)?.as_f64()?, latitude: value.get(1)?.as_f64()? })
}

/// A line on the grid that geometry is done on; `None` when one of its positions is off the globe.
fn line(value: &Value) -> Option<Vec<Coordinate>> {
    let positions = value.as_array()?.iter();
    positions.map(|at| position(at).and_then(|at| Coordinate::from_degrees(at.latitude, at.longitude))).collect()
}

fn lines(value: &Value) -> Option<Vec<Vec<Coordinate>>> {
    value.as_array()?.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn at(geometry: Value) -> Result<Option<(f64, f64)>, &'static str> {
        Ok(point(&geometry)?.map(|point| (point.longitude, point.latitude)))
    }

    #[test]
    fn every_kind_of_geometry_has_a_point() {
        let square = json!([[0, 0], [2, 0], [2, 2], [0, 2], [0, 0]]);
        let polygon = json!({"type": "Polygon", "coordinates": [square]});
        assert_eq!(at(json!(null)), Ok(None));
        assert_eq!(at(json!({"type": "Point", "coordinates": [-97.75, 30.25, 12]})), Ok(Some((-97.75, 30.25))));
        assert_eq!(at(json!({"type": "MultiPoint", "coordinates": [[1, 2], [3, 4]]})), Ok(Some((1.0, 2.0))));
        assert_eq!(at(json!({"type": "LineString", "coordinates": [[1, 1], [2, 2], [9, 9]]})), Ok(Some((2.0, 2.0))));
        let lines = json!({"type": "MultiLineString", "coordinates": [[[1, 1]], [[1, 1], [2, 2], [9, 9]]]});
        assert_eq!(at(lines), Ok(Some((2.0, 2.0))));
        assert_eq!(at(polygon.clone()), Ok(Some((1.0, 1.0))));
        let (longitude, latitude) = at(json!({"type": "MultiPolygon", "coordinates": [[square]]})).unwrap().unwrap();
        assert!((0.0..2.0).contains(&longitude) && (0.0..2.0).contains(&latitude));
        let line = json!({"type": "LineString", "coordinates": [[9, 9]]});
        let collection = json!({"type": "GeometryCollection", "geometries": [line, polygon]});
        assert_eq!(at(collection), Ok(Some((1.0, 1.0))));
    }

    #[test]
    fn geometries_that_are_none_are_skipped() {
        for geometry in [
            json!({"type": "Point", "coordinates": [181, 0]}),
            json!({"type": "Point", "coordinates": [1]}),
            json!({"type": "Point", "coordinates": ["1", "2"]}),
            json!({"type": "Point"}),
            json!({"type": "Polygon", "coordinates": [[[0, 0], [0, 91], [1, 1], [0, 0]]]}),
            json!({"type": "Polygon", "coordinates": []}),
            json!({"type": "Circle", "coordinates": [1, 1]}),
            json!({"type": "GeometryCollection", "geometries": []}),
            json!("Point"),
            json!(7),
        ] {
            assert_eq!(at(geometry.clone()), Err(reasons::BAD_COORDINATES), "{geometry}");
        }
        assert_eq!(at(json!({"type": "Point", "coordinates": [0, 0]})), Err(reasons::ZERO_COORDINATES));
    }
}
