//! Any bytes as a GeoJSON file: no panic, places within their limits, or an error that is the file's fault.
#![no_main]

mod import;

use libfuzzer_sys::fuzz_target;
use place_data::geojson;

fuzz_target!(|bytes: &[u8]| import::import(bytes, geojson::read));
