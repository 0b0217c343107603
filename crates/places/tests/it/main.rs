//! What the crate promises, in tables and properties.

#![expect(clippy::unwrap_used, reason = "in a test, a failed step is a failed test")]

mod areas;
mod chains;
mod coordinates;
mod hostile;
mod industries;
mod locations;
mod outlines;
mod towns;
