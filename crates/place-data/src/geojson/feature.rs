//! Turns a feature into a place, whichever way its properties are named.

use places::Point;
use serde_json::{Map, Value};

use super::{locate, nested};
use crate::columns::{Mapping, PlaceReader, ReadPlace, Row, SeenIds, VALUE_BYTES_MAX, made_id, reasons};
use crate::osm::{self, Countries};
use crate::{Error, Import};

/// Properties within properties that are read: `contact.phone`.
const DEPTH_MAX: usize = 3;
/// Properties of a feature that are read.
const PROPERTIES_MAX: usize = 1000;
/// Characters of an id that a position shows.
const SHOWN_ID_CHARS_MAX: usize = 60;

/// Reads places out of features.
pub(super) struct FeatureReader {
    places: PlaceReader,
    countries: Countries,
    seen: SeenIds,
    /// The names of the last feature's properties and their meaning: most files repeat them.
    headers: Vec<String>,
    mapping: Mapping,
}

impl FeatureReader {
    pub(super) fn new(dataset: &str) -> FeatureReader {
        FeatureReader {
            places: PlaceReader::new(dataset),
            countries: Countries::default(),
            seen: SeenIds::default(),
            headers: Vec::new(),
            mapping: Mapping::default(),
        }
    }

    /// Takes or skips a feature.
    pub(super) fn take(&mut self, feature: &Value, number: u64, import: &mut Import<'_>) -> Result<(), Error> {
        let at = || match id(feature) {
            None => format!("feature {number}"),
            Some(id) => format!("feature {number} ({})", id.chars().take(SHOWN_ID_CHARS_MAX).collect::<String>()),
        };
        match self.place(feature) {
            Err(reason) => import.skip(reason, at()),
            Ok(read) if !self.seen.is_new(&read.place.id) => import.skip(reasons::SEEN_BEFORE, at()),
            Ok(read) => {
                read.notes.iter().for_each(|note| import.note(note, at()));
                import.place(read.place)?;
            }
        }
        Ok(())
    }

    fn place(&mut self, feature: &Value) -> Result<ReadPlace, &'static str> {
        if feature["type"].as_str() != Some("Feature") {
            return Err("not a Feature");
        }
        let point = locate::point(&feature["geometry"])?;
        let empty = Map::new();
        let properties = feature["properties"].as_object().unwrap_or(&empty);
        let id = id(feature).filter(|id| id.len() <= VALUE_BYTES_MAX);
        if nested::is_nested(properties) {
            let place = nested::place(properties, id, point.ok_or(reasons::NO_COORDINATES)?)?;
            return Ok(ReadPlace { place, notes: Vec::new() });
        }
        match self.tagged(properties, id.as_deref(), point) {
            Some(place) => place,
            None => self.flat(properties, id, point),
        }
    }

    /// The place in properties that are tags of OpenStreetMap; `None` when they are something else.
    fn tagged(
        &mut self,
        properties: &Map<String, Value>,
        id: Option<&str>,
        point: Option<Point>,
    ) -> Option<Result<ReadPlace, &'static str>> {
        let tags: Vec<(&str, &str)> =
            properties.iter().filter_map(|(key, value)| Some((key.as_str(), value.as_str()?))).collect();
        let point = match point {
            Some(point) => point,
            None => return osm::is_tagged(&tags).then_some(Err(reasons::NO_COORDINATES)),
        };
        let place = osm::tagged_place(&tags, point, &mut self.countries)?;
        Some(place.map(|mut place| {
            let known =
                id.or_else(|| tags.iter().find(|(key, _)| matches!(*key, "@id" | "full_id")).map(|(_, id)| *id));
            place.id = match known {
                Some(id) => osm_id(id),
                None => made_id(&place.name, place.addresses.first(), point),
            };
            place.origins.iter_mut().for_each(|origin| origin.record_id = known.map(osm_id));
            ReadPlace { place, notes: Vec::new() }
        }))
    }

    fn flat(
        &mut self,
        properties: &Map<String, Value>,
        id: Option<String>,
        point: Option<Point>,
    ) -> Result<ReadPlace, &'static str> {
        let mut cells: Vec<(String, String)> = id.map(|id| ("id".to_owned(), id)).into_iter().collect();
        flatten(properties, "", DEPTH_MAX, &mut cells);
        if !cells.iter().map(|(name, _)| name).eq(&self.headers) {
            self.headers = cells.iter().map(|(name, _)| name.clone()).collect();
            self.mapping = Mapping::guess(&self.headers, &[]);
        }
        let cells: Vec<&str> = cells.iter().map(|(_, cell)| cell.as_str()).collect();
        self.places.place(Row { mapping: &self.mapping, cells: &cells }, point)
    }
}

/// The id of a feature, whatever its type.
fn id(feature: &Value) -> Option<String> {
    cell(&feature["id"]).filter(|id| !id.trim().is_empty())
}

/// `n1` for `node/1`.
fn osm_id(id: &str) -> String {
    let kinds = [("node/", 'n'), ("way/", 'w'), ("relation/", 'r')];
    let short = kinds.iter().find_map(|(kind, letter)| Some(format!("{letter}{}", id.strip_prefix(kind)?)));
    short.unwrap_or_else(|| id.to_owned())
}

/// Properties as headers and cells; those within others have the names of both.
fn flatten(properties: &Map<String, Value>, parent: &str, depth: usize, cells: &mut Vec<(String, String)>) {
    for (name, value) in properties {
        let name = if parent.is_empty() { name.clone() } else { format!("{parent} {name}") };
        if cells.len() >= PROPERTIES_MAX {
            return;
        }
        match value {
            Value::Object(inner) if depth > 1 => flatten(inner, &name, depth - 1, cells),
            value => cells.extend(cell(value).map(|cell| (name, cell))),
        }
    }
}

/// A value as a cell; lists stay JSON, which is how lists in cells are read.
fn cell(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(_) | Value::Bool(_) | Value::Array(_) => Some(value.to_string()),
        Value::Null | Value::Object(_) => None,
    }
}
