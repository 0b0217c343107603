//! Open place data: Overture releases read where they lie, and files of other formats imported into the same schema.
//!
//! Knows formats, not databases: a source in `canvass` asks this crate for the places of an area and turns them into listings.

mod error;
mod import;
pub mod matching;
pub mod merge;
mod place;

pub use error::Error;
pub use import::{Import, Sink, Skipped, SkippedKind};
pub use place::{Address, Brand, Categories, OperatingStatus, Origin, Place};
