//! Releases are found and read in folders, buckets and on web servers, and without a connection from what was kept.

mod addresses;
mod bucket;
mod offline;
mod world;

use place_data::{Error, Overture, OvertureSettings};
use world::{RELEASE, World};

async fn dentists(settings: OvertureSettings) -> Result<(String, u64), Error> {
    let overture = Overture::new(settings)?;
    let (release, dataset) = overture.latest().await?;
    let found = dataset.find(&world::dentists_of_austin(), None).await?;
    Ok((release, found.total))
}

fn at(places: impl std::fmt::Display) -> OvertureSettings {
    OvertureSettings { places: Some(places.to_string()), ..OvertureSettings::default() }
}

#[tokio::test]
async fn a_release_is_found_in_each_of_its_folders() {
    let world = World::new();
    let root = world.root().display().to_string();
    let bucket = format!("{root}/overturemaps-us-west-2");
    for below in ["", "/release", "/release/2026-10-21.0", "/release/2026-10-21.0/theme=places/type=place"] {
        let found = dentists(at(format!("{bucket}{below}"))).await.unwrap();
        assert_eq!(found, (RELEASE.to_owned(), world.dentists()), "{below}");
    }
    let pinned = OvertureSettings { release: Some("2026-09-23.1".into()), ..at(&bucket) };
    assert_eq!(dentists(pinned).await.unwrap(), ("2026-09-23.1".to_owned(), 1));
    let absent = OvertureSettings { release: Some("2020-01-01.0".into()), ..at(&bucket) };
    let error = dentists(absent).await.unwrap_err().to_string();
    assert!(error.contains("2020-01-01.0") && error.contains(RELEASE), "{error}");
}

#[tokio::test]
async fn any_folder_of_place_files_is_read_and_its_version_changes_with_the_files() {
    let world = World::new();
    let folder = world.plain_folder();
    let (version, total) = dentists(at(folder.display())).await.unwrap();
    assert_eq!(total, world.dentists());
    assert_eq!(dentists(at(folder.display())).await.unwrap().0, version);
    assert_eq!(dentists(at(folder.join("west.parquet").display())).await.unwrap().1, 1, "a single file");
    std::fs::remove_file(folder.join("west.parquet")).unwrap();
    let changed = dentists(at(folder.display())).await.unwrap();
    assert_ne!(changed.0, version);
    std::fs::write(folder.join("manifest.json"), r#"{"version": "v7", "files": [{"name": "east.parquet"}]}"#).unwrap();
    assert_eq!(dentists(at(folder.display())).await.unwrap().0, "v7");
}

#[tokio::test]
async fn the_catalog_names_the_release_and_only_files_in_reach_are_opened() {
    let world = World::new();
    let (server, settings) = world.published().await;
    assert_eq!(dentists(settings.clone()).await.unwrap(), (RELEASE.to_owned(), world.dentists()));
    let asked = server.asked();
    assert_eq!(asked[..2], ["GET catalog.json", "GET collections.parquet"], "{asked:?}");
    assert!(asked.iter().all(|request| !request.contains("far.parquet")), "{asked:?}");
    // Another process: footers, list and catalog are known.
    assert_eq!(dentists(settings).await.unwrap().1, world.dentists());
    let again = server.asked();
    assert!(again.len() < asked.len() - 3 && again.iter().all(|request| request.ends_with("st.parquet")), "{again:?}");
}

#[tokio::test]
async fn without_a_catalog_the_bucket_is_listed() {
    let world = World::new();
    world.remove("stac");
    let (_server, settings) = world.published().await;
    assert_eq!(dentists(settings).await.unwrap(), (RELEASE.to_owned(), world.dentists()));
}

#[tokio::test]
async fn a_mirror_on_a_plain_web_server_is_read_by_the_names_of_the_catalog() {
    let world = World::new();
    let (server, settings) = world.published().await;
    let places = format!("{}/overturemaps-us-west-2/release/{RELEASE}", server.endpoint);
    let mirror = OvertureSettings { places: Some(places), ..settings };
    assert_eq!(dentists(mirror).await.unwrap(), (RELEASE.to_owned(), world.dentists()));
}

#[tokio::test]
async fn a_search_goes_on_with_its_release_while_there_is_a_newer_one() {
    let world = World::new();
    let (_server, settings) = world.published().await;
    let overture = Overture::new(settings).unwrap();
    let old = overture.version("2026-09-23.1").await.unwrap();
    assert_eq!(old.find(&world::dentists_of_austin(), None).await.unwrap().total, 1);
    let releases = overture.releases().await.unwrap();
    let names: Vec<(&str, bool)> = releases.iter().map(|release| (release.name.as_str(), release.is_latest)).collect();
    assert_eq!(names, [(RELEASE, true), ("2026-09-23.1", false)]);
}
