//! What is read of a file, whatever its format.

use place_data::{Brand, Import, NameSource, OperatingStatus, Place};
use rstest::rstest;

use super::encode::{PbfStyle, TestCompression, TestMap, object};
use super::map::map;
use super::{Collected, import_bytes, places};

fn find<'p>(places: &'p [Place], id: &str) -> &'p Place {
    places.iter().find(|place| place.id == id).unwrap_or_else(|| panic!("{id} was not imported"))
}

#[test]
fn everything_that_is_known_of_a_business_is_read() {
    let places = places(&map().pbf(PbfStyle::default()));
    let cafe = find(&places, "n1");
    assert_eq!((cafe.name.as_str(), cafe.name_source), ("Kahvila \"Alma\" & Söhne", NameSource::Name));
    let translations =
        [("sv", "Café Alma"), ("zh-Hant", "阿爾瑪")].map(|(code, name)| (code.to_owned(), name.to_owned()));
    assert_eq!(cafe.translations, translations);
    assert_eq!((cafe.point.latitude, cafe.point.longitude), (60.17, 24.94));
    assert_eq!(cafe.categories.primary.as_deref(), Some("amenity=cafe"));
    let all = ["amenity=cafe", "shop=bakery", "shop=confectionery", "cuisine=coffee_shop", "cuisine=cake"];
    assert_eq!(cafe.categories.hierarchy, all);
    assert_eq!(cafe.phones, ["+358 9 123", "+358 40 456", "+358 50 789"]);
    assert_eq!(cafe.websites, ["https://alma.example", "https://alma.example/en"]);
    assert_eq!(cafe.emails, ["hello@alma.example"]);
    let socials = ["https://www.facebook.com/kahvila.alma", "https://www.instagram.com/kahvila_alma"];
    assert_eq!(cafe.socials, socials);
    assert_eq!(cafe.opening_hours.as_deref(), Some("Mo-Fr 08:00-18:00; Sa 10:00-16:00"));
    assert_eq!(cafe.brand, Some(Brand { name: Some("Alma".to_owned()), wikidata: Some("Q123".to_owned()) }));
    let address = &cafe.addresses[0];
    assert_eq!(address.freeform.as_deref(), Some("Aleksanterinkatu 12"));
    assert_eq!((address.locality.as_deref(), address.postcode.as_deref()), (Some("Helsinki"), Some("00100")));
    assert_eq!((address.region.as_deref(), address.country.as_deref()), (None, Some("FI")));
    let origin = &cafe.origins[0];
    assert_eq!((origin.dataset.as_str(), origin.record_id.as_deref()), ("OpenStreetMap", Some("n1")));
    assert_eq!(origin.updated.as_deref(), Some("2024-05-06"), "the check is later than the edit");
    assert_eq!((cafe.confidence, cafe.status), (None, OperatingStatus::Open));
}

#[test]
fn a_name_is_taken_from_the_brand_or_the_operator_when_there_is_none() {
    let places = places(&map().pbf(PbfStyle::default()));
    let kiosk = find(&places, "n3");
    assert_eq!((kiosk.name.as_str(), kiosk.name_source), ("R-kioski", NameSource::Brand));
    assert_eq!(kiosk.origins[0].updated.as_deref(), Some("2023-11-14T22:13:20Z"));
    let plumber = find(&places, "n4");
    assert_eq!((plumber.name.as_str(), plumber.name_source), ("Putki Oy", NameSource::Operator));
    assert_eq!(find(&places, "n10").status, OperatingStatus::TemporarilyClosed);
}

#[test]
fn what_is_left_out_is_counted_by_reason() {
    let (result, collected, skipped) = import_bytes(&map().pbf(PbfStyle::default()));
    result.unwrap();
    let ids: Vec<&str> = collected.places.iter().map(|place| place.id.as_str()).collect();
    assert_eq!(ids, ["n-5", "n1", "n3", "n4", "n10", "w11", "w12", "w14", "r31", "r32"], "by kind, then by id");
    let counts: Vec<(&str, u64, String)> =
        skipped.0.iter().map(|(reason, kind)| (*reason, kind.count, kind.examples.join(" "))).collect();
    let expected = [
        ("closed: tagged as disused, abandoned, demolished, vacant or the like", 3, "n6 n7 n12"),
        ("coordinates missing or out of range", 1, "n9"),
        ("no name, brand or operator", 1, "n5"),
        ("none of its nodes are in the file", 2, "w13 r33"),
        ("not open yet: tagged as proposed, planned or under construction", 1, "n8"),
    ];
    assert_eq!(counts, expected.map(|(reason, count, ids)| (reason, count, ids.to_owned())));
}

#[test]
fn ways_and_relations_get_a_point_inside_of_them() {
    let places = places(&map().pbf(PbfStyle::default()));
    let steps = |id: &str| {
        let at = find(&places, id).point;
        ((at.latitude * 1e7).round() as i64 - 601_700_000, (at.longitude * 1e7).round() as i64 - 249_400_000)
    };
    let (north, east) = steps("w11");
    assert!((1000..=2000).contains(&north) && (1000..=2000).contains(&east), "{north} {east}");
    assert!(north < 1100 || !(1100..=1900).contains(&east), "{north} {east} is in the gap of the horseshoe");
    assert_eq!(steps("w12"), (1000, 2000), "the middle node of a line");
    let (north, east) = steps("r31");
    assert!((5000..=8000).contains(&north) && (5000..=8000).contains(&east), "{north} {east}");
    assert!(!(6000..=7000).contains(&north) || !(6000..=7000).contains(&east), "{north} {east} is in the hole");
    assert_eq!(steps("r32"), (5000, 5000), "the node of a site");
}

#[rstest]
#[case::raw(PbfStyle { compression: TestCompression::Raw, ..PbfStyle::default() })]
#[case::lz4(PbfStyle { compression: TestCompression::Lz4, ..PbfStyle::default() })]
#[case::zstd(PbfStyle { compression: TestCompression::Zstd, ..PbfStyle::default() })]
#[case::plain_nodes(PbfStyle { has_dense_nodes: false, ..PbfStyle::default() })]
#[case::one_block(PbfStyle { block_objects: 1000, ..PbfStyle::default() })]
#[case::many_blocks(PbfStyle { block_objects: 1, ..PbfStyle::default() })]
fn every_flavour_of_pbf_gives_the_same_places(#[case] style: PbfStyle) {
    assert_eq!(places(&map().pbf(style)), places(&map().pbf(PbfStyle::default())));
}

#[test]
fn xml_and_bzip2_give_the_same_places_as_pbf() {
    let expected = places(&map().pbf(PbfStyle::default()));
    assert_eq!(places(map().xml().as_bytes()), expected);
    assert_eq!(places(&map().bzip2()), expected);
    let two_streams = map().xml();
    let (one, two) = two_streams.split_at(two_streams.len() / 2);
    let bytes = [super::encode::bzip2(one.as_bytes()), super::encode::bzip2(two.as_bytes())].concat();
    assert_eq!(places(&bytes), expected, "compressed in several streams");
    assert_eq!(places(format!("\u{feff}\n{}", map().xml()).as_bytes()), expected, "with a byte order mark");
}

#[test]
fn ways_that_carry_their_own_coordinates_need_no_nodes() {
    let style = PbfStyle { has_locations_on_ways: true, ..PbfStyle::default() };
    let mut with_locations = map();
    with_locations.ways.retain(|way| ![13, 14].contains(&way.id));
    let expected = places(&with_locations.pbf(PbfStyle::default()));
    let bytes = with_locations.pbf(style);
    assert_eq!(places(&bytes), expected);
}

#[test]
fn answers_to_queries_and_files_of_editors_are_read() {
    let text = r#"<?xml version="1.0"?><osm version="0.6"><note>The data is open.</note>
        <way id="1"><center lat="60.1" lon="24.9"/><nd ref="7"/><tag k="shop" v="bakery"/><tag k="name" v="Centre"/></way>
        <way id="2"><nd ref="7" lat="60.1" lon="24.8"/><nd ref="8" lat="60.2" lon="24.9"/>
            <tag k="shop" v="bakery"/><tag k="name" v="Located"/></way>
        <node id="-3" lat="60.3" lon="24.3" action="modify"><tag k="shop" v="bakery"/><tag k="name" v="&#x41;&lt;"/></node>
        <node id="4" lat="60.3" lon="24.3" visible="false"><tag k="shop" v="bakery"/><tag k="name" v="Deleted"/></node>
        <node id="5" lat="60.3" lon="24.3" action="delete"><tag k="shop" v="bakery"/><tag k="name" v="Deleted"/></node>
        </osm>"#;
    let places = places(text.as_bytes());
    let found: Vec<(&str, &str, f64)> =
        places.iter().map(|place| (place.id.as_str(), place.name.as_str(), place.point.latitude)).collect();
    assert_eq!(found, [("n-3", "A<", 60.3), ("w1", "Centre", 60.1), ("w2", "Located", 60.2)]);
}

#[test]
fn an_object_that_a_file_has_twice_is_imported_once() {
    let mut twice = map();
    let mut older = object(1, &[("shop", "bakery"), ("name", "Older version")]);
    (older.edited, older.at) = (1_577_836_800, (1, 1));
    twice.nodes.insert(0, older);
    let (result, collected, skipped) = import_bytes(&twice.pbf(PbfStyle::default()));
    result.unwrap();
    assert_eq!(collected.places, places(&map().pbf(PbfStyle::default())));
    assert_eq!(skipped.0["the same object a second time"].count, 1);
}

#[test]
fn progress_reaches_the_length_of_the_file_and_an_import_can_be_cancelled() {
    for bytes in [map().pbf(PbfStyle::default()), map().bzip2(), TestMap::default().xml().into_bytes()] {
        let (_, collected, _) = import_bytes(&bytes);
        assert!(collected.progress.is_sorted());
        assert_eq!(collected.progress.last(), Some(&(bytes.len() as u64)));
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), &bytes).unwrap();
        let mut sink = Collected { cancel_at: Some(2), ..Collected::default() };
        let result = place_data::osm::read(file.path(), &mut Import::into(&mut sink));
        assert!(matches!(result, Err(place_data::Error::Cancelled)));
        assert!(sink.places.is_empty());
    }
}
