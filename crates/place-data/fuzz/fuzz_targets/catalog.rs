//! Any bytes as Overture's catalog of releases: releases with plausible names, newest first, or nothing.
#![no_main]

use libfuzzer_sys::fuzz_target;
use place_data::fuzzing;

fuzz_target!(|bytes: &[u8]| fuzzing::catalog(bytes));
