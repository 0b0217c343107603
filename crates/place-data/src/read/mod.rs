//! Reads places of an area and a kind out of Parquet files, wherever these lie.
//!
//! First the columns that decide (box, category, confidence) of the pages that can lie in the area; then everything about the
//! places that passed. The order of the places is fixed by the data alone: not by files, row groups or threads.

mod dataset;
mod file;
mod kinds;
mod list;
mod object;
mod order;
mod pick;
mod prune;
mod scan;
mod survey;
mod tail;
mod verify;

pub use dataset::{Dataset, FoundPlaces, PlaceQuery};
pub use kinds::Kinds;
pub(crate) use list::{ListedFile, list};
pub(crate) use object::Objects;
pub use order::Rank;
pub use survey::Survey;
pub use verify::RowsExpected;
