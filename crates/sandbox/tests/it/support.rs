//! Areas, trades and websites shared by several tests.

use places::{Area, Category, Point};
use sandbox::{Business, SiteResponse, Website, World};

/// The seed of the world used in tests.
pub(crate) const SEED: u64 = 20_261_115;

/// Circles around towns, large and small.
pub(crate) fn areas() -> Vec<Area> {
    [
        ("Austin", "US", 30.267, -97.743, 11.0),
        ("Elgin", "US", 30.35, -97.37, 3.0),
        ("New York", "US", 40.714, -74.006, 9.0),
        ("Berlin", "DE", 52.52, 13.405, 9.0),
        ("London", "GB", 51.508, -0.125, 9.0),
        ("Lyon", "FR", 45.748, 4.847, 7.0),
    ]
    .into_iter()
    .map(|(name, country, latitude, longitude, miles)| {
        Area::circle(name, country, Point { latitude, longitude }, miles)
    })
    .collect()
}

pub(crate) fn trade(slug: &str) -> &'static Category {
    places::category(slug).unwrap_or_else(|| panic!("no trade {slug}"))
}

/// The host of a business that has a website of its own.
pub(crate) fn host(business: &Business) -> Option<&str> {
    match &business.website {
        Website::Own { host } => Some(host),
        _ => None,
    }
}

/// Some businesses with websites, from many towns and trades, the same every time.
pub(crate) fn with_websites(world: &World, count: usize) -> Vec<Business> {
    let (areas, trades) = (areas(), places::categories());
    let mut found = Vec::new();
    for round in 0.. {
        for (at, area) in areas.iter().enumerate() {
            let category = &trades[(round * 61 + at * 17) % trades.len()];
            let some = world.businesses(area, category).after((round % 5) as u64).take(4);
            found.extend(some.filter(|business| host(business).is_some()));
        }
        if found.len() >= count || round > 10_000 {
            break;
        }
    }
    found.truncate(count);
    found
}

/// Requests a page and follows redirects within the world.
pub(crate) fn follow(world: &World, host: &str, path: &str, age: u32) -> Option<(String, SiteResponse)> {
    let (mut host, mut path) = (host.to_owned(), path.to_owned());
    for _ in 0..6 {
        let response = world.respond(&host, &path, age)?;
        let target = response.headers.iter().find(|(name, _)| *name == "location").map(|(_, target)| target.clone());
        let Some(target) = target else { return Some((format!("http://{host}{path}"), response)) };
        match target.strip_prefix("http://").and_then(|rest| rest.split_once('/')) {
            Some((next, rest)) => (host, path) = (next.to_owned(), format!("/{rest}")),
            None => path = target,
        }
    }
    None
}
