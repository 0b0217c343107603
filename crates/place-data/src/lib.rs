//! Open place data: Overture releases read where they lie, and files of other formats imported into the same schema.
//!
//! Knows formats, not databases: a source in `canvass` asks this crate for the places of an area and turns them into listings.

mod columns;
pub mod csv;
mod disk_cache;
mod error;
pub mod foursquare;
pub mod geojson;
mod import;
pub mod library;
mod location;
pub mod matching;
pub mod merge;
mod order;
pub mod osm;
pub mod phone;
mod place;
mod read;
mod release;
mod schema;
mod shared_sites;
mod soundness;
mod theme;
mod write;

pub use error::Error;
pub use import::{Import, Sink, Skipped, SkippedKind};
pub use library::Library;
pub use location::{Folder, Location};
pub use order::Rank;
pub use place::{Address, Brand, Categories, NameSource, OperatingStatus, Origin, Place};
pub use read::{AddressPoint, AreaPart, Dataset, FoundPlaces, Kinds, PlaceQuery, RowsExpected, StreetTest, Survey};
#[cfg(fuzzing)]
pub use release::fuzzing;
pub use release::{Overture, OvertureSettings, OvertureStatus, ReleaseInfo};
pub use shared_sites::is_shared_site;
pub use write::{DataFile, write};
