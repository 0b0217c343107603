//! Prints how fast the world is made: `cargo run --release -p sandbox --example measure -- [SEED]`.
#![expect(clippy::print_stdout, reason = "the numbers are what this program is for")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use places::{Area, Point};
use sandbox::{Website, World};

/// Websites whose pages are made.
const SITES: usize = 2_000;

fn main() {
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
    pages(&world, &businesses);
}

/// Makes every page of some websites.
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
                let answer = black_box(world.answer(host, path, age));
                bytes += answer.map_or(0, |answer| answer.body.len());
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
