//! Chooses among a geocoder's answers the one that was asked for, if any is.

use places::Point;

use super::street::{HouseNumber, Likeness, NumberMatch, Street};
use super::{AddressQuery, Door, Exactness};

/// Answers that are looked at.
const CANDIDATES_MAX: usize = 60;
/// Letters of an address that are kept.
const NAME_CHARS_MAX: usize = 300;

/// An answer, as far as it can be understood.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Candidate {
    pub(super) point: Point,
    /// How exact it is, if it is the house that was asked for.
    pub(super) exactness: Exactness,
    pub(super) number: Option<String>,
    /// An answer without a street, such as a town, is none.
    pub(super) street: Option<String>,
    pub(super) city: Option<String>,
    pub(super) postal_code: Option<String>,
    /// The whole address.
    pub(super) name: String,
}

/// What speaks against a candidate, the most important first; less is better.
type Doubt = (std::cmp::Reverse<Exactness>, Likeness, bool, bool, u32);

/// The best answer that lies in the query's box and on its street. An answer of another house on that street says where the
/// street is, not where the house is.
pub(super) fn choose(query: &AddressQuery, candidates: impl IntoIterator<Item = Candidate>) -> Option<Door> {
    let street = Street::of(&query.street)?;
    let crossing = Street::crossing(&query.street);
    let number = query.number.as_deref().and_then(HouseNumber::of);
    let mut best: Option<(Doubt, Door)> = None;
    for candidate in candidates.into_iter().take(CANDIDATES_MAX) {
        if !is_on_globe(candidate.point) || !query.within.contains(candidate.point) {
            continue;
        }
        let spelling = candidate.street.as_deref().unwrap_or_default();
        let like = Street::of(spelling).and_then(|known| street.likeness(&known));
        let Some(like) = like.or_else(|| crosses(crossing.as_ref()?, spelling)) else { continue };
        let (exactness, apart) = exactness(&candidate, number.as_ref());
        let differs = |known: &Option<String>, wanted: &Option<String>| match (known, wanted) {
            (Some(known), Some(wanted)) => folded(known) != folded(wanted),
            _ => false,
        };
        let code_differs = differs(&candidate.postal_code, &query.postal_code);
        let city_differs = differs(&candidate.city, &query.city);
        let doubt = (std::cmp::Reverse(exactness), like, code_differs, city_differs, apart);
        if best.as_ref().is_none_or(|(least, _)| doubt < *least) {
            let name = candidate.name.chars().filter(|letter| !letter.is_control()).take(NAME_CHARS_MAX).collect();
            best = Some((doubt, Door { point: candidate.point, exactness, name }));
        }
    }
    best.map(|(_, door)| door)
}

/// How exactly a candidate is what was asked for, and how far its number is from the one that was.
fn exactness(candidate: &Candidate, wanted: Option<&HouseNumber>) -> (Exactness, u32) {
    let known = candidate.number.as_deref().and_then(HouseNumber::of);
    match (known, wanted) {
        (Some(known), Some(wanted)) => match known.compared_to(wanted) {
            NumberMatch::Same => (candidate.exactness, 0),
            NumberMatch::Beside => (candidate.exactness.min(Exactness::Interpolated), 1),
            NumberMatch::Other => (candidate.exactness.min(Exactness::Street), known.value().abs_diff(wanted.value())),
        },
        _ => (candidate.exactness.min(Exactness::Street), 0),
    }
}

/// Geocoders write crossings in either order, or answer with one of the two streets.
fn crosses((one, other): &(Street, Street), spelling: &str) -> Option<Likeness> {
    let found = Street::crossing(spelling);
    let known: Vec<Street> = match found {
        Some((first, second)) => vec![first, second],
        None => Street::of(spelling).into_iter().collect(),
    };
    let is_one = |street: &Street| one.likeness(street).or_else(|| other.likeness(street));
    known.iter().map(is_one).collect::<Option<Vec<Likeness>>>()?.into_iter().max()
}

fn folded(text: &str) -> String {
    places::fold_words(text).concat()
}

pub(super) fn is_on_globe(point: Point) -> bool {
    (-90.0..=90.0).contains(&point.latitude) && (-180.0..=180.0).contains(&point.longitude)
}

#[cfg(test)]
mod tests {
    use places::Bounds;

    use super::*;

    fn query(number: Option<&str>, street: &str) -> AddressQuery {
        AddressQuery {
            typed: String::new(),
            number: number.map(str::to_owned),
            street: street.to_owned(),
            city: Some("Austin".into()),
            state: Some("TX".into()),
            postal_code: Some("78753".into()),
            country: "US",
            within: Bounds { south: 30.0, west: -98.0, north: 31.0, east: -97.0 },
        }
    }

    fn candidate(number: &str, street: &str, latitude: f64) -> Candidate {
        Candidate {
            point: Point { latitude, longitude: -97.5 },
            exactness: if number.is_empty() { Exactness::Street } else { Exactness::Rooftop },
            number: Some(number.to_owned()).filter(|number| !number.is_empty()),
            street: Some(street.to_owned()).filter(|street| !street.is_empty()),
            city: None,
            postal_code: None,
            name: format!("{number} {street} {latitude}"),
        }
    }

    #[test]
    fn the_right_house_wins_and_a_wrong_street_is_no_answer() {
        let all = vec![
            candidate("12000", "Lamar Avenue", 30.1),
            candidate("12000", "North Lamar Boulevard", 32.0),
            candidate("", "North Lamar Boulevard", 30.2),
            candidate("11990", "North Lamar Boulevard", 30.3),
            candidate("12000", "North Lamar Boulevard", 30.4),
            candidate("", "", 30.5),
        ];
        let found = |asked: &AddressQuery| choose(asked, all.clone()).map(|door| (door.point.latitude, door.exactness));
        assert_eq!(found(&query(Some("12000"), "N Lamar Blvd")), Some((30.4, Exactness::Rooftop)));
        assert_eq!(found(&query(Some("12000a"), "N Lamar Blvd")), Some((30.4, Exactness::Interpolated)));
        assert_eq!(found(&query(Some("11000"), "N Lamar Blvd")), Some((30.2, Exactness::Street)));
        assert_eq!(found(&query(None, "N Lamar Blvd")), Some((30.2, Exactness::Street)));
        assert_eq!(found(&query(Some("12000"), "Burnet Rd")), None);
    }

    #[test]
    fn of_equal_answers_the_one_of_the_postal_code_and_town_wins() {
        let at = |latitude: f64, city: &str, code: &str| Candidate {
            city: Some(city.to_owned()),
            postal_code: Some(code.to_owned()),
            ..candidate("5", "Main St", latitude)
        };
        let asked = query(Some("5"), "Main St");
        let all = vec![at(30.1, "Buda", "78610"), at(30.2, "AUSTIN", "78701"), at(30.3, "Austin", "78753")];
        assert_eq!(choose(&asked, all).map(|door| door.point.latitude), Some(30.3));
    }

    #[test]
    fn a_crossing_is_answered_by_itself_or_by_one_of_its_streets() {
        let asked = query(None, "5th & Main");
        for street in ["Main Street & 5th Street", "Main Street", "5th St"] {
            assert!(choose(&asked, [candidate("", street, 30.3)]).is_some(), "{street}");
        }
        assert_eq!(choose(&asked, [candidate("", "6th St", 30.3)]), None);
    }
}
