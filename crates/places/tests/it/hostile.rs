//! Hostile input: it is not found, and nothing else happens.

use places::{Area, Point, industry, is_chain, locate};
use proptest::prelude::*;

#[test]
fn text_that_is_not_a_location_is_not_found() {
    let long = "a".repeat(10_000);
    let many = "austin ".repeat(2_000);
    let commas = ",".repeat(10_000);
    let hostile = [
        "",
        " ",
        "\0",
        "\0\0Austin\0Texas\0Mars",
        ",",
        ",,,",
        "🦀",
        "🦀, 🦀",
        "؟",
        "\u{202e}xt nitsuA",
        "'",
        "''''",
        "....",
        "-",
        "---",
        "%00",
        "<script>",
        "'; drop table leads; --",
        "99999999999999999999",
        "0",
        "00000",
        "\u{feff}",
        "\u{300}",
        "\u{300}\u{301}",
        "a\u{300}".repeat(60).leak(),
        &long,
        &many,
        &commas,
    ];
    for text in hostile {
        assert!(locate(text).is_err(), "{:?}", &text.chars().take(40).collect::<String>());
        let _ = industry(text);
        assert!(!is_chain(text, "US"));
    }
}

#[test]
fn an_error_repeats_only_the_beginning_of_a_long_text() {
    let error = locate(&"é".repeat(5_000)).unwrap_err();
    assert!(error.text.len() <= 80);
    assert!(industry(&"é".repeat(5_000)).unwrap_err().text.len() <= 80);
}

#[test]
fn numbers_that_are_not_finite_are_in_no_area() {
    let austin = locate("Austin, TX").unwrap().place;
    for latitude in [f64::NAN, f64::INFINITY, -1e300, 91.0] {
        for longitude in [f64::NAN, f64::NEG_INFINITY, 1e300, 0.0] {
            for width in places::Scope::ALL {
                assert!(!austin.area(width).contains(Point { latitude, longitude }), "{latitude} {longitude} {width}");
            }
        }
    }
    let nowhere = Point { latitude: f64::NAN, longitude: f64::INFINITY };
    for radius in [f64::NAN, f64::INFINITY, -5.0, 1e300] {
        let area = Area::circle("nowhere", "US", nowhere, radius);
        assert!(!area.contains(austin.point));
        let _ = (area.bounds(), area.bounds().parts(), area.towns().len());
        let _ = Area::circle("here", "US", austin.point, radius).bounds();
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn no_text_causes_a_panic(text in "\\PC{0,60}|[a-z ,.'0-9-]{0,60}|.{0,40}") {
        let _ = locate(&text).map(|found| (found.notes(), found.place.area(places::Scope::City)));
        let _ = industry(&text);
        let _ = is_chain(&text, "US");
    }

    #[test]
    fn no_bytes_cause_a_panic(bytes in proptest::collection::vec(any::<u8>(), 0..80)) {
        let text = String::from_utf8_lossy(&bytes);
        let _ = locate(&text);
        let _ = industry(&text);
        let _ = is_chain(&text, "DE");
    }

    #[test]
    fn no_order_of_location_words_causes_a_panic(
        words in proptest::collection::vec(
            proptest::sample::select(&[
                "austin", "tx", "78701", "county", "of", "city", "usa", ",", "new", "york", "1100", "-1234", "state", "germany",
                "the", "st", "parish", "n", "(country)", "downtown",
            ][..]),
            0..14,
        ),
    ) {
        if let Ok(found) = locate(&words.join(" ")) {
            let _ = (found.notes(), found.place.area(places::Scope::County).name().len());
        }
    }
}
