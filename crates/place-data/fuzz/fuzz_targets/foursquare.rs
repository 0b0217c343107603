//! Any bytes as a Parquet file of Foursquare. The Parquet
//! decoder may panic, which the reader turns into an error; the hook that would end the process on such a panic is removed.
#![no_main]

#[path = "../../tests/it/fuzz/targets.rs"]
#[allow(dead_code, reason = "each target uses one of them")]
mod targets;

use libfuzzer_sys::fuzz_target;

fuzz_target!(init: std::panic::set_hook(Box::new(|_| {})), |bytes: &[u8]| targets::foursquare(bytes));
