//! Nothing is guessed in silence: what a request was taken to mean, where it is not exactly what it says.

use canvass::plan::Tier;
use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{Binary, Mcp, On, TestApp};

fn notes(answer: &Value) -> Vec<String> {
    let notes = answer["notes"].as_array().unwrap_or_else(|| panic!("no notes in {answer}"));
    notes.iter().map(|note| note.as_str().unwrap().to_owned()).collect()
}

/// What a quote says about a request, given as query parameters.
async fn quoted(test: &TestApp, key: &str, request: &Value) -> Vec<String> {
    let mut query = url::form_urlencoded::Serializer::new(String::new());
    for (name, value) in request.as_object().unwrap() {
        let inner = value.as_object().map(|inner| inner.iter().collect::<Vec<_>>());
        for (name, value) in inner.unwrap_or_else(|| vec![(name, value)]) {
            query.append_pair(name, value.as_str().unwrap_or(&value.to_string()));
        }
    }
    notes(&test.get(&format!("/search/quote?{}", query.finish()), key).await.json())
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn the_start_the_quote_and_the_search_say_what_was_guessed(#[case] on: On) {
    let test = TestApp::new(on).await;
    let (_, key) = test.whole_account(2_000).await;
    let address = "1100 Congress Ave, Austin, TX 78701";
    let cases = [
        (json!({"industry": "dentst", "location": "Austin, TX"}), "The industry \"dentst\" was read as Dentist."),
        (json!({"industry": "dentist", "location": address, "radius_miles": 2}), "around the centre of the ZIP code"),
        (json!({"industry": "dentist", "location": address}), "the search covers 78701 Austin, TX as a whole."),
        (json!({"industry": "dentist", "location": "Springfield"}), "could also mean Springfield, MA"),
        (json!({"industry": "dentist", "location": "downtown Austin, TX"}), "\"downtown\" was ignored"),
        (json!({"industry": "dentist", "location": "Austin, CA 78701"}), "78701 is not in California"),
        (
            json!({"industry": "dentist", "location": "Austin, TX", "radius_miles": 5, "scope": "state"}),
            "The scope state was ignored, as a radius was given too: the search covers 5 miles around Austin, TX.",
        ),
        (json!({"industry": "dentist", "location": "30.2672, -97.7431"}), "lies in Austin, TX, which is searched"),
        (json!({"industry": "dentist", "location": "Plainville, Sandbox", "scope": "state"}), "makes no difference"),
        (
            json!({"industry": "dentist", "location": "Austin, TX", "filters": {"has_email": false}}),
            "The filter has_email=false leaves nothing out.",
        ),
        (json!({"industry": "dentist", "location": "Austin, TX", "notify": true}), "No mail server is set up here"),
    ];
    for (body, said) in cases {
        let started = test.post("/search/start", &key, &body).await.json();
        let told = notes(&started);
        assert!(told.len() == 1 && told[0].contains(said), "{body}: {told:?}");
        assert!(told[0].ends_with('.'), "{told:?}");
        let id = started["search_id"].as_str().unwrap();
        assert_eq!(notes(&test.search(&key, id).await["coverage"]), told, "{body}");
        assert_eq!(quoted(&test, &key, &body).await, told, "{body}");
        test.post(&format!("/searches/{id}/stop"), &key, &json!({})).await;
    }
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn an_exact_request_has_no_notes(#[case] on: On) {
    let test = TestApp::new(on).await;
    let (_, key) = test.whole_account(2_000).await;
    for body in [
        json!({"industry": "dentist", "location": "Austin, TX"}),
        json!({"industry": "Nail salons", "location": "78701", "requested_count": 2_000}),
        json!({"industry": "plumber", "location": "Texas", "scope": "state", "filters": {"has_email": true}}),
        json!({"industry": "plumber", "location": "30.2672, -97.7431", "radius_miles": 3}),
        json!({"industry": "plumber", "location": "geo:30.2672,-97.7431;u=10", "scope": "county"}),
    ] {
        let started = test.post("/search/start", &key, &body).await.json();
        assert_eq!(notes(&started), Vec::<String>::new(), "{body}");
        assert_eq!(quoted(&test, &key, &body).await, Vec::<String>::new(), "{body}");
        let id = started["search_id"].as_str().unwrap();
        test.post(&format!("/searches/{id}/stop"), &key, &json!({})).await;
    }
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn a_count_that_was_lowered_says_so_and_why(#[case] on: On) {
    let test = TestApp::new(on).await;
    let (_, rich) = test.account(Tier::Growth, 2_000).await;
    let (_, poor) = test.account(Tier::Growth, 9).await;
    let (_, broke) = test.account(Tier::Growth, 0).await;
    let asked = |count: i64| json!({"industry": "dentist", "location": "Austin, TX", "requested_count": count});
    let by_plan = "The count was lowered from 2500 to 500, the most per search on the growth plan.";
    let by_balance = "The count was lowered from 2500 to 9, the credits that are left.";
    for (key, count, said) in
        [(&rich, 2_500, Some(by_plan)), (&rich, 500, None), (&poor, 2_500, Some(by_balance)), (&poor, 9, None)]
    {
        let expected: Vec<String> = said.map(str::to_owned).into_iter().collect();
        assert_eq!(quoted(&test, key, &asked(count)).await, expected, "{count}");
        let started = test.post("/search/start", key, &asked(count)).await.json();
        assert_eq!(notes(&started), expected, "{count}");
        let id = started["search_id"].as_str().unwrap();
        test.post(&format!("/searches/{id}/stop"), key, &json!({})).await;
    }
    let unsaid = json!({"industry": "dentist", "location": "Austin, TX"});
    let note = "The count was lowered from 25 to 9, the credits that are left.";
    assert_eq!(quoted(&test, &poor, &unsaid).await, [note], "the default counts as asked for");
    assert_eq!(
        quoted(&test, &broke, &unsaid).await,
        ["There are no credits left, so this search could not start now."]
    );
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn an_assistant_is_told_and_asked_to_pass_it_on(#[case] on: On) {
    let test = TestApp::new(on).await;
    let (_, key) = test.whole_account(20).await;
    let _worker = test.worker();
    let mcp = Mcp::new(&test, &key);
    let wish = json!({"industry": "plumer", "location": "Springfield", "requested_count": 50});
    let started = mcp.call("start_search", wish).await;
    let told = notes(&started);
    assert_eq!(told.len(), 3, "{told:?}");
    assert_eq!(told[0], "The industry \"plumer\" was read as Plumber.");
    assert!(told[1].contains("Springfield, MO") && told[2].contains("from 50 to 20"), "{told:?}");
    assert!(started["next_step"].as_str().unwrap().contains("Tell the user what notes says"), "{started}");
    let id = started["search_id"].as_str().unwrap();
    let ended = mcp.call("wait_for_search", json!({"search_id": id, "timeout_seconds": 45})).await;
    assert_eq!(notes(&ended), told, "{ended}");
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn looking_through_leads_says_what_was_left_out(#[case] on: On) {
    let test = TestApp::new(on).await;
    let (_, key) = test.whole_account(100).await;
    test.start(&key, json!({"industry": "dentist", "location": "Plainville, Sandbox", "requested_count": 30})).await;
    test.work().await;
    let mcp = Mcp::new(&test, &key);
    let many = mcp.call("search", json!({"query": "dentist"})).await;
    assert_eq!(notes(&many), ["More than 20 leads match; add a word to narrow it down."]);
    assert_eq!(notes(&mcp.call("search", json!({"query": "nobody is called that"})).await), Vec::<String>::new());
    let long = mcp.call("search", json!({"query": "a b c d e f g h dental care"})).await;
    assert_eq!(notes(&long), ["Only the first 8 words were looked for; these were ignored: dental care."]);
}

#[test]
fn find_prints_what_was_guessed() {
    let binary = Binary::new();
    let output = binary.run(&["find", "dentst", "30.2672, -97.7431", "-n", "2"]);
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.contains("The industry \"dentst\" was read as Dentist."), "{said}");
    assert!(said.contains("30.2672, -97.7431 lies in Austin, TX"), "{said}");
    let output = binary.run(&["find", "dentist", "95, 20", "-n", "2"]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("the latitude 95 is out of range"), "{said}");
}
