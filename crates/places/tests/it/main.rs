//! The crate's promises as tables and properties.

#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

mod areas;
mod chains;
mod coordinates;
mod hostile;
mod industries;
mod locations;
mod outlines;
mod overture;
mod towns;
