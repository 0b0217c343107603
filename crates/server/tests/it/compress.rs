//! Compressed responses: who gets them, what stays plain, and that tags and lengths stay right.

use std::io::Read;

use flate2::read::GzDecoder;
use http::header::{ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_LENGTH, ETAG, IF_NONE_MATCH, VARY};
use http::{HeaderMap, Method, StatusCode};
use rstest::rstest;
use serde_json::json;

use crate::support::{On, TestApp};

/// A response whose body is not text.
struct Raw {
    status: StatusCode,
    headers: HeaderMap,
    bytes: Vec<u8>,
}

impl Raw {
    fn encoding(&self) -> Option<&str> {
        self.headers.get(CONTENT_ENCODING).map(|value| value.to_str().unwrap())
    }

    fn varies(&self) -> bool {
        let mut names = self.headers.get_all(VARY).iter().flat_map(|value| value.to_str().unwrap().split(','));
        names.any(|name| name.trim().eq_ignore_ascii_case("accept-encoding"))
    }

    fn text(&self) -> String {
        let mut text = String::new();
        match self.encoding() {
            Some("gzip") => GzDecoder::new(&self.bytes[..]).read_to_string(&mut text).map(drop).unwrap(),
            _ => text = String::from_utf8(self.bytes.clone()).unwrap(),
        }
        text
    }
}

/// A finished search with leads, and a way to ask about it.
struct Case {
    test: TestApp,
    key: String,
    id: String,
}

impl Case {
    async fn new(on: On) -> Case {
        let test = TestApp::new(on).await;
        let (_, key) = test.whole_account(1_000).await;
        let body = json!({"industry": "dentist", "location": "Austin, TX", "requested_count": 25});
        let id = test.start(&key, body).await;
        test.work().await;
        Case { test, key, id }
    }

    async fn ask(&self, method: Method, path: &str, headers: &[(http::HeaderName, &str)]) -> Raw {
        let mut request = self.test.request(method, &path.replace("{id}", &self.id)).header("X-API-Key", &self.key);
        for (name, value) in headers {
            request = request.header(name, *value);
        }
        let response = request.send().await.unwrap();
        let (status, headers) = (response.status(), response.headers().clone());
        Raw { status, headers, bytes: response.bytes().await.unwrap().to_vec() }
    }
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn json_and_csv_are_compressed_for_those_who_ask(#[case] on: On) {
    let case = Case::new(on).await;
    for path in ["/searches/{id}/leads", "/searches/{id}/export", "/searches/{id}/campaign-export?channel=crm"] {
        let plain = case.ask(Method::GET, path, &[]).await;
        assert_eq!((plain.status, plain.encoding(), plain.varies()), (StatusCode::OK, None, true), "{path}");
        for (accepted, used) in [
            ("gzip", "gzip"),
            ("gzip, deflate", "gzip"),
            ("br;q=0.1, gzip", "gzip"),
            ("*", "gzip"),
            ("br", "br"),
            ("gzip, deflate, br, zstd", "zstd"),
        ] {
            let small = case.ask(Method::GET, path, &[(ACCEPT_ENCODING, accepted)]).await;
            assert_eq!((small.status, small.encoding(), small.varies()), (StatusCode::OK, Some(used), true), "{path}");
            assert!(small.bytes.len() * 2 < plain.bytes.len(), "{path} {accepted}: {} bytes", small.bytes.len());
            assert_eq!(small.headers.get(ETAG), plain.headers.get(ETAG), "{path}");
            if used == "gzip" {
                assert_eq!(small.text(), plain.text(), "{path}");
            }
        }
        for accepted in ["identity", "deflate", "gzip;q=0", "identity;q=0", "*;q=0"] {
            let same = case.ask(Method::GET, path, &[(ACCEPT_ENCODING, accepted)]).await;
            assert_eq!((same.status, same.encoding()), (StatusCode::OK, None), "{path} {accepted}");
            assert_eq!(same.bytes, plain.bytes, "{path} {accepted}");
        }
    }
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn a_compressed_response_keeps_its_tag_and_its_head(#[case] on: On) {
    let case = Case::new(on).await;
    let gzip = (ACCEPT_ENCODING, "gzip");
    for path in ["/searches/{id}/leads", "/searches/{id}/export", "/searches/{id}"] {
        let whole = case.ask(Method::GET, path, std::slice::from_ref(&gzip)).await;
        let tag = whole.headers[ETAG].to_str().unwrap().to_owned();
        assert!(tag.starts_with("W/\""), "the bytes differ by encoding: {tag}");
        for tag in [tag.as_str(), tag.trim_start_matches("W/")] {
            for accepted in [&[gzip.clone(), (IF_NONE_MATCH, tag)][..], &[(IF_NONE_MATCH, tag)]] {
                let again = case.ask(Method::GET, path, accepted).await;
                assert_eq!((again.status, again.bytes.len()), (StatusCode::NOT_MODIFIED, 0), "{path} {tag}");
                assert!(again.varies() && again.headers.contains_key(ETAG), "{path}: {:?}", again.headers);
            }
        }
        let head = case.ask(Method::HEAD, path, std::slice::from_ref(&gzip)).await;
        assert_eq!((head.status, head.bytes.len()), (StatusCode::OK, 0), "{path}");
        assert_eq!((head.encoding(), head.headers.get(ETAG)), (whole.encoding(), whole.headers.get(ETAG)), "{path}");
        let length = head.headers.get(CONTENT_LENGTH).map(|length| length.to_str().unwrap().parse::<usize>().unwrap());
        assert!(length.is_none_or(|length| length == whole.bytes.len()), "{path}: {:?}", head.headers);
    }
}

/// Anyone may ask for these, so they are compressed once, not for each request.
#[tokio::test]
async fn what_anyone_may_ask_for_is_kept_compressed() {
    let case = Case::new(On::Sqlite).await;
    for path in ["/openapi.json", "/", "/app", "/docs", "/assets/style.css", "/docs/swagger-ui-bundle.js"] {
        let plain = case.ask(Method::GET, path, &[]).await;
        assert_eq!((plain.status, plain.encoding(), plain.varies()), (StatusCode::OK, None, true), "{path}");
        for accepted in ["gzip", "*", "gzip, deflate, br, zstd"] {
            let small = case.ask(Method::GET, path, &[(ACCEPT_ENCODING, accepted)]).await;
            assert_eq!((small.encoding(), small.varies()), (Some("gzip"), true), "{path} {accepted}");
            assert!(small.bytes.len() < plain.bytes.len() && small.text() == plain.text(), "{path} {accepted}");
        }
        for accepted in ["br", "gzip;q=0"] {
            let same = case.ask(Method::GET, path, &[(ACCEPT_ENCODING, accepted)]).await;
            assert_eq!((same.encoding(), same.bytes == plain.bytes), (None, true), "{path} {accepted}");
        }
    }
}

#[tokio::test]
async fn events_and_small_answers_stay_plain() {
    let case = Case::new(On::Sqlite).await;
    let all = (ACCEPT_ENCODING, "gzip, br, zstd");
    for path in ["/searches/{id}/events", "/me", "/searches/{id}/status", "/searches/nonsense"] {
        let answer = case.ask(Method::GET, path, std::slice::from_ref(&all)).await;
        assert_eq!(answer.encoding(), None, "{path}");
        assert!(!answer.text().is_empty(), "{path}");
    }
    let stream = case.ask(Method::GET, "/searches/{id}/events", &[all]).await;
    assert!(stream.text().ends_with("\n\n") && stream.text().contains("event: search_done\n"));
}
