//! Prints how fast the world is generated: `cargo run --release -p sandbox --example measure_world -- [SEED]`.
#![expect(clippy::print_stdout, reason = "printing the numbers is the purpose of this program")]

use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures::StreamExt;
use page_facts::{Context, RawPage, facts};
use places::{Area, Point};
use polite_reader::{Freshness, Reader, ReaderSettings};
use sandbox::{Website, World, serve};

/// Websites whose pages are generated.
const SITES: usize = 2_000;

/// Websites read at the same time.
const TOGETHER: usize = 128;

#[tokio::main]
async fn main() {
    let seed = std::env::args().nth(1).and_then(|seed| seed.parse().ok()).unwrap_or(1);
    let world = World::new(seed);
    let Some(category) = places::category("dentist") else { return println!("there are no dentists") };
    let austin = Area::circle("Austin", "US", Point { latitude: 30.267, longitude: -97.743 }, 11.0);
    let new_york = Area::circle("New York", "US", Point { latitude: 40.714, longitude: -74.006 }, 15.0);
    let (first, found) = timed(|| world.businesses(&austin, category).count());
    println!("first listing of a town, gazetteer loaded: {found} dentists in {first:?}");
    let (town, found) = timed(|| world.businesses(&austin, category).count());
    println!("listings of a town: {found} in {town:?}, {:.0}/s", rate(found, town));
    let (count, counted) = timed(|| world.count(&austin, category));
    println!("count of a town: {counted} in {count:?}");
    let (count, counted) = timed(|| world.count(&new_york, category));
    println!("count of a large city: {counted} in {count:?}");
    let (skip, _) = timed(|| world.businesses(&new_york, category).after(2_000).next());
    println!("the business after 2,000 others: {skip:?}");
    let (many, businesses) = timed(|| world.businesses(&new_york, category).take(SITES * 2).collect::<Vec<_>>());
    println!("listings: {} in {many:?}, {:.0}/s", businesses.len(), rate(businesses.len(), many));
    let countries = ["Texas", "United States"].into_iter().filter_map(|name| places::locate(name).ok());
    for located in countries {
        let area = located.place.area(located.place.width);
        let (count, counted) = timed(|| world.count(&area, category));
        let (listing, _) = timed(|| world.businesses(&area, category).next());
        println!("{}: about {counted} counted in {count:?}, first listed in {listing:?}", located.place.name);
    }
    pages(&world, &businesses);
    over_the_socket(&world, &businesses).await;
}

/// Serves the websites, reads them without pauses, and extracts their facts, all in this process.
async fn over_the_socket(world: &World, businesses: &[sandbox::Business]) {
    let Ok(listener) = tokio::net::TcpListener::bind("127.0.0.1:0").await else { return };
    let Ok(address) = listener.local_addr() else { return };
    tokio::spawn(serve(listener, world.clone(), Arc::new(|| 0), std::future::pending()));
    let settings = ReaderSettings {
        host_gap: Duration::ZERO,
        allowed_addresses: vec![address],
        tag_manager_url: None,
        ..ReaderSettings::default()
    };
    let Ok(reader) = Reader::new(settings) else { return };
    let own = businesses.iter().filter(|business| matches!(business.website, Website::Own { .. }));
    let fields = own.filter_map(|business| business.website.url(address.port()));
    let started = Instant::now();
    let reads = futures::stream::iter(fields.take(SITES).map(|field| tokio::spawn(read(reader.clone(), field))));
    let pages: Vec<usize> = reads.buffer_unordered(TOGETHER).filter_map(|read| async { read.ok() }).collect().await;
    let (took, all) = (started.elapsed(), pages.iter().sum::<usize>());
    println!("served, read and extracted: {} sites, {all} pages in {took:?}, {:.0}/s", pages.len(), rate(all, took));
}

async fn read(reader: Reader, field: String) -> usize {
    let report = reader.read_site(&field, Freshness::Fresh).await;
    let pages: Vec<RawPage<'_>> = report
        .pages
        .iter()
        .map(|page| RawPage { url: &page.url, content_type: page.content_type.as_deref(), body: &page.body })
        .collect();
    black_box(facts(&pages, &Context::default()));
    pages.len()
}

/// Generates every page of some websites.
fn pages(world: &World, businesses: &[sandbox::Business]) {
    let sites: Vec<(&str, Vec<String>)> = businesses
        .iter()
        .filter_map(|business| match &business.website {
            Website::Own { host } => Some((host.as_str(), world.truth(business, 0).paths)),
            _ => None,
        })
        .take(SITES)
        .collect();
    for age in [0, 50] {
        let (mut made, mut bytes) = (0, 0);
        let started = Instant::now();
        for (host, paths) in &sites {
            for path in paths {
                let response = black_box(world.respond(host, path, age));
                bytes += response.map_or(0, |response| response.body.len());
                made += 1;
            }
        }
        let took = started.elapsed();
        let each = took / made.max(1);
        println!(
            "pages at age {age}: {made} in {took:?}, {:.0}/s, {each:?} and {} KB each",
            rate(made as usize, took),
            bytes / made.max(1) as usize / 1024
        );
    }
}

fn timed<T>(work: impl FnOnce() -> T) -> (Duration, T) {
    let started = Instant::now();
    let result = black_box(work());
    (started.elapsed(), result)
}

fn rate(count: usize, took: Duration) -> f64 {
    count as f64 / took.as_secs_f64()
}
