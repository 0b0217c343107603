//! What a geocoder does when its server misbehaves, and that it never asks more often than it may.

use std::time::Duration;

use futures::future::join_all;
use map_providers::geocode::census::Census;
use map_providers::geocode::nominatim::{self, Nominatim};
use map_providers::geocode::photon::Photon;
use map_providers::geocode::{AddressQuery, Geocoder};
use map_providers::{CallError, ProviderError};
use rehearsal::nominatim::{Fault, Options, Rehearsal};
use sandbox::World;

use super::gateways::{AGENT, Direct, plain, served};
use super::town::{SEED, typed};

const BASE: &str = "http://geocoder.test";

fn query() -> AddressQuery {
    typed(&World::new(SEED), "Hamletville, Sandbox", 1).remove(0).query
}

fn with_fault(fault: Fault) -> Rehearsal {
    Rehearsal::new(World::new(SEED), Options { faults: vec![(0..1, fault)], ..Options::default() })
}

/// Every geocoder of a server at this address.
fn geocoders(base: &str) -> Vec<Box<dyn Geocoder>> {
    vec![
        Box::new(Nominatim::new(base, AGENT).expect("an address")),
        Box::new(Photon::new(base, AGENT).expect("an address")),
        Box::new(Census::new(base, AGENT).expect("an address")),
    ]
}

fn is_transient(error: &ProviderError, wait_secs: Option<u64>) -> bool {
    matches!(error, ProviderError::Transient { after, .. } if *after == wait_secs.map(Duration::from_secs))
}

#[tokio::test]
async fn each_fault_is_told_apart_and_the_next_request_works() {
    let query = query();
    for number in 0..geocoders(BASE).len() {
        for (fault, after) in [
            (Fault::OverLimit { retry_after_secs: Some(30) }, Some(30)),
            (Fault::OverLimit { retry_after_secs: None }, None),
            (Fault::Outage, None),
            (Fault::Html, None),
        ] {
            let base = served(with_fault(fault.clone()).router()).await;
            let geocoder = geocoders(&base).remove(number);
            let error = geocoder.find(&plain(), &query).await.expect_err(geocoder.name());
            assert!(is_transient(&error, after), "{} {fault:?}: {error:?}", geocoder.name());
            assert!(!error.to_string().contains(&base), "{error}");
            assert!(geocoder.find(&plain(), &query).await.unwrap().is_some(), "{}", geocoder.name());
        }
        for fault in [Fault::WrongTypes, Fault::OtherTown] {
            let base = served(with_fault(fault.clone()).router()).await;
            let geocoder = geocoders(&base).remove(number);
            assert_eq!(geocoder.find(&plain(), &query).await, Ok(None), "{} {fault:?}", geocoder.name());
        }
        let base = served(with_fault(Fault::Huge(2 * 1024 * 1024)).router()).await;
        let geocoder = geocoders(&base).remove(number);
        let error = geocoder.find(&plain(), &query).await.expect_err(geocoder.name());
        assert!(matches!(error, ProviderError::Call(CallError::TooLarge(_))), "{error:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_slow_answer_is_waited_for_but_not_forever() {
    let query = query();
    for (pause, is_answered) in [(10, true), (60, false)] {
        let gateway = Direct::to(with_fault(Fault::Slow(Duration::from_secs(pause))).router());
        let found = Nominatim::new(BASE, AGENT).unwrap().find(&gateway, &query).await;
        assert_eq!(found.is_ok(), is_answered, "{found:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn nominatim_is_never_asked_more_than_once_a_second() {
    let options = Options { interval_min: Some(Duration::from_secs(1)), ..Options::default() };
    let rehearsal = Rehearsal::new(World::new(SEED), options);
    let gateway = Direct::to(rehearsal.router());
    let geocoder = Nominatim::new(BASE, AGENT).unwrap();
    let queries: Vec<AddressQuery> =
        typed(&World::new(SEED), "Hamletville, Sandbox", 20).into_iter().map(|typed| typed.query).collect();
    let found = join_all(queries.iter().map(|query| geocoder.find(&gateway, query))).await;
    assert!(found.iter().all(|found| matches!(found, Ok(Some(_)))), "{found:?}");
    let log = rehearsal.log();
    assert!(log.len() > 5);
    let apart = log.windows(2).map(|pair| pair[1].started - pair[0].started).min().unwrap();
    assert!(apart >= nominatim::PACE.interval, "{apart:?}");
    assert!(log.windows(2).all(|pair| pair[0].ended.is_some_and(|ended| ended <= pair[1].started)));
    // Without a pace it is refused.
    let hasty = Nominatim::new(BASE, AGENT)
        .unwrap()
        .with_pace(map_providers::Pace { interval: Duration::ZERO, concurrent_max: 1 });
    let refused = hasty.find(&gateway, &queries[0]).await;
    assert!(matches!(refused, Err(ProviderError::Transient { .. })), "{refused:?}");
}

#[tokio::test]
async fn what_nobody_knows_is_no_answer_and_set_ups_can_be_tried() {
    let base = served(Rehearsal::new(World::new(SEED), Options::default()).router()).await;
    for geocoder in geocoders(&base) {
        let nowhere = AddressQuery { street: "Nowhere St".into(), ..query() };
        assert_eq!(geocoder.find(&plain(), &nowhere).await, Ok(None), "{}", geocoder.name());
        assert!(geocoder.check(&plain()).await.is_ok(), "{}", geocoder.name());
    }
    for geocoder in geocoders("http://127.0.0.1:1") {
        let error = geocoder.check(&plain()).await.expect_err("nothing listens there");
        assert!(matches!(error, ProviderError::Call(CallError::Unreachable(_))), "{error:?}");
    }
}
