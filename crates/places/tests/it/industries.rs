//! Industries as people type them.

use std::collections::{HashMap, HashSet};

use places::{categories, category, industry};

/// Input, with the slug it means.
const READ_AS: &[(&str, &str)] = &[
    ("plumbers", "plumber"),
    ("Plumbing Company", "plumber"),
    ("emergency plumber near me", "plumber"),
    ("dentists", "dentist"),
    ("dental clinic", "dentist"),
    ("dental office", "dentist"),
    ("DDS", "dentist"),
    ("hvac contractor", "hvac_contractor"),
    ("HVAC", "hvac_contractor"),
    ("air conditioning repair", "hvac_contractor"),
    ("AC repair", "hvac_contractor"),
    ("A/C repair", "hvac_contractor"),
    ("heating & air", "hvac_contractor"),
    ("lawyers", "lawyer"),
    ("attorney", "lawyer"),
    ("law firm", "lawyer"),
    ("law firms", "lawyer"),
    ("personal injury lawyer", "personal_injury_lawyer"),
    ("personal injury attorneys", "personal_injury_lawyer"),
    ("real estate agents", "real_estate_agent"),
    ("realtor", "real_estate_agent"),
    ("coffee shop", "coffee_shop"),
    ("cafés", "coffee_shop"),
    ("med spa", "med_spa"),
    ("medspa", "med_spa"),
    ("vets", "veterinarian"),
    ("veterinarians", "veterinarian"),
    ("gyms", "gym"),
    ("personal trainer", "personal_trainer"),
    ("nail salons", "nail_salon"),
    ("car mechanic", "auto_repair"),
    ("auto repair shops", "auto_repair"),
    ("pizza", "pizza_restaurant"),
    ("sushi restaurant", "sushi_restaurant"),
    ("mexican food", "mexican_restaurant"),
    ("handymen", "handyman"),
    ("churches", "church"),
    ("car washes", "car_wash"),
    ("insurance agents", "insurance_agent"),
    ("CPA", "accountant"),
    ("B&B", "bed_and_breakfast"),
    ("IT services", "it_services"),
    ("solar companies", "solar_installer"),
    ("landscaping companies", "landscaper"),
    ("wedding photographers", "photographer"),
    ("pest_control", "pest_control"),
];

/// The same with typos or additional words: recognised, but not exactly.
const READ_LOOSELY: &[(&str, &str)] = &[
    ("coffe shop", "coffee_shop"),
    ("dentst", "dentist"),
    ("elecrtician", "electrician"),
    ("resturant", "restaurant"),
    ("chiropracter", "chiropractor"),
    ("tatoo shop", "tattoo_shop"),
    ("accupuncture", "acupuncturist"),
    ("24 hour towing", "towing_company"),
    ("family owned roofers", "roofer"),
    ("vegan bakery", "bakery"),
];

#[test]
fn industries_are_recognised_as_people_mean_them() {
    for (cases, exact) in [(READ_AS, true), (READ_LOOSELY, false)] {
        for (typed, slug) in cases {
            let found = industry(typed).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!((found.category.slug, found.exact), (*slug, exact), "{typed}");
        }
    }
}

#[test]
fn every_category_is_found_by_its_slug_its_names_and_all_its_words() {
    for wanted in categories() {
        assert_eq!(category(wanted.slug), Some(wanted));
        for name in [wanted.slug, wanted.name, wanted.plural].iter().chain(wanted.synonyms) {
            for typed in [name.to_string(), name.to_uppercase(), format!("  {name} ")] {
                let found = industry(&typed).unwrap_or_else(|error| panic!("{error}"));
                assert_eq!((found.category.slug, found.exact), (wanted.slug, true), "{typed}");
            }
        }
    }
}

#[test]
fn no_word_belongs_to_two_categories() {
    let mut owners: HashMap<String, &str> = HashMap::new();
    for category in categories() {
        let own: HashSet<String> =
            [category.name, category.plural].iter().chain(category.synonyms).map(|word| word.to_lowercase()).collect();
        for word in own {
            if let Some(other) = owners.insert(word.clone(), category.slug) {
                panic!("{word:?} belongs to {other} and to {}", category.slug);
            }
        }
    }
}

#[test]
fn categories_are_many_and_complete() {
    assert!(categories().len() >= 150);
    let slugs: HashSet<&str> = categories().iter().map(|category| category.slug).collect();
    assert_eq!(slugs.len(), categories().len());
    for category in categories() {
        let slug = category.slug;
        assert!(!category.overture.is_empty(), "{slug}");
        assert!(slug.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_'), "{slug}");
        assert!(category.osm.iter().all(|(key, value)| !key.is_empty() && !value.is_empty()), "{slug}");
        assert!(!category.group.is_empty() && category.name != category.plural, "{slug}");
    }
    assert_eq!(category("no_such_thing"), None);
}

#[test]
fn a_wide_category_includes_its_kinds() {
    for (wide, narrow) in
        [("restaurant", "sushi_restaurant"), ("lawyer", "divorce_lawyer"), ("dentist", "pediatric_dentist")]
    {
        let (wide, narrow) = (category(wide).unwrap(), category(narrow).unwrap());
        assert!(narrow.overture.iter().all(|name| wide.overture.contains(name)), "{}", wide.slug);
        assert!(!wide.overture.iter().all(|name| narrow.overture.contains(name)), "{}", wide.slug);
    }
}

#[test]
fn nonsense_is_unknown_and_the_nearest_names_are_suggested() {
    for typed in ["", "   ", "asdfgh qwerty", "spaceship", "12345", "the", "services", "small businesses", "🦀"] {
        assert!(industry(typed).is_err(), "{typed}");
    }
    let error = industry("plumbrz").unwrap_err();
    assert_eq!(error.nearest.first(), Some(&"Plumber"));
    assert!(error.to_string().starts_with("the industry \"plumbrz\" is not known: did you mean Plumber"), "{error}");
    assert!(industry("").unwrap_err().to_string().starts_with("no industry was given"));
    assert!(industry("qqqqqqqq").unwrap_err().to_string().contains("such as \"plumber\""));
}
