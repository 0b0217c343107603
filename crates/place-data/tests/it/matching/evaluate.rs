//! Measures precision and recall over labelled pairs.

use std::collections::BTreeMap;

use place_data::Place;
use place_data::matching::score;

/// Two records, and whether they are the same business.
pub(crate) struct Pair {
    pub(crate) kind: &'static str,
    pub(crate) a: Place,
    pub(crate) b: Place,
    pub(crate) same: bool,
}

/// The floors that matching has to reach.
pub(crate) const PRECISION_MIN: f64 = 0.98;
pub(crate) const RECALL_MIN: f64 = 0.90;

/// Precision and recall. Prints both by kind, and the first wrong pairs of each kind.
pub(crate) fn measure(title: &str, pairs: &[Pair]) -> (f64, f64) {
    let (mut hits, mut false_hits, mut misses) = (0.0, 0.0, 0.0);
    let mut by_kind: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for pair in pairs {
        let found = score(&pair.a, &pair.b);
        let kind = by_kind.entry(pair.kind).or_default();
        kind.0 += 1;
        match (pair.same, found.is_same()) {
            (true, true) => hits += 1.0,
            (false, false) => {}
            (true, false) => misses += 1.0,
            (false, true) => false_hits += 1.0,
        }
        if pair.same != found.is_same() {
            kind.1 += 1;
            if kind.1 <= 3 {
                eprintln!(
                    "{title}, {}: should be {}: {}\n  {}\n  {found:?}",
                    pair.kind,
                    pair.same,
                    line(&pair.a),
                    line(&pair.b)
                );
            }
        }
    }
    for (kind, (count, wrong)) in by_kind {
        eprintln!("{title}: {kind}: {wrong} of {count} wrong");
    }
    let (precision, recall) = (hits / (hits + false_hits), hits / (hits + misses));
    eprintln!("{title}: {} pairs, precision {precision:.4}, recall {recall:.4}", pairs.len());
    (precision, recall)
}

pub(crate) fn check(title: &str, pairs: &[Pair]) {
    let (precision, recall) = measure(title, pairs);
    assert!(precision >= PRECISION_MIN, "{title}: precision {precision}");
    assert!(recall >= RECALL_MIN, "{title}: recall {recall}");
}

fn line(place: &Place) -> String {
    let address = place.addresses.first().map(|address| (&address.freeform, &address.postcode));
    let at = (place.point.latitude, place.point.longitude);
    format!(
        "{:?} {:?} {:?} {:?} {address:?} {at:?}",
        place.name, place.categories.primary, place.phones, place.websites
    )
}
