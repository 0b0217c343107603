//! Overture's categories, and which of them belong to which industry.

use std::collections::{BTreeSet, HashSet};
use std::path::Path;

use places::overture::{self, Successor, Vocabulary};
use places::{categories, category};

/// Industries that are searched for most. Their categories are kept in a file, so that a change of the data shows.
const WANTED: &[&str] = &[
    "accountant",
    "architect",
    "auto_repair",
    "bakery",
    "bar",
    "barber",
    "beauty_salon",
    "body_shop",
    "car_dealer",
    "carpenter",
    "caterer",
    "chiropractor",
    "clothing_store",
    "coffee_shop",
    "concrete_contractor",
    "day_spa",
    "daycare",
    "dentist",
    "doctor",
    "electrician",
    "event_venue",
    "financial_advisor",
    "florist",
    "funeral_home",
    "furniture_store",
    "general_contractor",
    "grocery_store",
    "gym",
    "hair_salon",
    "home_health_care",
    "hotel",
    "house_cleaner",
    "hvac_contractor",
    "insurance_agent",
    "interior_designer",
    "italian_restaurant",
    "it_services",
    "landscaper",
    "lawyer",
    "locksmith",
    "marketing_agency",
    "massage_therapist",
    "med_spa",
    "mortgage_broker",
    "moving_company",
    "nail_salon",
    "optometrist",
    "painter",
    "personal_injury_lawyer",
    "pest_control",
    "pet_groomer",
    "photographer",
    "physical_therapist",
    "pizza_restaurant",
    "plumber",
    "property_manager",
    "real_estate_agent",
    "restaurant",
    "roofer",
    "senior_care",
    "software_company",
    "solar_installer",
    "storage_facility",
    "tattoo_shop",
    "therapist",
    "tire_shop",
    "towing_company",
    "vape_shop",
    "veterinarian",
    "wedding_planner",
    "yoga_studio",
];

/// Parts of the taxonomy that are no business to sell to, with all that is below them.
const NO_BUSINESS: &[(&str, &str)] = &[
    ("geographic_entities", "landscape and structures"),
    ("government_office", "public administration"),
    ("military_site", "public administration"),
    ("public_facility", "fountains, squares and toilets"),
    ("public_safety_service", "police, fire brigade, prisons"),
    ("education_office", "public administration"),
    ("post_office", "public administration"),
    ("historic_site", "monuments"),
    ("memorial_site", "monuments"),
    ("religious_landmark", "monuments"),
    ("park", "public parks and playgrounds"),
    ("recreational_trail_or_path", "trails"),
    ("airport", "infrastructure"),
    ("public_transit_facility_or_service", "infrastructure"),
    ("rail_facility_or_service", "infrastructure"),
    ("road_structures_and_service", "infrastructure"),
    ("water_transport_facility_or_service", "infrastructure"),
    ("watercraft_and_water_transport", "infrastructure"),
    ("transport_interchange", "infrastructure"),
    ("ferry_boat_company", "infrastructure"),
    ("bikes_and_bike_service", "infrastructure"),
    ("bike_parking", "infrastructure"),
    ("ev_charging_station", "unattended"),
    ("atm", "unattended"),
    ("package_locker", "unattended"),
    ("community_book_box", "unattended"),
    ("weather_station", "unattended"),
    ("sculpture_statue", "works of art"),
    ("street_art", "works of art"),
    ("water_sport", "places in nature; the schools and rentals are listed"),
    ("running_and_track", "activities"),
    ("curling_ice", "part of a curling center"),
    ("airport_lounge", "part of an airport"),
];

/// Wide categories whose places say too little to belong to an industry. Only the categories themselves, not those below.
const TOO_WIDE: &[&str] = &[
    "air_transport_facility_or_service",
    "animal_or_pet_service",
    "arts_and_entertainment",
    "b2b_service",
    "business_to_business_service",
    "class_venue",
    "commercial_industrial",
    "community_and_government",
    "corporate_or_business_office",
    "cultural_and_historic",
    "family_service",
    "food_service",
    "fueling_station",
    "ground_transport_facility_or_service",
    "health_care",
    "home_service",
    "lifestyle_services",
    "professional_service",
    "science_attraction",
    "services_and_business",
    "shopping_service",
    "sports_and_recreation",
    "technical_service",
    "travel_and_transportation",
    "vehicle_service",
];

/// Businesses too rare for an industry of their own, and like no other.
const TOO_RARE: &[&str] = &[
    "archaeological_service",
    "art_space_rental",
    "automobile_registration_service",
    "bank_equipment_service",
    "genealogist",
    "image_consultant",
    "kitchen_incubator",
    "matchmaker",
    "metal_detector_service",
    "mohel",
    "pagan_goods_store",
    "personal_shopper",
    "shoe_shining_service",
    "snuggle_service",
    "ticket_office_or_booth",
    "weather_forecast_service",
];

/// Old name, new name, and an industry that has both.
const BOTH_VOCABULARIES: &[(&str, &str, &str)] = &[
    ("dentist", "dental_clinic", "dentist"),
    ("orthodontist", "orthodontics", "orthodontist"),
    ("lawyer", "attorney_or_law_firm", "lawyer"),
    ("doctor", "doctors_office", "doctor"),
    ("car_dealer", "auto_dealer", "car_dealer"),
    ("hvac_services", "hvac_service", "hvac_contractor"),
    ("banks", "bank", "bank"),
    ("photographer", "photography_service", "photographer"),
    ("chiropractor", "chiropractic", "chiropractor"),
    ("cinema", "movie_theater", "movie_theater"),
    ("church_cathedral", "christian_place_of_worship", "church"),
    ("funeral_services_and_cemeteries", "funeral_service", "funeral_home"),
    ("fashion", "fashion_and_apparel_store", "clothing_store"),
];

fn names(slug: &str) -> &'static HashSet<&'static str> {
    category(slug).unwrap_or_else(|| panic!("{slug}")).overture_names()
}

/// Whether the current taxonomy has this category.
fn is_current(name: &str) -> bool {
    !overture::path(name, Vocabulary::Taxonomy).is_empty() && overture::successor(name).is_none()
}

#[test]
fn every_name_in_the_industries_is_a_category_of_overture() {
    for category in categories() {
        for name in category.overture {
            assert!(overture::exists(name), "{}: Overture has no category {name}", category.slug);
        }
    }
}

#[test]
fn every_industry_has_categories_in_both_vocabularies() {
    // Kinds of places that the first vocabulary did not tell from others.
    let new = ["ramen_restaurant"];
    for category in categories() {
        let names = category.overture_names();
        assert!(names.iter().any(|name| is_current(name)), "{} finds nothing in new releases", category.slug);
        let old = names.iter().any(|name| !overture::path(name, Vocabulary::Categories).is_empty());
        assert!(old || new.contains(&category.slug), "{} finds nothing in old releases", category.slug);
    }
}

#[test]
fn every_business_of_the_taxonomy_belongs_to_an_industry() {
    let covered: HashSet<&str> = categories().iter().flat_map(|category| category.overture_names()).copied().collect();
    let excepted = |name: &str| {
        let path = overture::path(name, Vocabulary::Taxonomy);
        NO_BUSINESS.iter().any(|(part, _)| path.contains(part)) || TOO_WIDE.contains(&name) || TOO_RARE.contains(&name)
    };
    let current = overture::names().filter(|(name, in_which)| *in_which == Vocabulary::Taxonomy && is_current(name));
    let missing: Vec<&str> =
        current.map(|(name, _)| name).filter(|name| !covered.contains(name) && !excepted(name)).collect();
    assert!(missing.is_empty(), "in no industry: {missing:?}");
    for name in TOO_WIDE.iter().chain(TOO_RARE).chain(NO_BUSINESS.iter().map(|(name, _)| name)) {
        assert!(overture::exists(name) && !covered.contains(name), "{name} is an exception without need");
    }
}

#[test]
fn a_category_belongs_to_the_same_industries_under_its_old_and_its_new_name() {
    for (old, new, slug) in BOTH_VOCABULARIES {
        assert!(names(slug).contains(old) && names(slug).contains(new), "{slug}: {old}, {new}");
        assert!(overture::aliases(old).contains(new) && overture::aliases(new).contains(old), "{old}, {new}");
    }
    for (name, _) in overture::names() {
        let Some(Successor::Renamed(current)) = overture::successor(name) else { continue };
        for category in categories() {
            let both = (category.overture_names().contains(name), category.overture_names().contains(current));
            assert_eq!(both.0, both.1, "{}: {name}, {current}", category.slug);
        }
    }
}

#[test]
fn a_wide_successor_does_not_widen_an_industry() {
    for (slug, listed, successor) in [
        ("home_health_care", "personal_care_service", "personal_or_beauty_service"),
        ("ramen_restaurant", "noodles_restaurant", "asian_restaurant"),
        ("junkyard", "scrap_metals", "b2b_industrial_and_machine_service"),
        ("temple", "temple", "place_of_worship"),
        ("it_services", "it_support_and_service", "mobile_phone_repair"),
        ("wholesaler", "wholesale_store", "warehouse_club_store"),
        ("supplement_store", "herbal_shop", "herb_and_spice_store"),
        ("fast_food_restaurant", "food_stand", "food_truck_stand"),
    ] {
        assert!(names(slug).contains(listed) && !names(slug).contains(successor), "{slug}: {successor}");
    }
}

#[test]
fn an_industry_does_not_contain_another_trade_that_overture_files_below_it() {
    for (slug, other) in [
        ("vape_shop", "cannabis_dispensary"),
        ("florist", "gift_shop"),
        ("general_contractor", "welder"),
        ("event_planner", "caterer"),
        ("hotel", "campground"),
        ("beauty_salon", "tattoo"),
        ("auto_repair", "car_wash"),
        ("lawyer", "bail_bonds_service"),
        ("bar", "bubble_tea"),
        ("thrift_store", "pawn_shop"),
        ("real_estate_agent", "land_surveying"),
        ("physical_therapist", "addiction_rehabilitation_center"),
    ] {
        assert!(!names(slug).contains(other), "{slug}: {other}");
    }
}

#[test]
fn places_match_at_any_level_of_the_hierarchy() {
    let restaurant = category("restaurant").unwrap();
    let none: [&str; 0] = [];
    for primary in ["restaurant", "pizza_restaurant", "eat_and_drink", "food_and_drink", "shanghainese_restaurant"] {
        assert!(restaurant.matches_overture(primary, &none), "{primary}");
    }
    for primary in ["bar", "night_market", "bubble_tea", "no_such_thing", ""] {
        assert!(!restaurant.matches_overture(primary, &none), "{primary}");
    }
    let hierarchy = ["food_and_drink", "restaurant", "italian_restaurant", "pizza_restaurant"];
    assert!(restaurant.matches_overture("pizza_restaurant", &hierarchy));
    assert!(category("pizza_restaurant").unwrap().matches_overture("pizza_restaurant", &hierarchy));
    assert!(!category("sushi_restaurant").unwrap().matches_overture("pizza_restaurant", &hierarchy));
}

#[test]
fn a_category_of_a_later_release_belongs_where_its_nearest_known_ancestor_does() {
    let later =
        ["food_and_drink", "restaurant", "pizza_restaurant", "square_pizza_restaurant", "corner_pizza_restaurant"];
    let matches =
        |slug: &str, hierarchy: &[&str]| category(slug).unwrap().matches_overture(hierarchy.last().unwrap(), hierarchy);
    assert!(matches("restaurant", &later));
    assert!(matches("pizza_restaurant", &later));
    assert!(!matches("sushi_restaurant", &later));
    // Food and drink counts as a restaurant only if nothing more specific is said.
    assert!(!matches("restaurant", &["food_and_drink", "tasting_counter"]));
    assert!(!matches("restaurant", &["no_such_thing", "neither_this"]));
}

#[test]
fn paths_lead_from_the_widest_category_to_the_name() {
    let path = |name, vocabulary| overture::path(name, vocabulary).join(" > ");
    assert_eq!(path("pizza_restaurant", Vocabulary::Categories), "eat_and_drink > restaurant > pizza_restaurant");
    let new = "food_and_drink > restaurant > european_restaurant > mediterranean_restaurant > italian_restaurant > pizza_restaurant";
    assert_eq!(path("pizza_restaurant", Vocabulary::Taxonomy), new);
    assert_eq!(path("dental_clinic", Vocabulary::Categories), "");
    assert_eq!(path("no_such_thing", Vocabulary::Taxonomy), "");
    for (name, vocabulary) in overture::names() {
        let path = overture::path(name, vocabulary);
        let distinct: HashSet<&&str> = path.iter().collect();
        assert!(path.last() == Some(&name) && distinct.len() == path.len(), "{name}: {path:?}");
    }
}

#[test]
fn successors_are_current_categories() {
    assert_eq!(overture::successor("dentist"), Some(Successor::Renamed("dental_clinic")));
    assert_eq!(overture::successor("personal_care_service"), Some(Successor::Merged("personal_or_beauty_service")));
    assert_eq!(overture::successor("bakery"), None);
    for (name, _) in overture::names() {
        match overture::successor(name) {
            Some(Successor::Renamed(current) | Successor::Merged(current)) => {
                assert!(is_current(current), "{name}: {current}");
            }
            None => {}
        }
    }
}

#[test]
fn tags_of_openstreetmap_match_one_by_one() {
    let pizza = category("pizza_restaurant").unwrap();
    assert!(pizza.matches_osm("cuisine", "pizza") && pizza.matches_osm("cuisine", "burger; pizza"));
    assert!(!pizza.matches_osm("cuisine", "burger") && !pizza.matches_osm("amenity", "pizza"));
    assert!(category("plumber").unwrap().tags().any(|tag| tag == "craft=plumber"));
}

/// `UPDATE=1` writes the file; review the difference line by line.
#[test]
fn the_industries_searched_for_most_have_the_categories_that_were_reviewed() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/overture_names.txt");
    let mut found = String::from(
        "# Industry, and the categories of Overture's taxonomy whose places belong to it. Written by a test.\n",
    );
    for slug in WANTED {
        let current: BTreeSet<&str> = names(slug).iter().copied().filter(|name| is_current(name)).collect();
        found.extend([*slug, ":"]);
        current.iter().for_each(|name| found.extend([" ", *name]));
        found.push('\n');
    }
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&file, &found).unwrap();
    }
    let reviewed = std::fs::read_to_string(&file).unwrap();
    for (reviewed, found) in reviewed.lines().zip(found.lines()) {
        assert_eq!(reviewed, found);
    }
    assert_eq!(reviewed, found);
}
