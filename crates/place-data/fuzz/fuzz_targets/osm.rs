//! Any bytes as an OpenStreetMap extract, PBF, XML or bzip2: no panic, places within their limits, or an error that is the file's fault.
#![no_main]

mod import;

use libfuzzer_sys::fuzz_target;
use place_data::osm;

fuzz_target!(|bytes: &[u8]| import::import(bytes, osm::read));
