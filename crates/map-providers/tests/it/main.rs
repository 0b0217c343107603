//! Providers and geocoders against their rehearsals.

mod geocode;
