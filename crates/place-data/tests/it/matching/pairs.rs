//! Pairs written by hand in the shapes of real ones: `pairs.txt`, whose first lines explain its format.

use place_data::{Address, Brand, Categories, Place};
use places::Point;

use super::evaluate::{Pair, check};

const PAIRS: &str = include_str!("pairs.txt");
const METRES_PER_DEGREE: f64 = 111_195.0;

/// What holds for the records that follow a heading.
#[derive(Clone, Copy, Default)]
struct Heading {
    kind: &'static str,
    same: bool,
    country: &'static str,
    town: &'static str,
}

fn pairs() -> Vec<Pair> {
    let mut heading = Heading::default();
    let (mut pairs, mut first) = (Vec::new(), None);
    for line in PAIRS.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')) {
        if let Some(kind) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            heading = Heading { kind, same: kind.starts_with("same"), ..heading };
        } else if let Some((country, town)) = line.strip_prefix("@ ").and_then(|line| line.split_once(", ")) {
            heading = Heading { country, town, ..heading };
        } else {
            let cells: Vec<&'static str> = line.split('|').map(str::trim).collect();
            match first.take() {
                None => first = Some(cells),
                Some(above) => pairs.push(pair(heading, &above, &cells)),
            }
        }
    }
    assert!(first.is_none(), "a record without its second: {first:?}");
    pairs
}

fn pair(heading: Heading, above: &[&str], cells: &[&str]) -> Pair {
    let [metres, rest @ ..] = cells else { panic!("a line without cells below {above:?}") };
    let metres: f64 = metres.parse().unwrap_or_else(|_| panic!("no distance: {cells:?}"));
    let below: Vec<&str> = rest
        .iter()
        .enumerate()
        .map(|(at, cell)| if *cell == "=" { above.get(at).copied().unwrap_or_default() } else { *cell })
        .collect();
    let (a, b) = (record(heading, above, 0.0), record(heading, &below, metres));
    Pair { kind: heading.kind, a, b, same: heading.same }
}

fn record(heading: Heading, cells: &[&str], metres: f64) -> Place {
    let cell = |at: usize| cells.get(at).copied().unwrap_or_default();
    let list = |at: usize| cell(at).split(';').filter(|text| !text.is_empty()).map(str::to_owned).collect::<Vec<_>>();
    let (names, brand) = cell(0).split_once(" ~").map_or((cell(0), None), |(names, brand)| (names, Some(brand)));
    let mut names = names.split(" / ").map(str::to_owned);
    let point = Point { latitude: 38.6 + metres / METRES_PER_DEGREE, longitude: 9.2 };
    let mut place = Place::new(cell(0), names.next().unwrap_or_default(), point);
    place.translations = names.map(|name| ("en".to_owned(), name)).collect();
    place.brand = brand.map(|name| Brand { name: Some(name.to_owned()), wikidata: None });
    let mut kinds = list(1).into_iter();
    place.categories = Categories { primary: kinds.next(), alternates: kinds.collect(), ..Default::default() };
    (place.phones, place.websites) = (list(2), list(3));
    place.addresses = vec![Address {
        freeform: Some(cell(4).to_owned()).filter(|street| !street.is_empty()),
        locality: Some(heading.town.to_owned()),
        country: Some(heading.country.to_owned()),
        ..Default::default()
    }];
    place
}

#[test]
fn pairs_written_by_hand_are_matched_with_the_precision_and_recall_we_promise() {
    let pairs = pairs();
    assert!(pairs.len() > 200, "{} pairs", pairs.len());
    check("written by hand", &pairs);
    let turned: Vec<Pair> =
        pairs.into_iter().map(|pair| Pair { kind: pair.kind, a: pair.b, b: pair.a, same: pair.same }).collect();
    check("written by hand, turned round", &turned);
}
