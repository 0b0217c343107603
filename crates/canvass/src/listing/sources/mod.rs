//! The sources of listings, one file each.

pub mod sandbox;
