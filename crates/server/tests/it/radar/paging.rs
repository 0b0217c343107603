//! The feed of alerts, read page by page while it grows.

use std::collections::BTreeSet;

use canvass::App;
use canvass::clock::Moment;
use canvass::radar::{self, Feed, Raised};
use rstest::rstest;
use serde_json::Value;
use tokio::sync::watch;

use super::{all_alerts, leads, watch};
use crate::support::{On, TestApp};

/// Alerts in the feed when paging begins, and those that come meanwhile, from several writers.
const ALERTS_BEFORE: usize = 4_000;
const WRITERS: usize = 8;
const ALERTS_EACH: usize = 125;
const ALERTS_ALL: usize = ALERTS_BEFORE + WRITERS * ALERTS_EACH;

/// Tells so many things in one transaction.
async fn tell(app: &App, watch: &radar::Watch, count: usize) {
    let mut tx = app.db.begin().await.unwrap();
    for _ in 0..count {
        radar::raise(app, &mut tx, watch, Raised { changes: &[], score: 50 }).await.unwrap();
    }
    tx.commit().await.unwrap();
}

/// Pages through the feed as `page` gives it, until everything was seen; waits for news when there are none.
async fn page_through(news: &watch::Receiver<()>, page: impl AsyncFn(&str) -> Vec<(String, String)>) -> Vec<String> {
    let (mut news, mut ids, mut since) = (news.clone(), Vec::new(), "1970-01-01T00:00:00.000000+00:00".to_owned());
    while ids.len() < ALERTS_ALL {
        news.mark_unchanged();
        let alerts = page(&since).await;
        if alerts.is_empty() {
            news.changed().await.unwrap();
        }
        for (id, created_at) in alerts {
            assert!(created_at > since, "{created_at} comes after {since}");
            since = created_at;
            ids.push(id);
        }
    }
    ids
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn paging_through_five_thousand_alerts_loses_and_repeats_nothing(#[case] on: On) {
    let test = TestApp::new(on).await;
    let (account, key) = test.whole_account(100).await;
    let lead = leads(&test, &key, ("restaurant", 1), "Plainville, Sandbox").await.remove(0);
    watch(&test, &key, &lead).await;
    let watch = radar::list(&test.app.db, account.id).await.unwrap().remove(0);
    for _ in 0..ALERTS_BEFORE / 200 {
        tell(&test.app, &watch, 200).await;
    }
    let (ring, news) = watch::channel(());
    // The clock stands still: all of them write in the same microsecond.
    let writing = (0..WRITERS).map(|_| {
        let (app, watch, ring) = (test.app.clone(), watch.clone(), ring.clone());
        tokio::spawn(async move {
            for _ in 0..ALERTS_EACH {
                tell(&app, &watch, 1).await;
                ring.send_replace(());
            }
        })
    });
    let writing: Vec<_> = writing.collect();
    let one = async |since: &str| {
        let feed = Feed { since: Moment::parse(since), limit: 1 };
        let alerts = radar::alerts(&test.app.db, account.id, feed).await.unwrap();
        alerts.iter().map(|alert| (alert.id.to_string(), alert.created_at.to_string())).collect()
    };
    let many = async |since: &str| {
        let page = test.get(&format!("/radar/alerts?limit=200&since={since}"), &key).await.json();
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        page.as_array().unwrap().iter().map(|alert| (text(&alert["id"]), text(&alert["created_at"]))).collect()
    };
    let (ones, pages, again) =
        tokio::join!(page_through(&news, one), page_through(&news, many), page_through(&news, many));
    for writer in writing {
        writer.await.unwrap();
    }
    let everything: Vec<String> =
        all_alerts(&test.app.db, account.id).await.iter().map(|alert| alert.id.to_string()).collect();
    assert_eq!(everything.iter().collect::<BTreeSet<_>>().len(), ALERTS_ALL);
    assert!(ones == everything && pages == everything && again == everything);
}
