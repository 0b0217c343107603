//! Providers against their rehearsals, over real HTTP.

mod google;
