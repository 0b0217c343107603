//! Websites: reproducible, of realistic size, and changing as announced.

use std::collections::{BTreeMap, HashSet};

use page_facts::SiteFacts;
use places::Scope;
use sandbox::{Behaviour, Business, Truth, World, test_place};

use crate::facts::read;
use crate::support::{SEED, host, trade, with_websites};

#[test]
fn the_same_world_renders_the_same_bytes() {
    let (one, other) = (World::new(SEED), World::new(SEED));
    for business in with_websites(&one, 60) {
        for path in one.truth(&business, 2).paths {
            let host = host(&business).unwrap();
            assert_eq!(one.respond(host, &path, 2), other.respond(host, &path, 2), "{host}{path}");
        }
    }
}

#[test]
fn pages_have_a_realistic_size() {
    let world = World::new(SEED);
    let mut sizes = Vec::new();
    for business in with_websites(&world, 200) {
        for path in world.truth(&business, 0).paths {
            let response = world.respond(host(&business).unwrap(), &path, 0).unwrap();
            if response.status == 200 {
                sizes.push(response.body.len());
            }
        }
    }
    sizes.sort_unstable();
    let at = |percent: usize| sizes[sizes.len() * percent / 100];
    assert!(at(5) > 4_000 && at(50) > 12_000 && at(95) < 60_000, "{} {} {}", at(5), at(50), at(95));
}

#[test]
fn every_style_sheet_and_image_is_served_by_the_website_itself() {
    let world = World::new(SEED);
    let mut sheets = HashSet::new();
    for business in with_websites(&world, 200) {
        let truth = world.truth(&business, 0);
        let host = host(&business).unwrap();
        let Some((_, home)) = crate::support::follow(&world, host, "/", 0).filter(|_| truth.site_status == "ok") else {
            continue;
        };
        let page = String::from_utf8_lossy(&home.body).into_owned();
        assert!(page.contains("<link rel=\"stylesheet\" href=\"/assets/site.css\">"), "{host}");
        let (_, sheet) = crate::support::follow(&world, host, "/assets/site.css", 0).unwrap();
        assert!(sheet.headers.contains(&("content-type", "text/css; charset=utf-8".to_owned())), "{host}");
        let text = String::from_utf8(sheet.body.to_vec()).unwrap();
        assert!(!text.contains("://"), "nothing is loaded from elsewhere");
        sheets.insert(text.replace(|c: char| c.is_ascii_digit(), ""));
        let (_, logo) = crate::support::follow(&world, host, "/images/logo.svg", 0).unwrap();
        assert!(logo.headers.contains(&("content-type", "image/svg+xml".to_owned())), "{host}");
    }
    assert!(sheets.len() >= 10, "{} looks", sheets.len());
}

#[test]
fn websites_use_many_platforms_and_every_obfuscation() {
    let world = World::new(SEED);
    let (mut platforms, mut ways) = (HashSet::new(), HashSet::new());
    for business in with_websites(&world, 600) {
        let truth = world.truth(&business, 0);
        platforms.extend(truth.platform);
        ways.extend(truth.emails.iter().map(|email| email.hidden_by));
    }
    assert!(platforms.len() >= 13, "{platforms:?}");
    assert_eq!(ways.len(), 7, "{ways:?}");
}

#[test]
fn in_ordinary_towns_no_website_hangs_and_few_are_slow() {
    let world = World::new(SEED);
    let mut statuses: BTreeMap<&str, usize> = BTreeMap::new();
    let businesses = with_websites(&world, 1_500);
    for business in &businesses {
        let truth = world.truth(business, 0);
        *statuses.entry(truth.site_status).or_default() += 1;
        let host = host(business).unwrap();
        let mut delay = 0;
        let paths: HashSet<&str> = truth.paths.iter().map(String::as_str).chain(["/", "/robots.txt"]).collect();
        for path in paths {
            match world.respond(host, path, 0).unwrap().behaviour {
                Behaviour::Hang | Behaviour::Endless | Behaviour::Drip { .. } => panic!("{host}{path}"),
                Behaviour::Delay(pause) => delay += pause.as_millis(),
                _ => {}
            }
        }
        assert!(delay < 1_000, "{host} takes {delay} ms");
    }
    let share = |status: &str| *statuses.get(status).unwrap_or(&0) as f64 / businesses.len() as f64;
    assert!(share("ok") > 0.88 && share("timeout") == 0.0, "{statuses:?}");
    for status in ["robots", "dead", "parked", "blocked", "error"] {
        assert!(share(status) > 0.002 && share(status) < 0.05, "{status}: {statuses:?}");
    }
}

#[test]
fn about_one_website_in_ten_changes_per_age_and_an_outage_lasts_one_age() {
    let world = World::new(SEED);
    let businesses = with_websites(&world, 800);
    let (mut changed, mut down) = (0, 0);
    for business in &businesses {
        changed += usize::from(!world.changes(business, 1, 2).is_empty());
        let status = |age: u32| world.truth(business, age).site_status;
        let fell = (1..8).filter(|age| status(*age) == "error" && status(age - 1) == "ok").collect::<Vec<u32>>();
        for age in fell {
            assert_eq!(status(age + 1), "ok", "{} at {age}", business.id);
            down += 1;
        }
    }
    let share = changed as f64 / businesses.len() as f64;
    assert!((0.06..0.14).contains(&share), "{share}");
    assert!(down > 10, "{down}");
}

#[test]
fn changes_are_the_difference_of_the_truths_and_state_their_age() {
    let world = World::new(SEED);
    let area = test_place("Changeville, Sandbox").unwrap().area(Scope::City);
    let mut fields = HashSet::new();
    for business in world.businesses(&area, trade("restaurant")).filter(|business| host(business).is_some()) {
        assert!(world.changes(&business, 3, 3).is_empty() && world.changes(&business, 4, 3).is_empty());
        for to in 1..12 {
            let changes = world.changes(&business, 0, to);
            assert_eq!(changes.is_empty(), is_same(&world.truth(&business, 0), &world.truth(&business, to)));
            for change in changes {
                fields.insert(change.field);
                assert!((1..=to).contains(&change.age), "{change:?}");
                let before = world.changes(&business, change.age - 1, change.age);
                let stated = before.iter().any(|one| one.field == change.field && one.after == change.after);
                assert!(stated, "{} {change:?} {before:?}", business.id);
            }
        }
    }
    for field in ["platform", "ecommerce", "booking", "online_ordering", "chat", "has_ad_pixel", "ad_networks"] {
        assert!(fields.contains(field), "{field}: {fields:?}");
    }
    assert!(fields.contains("emails") && fields.contains("owner_name"), "{fields:?}");
}

/// Whether two truths agree in everything that is reported.
fn is_same(one: &Truth, other: &Truth) -> bool {
    let stated = |truth: &Truth| Truth { paths: Vec::new(), ..truth.clone() };
    stated(one) == stated(other)
}

#[test]
fn a_reader_sees_the_changes_the_world_announces() {
    let world = World::new(SEED);
    let area = test_place("Changeville, Sandbox").unwrap().area(Scope::City);
    let mut seen = 0;
    for business in world.businesses(&area, trade("restaurant")).filter(|business| host(business).is_some()).take(12) {
        let signals = |age: u32| signals(&read(&world, &business, &world.truth(&business, age), age));
        for age in 0..4 {
            let reported = ["emails", "owner_name"];
            let changes = world.changes(&business, age, age + 1);
            let stated = changes.iter().any(|change| !reported.contains(&change.field));
            assert_eq!(signals(age) != signals(age + 1), stated, "{} {changes:?}", business.id);
            seen += usize::from(stated);
        }
    }
    assert!(seen > 20, "{seen}");
}

/// The signals that Radar compares.
fn signals(found: &SiteFacts) -> String {
    let technology = &found.technology;
    let slug = |found: &Option<page_facts::FoundTechnology>| found.as_ref().map(|found| found.slug.clone());
    let pixels: Vec<&str> = technology.ad_networks.iter().map(|found| found.slug.as_str()).collect();
    format!(
        "{:?} {} {:?} {:?} {:?} {pixels:?}",
        slug(&technology.platform),
        technology.ecommerce.is_some(),
        slug(&technology.booking),
        slug(&technology.online_ordering),
        slug(&technology.chat)
    )
}

#[test]
fn businesses_without_their_own_website_have_the_right_status() {
    let world = World::new(SEED);
    let area = test_place("Plainville, Sandbox").unwrap().area(Scope::City);
    let all: Vec<Business> = world.businesses(&area, trade("restaurant")).collect();
    let of = |status: &str| all.iter().filter(|business| world.truth(business, 0).site_status == status).count();
    assert!(of("none") > 0 && of("social_only") > 0 && of("ok") > 0);
    assert!(all.iter().all(|business| host(business).is_some() || world.changes(business, 0, 9).is_empty()));
}
