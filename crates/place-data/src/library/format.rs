//! The formats that can be imported or downloaded, and what their licences ask for.

use serde::{Deserialize, Serialize};

/// A format that can be imported or downloaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Format {
    /// An OpenStreetMap extract.
    Osm,
    /// A release of Overture Maps.
    Overture,
    /// Foursquare OS Places.
    Foursquare,
    /// A table of one's own.
    Csv,
    /// GeoJSON of one's own.
    Geojson,
}

impl Format {
    /// Its name, which an import has by default.
    pub fn name(self) -> &'static str {
        match self {
            Format::Osm => "osm",
            Format::Overture => "overture",
            Format::Foursquare => "foursquare",
            Format::Csv => "csv",
            Format::Geojson => "geojson",
        }
    }

    /// Whom to name wherever the data is shown; `None` for files of one's own.
    pub fn attribution(self) -> Option<&'static str> {
        match self {
            Format::Osm => Some("© OpenStreetMap contributors"),
            Format::Overture => Some("Overture Maps Foundation, overturemaps.org"),
            Format::Foursquare => Some("Foursquare OS Places"),
            Format::Csv | Format::Geojson => None,
        }
    }

    /// The licence as an SPDX identifier; `None` for files of one's own.
    pub fn licence(self) -> Option<&'static str> {
        match self {
            Format::Osm => Some("ODbL-1.0"),
            Format::Overture => Some("CDLA-Permissive-2.0"),
            Format::Foursquare => Some("Apache-2.0"),
            Format::Csv | Format::Geojson => None,
        }
    }
}
