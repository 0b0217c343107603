//! Pairs derived from real data, where that is available.

use place_data::{Address, Brand, Categories, Place};
use places::Point;
use serde_json::Value;

use crate::evaluate::{Pair, check};
use crate::perturb::other_record;
use crate::random::Random;

fn load(path: &str) -> Vec<Place> {
    let Ok(text) = std::fs::read_to_string(path) else { return Vec::new() };
    text.lines().map(|line| place(&serde_json::from_str(line).unwrap())).collect()
}

fn place(v: &Value) -> Place {
    let list = |k: &str| v[k].as_array().into_iter().flatten().map(|v| v.as_str().unwrap().to_owned()).collect::<Vec<_>>();
    let text = |k: &str| v[k].as_str().filter(|t| !t.is_empty()).map(str::to_owned);
    let mut p = Place::new(text("id").unwrap(), text("name").unwrap(), Point { latitude: v["lat"].as_f64().unwrap(), longitude: v["lon"].as_f64().unwrap() });
    p.translations = v["tr"].as_array().into_iter().flatten().map(|t| (t[0].as_str().unwrap().to_owned(), t[1].as_str().unwrap().to_owned())).collect();
    p.categories = Categories { primary: text("primary"), alternates: list("alternates"), ..Default::default() };
    p.websites = list("websites"); p.phones = list("phones"); p.emails = list("emails"); p.socials = list("socials");
    p.brand = text("brand").map(|b| Brand { name: Some(b), wikidata: None });
    p.addresses = vec![Address { freeform: text("street"), locality: text("locality"), postcode: text("postcode"), region: text("region"), country: text("country") }];
    p
}

#[test]
fn real() {
    let mut random = Random(2);
    for file in ["overture", "osm"] {
        let places = load(&format!("/tmp/mv/{file}.jsonl"));
        let mut pairs = Vec::new();
        for p in &places {
            pairs.push(Pair { kind: "same", a: p.clone(), b: other_record(p, &mut random), same: true });
        }
        let mut found = Vec::new();
        let mut near = 0;
        let t = std::time::Instant::now();
        let profiles: Vec<_> = places.iter().map(place_data::matching::Profile::new).collect();
        eprintln!("profiles {:?} for {}", t.elapsed(), places.len());
        let t = std::time::Instant::now();
        let mut n = 0u64;
        for (i, a) in places.iter().enumerate() {
            for (j, b) in places.iter().enumerate().skip(i + 1) {
                let km = a.point.miles_to(b.point) * 1.609;
                if km > 0.8 { continue; }
                n += 1;
                if km < 0.06 { near += 1; }
                let s = place_data::matching::compare(&profiles[i], &profiles[j]);
                if s.total() > 3.0 { found.push((s.total(), i, j, km)); }
            }
        }
        eprintln!("{n} pairs in {:?}", t.elapsed());
        found.sort_by(|a, b| b.0.total_cmp(&a.0));
        eprintln!("{file}: near pairs {near}");
        for (s, i, j, km) in found {
            let l = |p: &Place| format!("{} | {:?} | {:?} | {:?} | {:?}", p.name, p.categories.primary, p.phones, p.websites, p.addresses.first().and_then(|a| a.freeform.clone()));
            eprintln!("{s:.1} {:.0}m {}\n        {}", km * 1000.0, l(&places[i]), l(&places[j]));
        }
        check(file, &pairs);
    }
}
