//! Foursquare OS Places in its published schema, and hostile Parquet files.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use arrow_array::builder::{ListBuilder, StringBuilder};
use arrow_array::{ArrayRef, Float64Array, RecordBatch, StringArray};
use parquet::arrow::ArrowWriter;
use place_data::{Error, Import, foursquare};
use proptest::prelude::*;

use super::{Collected, Imported, file, import, message, reasons};

/// A row of the data set: texts by column, position, labels and flags.
#[derive(Clone, Default)]
struct FoursquareRow {
    texts: Vec<(&'static str, String)>,
    at: Option<(f64, f64)>,
    labels: Vec<&'static str>,
    flags: Vec<&'static str>,
}

const TEXTS: [&str; 20] = [
    "fsq_place_id",
    "name",
    "address",
    "locality",
    "region",
    "postcode",
    "admin_region",
    "post_town",
    "po_box",
    "country",
    "date_created",
    "date_refreshed",
    "date_closed",
    "tel",
    "website",
    "email",
    "facebook_id",
    "instagram",
    "twitter",
    "placemaker_url",
];

fn row(id: &str, texts: &[(&'static str, &str)]) -> FoursquareRow {
    let named = [("fsq_place_id", id), ("name", "Alma")];
    let texts = named.into_iter().chain(texts.iter().copied()).map(|(name, text)| (name, text.to_owned())).collect();
    FoursquareRow { texts, at: Some((30.25, -97.75)), ..FoursquareRow::default() }
}

fn lists(rows: &[FoursquareRow], of: fn(&FoursquareRow) -> &[&'static str]) -> ArrayRef {
    let mut builder = ListBuilder::new(StringBuilder::new());
    for row in rows {
        of(row).iter().for_each(|text| builder.values().append_value(text));
        builder.append(!of(row).is_empty());
    }
    Arc::new(builder.finish())
}

fn batch(rows: &[FoursquareRow]) -> RecordBatch {
    let text = |row: &FoursquareRow, name| {
        row.texts.iter().rev().find(|(column, _)| *column == name).map(|(_, text)| text.clone())
    };
    let texts = TEXTS.map(|name| {
        let column: StringArray = rows.iter().map(|row| text(row, name)).collect();
        (name, Arc::new(column) as ArrayRef)
    });
    let numbers = |of: fn((f64, f64)) -> f64| {
        Arc::new(rows.iter().map(|row| row.at.map(of)).collect::<Float64Array>()) as ArrayRef
    };
    let others = [
        ("latitude", numbers(|at| at.0)),
        ("longitude", numbers(|at| at.1)),
        ("fsq_category_labels", lists(rows, |row| &row.labels)),
        ("unresolved_flags", lists(rows, |row| &row.flags)),
    ];
    RecordBatch::try_from_iter_with_nullable(texts.into_iter().chain(others).map(|(name, column)| (name, column, true)))
        .unwrap()
}

fn write(path: &Path, rows: &[FoursquareRow]) {
    let batch = batch(rows);
    let mut writer = ArrowWriter::try_new(File::create(path).unwrap(), batch.schema(), None).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
}

fn bytes(rows: &[FoursquareRow]) -> Vec<u8> {
    let saved = tempfile::NamedTempFile::new().unwrap();
    write(saved.path(), rows);
    std::fs::read(saved.path()).unwrap()
}

fn read(bytes: &[u8]) -> Result<Imported, Error> {
    let saved = file(bytes);
    import(|import| foursquare::read(saved.path(), import))
}

fn refused(bytes: &[u8]) -> String {
    let saved = file(bytes);
    message(import(|import| foursquare::read(saved.path(), import)), saved.path())
}

#[test]
fn every_column_finds_its_way_into_a_place() {
    let mut full = row(
        "4b1",
        &[
            ("address", "12 Main St"),
            ("locality", "Austin"),
            ("region", "TX"),
            ("postcode", "78701"),
            ("country", "US"),
            ("date_refreshed", "2026-03-04"),
            ("tel", "(512) 555-0100"),
            ("website", "http://alma.example"),
            ("email", "info@alma.example"),
            ("facebook_id", "123456"),
            ("instagram", "alma"),
            ("twitter", "almaplumbing"),
        ],
    );
    full.labels = vec![
        "Business and Professional Services > Home Improvement Service > Plumber",
        "Business and Professional Services > Home Improvement Service > Electrician",
    ];
    let imported = read(&bytes(&[full])).unwrap();
    let place = &imported.places[0];
    assert_eq!((place.id.as_str(), place.name.as_str()), ("4b1", "Alma"));
    assert_eq!((place.point.latitude, place.point.longitude), (30.25, -97.75));
    assert_eq!(place.categories.hierarchy, ["canvass:plumber", "canvass:electrician"]);
    assert_eq!((place.categories.primary.as_deref(), place.categories.alternates.len()), (Some("canvass:plumber"), 2));
    assert_eq!((place.phones.len(), place.emails.len(), place.websites.len()), (1, 1, 1));
    assert_eq!(
        place.socials,
        ["https://www.facebook.com/123456", "https://www.instagram.com/alma", "https://x.com/almaplumbing"]
    );
    let address = &place.addresses[0];
    assert_eq!((address.freeform.as_deref(), address.locality.as_deref()), (Some("12 Main St"), Some("Austin")));
    assert_eq!((address.region.as_deref(), address.country.as_deref()), (Some("TX"), Some("US")));
    let origin = &place.origins[0];
    assert_eq!((origin.dataset.as_str(), origin.record_id.as_deref()), ("Foursquare", Some("4b1")));
    assert_eq!(origin.updated.as_deref(), Some("2026-03-04"));
    let british = row("2", &[("po_box", "7"), ("post_town", "York"), ("admin_region", "England"), ("country", "gb")]);
    let address = read(&bytes(&[british])).unwrap().places[0].addresses[0].clone();
    assert_eq!((address.freeform.as_deref(), address.locality.as_deref()), (Some("PO Box 7"), Some("York")));
    assert_eq!((address.region.as_deref(), address.country.as_deref()), (Some("England"), Some("GB")));
}

#[test]
fn closed_flagged_and_misplaced_places_are_skipped_with_reason_and_row() {
    let flagged = |id: &str, flag| FoursquareRow { flags: vec!["other", flag], ..row(id, &[]) };
    let at = |id: &str, at| FoursquareRow { at, ..row(id, &[]) };
    let odd = FoursquareRow { labels: vec!["Qwertz > Uiop asdf"], ..row("14", &[]) };
    let rows = [
        row("1", &[]),
        row("2", &[("date_closed", "2020-01-01")]),
        flagged("3", "closed"),
        flagged("4", "duplicate"),
        flagged("5", "delete"),
        flagged("6", "privatevenue"),
        flagged("7", "doesnt_exist"),
        flagged("8", "inappropriate"),
        at("9", None),
        at("10", Some((91.0, 0.0))),
        at("11", Some((f64::NAN, 0.0))),
        at("12", Some((0.0, 0.0))),
        row("13", &[("name", " ")]),
        odd,
        row("1", &[]),
        row("", &[]),
    ];
    let folder = tempfile::tempdir().unwrap();
    write(&folder.path().join("places.parquet"), &rows);
    let imported = import(|import| foursquare::read(folder.path(), import)).unwrap();
    assert_eq!(imported.places.iter().map(|place| place.id.as_str()).collect::<Vec<_>>(), ["1", "14"]);
    let expected = [
        ("closed for good", vec!["places.parquet, row 2 (2)"]),
        ("coordinates 0, 0, which mean that nobody knows", vec!["places.parquet, row 12 (12)"]),
        (
            "coordinates that cannot be read or are out of range",
            vec!["places.parquet, row 10 (10)", "places.parquet, row 11 (11)"],
        ),
        ("no coordinates", vec!["places.parquet, row 9 (9)"]),
        ("no id", vec!["places.parquet, row 16 ()"]),
        ("no name", vec!["places.parquet, row 13 (13)"]),
        ("reported as a duplicate", vec!["places.parquet, row 4 (4)"]),
        ("reported as closed", vec!["places.parquet, row 3 (3)"]),
        ("reported as inappropriate", vec!["places.parquet, row 8 (8)"]),
        ("reported as not existing", vec!["places.parquet, row 7 (7)"]),
        ("reported as private", vec!["places.parquet, row 6 (6)"]),
        ("reported for deletion", vec!["places.parquet, row 5 (5)"]),
        ("the same id a second time", vec!["places.parquet, row 15 (1)"]),
    ];
    assert_eq!(imported.reasons(), expected);
    assert_eq!(reasons(&imported.notes).len(), 1);
}

#[test]
fn a_folder_is_read_with_all_folders_within() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(folder.path().join("dt=2026-01-01/places")).unwrap();
    write(&folder.path().join("dt=2026-01-01/places/b.parquet"), &[row("2", &[])]);
    write(&folder.path().join("dt=2026-01-01/places/a.parquet"), &[row("1", &[]), row("2", &[])]);
    std::fs::write(folder.path().join("README.md"), "not a place").unwrap();
    let imported = import(|import| foursquare::read(folder.path(), import)).unwrap();
    assert_eq!(imported.places.len(), 2);
    assert_eq!(imported.reasons(), [("the same id a second time", vec!["b.parquet, row 1 (2)"])]);
    assert!(imported.progress.is_sorted());
    let empty = tempfile::tempdir().unwrap();
    let message = message(import(|import| foursquare::read(empty.path(), import)), empty.path());
    assert!(message.contains("has no Parquet files"), "{message}");
    let mut sink = Collected { cancel_at: Some(1), ..Collected::default() };
    assert!(matches!(foursquare::read(folder.path(), &mut Import::into(&mut sink)), Err(Error::Cancelled)));
}

#[test]
fn damaged_and_lying_files_are_refused() {
    let whole = bytes(&[row("1", &[]), row("2", &[])]);
    for length in (0..whole.len()).step_by(97) {
        assert!(refused(&whole[..length]).contains("is not a sound Parquet file"));
    }
    assert!(refused(b"name,lat,lon\nA,1,1\n").contains("is not a sound Parquet file"));
    let mut wrong_end = whole.clone();
    let end = wrong_end.len();
    wrong_end[end - 8..end - 4].copy_from_slice(&u32::MAX.to_le_bytes());
    assert!(refused(&wrong_end).contains("is not a sound Parquet file"));
    // The footer is whole, the data before it is not.
    let footer = u32::from_le_bytes(whole[end - 8..end - 4].try_into().unwrap()) as usize;
    let beheaded = [b"PAR1", &whole[end - 8 - footer..]].concat();
    assert!(refused(&beheaded).contains("the footer speaks of more data than the file has"));
    let other = RecordBatch::try_from_iter([("id", Arc::new(StringArray::from(vec!["1"])) as ArrayRef)]).unwrap();
    let saved = tempfile::NamedTempFile::new().unwrap();
    let mut writer = ArrowWriter::try_new(File::create(saved.path()).unwrap(), other.schema(), None).unwrap();
    writer.write(&other).unwrap();
    writer.close().unwrap();
    assert!(refused(&std::fs::read(saved.path()).unwrap()).contains("has no column \"fsq_place_id\""));
}

#[test]
fn a_value_beyond_reason_is_left_out() {
    let long = "5".repeat(1_000_000);
    let rows = [row("1", &[("tel", &long)]), row("2", &[("name", &long)]), row("3", &[("tel", "5")])];
    let imported = read(&bytes(&rows)).unwrap();
    assert_eq!(imported.places.iter().map(|place| place.phones.len()).collect::<Vec<_>>(), [0, 1]);
}

/// Labels, and the industry whose searches must find them.
const LABELS: &[(&str, &str)] = &[
    ("Business and Professional Services > Home Improvement Service > Plumber", "plumber"),
    ("Business and Professional Services > Home Improvement Service > Roofer", "roofer"),
    ("Business and Professional Services > Home Improvement Service > Mover", "moving_company"),
    ("Business and Professional Services > Home Improvement Service > Painter", "painter"),
    ("Business and Professional Services > Home Improvement Service > Carpenter", "carpenter"),
    ("Business and Professional Services > Home Improvement Service > Fence Contractor", "fence_contractor"),
    ("Business and Professional Services > Home Improvement Service > Landscaper and Gardener", "landscaper"),
    ("Business and Professional Services > Home Improvement Service > Pest Control Service", "pest_control"),
    ("Business and Professional Services > Home Improvement Service > Tree Service", "tree_service"),
    ("Business and Professional Services > Home Improvement Service > General Contractor", "general_contractor"),
    ("Business and Professional Services > Home Improvement Service > Interior Designer", "interior_designer"),
    ("Business and Professional Services > Health and Beauty Service > Barbershop", "barber"),
    ("Business and Professional Services > Health and Beauty Service > Hair Salon", "hair_salon"),
    ("Business and Professional Services > Health and Beauty Service > Nail Salon", "nail_salon"),
    ("Business and Professional Services > Health and Beauty Service > Tattoo Parlor", "tattoo_shop"),
    ("Business and Professional Services > Locksmith", "locksmith"),
    ("Business and Professional Services > Legal Service > Law Office", "lawyer"),
    ("Business and Professional Services > Real Estate Service > Real Estate Agency", "real_estate_agent"),
    ("Business and Professional Services > Insurance Agency", "insurance_agent"),
    ("Business and Professional Services > Financial Service > Accounting and Bookkeeping Service", "accountant"),
    ("Business and Professional Services > Photography Service > Photographer", "photographer"),
    ("Business and Professional Services > Automotive Service > Automotive Repair Shop", "auto_repair"),
    ("Business and Professional Services > Automotive Service > Car Wash and Detail", "car_wash"),
    ("Health and Medicine > Dentist", "dentist"),
    ("Health and Medicine > Chiropractor", "chiropractor"),
    ("Health and Medicine > Veterinarian", "veterinarian"),
    ("Health and Medicine > Optometrist", "optometrist"),
    ("Dining and Drinking > Restaurant > Italian Restaurant", "italian_restaurant"),
    ("Dining and Drinking > Restaurant > Pizzeria", "pizza_restaurant"),
    ("Dining and Drinking > Cafe, Coffee, and Tea House > Coffee Shop", "coffee_shop"),
    ("Dining and Drinking > Bakery", "bakery"),
    ("Dining and Drinking > Bar > Irish Pub", "bar"),
    ("Retail > Food and Beverage Retail > Butcher", "butcher"),
    ("Retail > Flower Store", "florist"),
    ("Retail > Pharmacy", "pharmacy"),
    ("Retail > Automotive Retail > Car Dealership > Used Car Dealership", "car_dealer"),
    ("Retail > Fashion Retail > Jewelry Store", "jeweler"),
    ("Sports and Recreation > Gym and Studio > Yoga Studio", "yoga_studio"),
    ("Sports and Recreation > Gym and Studio > Gym", "gym"),
    ("Travel and Transportation > Lodging > Hotel", "hotel"),
];

#[test]
fn labels_are_found_by_those_who_look_for_the_industry() {
    let rows: Vec<FoursquareRow> =
        (0..LABELS.len()).map(|at| FoursquareRow { labels: vec![LABELS[at].0], ..row(&at.to_string(), &[]) }).collect();
    let imported = read(&bytes(&rows)).unwrap();
    let wrong: Vec<String> = imported
        .places
        .iter()
        .zip(LABELS)
        .filter_map(|(place, (label, slug))| {
            let primary = place.categories.primary.as_deref().unwrap_or("nothing");
            let category = places::category(slug);
            let is_right = category.is_some_and(|category| place_data::Kinds::of(category).contains(primary));
            (!is_right).then(|| format!("{label} is {primary}, not {slug}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn no_change_of_bytes_makes_the_reader_panic(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
    ) {
        let mut bytes = bytes(&[FoursquareRow { labels: vec!["Retail > Butcher"], ..row("1", &[("tel", "5")]) }, row("2", &[])]);
        for (index, byte) in changes {
            let at = index.index(bytes.len());
            bytes[at] = byte;
        }
        match read(&bytes) {
            Ok(_) | Err(Error::Malformed { .. }) => {}
            Err(other) => prop_assert!(false, "{other:?}"),
        }
    }
}

#[test]
fn a_label_is_taken_for_what_it_says_and_not_for_what_its_words_resemble() {
    let kind = |label: &'static str| {
        let imported = read(&bytes(&[FoursquareRow { labels: vec![label], ..row("4b1", &[]) }])).unwrap();
        imported.places[0].categories.primary.clone()
    };
    for (label, expected) in [
        ("Health and Medicine > Dentist", "canvass:dentist"),
        ("Retail > Automotive Retail > Car Dealership > New Car Dealership", "canvass:car_dealer"),
        ("Business and Professional Services > Legal Service > Law Office", "canvass:lawyer"),
    ] {
        assert_eq!(kind(label).as_deref(), Some(expected), "{label}");
    }
    for label in [
        "Business and Professional Services > Power Plant",
        "Business and Professional Services > Research Station",
        "Travel and Transportation > Port",
        "Travel and Transportation > Moving Target",
        "Travel and Transportation > Rail Station",
        "Community and Government > Government Building > City Hall",
        "Health and Medicine > Blood Bank",
        "Landmarks and Outdoors > Tree",
        "Landmarks and Outdoors > Well",
        "Sports and Recreation > Water Sports > Scuba Diving Instructor",
        "Arts and Entertainment > Public Art",
    ] {
        assert_eq!(kind(label), None, "{label}");
    }
}
