//! The world from outside: what is promised of its listings, its websites and its server.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod facts;
mod listings;
mod served;
mod support;
mod websites;
