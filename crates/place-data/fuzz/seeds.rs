//! Writes the files from which fuzzing starts into `corpus/<target>/`.
#![allow(dead_code, clippy::unwrap_used, reason = "the encoders belong to tests, which use more of them")]

#[path = "../tests/it/osm/encode.rs"]
mod encode;
#[path = "../tests/it/osm/map.rs"]
mod map;
#[path = "../tests/it/fuzz/seeds.rs"]
mod seeds;

use std::path::Path;

const CATALOG: &str = r#"{"latest":"2026-10-21.0","links":[{"rel":"child","href":"./2026-10-21.0/catalog.json","title":"Latest"},
{"rel":"child","href":"./sub/catalog.json","title":"2026-08-19.0 Overture Release","latest":true}]}"#;

fn main() -> std::io::Result<()> {
    let all = [
        ("csv", seeds::csv()),
        ("geojson", seeds::geojson()),
        ("osm_pbf", seeds::osm_pbf()),
        ("osm_block", seeds::osm_block()),
        ("osm_xml", seeds::osm_xml()),
        ("osm_bz2", seeds::osm_bz2()),
        ("foursquare", seeds::foursquare()),
        ("dataset", seeds::dataset()),
        ("manifest", seeds::manifest()),
        ("catalog", vec![CATALOG.into()]),
        ("collections", seeds::foursquare()),
    ];
    for (target, files) in all {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(target);
        std::fs::create_dir_all(&folder)?;
        for (number, bytes) in files.iter().enumerate() {
            std::fs::write(folder.join(number.to_string()), bytes)?;
        }
    }
    Ok(())
}
