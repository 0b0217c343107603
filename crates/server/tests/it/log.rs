//! The log: readable by people or machines, naming who called, and without a single secret in it.

use http::Method;
use rstest::rstest;

use crate::support::{Binary, client, send};

#[rstest]
#[case::text("text")]
#[case::json("json")]
#[tokio::test]
async fn no_key_reaches_the_log_in_any_form(#[case] format: &str) {
    let binary = Binary::new().set("CANVASS_LOG", "trace").set("CANVASS_LOG_FORMAT", format);
    let served = binary.serve();
    let (base, key) = (served.base().to_owned(), served.key().to_owned());
    let (random, check) = (&key[8..40], &key[40..]);
    let coded: String = key.bytes().map(|byte| format!("%{byte:02X}")).collect();
    let wrong = format!("cv_live_{}{check}", random.chars().rev().collect::<String>());
    let http = client();
    for shown in [&key, &wrong] {
        let get = |path: String| http.request(Method::GET, format!("{base}{path}"));
        send(get("/me".into()).header("X-API-Key", shown)).await;
        send(get("/me".into()).header("X-API-Key", format!("x{shown}"))).await;
        send(get("/me".into()).header("X-Request-Id", shown)).await;
        send(get("/me".into()).header("Authorization", format!("Bearer {shown}"))).await;
        send(get("/me".into()).header("User-Agent", shown).header("Referer", format!("http://x/?k={shown}"))).await;
        send(get(format!("/me?api_key={shown}"))).await;
        send(get(format!("/me?api_key={shown}&limit=x&{shown}=1"))).await;
        send(get(format!("/credits?before={shown}")).header("X-API-Key", &key)).await;
        send(get(format!("/mcp/{shown}"))).await;
        let session = format!("__Host-canvass_session=cv_sess_{random}{}", &random[..11]);
        send(get("/me".into()).header("Cookie", session)).await;
        send(get(format!("/.well-known/oauth-protected-resource/mcp/{shown}"))).await;
        send(http.request(Method::POST, format!("{base}/mcp/{shown}")).json(&serde_json::json!({ "key": shown })))
            .await;
    }
    send(http.request(Method::GET, format!("{base}/me?api_key={coded}"))).await;
    send(http.request(Method::GET, format!("{base}/mcp/{coded}"))).await;
    send(http.request(Method::GET, format!("{base}/me?api_key={}", key.replace('_', "%5f")))).await;

    let (_, log) = served.stop();
    assert!(log.contains("/me gave 200"), "the log is there: {log}");
    let named = log.lines().any(|line| line.contains("/me gave 200") && line.contains("key 0"));
    assert!(named, "it says by its id which key was used: {log}");
    if format == "json" {
        for line in log.lines() {
            let event: serde_json::Value = serde_json::from_str(line).unwrap_or_else(|_| panic!("not JSON: {line}"));
            assert!(event["level"].is_string() && event["timestamp"].is_string(), "{line}");
        }
    }
    let coded_random: String = random.bytes().map(|byte| format!("%{byte:02X}")).collect();
    let reversed: String = random.chars().rev().collect();
    for secret in [random, &coded_random, &reversed] {
        assert!(
            !log.contains(secret),
            "a key is in the log: {}",
            log.lines().find(|line| line.contains(secret)).unwrap()
        );
    }
}
