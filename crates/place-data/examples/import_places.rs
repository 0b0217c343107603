//! Imports a file into a library and says what it took:
//! `cargo run --release -p place-data --features bench --example import_places -- FOLDER FORMAT FILE`, where the format is `osm`, `foursquare`, `csv` or `geojson`.

use std::path::{Path, PathBuf};
use std::time::Instant;

use place_data::library::{Format, ImportName, ImportRequest};
use place_data::{Error, Import, Library, csv, foursquare, geojson, osm};

// As in the server.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn read(format: Format, file: &Path, import: &mut Import<'_>) -> Result<(), Error> {
    match format {
        Format::Osm => osm::read(file, import),
        Format::Foursquare => foursquare::read(file, import),
        Format::Geojson => geojson::read(file, import),
        _ => csv::read(file, &csv::Options::default(), import),
    }
}

fn peak_memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or_default().replace(['\t', ' '], "")
}

#[expect(clippy::print_stderr, reason = "a program to be run by hand")]
fn main() -> Result<(), Error> {
    let mut arguments = std::env::args().skip(1);
    let folder = PathBuf::from(arguments.next().unwrap_or_default());
    let format = match arguments.next().as_deref() {
        Some("osm") => Format::Osm,
        Some("foursquare") => Format::Foursquare,
        Some("geojson") => Format::Geojson,
        _ => Format::Csv,
    };
    let file = PathBuf::from(arguments.next().unwrap_or_default());
    let request = ImportRequest {
        name: ImportName::parse("measured")?,
        format,
        original: file.display().to_string(),
        attribution: None,
        imported_at: jiff::Timestamp::UNIX_EPOCH,
    };
    let started = Instant::now();
    let mut importer = Library::in_folder(folder).importer(request)?;
    let mut import = Import::into(&mut importer);
    read(format, &file, &mut import)?;
    let (taken, skipped) = import.finish();
    let seconds = || started.elapsed().as_secs_f64();
    eprintln!("{taken} places read after {:.1} s, {}", seconds(), peak_memory());
    let manifest = importer.finish(&skipped, &mut |_| Ok(()))?;
    eprintln!("imported after {:.1} s: {} bytes, {}", seconds(), manifest.current.bytes(), peak_memory());
    Ok(())
}
