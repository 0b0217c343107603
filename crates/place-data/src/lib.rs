//! Open place data: Overture releases read where they lie, and files of other formats imported into the same schema.
//!
//! Knows formats, not databases: a source in `canvass` asks this crate for the places of an area and turns them into listings.

mod columns;
pub mod csv;
mod error;
pub mod foursquare;
pub mod geojson;
mod import;
pub mod matching;
pub mod merge;
pub mod osm;
mod place;
mod read;
mod schema;
mod write;

pub use error::Error;
pub use import::{Import, Sink, Skipped, SkippedKind};
pub use place::{Address, Brand, Categories, NameSource, OperatingStatus, Origin, Place};
pub use read::{Dataset, FoundPlaces, Kinds, PlaceQuery, Rank};
pub use write::write;
