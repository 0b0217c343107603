//! Looking through leads of which more have a word than are looked at closely.

use canvass::lead::look_up;
use rstest::rstest;
use serde_json::json;

use crate::support::{More, On, TestApp};

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn leads_are_found_by_words_that_most_of_them_have(#[case] on: On) {
    let test = TestApp::with(on, |settings| settings.read_websites = false, More::default()).await;
    let (account, key) = test.whole_account(1_200).await;
    let wish = json!({"industry": "restaurant", "location": "Crowdville, Sandbox", "requested_count": 1_200});
    test.start(&key, wish).await;
    test.work().await;
    for question in ["crowdville restaurant", "restaurant crowdville", "crowdvil restau", "crowdville restau"] {
        let found = look_up(&test.app, account.id, question, 20).await.unwrap();
        assert_eq!(found.hits.len(), 20, "{question}");
        for hit in &found.hits {
            assert_eq!((hit.lead.industry.as_str(), hit.lead.city.as_deref()), ("Restaurant", Some("Crowdville")));
        }
        assert!(found.notes.iter().any(|note| note.starts_with("More than 20 leads match")), "{:?}", found.notes);
    }
    let found = look_up(&test.app, account.id, "crowdville restaurant bistro", 1_000).await.unwrap();
    let named = |name: &str| name.to_lowercase().contains("bistro");
    assert!(found.hits.iter().any(|hit| named(&hit.lead.business_name)), "one word is rare");
    assert!(look_up(&test.app, account.id, "crowdville dentist", 20).await.unwrap().hits.is_empty());
}
