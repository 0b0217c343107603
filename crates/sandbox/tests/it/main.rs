//! Tests of the crate's public API: listings, websites and the server.

#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

mod facts;
mod listings;
mod served;
mod support;
mod weather;
mod websites;
