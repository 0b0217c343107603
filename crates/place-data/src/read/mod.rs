//! Reads places of an area and a kind out of Parquet files, wherever these lie.
//!
//! First the columns that decide (point, category, confidence) of the pages that can lie in the area; then everything about
//! the rows that were found, of which the best are held. The order of the places is fixed by the data alone: not by files,
//! row groups or threads.

mod addresses;
mod best;
mod codes;
mod compute;
mod dataset;
mod decide;
mod file;
mod find;
mod footer;
mod kinds;
mod lanes;
mod list;
mod object;
mod parts;
mod prefetch;
mod prune;
mod rows;
mod scan;
mod survey;
mod tail;
mod verify;

pub use addresses::{AddressPoint, StreetTest};
pub use dataset::Dataset;
pub use find::{FoundPlaces, PlaceQuery};
pub use kinds::Kinds;
pub(crate) use list::{ListedFile, list};
pub(crate) use object::Objects;
pub use parts::AreaPart;
pub(crate) use rows::{QueryRows, RowAt};
pub use survey::Survey;
pub use verify::RowsExpected;
