//! What is told is what changed, no more and no less.

use canvass::db::sql;
use canvass::lead::packed::{pack_site, unpack_site};
use canvass::radar::{self, Which};
use rstest::rstest;
use serde_json::{Value, json};

use super::{
    A_DAY, A_WHILE, all_alerts, assert_true, business_ids, check_twice, grow_older, leads, told, truth, watch,
    watch_all,
};
use crate::support::{On, TestApp};

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn alerts_are_the_changes_of_the_world_no_more_and_no_fewer(#[case] on: On) {
    let test = TestApp::new(on).await;
    let (account, key) = test.whole_account(10_000).await;
    let restless = [("restaurant", 50), ("dentist", 30), ("hair salon", 40)];
    let mut watched = watch_all(&test, &key, "Changeville, Sandbox", &restless).await;
    watched.extend(watch_all(&test, &key, "Plainville, Sandbox", &[("restaurant", 70), ("plumber", 30)]).await);
    assert!(watched.len() >= 200, "{}", watched.len());
    let business_of = business_ids(&watched);

    let age = grow_older(&test.app, 2).await;
    check_twice(&test).await;
    let alerts = all_alerts(&test.app.db, account.id).await;
    let expected = truth(&test.app, business_of.values().cloned(), (0, age));
    assert!(expected.len() > 50, "{}", expected.len());
    assert_true(&told(&alerts, &business_of), &expected);

    for change in alerts.iter().flat_map(|alert| &alert.changes.0) {
        assert!(change.summary.ends_with('.') && change.evidence.url.starts_with("http"), "{change:?}");
    }
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_site_that_is_down_for_one_check_raises_nothing(#[case] on: On) {
    let test = TestApp::new(on).await;
    let (account, key) = test.whole_account(1_000).await;
    let delivered = leads(&test, &key, ("restaurant", 60), "Plainville, Sandbox").await;
    let world = test.app.sandbox.as_ref().unwrap().world.clone();
    let status = |lead: &Value, age: u32| {
        let id = lead["business_id"].as_str().unwrap().strip_prefix("sandbox:").unwrap().to_owned();
        world.truth(&world.business(&id).unwrap(), age).site_status
    };
    let down = |lead: &&Value| (1..40).find(|age| status(lead, 0) == "ok" && status(lead, *age) == "error");
    let (lead, age) = delivered.iter().find_map(|lead| Some((lead, down(&lead)?))).unwrap();
    let watched = watch(&test, &key, lead).await;
    let before = test.get("/radar/watches", &key).await.json();

    grow_older(&test.app, age).await;
    check_twice(&test).await;
    assert!(all_alerts(&test.app.db, account.id).await.is_empty());
    let watches = test.get("/radar/watches", &key).await.json();
    assert_eq!((&watches[0]["site_status"], &watches[0]["score"]), (&json!("error"), &before[0]["score"]));
    let path = format!("/radar/watch/{}/history", watched["id"].as_str().unwrap());
    let checks = test.get(&path, &key).await.json();
    assert_eq!((&checks[0]["complete"], &checks[0]["changes"]), (&json!(false), &json!([])), "{checks}");

    // Up again, it is held against what was known before it went down.
    let age = grow_older(&test.app, 1).await;
    check_twice(&test).await;
    let business_of = business_ids(std::slice::from_ref(lead));
    let alerts = all_alerts(&test.app.db, account.id).await;
    let expected = truth(&test.app, business_of.values().cloned(), (0, age));
    assert_true(&told(&alerts, &business_of), &expected);
    assert_eq!(test.get("/radar/watches", &key).await.json()[0]["site_status"], "ok");
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_pixel_that_vanishes_for_one_read_raises_nothing(#[case] on: On) {
    let test = TestApp::new(on).await;
    let (account, key) = test.whole_account(1_000).await;
    watch_all(&test, &key, "Flickertown, Sandbox", &[("restaurant", 30)]).await;
    // Pixels are there on the first read, missing on the second, there on the third.
    test.clock.advance_seconds(A_DAY);
    let first = radar::check_now(&test.app, Which::Due).await.unwrap();
    assert!(first.in_doubt > 5, "pixels were to be missing: {first:?}");
    assert_eq!(radar::check_now(&test.app, Which::Due).await.unwrap().checked, 0, "it is too soon for a second read");
    test.clock.advance_seconds(A_WHILE);
    let second = radar::check_now(&test.app, Which::Due).await.unwrap();
    assert_eq!((second.checked, second.in_doubt), (first.in_doubt, 0));
    // The same when somebody asks for every check now: the second read follows at once.
    let asked = radar::check_now(&test.app, Which::All).await.unwrap();
    assert_eq!((asked.alerts, asked.in_doubt), (0, 0), "{asked:?}");
    assert_eq!(all_alerts(&test.app.db, account.id).await, vec![]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_never_read_completely_is_learnt_before_anything_is_told() {
    let test = TestApp::new(On::Sqlite).await;
    let (account, key) = test.whole_account(1_000).await;
    let delivered = leads(&test, &key, ("restaurant", 10), "Changeville, Sandbox").await;
    let mut tx = test.app.db.begin().await.unwrap();
    let kept: Vec<(String, Vec<u8>)> = sql("select id, site from lead").all(&mut tx).await.unwrap();
    for (lead, site) in kept {
        let (facts, text) = unpack_site(&site).unwrap();
        let site = pack_site(&facts.replace("\"complete\":true", "\"complete\":false"), text.as_deref());
        sql("update lead set site = $2 where id = $1").bind(lead).bind(site).run(&mut tx).await.unwrap();
    }
    tx.commit().await.unwrap();
    for lead in &delivered {
        watch(&test, &key, lead).await;
    }
    let begun = grow_older(&test.app, 1).await;
    test.work().await;
    let watches = radar::list(&test.app.db, account.id).await.unwrap();
    assert!(watches.iter().all(|watch| watch.last_checked_at.is_some()), "it is not put off");
    assert_eq!(all_alerts(&test.app.db, account.id).await, vec![]);
    let age = grow_older(&test.app, 1).await;
    check_twice(&test).await;
    let business_of = business_ids(&delivered);
    let expected = truth(&test.app, business_of.values().cloned(), (begun, age));
    assert_true(&told(&all_alerts(&test.app.db, account.id).await, &business_of), &expected);
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn readers_that_see_more_than_those_before_them_tell_nothing_of_it(#[case] on: On) {
    let test = TestApp::new(on).await;
    let (account, key) = test.whole_account(1_000).await;
    let watched = watch_all(&test, &key, "Changeville, Sandbox", &[("restaurant", 20)]).await;
    // As if the last version had known no analytics, and weighed nothing by them.
    let empty = r#"{"values":{},"version":0,"at":"2026-11-15T00:00:00Z"}"#;
    let learnt: Vec<String> = canvass::radar::Field::ALL.iter().map(|f| format!("\"{}\":{empty}", f.name())).collect();
    let baseline = format!("{{\"fields\":{{{}}},\"pages\":null,\"complete\":true}}", learnt.join(","));
    let mut tx = test.app.db.begin().await.unwrap();
    let reset = sql("update watch set baseline = $1, score_told = 0, scored_with = 1").bind(baseline);
    reset.run(&mut tx).await.unwrap();
    tx.commit().await.unwrap();
    check_twice(&test).await;
    assert_eq!(all_alerts(&test.app.db, account.id).await, vec![]);

    let age = grow_older(&test.app, 1).await;
    check_twice(&test).await;
    let business_of = business_ids(&watched);
    let expected = truth(&test.app, business_of.values().cloned(), (0, age));
    assert!(!expected.is_empty());
    assert_true(&told(&all_alerts(&test.app.db, account.id).await, &business_of), &expected);
}
