//! Where a house lies on a street some of whose houses are known.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use place_data::AddressPoint;
use places::{Point, fold_words};

use super::street::{HouseNumber, Likeness, NumberMatch, Street};
use super::{AddressQuery, Door, Exactness};

/// How far apart two neighbouring numbers may lie for what is between them to be a street.
const NEIGHBOURS_MAX_MILES: f64 = 1.0;
/// How far the streets of a crossing may be apart where their nearest houses are.
const CROSSING_MAX_MILES: f64 = 0.25;
/// Houses of each street of a crossing that are compared.
const CROSSING_HOUSES_MAX: usize = 2_000;

/// What speaks against an answer, the most important first: that only the street is known, that its spelling differs, that its
/// postal code or town does, that it is not the house itself.
type Doubt = (bool, Likeness, bool, bool, Reverse<Exactness>);

/// Houses of one street in one town.
#[derive(Debug, Default)]
struct Houses<'a> {
    all: Vec<(Option<HouseNumber>, &'a AddressPoint)>,
}

/// Where an address lies, going by the known addresses of its town.
#[must_use]
pub fn door_among(query: &AddressQuery, known: &[AddressPoint]) -> Option<Door> {
    door(query, &Street::of(&query.street)?, known)
}

/// The house that is asked for, or else the place between its neighbours, or else the street.
pub(super) fn door(query: &AddressQuery, street: &Street, known: &[AddressPoint]) -> Option<Door> {
    let wanted = query.number.as_deref().and_then(HouseNumber::of);
    let mut streets: BTreeMap<(Likeness, String), Houses<'_>> = BTreeMap::new();
    for address in known {
        let Some(likeness) = Street::of(&address.street).and_then(|known| street.likeness(&known)) else { continue };
        let number = address.number.as_deref().and_then(HouseNumber::of);
        let town = folded(address.city.as_deref());
        streets.entry((likeness, town)).or_default().all.push((number, address));
    }
    let mut best: Option<(Doubt, Door)> = None;
    for ((likeness, town), houses) in &streets {
        let answer = match &wanted {
            Some(wanted) => houses.answer(query, wanted),
            None => houses.middle(),
        };
        let Some(Answer { point, exactness, of }) = answer else { continue };
        let code_differs = differs(&folded(of.postcode.as_deref()), &folded(query.postal_code.as_deref()));
        let city_differs = differs(town, &folded(query.city.as_deref()));
        let doubt = (exactness < Exactness::Interpolated, *likeness, code_differs, city_differs, Reverse(exactness));
        if best.as_ref().is_none_or(|(least, _)| doubt < *least) {
            best = Some((doubt, Door { point, exactness, name: name(query, of, exactness) }));
        }
    }
    best.map(|(_, door)| door)
}

/// The middle between the nearest houses of two streets.
pub(super) fn crossing(query: &AddressQuery, streets: &(Street, Street), known: &[AddressPoint]) -> Option<Door> {
    let on = |street: &Street| -> Vec<&AddressPoint> {
        let is_on = |address: &&AddressPoint| {
            Street::of(&address.street).is_some_and(|known| street.likeness(&known).is_some())
        };
        known.iter().filter(is_on).take(CROSSING_HOUSES_MAX).collect()
    };
    let (one, other) = (on(&streets.0), on(&streets.1));
    let pairs = one.iter().flat_map(|first| other.iter().map(move |second| (first.point, second.point)));
    let nearest = pairs.map(|(first, second)| (first.miles_to(second), first, second));
    let (miles, first, second) = nearest.min_by(|one, other| one.0.total_cmp(&other.0))?;
    let point = between(first, second, 0.5);
    let city = query.city.as_deref().map(|city| format!(", {city}")).unwrap_or_default();
    (miles <= CROSSING_MAX_MILES).then(|| Door {
        point,
        exactness: Exactness::Street,
        name: format!("{}{city}", query.street),
    })
}

/// A point, and the address it was taken from.
struct Answer<'a> {
    point: Point,
    exactness: Exactness,
    of: &'a AddressPoint,
}

impl<'a> Houses<'a> {
    fn answer(&self, query: &AddressQuery, wanted: &HouseNumber) -> Option<Answer<'a>> {
        let code = folded(query.postal_code.as_deref());
        for (fits, exactness) in
            [(NumberMatch::Same, Exactness::Rooftop), (NumberMatch::Beside, Exactness::Interpolated)]
        {
            let fitting = self.numbered().filter(|(number, _)| number.compared_to(wanted) == fits);
            let of =
                fitting.min_by_key(|(_, address)| (differs(&folded(address.postcode.as_deref()), &code), &address.id));
            if let Some((_, of)) = of {
                return Some(Answer { point: of.point, exactness, of });
            }
        }
        self.between_neighbours(wanted, true)
            .or_else(|| self.between_neighbours(wanted, false))
            .or_else(|| self.near(wanted))
            .or_else(|| self.middle())
    }

    fn numbered(&self) -> impl Iterator<Item = (&HouseNumber, &'a AddressPoint)> {
        self.all.iter().filter_map(|(number, address)| Some((number.as_ref()?, *address)))
    }

    /// Between the nearest lower and the nearest higher number, on the same side of the street or on either.
    fn between_neighbours(&self, wanted: &HouseNumber, same_side: bool) -> Option<Answer<'a>> {
        let beside = || self.numbered().filter(|(number, _)| !same_side || number.is_on_side_of(wanted));
        let lower = beside().filter(|(number, _)| number.value() < wanted.value());
        let higher = beside().filter(|(number, _)| number.value() > wanted.value());
        let (low, from) = lower.max_by_key(|(number, address)| (number.value(), Reverse(&address.id)))?;
        let (high, to) = higher.min_by_key(|(number, address)| (number.value(), &address.id))?;
        if from.point.miles_to(to.point) > NEIGHBOURS_MAX_MILES {
            return None;
        }
        let share = f64::from(wanted.value() - low.value()) / f64::from(high.value() - low.value());
        let of = if share < 0.5 { from } else { to };
        Some(Answer { point: between(from.point, to.point, share), exactness: Exactness::Interpolated, of })
    }

    /// The middle of the two nearest numbers, or the nearest when the other is far away.
    fn near(&self, wanted: &HouseNumber) -> Option<Answer<'a>> {
        let mut nearest: Vec<(u32, &AddressPoint)> =
            self.numbered().map(|(number, address)| (number.value().abs_diff(wanted.value()), address)).collect();
        nearest.sort_by_key(|(apart, address)| (*apart, &address.id));
        let first = nearest.first()?.1;
        let second = nearest.get(1).map_or(first, |(_, second)| *second);
        let is_near = first.point.miles_to(second.point) <= NEIGHBOURS_MAX_MILES;
        let point = if is_near { between(first.point, second.point, 0.5) } else { first.point };
        Some(Answer { point, exactness: Exactness::Street, of: first })
    }

    /// The house that is nearest to the middle of all.
    fn middle(&self) -> Option<Answer<'a>> {
        let count = self.all.len() as f64;
        let first = self.all.first()?.1.point;
        let sum =
            |of: fn(Point, Point) -> f64| self.all.iter().map(|(_, address)| of(address.point, first)).sum::<f64>();
        // As distances from the first, so that the antimeridian does not matter.
        let north = sum(|point, first| point.latitude - first.latitude) / count;
        let east = sum(|point, first| eastwards(first, point)) / count;
        let middle = Point { latitude: first.latitude + north, longitude: wrapped(first.longitude + east) };
        let nearest = |one: &&AddressPoint, other: &&AddressPoint| {
            let (one_miles, other_miles) = (one.point.miles_to(middle), other.point.miles_to(middle));
            one_miles.total_cmp(&other_miles).then_with(|| one.id.cmp(&other.id))
        };
        let of = self.all.iter().map(|(_, address)| *address).min_by(nearest)?;
        Some(Answer { point: of.point, exactness: Exactness::Street, of })
    }
}

/// The point at a share of the way from one to another.
fn between(from: Point, to: Point, share: f64) -> Point {
    Point {
        latitude: from.latitude + (to.latitude - from.latitude) * share,
        longitude: wrapped(from.longitude + eastwards(from, to) * share),
    }
}

/// Degrees from one point eastwards to another, the shorter way.
fn eastwards(from: Point, to: Point) -> f64 {
    wrapped(to.longitude - from.longitude)
}

fn wrapped(longitude: f64) -> f64 {
    match longitude {
        west if west < -180.0 => west + 360.0,
        east if east > 180.0 => east - 360.0,
        other => other,
    }
}

fn name(query: &AddressQuery, of: &AddressPoint, exactness: Exactness) -> String {
    let number = match exactness {
        Exactness::Rooftop => of.number.as_deref(),
        Exactness::Interpolated => query.number.as_deref(),
        _ => None,
    };
    let line = [number, Some(of.street.as_str())].into_iter().flatten().collect::<Vec<&str>>().join(" ");
    let parts = [Some(line.as_str()), of.city.as_deref(), of.postcode.as_deref()];
    parts.into_iter().flatten().collect::<Vec<&str>>().join(", ")
}

fn folded(text: Option<&str>) -> String {
    fold_words(text.unwrap_or_default()).concat()
}

/// Whether both are known and not the same.
fn differs(known: &str, wanted: &str) -> bool {
    !known.is_empty() && !wanted.is_empty() && known != wanted
}

#[cfg(test)]
mod tests {
    use places::Bounds;

    use super::*;

    fn address(number: &str, street: &str, north: f64, city: &str) -> AddressPoint {
        AddressPoint {
            id: format!("{number} {street} {city}"),
            point: Point { latitude: 30.0 + north, longitude: -97.0 },
            number: Some(number.to_owned()).filter(|number| !number.is_empty()),
            street: street.to_owned(),
            unit: None,
            postcode: None,
            city: Some(city.to_owned()),
        }
    }

    fn query(number: &str, street: &str) -> AddressQuery {
        AddressQuery {
            typed: String::new(),
            number: Some(number.to_owned()).filter(|number| !number.is_empty()),
            street: street.to_owned(),
            city: Some("Austin".into()),
            state: None,
            postal_code: None,
            country: "US",
            within: Bounds { south: 29.0, west: -98.0, north: 31.0, east: -96.0 },
        }
    }

    #[test]
    fn a_house_is_found_itself_between_its_neighbours_or_on_its_street() {
        let known = [
            address("100", "N Oak St", 0.000, "Austin"),
            address("101", "N Oak St", 0.0001, "Austin"),
            address("110", "N Oak St", 0.005, "Austin"),
            address("111", "N Oak St", 0.0061, "Austin"),
            address("900", "N Oak St", 0.3, "Austin"),
            address("104", "N Oak St", 0.2, "Buda"),
            address("100", "S Oak St", 0.4, "Austin"),
            address("7", "Oak Ave", 0.5, "Austin"),
        ];
        for (number, street, expected) in [
            ("110", "North Oak Street", Some((0.005, Exactness::Rooftop))),
            ("110B", "N Oak St", Some((0.005, Exactness::Interpolated))),
            // On the even side of its own town, although another town has that number.
            ("104", "N Oak St", Some((0.002, Exactness::Interpolated))),
            // On the odd side.
            ("106", "N Oak St", Some((0.003, Exactness::Interpolated))),
            ("107", "N Oak St", Some((0.0037, Exactness::Interpolated))),
            // Its neighbours are too far apart to say where it is.
            ("500", "N Oak St", Some((0.00555, Exactness::Street))),
            ("", "N Oak St", Some((0.0061, Exactness::Street))),
            ("100", "W Oak St", None),
            ("7", "Oak St", Some((0.0, Exactness::Street))),
        ] {
            let asked = query(number, street);
            let found = door(&asked, &Street::of(street).unwrap(), &known);
            let found = found.map(|door| (door.point.latitude - 30.0, door.exactness));
            match (found, expected) {
                (Some((north, exactness)), Some((wanted, wanted_exactness))) if number != "7" => {
                    assert!((north - wanted).abs() < 1e-6, "{number} {street}: {north}");
                    assert_eq!(exactness, wanted_exactness, "{number} {street}");
                }
                (found, expected) => assert_eq!(found.is_some(), expected.is_some(), "{number} {street}"),
            }
        }
    }

    #[test]
    fn a_crossing_lies_where_its_streets_come_together() {
        let known = [
            address("1", "5th St", 0.0, "Austin"),
            address("99", "5th St", 0.02, "Austin"),
            address("5", "Main St", 0.021, "Austin"),
            address("6", "Main St", 0.09, "Austin"),
            address("6", "Elm St", 0.09, "Austin"),
        ];
        let asked = query("", "5th & Main");
        let found = crossing(&asked, &Street::crossing("5th & Main").unwrap(), &known).expect("a crossing");
        assert!((found.point.latitude - 30.0205).abs() < 1e-9 && found.exactness == Exactness::Street);
        assert_eq!(crossing(&asked, &Street::crossing("5th & Elm").unwrap(), &known), None);
    }
}
