//! Which objects of OpenStreetMap are businesses: the tags that say so, and those that say it has closed.

use std::collections::HashSet;
use std::sync::OnceLock;

use super::element::split;

/// Which values of a key describe businesses.
enum BusinessValues {
    /// All, other than those in [`EMPTY_VALUES`].
    All,
    /// These, and those of the catalogue of industries.
    Listed(&'static [&'static str]),
}

/// The keys that make an object a business, the most telling first: of a hotel with a restaurant the hotel is the main thing.
const BUSINESS_KEYS: &[(&str, BusinessValues)] = &[
    ("tourism", BusinessValues::Listed(TOURISM)),
    ("healthcare", BusinessValues::All),
    ("amenity", BusinessValues::Listed(AMENITIES)),
    ("craft", BusinessValues::All),
    ("shop", BusinessValues::All),
    ("leisure", BusinessValues::Listed(LEISURE)),
    ("office", BusinessValues::All),
    ("club", BusinessValues::All),
    ("industrial", BusinessValues::Listed(INDUSTRIAL)),
    ("man_made", BusinessValues::Listed(&["works", "winery"])),
    ("landuse", BusinessValues::Listed(&[])),
    ("information", BusinessValues::Listed(&["office", "visitor_centre"])),
    ("bicycle_rental", BusinessValues::Listed(&["shop"])),
];

/// Amenities beyond those of the catalogue. What is left out is street furniture (`bench`, `toilets`, `atm`, `charging_station`)
/// and the state (`police`, `townhall`).
const AMENITIES: &[&str] = &[
    "animal_breeding",
    "arts_centre",
    "art_school",
    "boat_rental",
    "boat_storage",
    "brothel",
    "bureau_de_change",
    "canteen",
    "caravan_rental",
    "concert_hall",
    "car_sharing_office",
    "dive_centre",
    "dojo",
    "driver_training",
    "embassy",
    "escape_game",
    "exhibition_centre",
    "first_aid_school",
    "food_court",
    "funeral_hall",
    "gambling",
    "gym",
    "health_post",
    "hookah_lounge",
    "hospice",
    "internet_cafe",
    "juice_bar",
    "karaoke_box",
    "love_hotel",
    "mobile_money_agent",
    "mortuary",
    "motorcycle_rental",
    "payment_centre",
    "place_of_worship",
    "planetarium",
    "post_office",
    "public_bath",
    "research_institute",
    "retirement_home",
    "sailing_school",
    "ski_rental",
    "ski_school",
    "social_facility",
    "storage_rental",
    "stripclub",
    "surf_school",
    "swingerclub",
    "tool_library",
    "toy_library",
    "trailer_rental",
    "truck_rental",
    "vehicle_inspection",
];
const TOURISM: &[&str] = &["alpine_hut", "holiday_park", "love_hotel", "resort", "trail_riding_station"];
const LEISURE: &[&str] = &[
    "beach_resort",
    "casino",
    "disc_golf_course",
    "hackerspace",
    "ice_rink",
    "paintball",
    "resort",
    "sports_hall",
    "stadium",
    "tanning_salon",
    "yoga",
];
const INDUSTRIAL: &[&str] = &[
    "bakery",
    "brewery",
    "brickyard",
    "concrete_plant",
    "construction",
    "distillery",
    "distributor",
    "factory",
    "food_industry",
    "furniture",
    "logistics",
    "machine_shop",
    "manufacturing",
    "metal_processing",
    "printing",
    "recycling",
    "sawmill",
    "scrap_yard",
    "shipyard",
    "slaughterhouse",
    "timber",
    "warehouse",
    "wood_processing",
];

/// Tags that contradict the one before them: not everything with the first tag is a business.
const EXCEPTIONS: &[(&str, &str, &[&str])] = &[
    ("amenity=parking", "access", &["private", "no"]),
    ("amenity=recycling", "recycling_type", &["container"]),
    ("leisure=swimming_pool", "access", &["private", "no"]),
];

/// Values that say little, and are the main category only when there is no other.
const VAGUE_TAGS: &[&str] = &[
    "amenity=marketplace",
    "amenity=parking",
    "amenity=post_office",
    "amenity=recycling",
    "amenity=social_facility",
    "amenity=taxi",
    "healthcare=yes",
    "information=office",
    "office=company",
    "office=yes",
    "shop=yes",
    "tourism=yes",
];

/// Values that say that there is nothing of this kind, or nothing any more.
const EMPTY_VALUES: &[&str] = &["no", "none", "vacant", "closed", "disused", "abandoned", "empty", "demolished"];
/// Prefixes of keys that describe what was there before.
const CLOSED_PREFIXES: &[&str] =
    &["disused", "abandoned", "was", "demolished", "razed", "removed", "destroyed", "ruins", "historic", "closed"];
/// Keys that say with `yes` that the whole object is out of use.
const CLOSED_KEYS: &[&str] = &["disused", "abandoned", "demolished", "razed", "closed"];
/// Prefixes of keys that describe what will be there.
const FUTURE_PREFIXES: &[&str] = &["proposed", "planned", "construction"];

/// What an object's tags say about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BusinessState {
    /// A business.
    Running,
    /// A business that has closed, such as `disused:shop=bakery` or `shop=vacant`.
    Closed,
    /// A business that has not opened yet, such as `proposed:amenity=cinema`.
    Planned,
    /// Something else.
    None,
}

/// Tags of the catalogue of industries, by role.
struct KnownTags {
    /// Values of business keys.
    businesses: HashSet<(&'static str, &'static str)>,
    /// Keys that only describe a business further, such as `cuisine`.
    qualifiers: HashSet<&'static str>,
}

fn known() -> &'static KnownTags {
    static KNOWN: OnceLock<KnownTags> = OnceLock::new();
    KNOWN.get_or_init(|| {
        let tags = || places::categories().iter().flat_map(|category| category.osm.iter().copied());
        let is_business = |tag: &(&'static str, &'static str)| is_business_key(tag.0);
        KnownTags {
            businesses: tags().filter(is_business).collect(),
            qualifiers: tags().filter(|tag| !is_business(tag)).map(|(key, _)| key).collect(),
        }
    })
}

fn business_key(key: &str) -> Option<&'static (&'static str, BusinessValues)> {
    BUSINESS_KEYS.iter().find(|(name, _)| *name == key)
}

fn is_business_key(key: &str) -> bool {
    business_key(key).is_some()
}

/// Whether a key can make an object a business, or say that it was or will be one. All other objects are passed over unread.
pub(super) fn is_decisive(key: &str) -> bool {
    is_business_key(unprefixed(key).1)
}

/// Whether a key describes a business further, such as `cuisine`.
pub(super) fn is_qualifier(key: &str) -> bool {
    known().qualifiers.contains(key)
}

/// Whether a key can say that the whole object is out of use.
pub(super) fn is_closed_key(key: &str) -> bool {
    CLOSED_KEYS.contains(&key)
}

/// Whether a key can contradict a tag of a business, such as `access`.
pub(super) fn is_exception_key(key: &str) -> bool {
    EXCEPTIONS.iter().any(|(_, other, _)| *other == key)
}

/// Whether a key says what these tags are, or only something about it: a school with a religion is no church, a shop for a sport
/// no club, and a shop with vegan food no restaurant.
fn qualifies(key: &str, tags: &[(&str, &str)]) -> bool {
    let has = |key: &str, values: &[&str]| tags.iter().any(|(name, value)| *name == key && values.contains(value));
    let is_shop = tags.iter().any(|(name, _)| *name == "shop");
    match key {
        "religion" => has("amenity", &["place_of_worship"]),
        "sport" => !is_shop && !has("amenity", &["school", "kindergarten", "college", "university"]),
        "diet:vegan" | "diet:vegetarian" => !is_shop,
        _ => true,
    }
}

/// When something of the kind a key names exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lifecycle {
    Past,
    Present,
    Future,
}

/// Splits a lifecycle prefix off a key.
fn unprefixed(key: &str) -> (Lifecycle, &str) {
    match key.split_once(':') {
        Some((prefix, key)) if CLOSED_PREFIXES.contains(&prefix) => (Lifecycle::Past, key),
        Some((prefix, key)) if FUTURE_PREFIXES.contains(&prefix) => (Lifecycle::Future, key),
        _ => (Lifecycle::Present, key),
    }
}

/// What these tags say about the object that has them.
pub(super) fn state(tags: &[(&str, &str)]) -> BusinessState {
    let mut found = BusinessState::None;
    for (key, value) in tags {
        let (lifecycle, key) = unprefixed(key);
        if !is_business_key(key) {
            continue;
        }
        let is_business = split(value).any(|value| is_business(key, value, tags));
        let is_empty = key != "landuse" && split(value).any(|value| EMPTY_VALUES[2..].contains(&value));
        match lifecycle {
            Lifecycle::Present if is_business => {
                return if is_marked_closed(tags) { BusinessState::Closed } else { BusinessState::Running };
            }
            Lifecycle::Present if is_empty => found = BusinessState::Closed,
            Lifecycle::Past if is_business => found = BusinessState::Closed,
            Lifecycle::Future if is_business && found == BusinessState::None => found = BusinessState::Planned,
            _ => {}
        }
    }
    found
}

fn is_business(key: &str, value: &str, tags: &[(&str, &str)]) -> bool {
    let is_listed = match business_key(key) {
        None => false,
        Some((_, BusinessValues::All)) => !EMPTY_VALUES.contains(&value),
        Some((_, BusinessValues::Listed(values))) => {
            values.contains(&value) || known().businesses.contains(&(key, value))
        }
    };
    is_listed && !is_excepted(key, value, tags)
}

fn is_excepted(key: &str, value: &str, tags: &[(&str, &str)]) -> bool {
    let applies = |tag: &str| tag.split_once('=') == Some((key, value));
    let mut exceptions = EXCEPTIONS.iter().filter(|(tag, ..)| applies(tag));
    exceptions.any(|(_, other, values)| tags.iter().any(|(key, value)| key == other && values.contains(value)))
}

/// Whether tags of their own say that the whole object is out of use.
fn is_marked_closed(tags: &[(&str, &str)]) -> bool {
    tags.iter().any(|(key, value)| match *key {
        "operational_status" => matches!(*value, "closed" | "permanently_closed" | "out_of_business"),
        key => is_closed_key(key) && *value == "yes",
    })
}

/// The categories of a business as `key=value`, the most telling first, followed by what describes it further.
pub(super) fn categories<'t>(tags: impl Iterator<Item = (&'t str, &'t str)>) -> Vec<String> {
    let tags: Vec<(&str, &str)> = tags.collect();
    let mut ranked: Vec<(usize, String)> = Vec::new();
    for (key, values) in &tags {
        for value in split(values) {
            let value = value.to_lowercase().replace(' ', "_");
            let rank = rank(key, &value, &tags);
            let tag = format!("{key}={value}");
            if rank < NO_RANK && !ranked.iter().any(|(_, other)| *other == tag) {
                ranked.push((rank, tag));
            }
        }
    }
    // A stable sort: of values in one tag the first is the main one.
    ranked.sort_by_key(|(rank, _)| *rank);
    ranked.into_iter().map(|(_, tag)| tag).collect()
}

/// The rank of a tag that is no category.
const NO_RANK: usize = usize::MAX;

/// How telling a tag is, the least number the most: what the catalogue knows, what it does not know, what is vague, and
/// qualifiers; within these the order of the keys.
fn rank(key: &str, value: &str, tags: &[(&str, &str)]) -> usize {
    let keys = BUSINESS_KEYS.len();
    if is_qualifier(key) {
        return if value == "no" || !qualifies(key, tags) { NO_RANK } else { 3 * keys };
    }
    let Some(position) = BUSINESS_KEYS.iter().position(|(name, _)| *name == key) else { return NO_RANK };
    if !is_business(key, value, tags) {
        return NO_RANK;
    }
    let is_vague = VAGUE_TAGS.iter().any(|tag| tag.split_once('=') == Some((key, value)));
    let tier = match is_vague {
        true => 2,
        false if known().businesses.contains(&(key, value)) => 0,
        false => 1,
    };
    tier * keys + position
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_of_the_catalogue_makes_a_business_or_describes_one() {
        let expected = [
            "beauty",
            "cuisine",
            "diet:vegan",
            "diet:vegetarian",
            "guest_house",
            "healthcare:speciality",
            "microbrewery",
            "religion",
            "social_facility",
            "sport",
            "street_vendor",
        ];
        let mut qualifiers: Vec<&str> = known().qualifiers.iter().copied().collect();
        qualifiers.sort_unstable();
        assert_eq!(
            qualifiers, expected,
            "a new key of industries.toml: does it make a business (BUSINESS_KEYS) or describe one?"
        );
        for (key, value) in &known().businesses {
            assert_eq!(state(&[(key, value)]), BusinessState::Running, "{key}={value}");
        }
    }

    #[test]
    fn street_furniture_and_what_is_gone_or_to_come_is_no_business() {
        let cases: &[(&[(&str, &str)], BusinessState)] = &[
            (&[("amenity", "bench")], BusinessState::None),
            (&[("amenity", "toilets")], BusinessState::None),
            (&[("disused:amenity", "bench")], BusinessState::None),
            (&[("leisure", "pitch"), ("sport", "tennis")], BusinessState::None),
            (&[("shop", "no")], BusinessState::None),
            (&[("amenity", "recycling"), ("recycling_type", "container")], BusinessState::None),
            (&[("amenity", "recycling"), ("recycling_type", "centre")], BusinessState::Running),
            (&[("shop", "vacant")], BusinessState::Closed),
            (&[("disused:shop", "bakery")], BusinessState::Closed),
            (&[("was:amenity", "restaurant")], BusinessState::Closed),
            (&[("demolished:craft", "brewery")], BusinessState::Closed),
            (&[("razed:tourism", "hotel")], BusinessState::Closed),
            (&[("shop", "bakery"), ("abandoned", "yes")], BusinessState::Closed),
            (&[("proposed:amenity", "cinema")], BusinessState::Planned),
            (&[("shop", "bakery"), ("was:shop", "butcher")], BusinessState::Running),
            (&[("shop", "vacant"), ("craft", "tailor")], BusinessState::Running),
            (&[("shop", "something_new")], BusinessState::Running),
        ];
        for (tags, expected) in cases {
            assert_eq!(state(tags), *expected, "{tags:?}");
        }
    }

    #[test]
    fn the_most_telling_tag_is_the_first_category() {
        let of = |tags: &[(&'static str, &'static str)]| categories(tags.iter().copied());
        assert_eq!(of(&[("shop", "bakery;cafe")]), ["shop=bakery", "shop=cafe"]);
        assert_eq!(of(&[("office", "company"), ("craft", "plumber")]), ["craft=plumber", "office=company"]);
        assert_eq!(of(&[("amenity", "restaurant"), ("tourism", "hotel")]), ["tourism=hotel", "amenity=restaurant"]);
        assert_eq!(
            of(&[("cuisine", "Pizza; kebab"), ("amenity", "fast_food"), ("microbrewery", "no")]),
            ["amenity=fast_food", "cuisine=pizza", "cuisine=kebab"]
        );
        assert_eq!(
            of(&[("amenity", "post_office"), ("shop", "convenience")]),
            ["shop=convenience", "amenity=post_office"]
        );
        assert_eq!(of(&[("amenity", "bench"), ("shop", "kiosk")]), ["shop=kiosk"]);
    }

    #[test]
    fn what_only_describes_a_business_does_not_make_it_another() {
        let of = |tags: &[(&'static str, &'static str)]| categories(tags.iter().copied());
        assert_eq!(of(&[("amenity", "school"), ("religion", "christian"), ("sport", "tennis")]), ["amenity=school"]);
        assert_eq!(
            of(&[("amenity", "place_of_worship"), ("religion", "christian")]),
            ["amenity=place_of_worship", "religion=christian"]
        );
        assert_eq!(of(&[("shop", "sports"), ("sport", "tennis")]), ["shop=sports"]);
        assert_eq!(of(&[("leisure", "sports_centre"), ("sport", "tennis")]), ["leisure=sports_centre", "sport=tennis"]);
        assert_eq!(of(&[("shop", "supermarket"), ("diet:vegan", "only")]), ["shop=supermarket"]);
    }
}
