//! Any bytes as a Parquet file of Foursquare: places within their limits, or an error that is the file's fault. The Parquet
//! decoder may panic, which the reader turns into an error; the hook that would end the process on such a panic is removed.
#![no_main]

mod import;

use libfuzzer_sys::fuzz_target;
use place_data::foursquare;

fuzz_target!(init: std::panic::set_hook(Box::new(|_| {})), |bytes: &[u8]| import::import(bytes, foursquare::read));
