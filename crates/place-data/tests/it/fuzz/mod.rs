//! Thousands of damaged files for each reader. `FUZZ_SECONDS=180` goes on for as long, from another start each time that
//! `FUZZ_SEED` changes; `crates/place-data/fuzz` runs the same with libFuzzer.

mod mutate;
mod seeds;
mod targets;

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::time::{Duration, Instant};

use rstest::rstest;

use super::matching::random::{self, Random};
use super::osm::{encode, map};

/// Files for each reader unless a time is set.
const CASES: u64 = 1_000;
/// Seconds that one small file may take.
const CASE_TIME_MAX: Duration = Duration::from_secs(10);

#[expect(clippy::disallowed_methods, reason = "a test has no settings")]
fn variable(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

/// Calls a target with one file, and keeps the file if it fails.
fn run(name: &str, target: fn(&[u8]), bytes: &[u8]) {
    let started = Instant::now();
    let outcome = catch_unwind(AssertUnwindSafe(|| target(bytes)));
    if let Err(panic) = outcome {
        let path = std::env::temp_dir().join(format!("place-data-{name}-crash"));
        std::fs::write(&path, bytes).expect("the folder for temporary files can be written");
        resume_unwind(panic);
    }
    assert!(started.elapsed() < CASE_TIME_MAX, "{name} took {:?} for {} bytes", started.elapsed(), bytes.len());
}

#[rstest]
#[case("csv", seeds::csv, targets::csv)]
#[case("geojson", seeds::geojson, targets::geojson)]
#[case("osm_pbf", seeds::osm_pbf, targets::osm)]
#[case("osm_block", seeds::osm_block, targets::osm_block)]
#[case("osm_xml", seeds::osm_xml, targets::osm)]
#[case("osm_bz2", seeds::osm_bz2, targets::osm)]
#[case("foursquare", seeds::foursquare, targets::foursquare)]
#[case("dataset", seeds::dataset, targets::dataset)]
#[case("manifest", seeds::manifest, targets::manifest)]
fn damaged_files_are_refused_or_read_as_far_as_they_are_sound(
    #[case] name: &str,
    #[case] seeds: fn() -> Vec<Vec<u8>>,
    #[case] target: fn(&[u8]),
) {
    let seeds = seeds();
    seeds.iter().for_each(|seed| run(name, target, seed));
    let mut random = Random(variable("FUZZ_SEED").unwrap_or(14));
    let end = variable("FUZZ_SECONDS").map(|seconds| Instant::now() + Duration::from_secs(seconds));
    let mut cases = 0;
    while end.map_or(cases < CASES, |end| Instant::now() < end) {
        run(name, target, &mutate::mutated(&seeds, &mut random));
        cases += 1;
    }
    eprintln!("{name}: {cases} damaged files");
}
