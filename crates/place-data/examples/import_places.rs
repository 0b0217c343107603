//! Imports generated places into a library and says what it took:
//! `cargo run --release -p place-data --example import_places -- FOLDER MILLIONS`.

use std::path::PathBuf;
use std::time::Instant;

use place_data::library::{Format, ImportName, ImportRequest};
use place_data::{Address, Error, Library, Place, Sink, Skipped};
use places::Point;

/// A place that looks like many in OpenStreetMap, anywhere between two latitudes.
fn place(number: u64) -> Place {
    let scattered = |number: u64| (number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as f64 / f64::from(u32::MAX);
    let point =
        Point { latitude: scattered(number) * 60.0, longitude: scattered(number ^ 0x5555_5555) * 200.0 - 100.0 };
    let kind = ["amenity=dentist", "shop=bakery", "craft=plumber", "amenity=restaurant"][(number % 4) as usize];
    let mut place = Place::new(format!("n{}", number * 37), format!("Business number {number}"), point);
    place.categories.primary = Some(kind.to_owned());
    place.categories.hierarchy = vec![kind.to_owned()];
    place.websites = vec![format!("https://www.business-{number}.example/")];
    place.phones = vec![format!("+1 512 {:07}", number % 10_000_000)];
    place.addresses = vec![Address {
        freeform: Some(format!("{} Main Street", number % 3_000)),
        locality: Some(format!("Town {}", number % 20_000)),
        postcode: Some(format!("{:05}", number % 90_000)),
        region: Some("TX".into()),
        country: Some("US".into()),
    }];
    place.opening_hours = Some("Mo-Fr 08:00-17:00".into());
    place
}

#[expect(clippy::print_stderr, reason = "a program to be run by hand")]
fn main() -> Result<(), Error> {
    let mut arguments = std::env::args().skip(1);
    let folder = PathBuf::from(arguments.next().unwrap_or_default());
    let millions: u64 = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(1);
    let request = ImportRequest {
        name: ImportName::parse("generated")?,
        format: Format::Csv,
        original: "generated".into(),
        attribution: None,
        imported_at: jiff::Timestamp::UNIX_EPOCH,
    };
    let started = Instant::now();
    let mut importer = Library::in_folder(folder).importer(request)?;
    for number in 0..millions * 1_000_000 {
        importer.place(place(number))?;
    }
    eprintln!("sorted runs after {:.1} s", started.elapsed().as_secs_f64());
    let manifest = importer.finish(&Skipped::default(), &mut |_| Ok(()))?;
    let memory = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let memory = memory.lines().find(|line| line.starts_with("VmHWM")).unwrap_or_default().to_owned();
    eprintln!("imported after {:.1} s: {} bytes, {memory}", started.elapsed().as_secs_f64(), manifest.current.bytes());
    Ok(())
}
