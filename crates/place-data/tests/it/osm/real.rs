//! Imports of real extracts, where they are at hand. What they hold was counted with another program: `benches/places/osm_peer.py`.

use std::path::PathBuf;

use super::import_file;

/// The folder of real data; `None` where there is none.
fn folder() -> Option<PathBuf> {
    #[expect(clippy::disallowed_methods, reason = "tests are told where real data lies")]
    let told = std::env::var("CANVASS_TEST_DATA").map(PathBuf::from);
    let beside = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    Some(told.unwrap_or_else(|_| beside()).join("osm")).filter(|folder| folder.is_dir())
}

#[test]
fn real_extracts_give_the_businesses_that_they_hold() {
    let Some(folder) = folder() else {
        eprintln!("skipped: no real data (CANVASS_TEST_DATA)");
        return;
    };
    for (name, businesses, with_website) in [("Helsinki", 1319, 727), ("monaco", 459, 126), ("baltimore", 627, 69)] {
        let (result, collected, skipped) = import_file(&folder.join(format!("{name}.osm.pbf")));
        result.unwrap();
        let websites = collected.places.iter().filter(|place| !place.websites.is_empty()).count();
        let reasons: Vec<(&str, u64)> = skipped.0.iter().map(|(reason, kind)| (*reason, kind.count)).collect();
        // At least: each industry that is added may count more of a map's objects among the businesses.
        let found = (collected.places.len(), websites);
        assert!(found.0 >= businesses && found.1 >= with_website, "{name} {found:?} {reasons:?}");
    }
}
