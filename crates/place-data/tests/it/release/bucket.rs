//! A small S3 server: listing and ranges of files in a folder, with a record of what it was asked.

use std::fmt::Write;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, Method, StatusCode, Uri, header};
use axum::response::Response;

/// A running server. It stops when it is dropped.
pub(crate) struct Bucket {
    pub(crate) endpoint: String,
    asked: Arc<Mutex<Vec<String>>>,
    task: tokio::task::JoinHandle<()>,
}

#[derive(Clone)]
struct Files {
    root: PathBuf,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Bucket {
    /// Serves a folder: its folders are buckets, or plain folders of a web server.
    pub(crate) async fn serve(root: PathBuf) -> Bucket {
        let asked: Arc<Mutex<Vec<String>>> = Arc::default();
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let endpoint = format!("http://{}", listener.local_addr().expect("an address"));
        let router = Router::new().fallback(answer).with_state(Files { root, asked: asked.clone() });
        let task = tokio::spawn(async move { axum::serve(listener, router).await.expect("a server") });
        Bucket { endpoint, asked, task }
    }

    /// What was asked since the last call.
    pub(crate) fn asked(&self) -> Vec<String> {
        std::mem::take(&mut self.asked.lock().expect("no panic"))
    }
}

impl Drop for Bucket {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn answer(State(files): State<Files>, method: Method, uri: Uri, headers: HeaderMap) -> Response {
    let path = uri.path().replace("%3D", "=");
    files.asked.lock().expect("no panic").push(format!("{method} {}", path.rsplit('/').next().unwrap_or_default()));
    let wanted = files.root.join(path.trim_start_matches('/'));
    let query = uri.query().unwrap_or_default();
    if query.contains("list-type=2") {
        return list(&wanted, query);
    }
    let range = headers.get(header::RANGE).and_then(|range| range.to_str().ok());
    match std::fs::read(wanted) {
        Ok(bytes) if method == Method::GET || method == Method::HEAD => part(bytes, range),
        Ok(_) => plain(StatusCode::METHOD_NOT_ALLOWED),
        Err(_) => plain(StatusCode::NOT_FOUND),
    }
}

fn plain(status: StatusCode) -> Response {
    Response::builder().status(status).body(Body::empty()).expect("a response")
}

fn part(bytes: Vec<u8>, range: Option<&str>) -> Response {
    let size = bytes.len();
    let modified = "Wed, 21 Oct 2026 07:28:00 GMT";
    let response = Response::builder().header(header::LAST_MODIFIED, modified).header(header::ETAG, "\"1\"");
    let Some(range) = range.and_then(|range| range.strip_prefix("bytes=")) else {
        return response.body(Body::from(bytes)).expect("a response");
    };
    let (first, last) = range.split_once('-').expect("a range");
    let (first, last) = match first {
        "" => (size.saturating_sub(last.parse().expect("a number")), size - 1),
        first => (first.parse().expect("a number"), last.parse::<usize>().map_or(size - 1, |last| last.min(size - 1))),
    };
    response
        .status(StatusCode::PARTIAL_CONTENT)
        .header(header::CONTENT_RANGE, format!("bytes {first}-{last}/{size}"))
        .body(Body::from(bytes[first..=last].to_vec()))
        .expect("a response")
}

fn list(bucket: &std::path::Path, query: &str) -> Response {
    let value = |key: &str| query.split('&').find_map(|pair| pair.strip_prefix(key)?.strip_prefix('='));
    let prefix = value("prefix").unwrap_or_default().replace("%2F", "/").replace("%3D", "=");
    let mut text = String::from("<ListBucketResult><IsTruncated>false</IsTruncated>");
    let mut folders: Vec<String> = Vec::new();
    for (name, size) in below(bucket) {
        let Some(rest) = name.strip_prefix(&prefix) else { continue };
        match rest.split_once('/').filter(|_| value("delimiter").is_some()) {
            Some((folder, _)) => folders.push(format!("{prefix}{folder}/")),
            None => write!(
                text,
                "<Contents><Key>{name}</Key><Size>{size}</Size><LastModified>2026-10-21T07:28:00.000Z</LastModified><ETag>1</ETag></Contents>"
            )
            .expect("text"),
        }
    }
    folders.dedup();
    for folder in folders {
        write!(text, "<CommonPrefixes><Prefix>{folder}</Prefix></CommonPrefixes>").expect("text");
    }
    Response::new(Body::from(text + "</ListBucketResult>"))
}

fn below(folder: &std::path::Path) -> Vec<(String, u64)> {
    let (mut found, mut waiting) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(next) = waiting.pop() {
        for entry in std::fs::read_dir(next).into_iter().flatten().flatten() {
            let path = entry.path();
            match entry.metadata() {
                Ok(data) if data.is_file() => {
                    let name = path.strip_prefix(folder).expect("below").to_str().expect("text").to_owned();
                    found.push((name, data.len()));
                }
                _ => waiting.push(path),
            }
        }
    }
    found.sort();
    found
}
