//! Merges two generated sources of restaurants all over the United States, and prints, as one line of JSON, what it took:
//! `cargo run --release -p place-data --features bench --example merge_places -- FOLDER THOUSANDS`.
//! The sources are generated into the folder unless they are there.

use std::sync::Arc;
use std::time::Instant;

use place_data::library::{Format, ImportName, ImportRequest};
use place_data::merge::{MergedPlaces, SourceTag};
use place_data::{Address, Dataset, Kinds, Library, Place, PlaceQuery, Sink, Skipped};
use places::{Area, Point, Scope, Town, industry, locate};
use serde_json::json;

/// As in the server.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

type Failure = Box<dyn std::error::Error>;

/// Names of the sources.
const SOURCES: [&str; 2] = ["first", "second"];
/// Of a hundred places of the first source, those that the second has as well.
const SHARED_PERCENT: u64 = 70;
/// Towns that places are spread over, the largest first.
const TOWNS: usize = 5_000;
const FIRST: [&str; 16] = [
    "Golden", "Blue", "Casa", "Old", "Royal", "Lucky", "Green", "Silver", "Mama", "Uncle", "Little", "Grand", "Happy",
    "Red", "Villa", "Twin",
];
const SECOND: [&str; 24] = [
    "Dragon", "Heron", "Olive", "Mill", "Garden", "Lotus", "Rosa", "Tonio", "Harbor", "Orchard", "Palace", "Falcon",
    "Anchor", "Willow", "Bamboo", "Pepper", "Basil", "Tiger", "Meadow", "Canyon", "Juniper", "Marino", "Bella",
    "Nomad",
];

/// Numbers that look random and are the same every time.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }

    fn fraction(&mut self) -> f64 {
        self.next() as f64 / (1_u64 << 31) as f64
    }

    fn percent(&mut self, share: u64) -> bool {
        self.next() % 100 < share
    }
}

/// A restaurant; every third one near a town is at its very centre.
fn restaurant(number: u64, towns: &[Town], random: &mut Random) -> Place {
    // Larger towns have more of them.
    let town = &towns[(random.fraction().powi(3) * towns.len() as f64) as usize];
    let spread = if number.is_multiple_of(3) { 0.02 } else { 0.25 };
    let mut aside = || (random.fraction() + random.fraction() - 1.0) * spread;
    let point = Point { latitude: town.point.latitude + aside(), longitude: town.point.longitude + aside() };
    let (first, second) = (FIRST[(random.next() % 16) as usize], SECOND[(random.next() % 24) as usize]);
    let mut place = Place::new(format!("{number:032x}"), format!("{first} {second} Restaurant"), point);
    place.categories.primary = Some("restaurant".into());
    place.phones =
        vec![format!("+1 {} {:03} {:04}", 201 + random.next() % 700, 200 + random.next() % 700, number % 10_000)];
    if random.percent(70) {
        place.websites = vec![format!("https://www.{first}{second}{number}.com/").to_lowercase()];
    }
    place.confidence = Some((random.fraction() * 100.0).round() / 100.0);
    place.addresses = vec![Address {
        freeform: Some(format!("{} Main Street", 1 + random.next() % 3_000)),
        locality: Some(town.name.into()),
        postcode: Some(format!("{:05}", random.next() % 90_000)),
        region: Some(town.state.into()),
        country: Some("US".into()),
    }];
    place
}

/// The same place in the other source.
fn other_record(place: &Place, number: u64, random: &mut Random) -> Place {
    let mut other = place.clone();
    other.id = format!("n{number}");
    other.name = if random.percent(50) { place.name.replace(" Restaurant", "") } else { format!("The {}", place.name) };
    other.categories.primary = Some("amenity=restaurant".into());
    other.confidence = None;
    other.point.latitude += (random.fraction() - 0.5) * 0.000_6;
    if random.percent(30) {
        other.phones.clear();
    }
    if random.percent(40) {
        other.websites.clear();
    }
    if random.percent(30) {
        other.addresses[0].freeform = None;
    }
    other
}

fn generate(library: &Library, thousands: u64, area: &Area) -> Result<(), Failure> {
    let mut towns = area.towns();
    towns.truncate(TOWNS);
    let importer = |name: &str| {
        library.importer(ImportRequest {
            name: ImportName::parse(name)?,
            format: Format::Csv,
            original: "generated".into(),
            attribution: None,
            imported_at: jiff::Timestamp::UNIX_EPOCH,
        })
    };
    let (mut first, mut second) = (importer(SOURCES[0])?, importer(SOURCES[1])?);
    let mut random = Random(7);
    for number in 0..thousands * 1_000 {
        let place = restaurant(number, &towns, &mut random);
        let other =
            if random.percent(SHARED_PERCENT) { place.clone() } else { restaurant(number, &towns, &mut random) };
        second.place(other_record(&other, number, &mut random))?;
        first.place(place)?;
    }
    first.finish(&Skipped::default(), &mut |_| Ok(()))?;
    second.finish(&Skipped::default(), &mut |_| Ok(()))?;
    Ok(())
}

/// The most memory that this process has had, in KiB.
fn peak_kib() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse().ok()
}

#[tokio::main]
#[expect(clippy::print_stdout, reason = "the result of the program")]
async fn main() -> Result<(), Failure> {
    let given: Vec<String> = std::env::args().skip(1).collect();
    let [folder, thousands] = given.as_slice() else { return Err("merge_places FOLDER THOUSANDS".into()) };
    let library = Library::in_folder(folder);
    let area = locate("United States")?.place.area(Scope::Country);
    if library.find(SOURCES[1])?.is_none() {
        generate(&library, thousands.parse()?, &area)?;
        println!("generated; run it again to measure");
        return Ok(());
    }
    let mut sets: Vec<(SourceTag, Arc<Dataset>)> = Vec::new();
    for name in SOURCES {
        sets.push((SourceTag::from(name), library.latest(name).await?.1));
    }
    let query = PlaceQuery { area, kinds: Kinds::of(industry("restaurant")?.category), confidence_min: 0.0 };
    let began = Instant::now();
    let merged = MergedPlaces::find(&sets, &query).await?;
    let index_seconds = began.elapsed().as_secs_f64();
    let (index_kib, total) = (merged.bytes() / 1024, merged.total());
    let began = Instant::now();
    let page = merged.after(None).await?;
    let page_seconds = began.elapsed().as_secs_f64();
    let began = Instant::now();
    let next = merged.after(page.places.last().map(|(rank, _)| rank)).await?;
    let next_page_seconds = began.elapsed().as_secs_f64();
    let of_both = page.places.iter().filter(|(_, place)| !place.aliases.is_empty()).count();
    println!(
        "{}",
        json!({
            "places": total, "index_seconds": index_seconds, "index_kib": index_kib, "page_seconds": page_seconds,
            "next_page_seconds": next_page_seconds, "page_places": next.places.len(), "of_both_on_first_page": of_both,
            "peak_kib": peak_kib(),
        })
    );
    Ok(())
}
