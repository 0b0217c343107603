//! Without a connection, what was kept is used, and the rest says what is missing.

use std::time::{Duration, Instant};

use place_data::{Error, Overture, OvertureSettings};

use super::world::{RELEASE, World, dentists_of_austin};

#[tokio::test]
async fn a_release_that_was_opened_once_is_known_without_a_connection() {
    let world = World::new();
    let (server, settings) = world.published().await;
    Overture::new(settings.clone()).unwrap().latest().await.unwrap().1.find(&dentists_of_austin(), None).await.unwrap();
    drop(server);
    world.age_the_catalog(&settings);
    let overture = Overture::new(settings).unwrap();
    let (release, dataset) = overture.latest().await.unwrap();
    assert_eq!(release, RELEASE);
    let status = overture.status();
    assert!(status.offline.is_some() && status.age.unwrap() > Duration::from_secs(3_600), "{status:?}");
    // The places themselves were not kept.
    let error = dataset.find(&dentists_of_austin(), None).await.unwrap_err();
    assert!(matches!(error, Error::Unreachable { .. }), "{error}");
    let text = error.to_string();
    assert!(text.contains("st.parquet") && text.contains("the places must be fetched"), "{text}");
}

#[tokio::test]
async fn a_damaged_cache_is_fetched_again() {
    let world = World::new();
    let (_server, settings) = world.published().await;
    let total = async |settings: &OvertureSettings| {
        let dataset = Overture::new(settings.clone()).unwrap().latest().await.unwrap().1;
        dataset.find(&dentists_of_austin(), None).await.unwrap().total
    };
    assert_eq!(total(&settings).await, world.dentists());
    assert!(world.damage_the_cache(&settings) >= 4);
    assert_eq!(total(&settings).await, world.dentists());
}

#[tokio::test]
async fn a_server_that_is_not_there_is_given_up_in_ten_seconds_with_a_sentence() {
    let settings = OvertureSettings {
        catalog: "http://127.0.0.1:9/catalog.json".into(),
        endpoint: Some("http://127.0.0.1:9".into()),
        ..OvertureSettings::default()
    };
    let began = Instant::now();
    let error = Overture::new(settings).unwrap().latest().await.unwrap_err().to_string();
    assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
    assert!(error.starts_with("http://127.0.0.1:9/catalog.json: cannot be fetched (Connection refused"), "{error}");
}
