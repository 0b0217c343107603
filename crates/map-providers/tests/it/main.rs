//! Providers and geocoders against their rehearsals, over real HTTP.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod geocode;
mod google;
mod overpass;
