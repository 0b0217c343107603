//! Imports an OpenStreetMap extract and writes its places as lines of JSON, to be compared with what another program finds:
//! `cargo run --release -p place-data --features bench --example osm_dump -- FILE > places.jsonl`.
//! Time and counts go to the standard error.

use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::time::Instant;

use place_data::{Error, Import, Place, Sink};
use serde_json::json;

/// Writes places to the standard output, or only counts them.
struct Lines {
    output: Option<BufWriter<std::io::StdoutLock<'static>>>,
}

impl Sink for Lines {
    fn place(&mut self, place: Place) -> Result<(), Error> {
        let Some(output) = &mut self.output else { return Ok(()) };
        writeln!(output, "{}", line(&place)).map_err(Error::io("standard output"))
    }

    fn progress(&mut self, _bytes: u64) -> Result<(), Error> {
        Ok(())
    }
}

fn line(place: &Place) -> serde_json::Value {
    let address = place.addresses.first();
    let brand = place.brand.as_ref();
    json!({
        "id": place.id,
        "name": place.name,
        "name_source": format!("{:?}", place.name_source).to_lowercase(),
        "translations": place.translations,
        "latitude": place.point.latitude,
        "longitude": place.point.longitude,
        "primary": place.categories.primary,
        "categories": place.categories.hierarchy,
        "status": format!("{:?}", place.status),
        "websites": place.websites,
        "socials": place.socials,
        "emails": place.emails,
        "phones": place.phones,
        "brand": brand.and_then(|brand| brand.name.clone()),
        "brand_wikidata": brand.and_then(|brand| brand.wikidata.clone()),
        "freeform": address.and_then(|address| address.freeform.clone()),
        "locality": address.and_then(|address| address.locality.clone()),
        "postcode": address.and_then(|address| address.postcode.clone()),
        "region": address.and_then(|address| address.region.clone()),
        "country": address.and_then(|address| address.country.clone()),
        "opening_hours": place.opening_hours,
        "updated": place.origins[0].updated,
    })
}

#[expect(clippy::print_stderr, reason = "a program to be run by hand")]
fn main() -> Result<(), Error> {
    let mut arguments = std::env::args().skip(1);
    let path = PathBuf::from(arguments.next().unwrap_or_default());
    let is_silent = arguments.next().as_deref() == Some("--silent");
    let mut sink = Lines { output: (!is_silent).then(|| BufWriter::new(std::io::stdout().lock())) };
    let started = Instant::now();
    let mut import = Import::into(&mut sink);
    place_data::osm::read(&path, &mut import)?;
    let (taken, skipped) = import.finish();
    eprintln!("{taken} places in {:.3} s", started.elapsed().as_secs_f64());
    for (reason, kind) in &skipped.0 {
        eprintln!("{:>8} left out: {reason} ({})", kind.count, kind.examples.join(", "));
    }
    Ok(())
}
