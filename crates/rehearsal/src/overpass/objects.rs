//! The businesses of the sandbox as objects of OpenStreetMap.

use std::collections::BTreeMap;

use places::{Bounds, Category, Point};
use sandbox::{Business, Fault, Website, World, test_places};
use serde_json::{Value, json};

use super::query::Query;
use crate::in_box::in_box;

/// Tags that describe a business further, and what such a business mostly is.
const BASES: &[(&str, (&str, &str))] = &[
    ("beauty", ("shop", "beauty")),
    ("cuisine", ("amenity", "restaurant")),
    ("diet:vegan", ("amenity", "restaurant")),
    ("diet:vegetarian", ("amenity", "restaurant")),
    ("guest_house", ("tourism", "guest_house")),
    ("healthcare:speciality", ("healthcare", "doctor")),
    ("microbrewery", ("amenity", "pub")),
    ("religion", ("amenity", "place_of_worship")),
    ("social_facility", ("amenity", "social_facility")),
    ("sport", ("leisure", "sports_centre")),
    ("street_vendor", ("amenity", "fast_food")),
];
/// Countries whose streets the sandbox writes behind the house number.
const NUMBER_FIRST: [&str; 5] = ["US", "CA", "GB", "AU", "IE"];

/// What an object is drawn as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ObjectKind {
    Node,
    Way,
    Relation,
}

/// An object of the map.
#[derive(Clone, Debug)]
pub(super) struct Object {
    kind: ObjectKind,
    number: u64,
    pub(super) tags: Vec<(String, String)>,
    point: Point,
}

/// The id of a business on this map, as an import of OpenStreetMap writes it, such as `n123`. Stable, and different for each
/// business.
#[must_use]
pub fn osm_id(business: &Business) -> String {
    let (kind, number) = identity(&business.id);
    let letter = match kind {
        ObjectKind::Node => 'n',
        ObjectKind::Way => 'w',
        ObjectKind::Relation => 'r',
    };
    format!("{letter}{number}")
}

/// Most are nodes, some ways, a few relations.
fn identity(id: &str) -> (ObjectKind, u64) {
    let number = (hash(id) >> 12) + 1;
    let kind = match number % 10 {
        0..=6 => ObjectKind::Node,
        7..=8 => ObjectKind::Way,
        _ => ObjectKind::Relation,
    };
    (kind, number)
}

/// FNV-1a.
fn hash(text: &str) -> u64 {
    text.bytes().fold(0xCBF2_9CE4_8422_2325, |sum, byte| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3))
}

/// The objects that a query finds, in no order that means anything.
pub(super) fn results(world: &World, query: &Query, extra: &[Business], sites_port: u16) -> Vec<Object> {
    let mut businesses = BTreeMap::new();
    for category in asked_for(query) {
        let around = query.boxes().reduce(hull).map(|bounds| in_box(world, &bounds, category)).unwrap_or_default();
        let more = extra.iter().filter(|business| business.category == category).cloned();
        businesses.extend(around.into_iter().chain(more).map(|business| (business.id.clone(), business)));
    }
    let objects = businesses.values().filter(|business| !is_in_empty_place(business));
    let objects = objects.map(|business| Object::of(business, sites_port));
    let mut found: Vec<Object> = objects.filter(|object| query.finds(&object.tags, &object.drawn())).collect();
    found.sort_by_key(|object| object.number % 65_536);
    found
}

/// The categories whose tags a query asks for: of those with all their tags in it, the ones with the most. In the sandbox a business
/// is of one category only, whichever tags categories share, so that it is found as by every other provider.
fn asked_for(query: &Query) -> Vec<&'static Category> {
    let is_named = |category: &&'static Category| {
        !category.osm.is_empty() && category.osm.iter().all(|(key, value)| query.names(key, value))
    };
    let named: Vec<&'static Category> = places::categories().iter().filter(is_named).collect();
    let most = named.iter().map(|category| category.osm.len()).max().unwrap_or(0);
    named.into_iter().filter(|category| category.osm.len() == most).collect()
}

fn hull(one: Bounds, two: Bounds) -> Bounds {
    Bounds {
        south: one.south.min(two.south),
        west: one.west.min(two.west),
        north: one.north.max(two.north),
        east: one.east.max(two.east),
    }
}

/// Whether a business lies in a test place in which none is ever found.
fn is_in_empty_place(business: &Business) -> bool {
    test_places()
        .any(|place| place.fault() == Fault::Empty && place.state() == business.state && place.city() == business.city)
}

impl Object {
    fn of(business: &Business, sites_port: u16) -> Object {
        let (kind, number) = identity(&business.id);
        // OpenStreetMap has seven decimals.
        let rounded = |degrees: f64| (degrees * 1e7).round() / 1e7;
        let point = Point { latitude: rounded(business.point.latitude), longitude: rounded(business.point.longitude) };
        Object { kind, number, tags: tags(business, number, sites_port), point }
    }

    /// The points it is drawn with. Ways and relations are drawn around their centre: most as a building, some as a large site, of
    /// which no line lies near the centre.
    fn drawn(&self) -> Vec<Point> {
        let reach = match (self.kind, self.number % 3) {
            (ObjectKind::Node, _) => return vec![self.point],
            (_, 0) => 0.006,
            _ => 0.000_2,
        };
        let corner = |north: f64, east: f64| Point {
            latitude: self.point.latitude + north * reach,
            longitude: self.point.longitude + east * reach,
        };
        vec![corner(-1.0, -1.0), corner(-1.0, 1.0), corner(1.0, 1.0), corner(1.0, -1.0)]
    }

    /// As an answer has it.
    pub(super) fn element(&self) -> Value {
        let tags: serde_json::Map<String, Value> =
            self.tags.iter().map(|(key, value)| (key.clone(), value.clone().into())).collect();
        let Point { latitude, longitude } = self.point;
        match self.kind {
            ObjectKind::Node => {
                json!({ "type": "node", "id": self.number, "lat": latitude, "lon": longitude, "tags": tags })
            }
            ObjectKind::Way | ObjectKind::Relation => {
                let kind = if self.kind == ObjectKind::Way { "way" } else { "relation" };
                let center = json!({ "lat": latitude, "lon": longitude });
                json!({ "type": kind, "id": self.number, "center": center, "tags": tags })
            }
        }
    }
}

/// The tags of a business. Which of its category's tags it has depends on its number; now and then it has another value as well.
fn tags(business: &Business, number: u64, sites_port: u16) -> Vec<(String, String)> {
    let choices = business.category.osm;
    let chosen = choices.get((number % choices.len().max(1) as u64) as usize).copied().unwrap_or(("office", "yes"));
    let value = match number % 5 {
        0 => format!("{};something_else", chosen.1),
        1 => format!("something_else; {}", chosen.1),
        _ => chosen.1.to_owned(),
    };
    let base = BASES.iter().find(|(key, _)| *key == chosen.0).map(|(_, base)| *base);
    let website = match (&business.website, sites_port) {
        (Website::Own { host }, 0 | 80) => Some(format!("http://{host}/")),
        (website, port) => website.url(port),
    };
    let mut tags = vec![
        ("ref:sandbox".to_owned(), business.id.clone()),
        ("name".to_owned(), business.name.clone()),
        (chosen.0.to_owned(), value),
        ("addr:city".to_owned(), business.city.clone()),
        ("addr:state".to_owned(), business.state.clone()),
        ("addr:country".to_owned(), business.country.to_owned()),
    ];
    let optional = [
        ("phone", business.phone.clone()),
        ("website", website),
        ("brand", business.chain.clone()),
        ("addr:postcode", business.postal_code.clone()),
    ];
    tags.extend(optional.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?))));
    tags.extend(base.map(|(key, value)| (key.to_owned(), value.to_owned())));
    tags.extend(street(business));
    tags
}

fn street(business: &Business) -> Vec<(String, String)> {
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    match business.street.split_once(' ') {
        Some((number, street)) if is_number(number) && NUMBER_FIRST.contains(&business.country) => {
            vec![("addr:housenumber".to_owned(), number.to_owned()), ("addr:street".to_owned(), street.to_owned())]
        }
        _ => vec![("addr:full".to_owned(), business.street.clone())],
    }
}
