//! Any bytes as a CSV file: no panic, places within their limits, or an error that is the file's fault.
#![no_main]

mod import;

use libfuzzer_sys::fuzz_target;
use place_data::csv;

fuzz_target!(|bytes: &[u8]| import::import(bytes, |path, import| csv::read(path, &csv::Options::default(), import)));
