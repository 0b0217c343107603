//! Runs one query several times and prints, as one line of JSON, what it found and what it cost. Used by `benches/places`:
//! `find_places ADDRESS INDUSTRY PLACE TIMES [CACHE [ENDPOINT [CATALOG]]]`. An address of `-` is Overture's own bucket.

use std::time::Instant;

use place_data::{Kinds, Overture, OvertureSettings, PlaceQuery};
use places::{Category, Scope, industry, locate};
use serde_json::json;

/// As in the server.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

type Failure = Box<dyn std::error::Error>;

/// The trade in a town or, with `country:`, in a whole country.
fn query(category: &Category, place: &str) -> Result<PlaceQuery, Failure> {
    let area = match place.strip_prefix("country:") {
        Some(country) => locate(country)?.place.area(Scope::Country),
        None => locate(place)?.place.area(Scope::City),
    };
    Ok(PlaceQuery { area, kinds: Kinds::of(category), confidence_min: 0.0 })
}

fn settings(given: &[String]) -> OvertureSettings {
    let set = |place: usize| given.get(place).filter(|text| *text != "-").cloned();
    let standard = OvertureSettings::default();
    OvertureSettings {
        places: set(0),
        cache: set(4).map(Into::into),
        endpoint: set(5),
        catalog: set(6).unwrap_or_else(|| standard.catalog.clone()),
        ..standard
    }
}

/// The most memory that this process has had, in KiB.
fn peak_kib() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse().ok()
}

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let given: Vec<String> = std::env::args().skip(1).collect();
    let [_, kind, place, times, ..] = given.as_slice() else {
        return Err("find_places ADDRESS INDUSTRY PLACE TIMES [CACHE [ENDPOINT [CATALOG]]]".into());
    };
    let category = industry(kind)?.category;
    let query = query(category, place)?;
    let before_kib = peak_kib();
    let mut seconds = Vec::new();
    let overture = Overture::new(settings(&given))?;
    let mut found = None;
    for _ in 0..times.parse()? {
        // Whoever asks again has used what was found before.
        drop(found.take());
        let began = Instant::now();
        let (_, dataset) = overture.latest().await?;
        found = Some(dataset.find(&query, None).await?);
        seconds.push(began.elapsed().as_secs_f64());
    }
    let fetched = overture.fetched();
    let found = found.ok_or("nothing was asked")?;
    #[expect(clippy::print_stdout, reason = "the result of the program")]
    {
        println!(
            "{}",
            json!({
                "area": query.area.name(), "bounds": query.area.bounds().parts(), "names": category.overture_names(),
                 "total": found.total, "returned": found.places.len(),
                "first": found.places.first().map(|place| &place.id), "seconds": seconds,
                "requests": fetched.0, "bytes": fetched.1, "before_kib": before_kib, "peak_kib": peak_kib(),
            })
        );
    }
    Ok(())
}
