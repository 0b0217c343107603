//! Any bytes as an OpenStreetMap extract compressed with bzip2.
#![no_main]

#[path = "../../tests/it/fuzz/targets.rs"]
#[allow(dead_code, reason = "each target uses one of them")]
mod targets;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| targets::osm(&[b"BZh", bytes].concat()));
