//! Labelled pairs made of real records: what one source lists separately is different, what a person found to be listed twice is
//! the same, and so is a record as another source would write it.

use std::collections::{BTreeSet, HashMap};

use place_data::Place;

use super::evaluate::Pair;
use super::perturb::other_record;
use super::random::Random;
use super::world::categories;

/// Metres within which two records are easily confused.
const NEAR_METRES: f64 = 150.0;
const METRES_PER_MILE: f64 = 1_609.344;

/// Ids of records of OpenStreetMap extracts that are the same place twice, found by looking at them.
const TWICE: &[(&str, &str)] = &[
    ("n358247480", "w85609477"),
    ("n7799413977", "w25722685"),
    ("n358248344", "w107445217"),
    ("n358244978", "w95182726"),
    ("n358245518", "w113277027"),
    ("n2670282444", "w113103986"),
    ("n358249613", "w141583208"),
    ("n358249710", "w128192318"),
    ("n2544121528", "w180909418"),
    ("w244177009", "w244177040"),
    ("n7778324711", "n7829947085"),
    ("n1380974058", "n1985596744"),
    ("n369550855", "w122595247"),
    ("n4747221535", "n4776225421"),
    ("n3222766357", "w316163143"),
    ("n5011281354", "n5011281355"),
    ("n1369465698", "n1798012663"),
    ("w295039999", "w295068250"),
    ("n7822502058", "w94252399"),
    ("n4416171690", "w201286353"),
    ("n464729830", "n5011656000"),
];

/// Ids of records about which a person could not tell without going there: the shop of a filling station, two counters of a shop in
/// one department store, a place that was renamed or that moved within its street.
const UNCLEAR: &[(&str, &str)] = &[
    ("w188565969", "w188565976"),
    ("w188582385", "w188582388"),
    ("n358247450", "w120062601"),
    ("n5080982994", "n6696261625"),
    ("n319790100", "n606996921"),
    ("w232975785", "w243728826"),
    ("n2466500127", "n6328929785"),
    ("n600428206", "n4692013487"),
    ("n5018137015", "n5018137016"),
    ("n495761527", "n1548521551"),
    ("w17359600", "w17359934"),
    ("n4316767533", "n4317063449"),
    ("n7265761709", "n7265761712"),
    ("n6049453016", "n6049453046"),
    ("n3874242157", "n6251726996"),
    ("w163213981", "w243728826"),
    ("w243943451", "w243995210"),
    ("w275173709", "w275173710"),
    ("w150577057", "w150577058"),
    ("w163213981", "w232975785"),
    ("n2225393039", "n4692013479"),
    ("n1985595324", "n6049453049"),
];

/// Kinds that are no businesses and repeat themselves.
const NO_BUSINESS: &[&str] = &["amenity=parking", "tourism=artwork", "tourism=information", "tourism=attraction"];

fn listed(list: &[(&str, &str)], a: &Place, b: &Place) -> bool {
    list.iter().any(|(one, other)| (a.id == *one && b.id == *other) || (a.id == *other && b.id == *one))
}

/// The neighbours that are hardest to tell apart, at most so many, and all that are listed twice.
pub(crate) fn neighbours(places: &[Place], most: usize) -> Vec<Pair> {
    let mut pairs: Vec<(f64, Pair)> = Vec::new();
    let businesses: Vec<&Place> = places.iter().filter(|place| !is_no_business(place)).collect();
    for (at, a) in businesses.iter().enumerate() {
        for b in &businesses[at + 1..] {
            if (a.point.latitude - b.point.latitude).abs() > 0.002
                || a.point.miles_to(b.point) * METRES_PER_MILE > NEAR_METRES
                || listed(UNCLEAR, a, b)
            {
                continue;
            }
            let same = listed(TWICE, a, b);
            let hardness = if same { f64::INFINITY } else { hardness(a, b) };
            let kind = if same { "real, listed twice" } else { "real, neighbours" };
            pairs.push((hardness, Pair { kind, a: (*a).clone(), b: (*b).clone(), same }));
        }
    }
    pairs.sort_by(|one, other| other.0.total_cmp(&one.0));
    pairs.truncate(most);
    pairs.into_iter().map(|(_, pair)| pair).collect()
}

fn is_no_business(place: &Place) -> bool {
    place.categories.primary.as_deref().is_none_or(|primary| NO_BUSINESS.contains(&primary))
}

/// How easily two records are confused: by letters of their names, kind, phone, domain and street, in a way of its own.
fn hardness(a: &Place, b: &Place) -> f64 {
    let triples = |place: &Place| {
        let letters: Vec<char> = place.name.to_lowercase().chars().filter(|letter| letter.is_alphanumeric()).collect();
        letters.windows(3).map(|triple| triple.iter().collect()).collect::<BTreeSet<String>>()
    };
    let (one, other) = (triples(a), triples(b));
    let shared = one.intersection(&other).count() as f64 / one.len().min(other.len()).max(1) as f64;
    let host = |place: &Place| place.websites.first().and_then(|url| url.split('/').nth(2).map(str::to_owned));
    let street = |place: &Place| place.addresses.first().and_then(|address| address.freeform.clone());
    let agrees = |one: Option<String>, other: Option<String>| f64::from(u8::from(one.is_some() && one == other));
    let phone = |place: &Place| place.phones.first().cloned();
    shared
        + 0.4 * agrees(phone(a), phone(b))
        + 0.3 * agrees(host(a), host(b))
        + 0.2 * agrees(street(a), street(b))
        + 0.2 * agrees(a.categories.primary.clone(), b.categories.primary.clone())
}

/// Records as another source would write them, each with the record itself.
pub(crate) fn rewritten(places: &[Place], most: usize, random: &mut Random) -> Vec<Pair> {
    let tags: HashMap<&str, String> = places::categories()
        .iter()
        .flat_map(|category| {
            let tag = category.osm.first().map(|(key, value)| format!("{key}={value}"));
            category.overture.iter().filter_map(move |name| Some((*name, tag.clone()?)))
        })
        .collect();
    let businesses: Vec<&Place> = places.iter().filter(|place| !is_no_business(place)).collect();
    let step = (businesses.len() / most).max(1);
    let rewrite = |place: &&Place| {
        let mut other = other_record(place, random);
        let tag = place.categories.primary.as_deref().and_then(|primary| tags.get(primary));
        if let Some(tag) = tag.filter(|_| random.percent(50)) {
            other.categories = categories(tag);
        }
        Pair { kind: "real, rewritten", a: (*place).clone(), b: other, same: true }
    };
    businesses.iter().step_by(step).take(most).map(rewrite).collect()
}
