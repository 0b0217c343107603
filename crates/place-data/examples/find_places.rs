//! Runs one query several times and prints, as one line of JSON, what it found and what it cost. Used by `benches/places`.
//!
//! `find_places ADDRESS INDUSTRY PLACE TIMES [CACHE [ENDPOINT [CATALOG]]]`; an address of `-` is Overture's own bucket.

use std::process::ExitCode;
use std::time::Instant;

use place_data::{Kinds, Overture, OvertureSettings, PlaceQuery};
use places::{industry, locate};
use serde_json::json;

type Failure = Box<dyn std::error::Error>;

fn query(kind: &str, place: &str) -> Result<PlaceQuery, Failure> {
    let industry = industry(kind).map_err(|_| format!("no industry is called {kind}"))?;
    let located = locate(place, places::Scope::City).map_err(|_| format!("no place is called {place}"))?;
    Ok(PlaceQuery { area: located.area.clone(), kinds: Kinds::of(industry.category), confidence_min: 0.0 })
}
