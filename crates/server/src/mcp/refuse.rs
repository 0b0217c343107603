//! Errors outside of tools: an HTTP status, and a JSON-RPC error that says what to do.

use std::sync::Arc;

use axum::body::{Body, to_bytes};
use axum::response::{IntoResponse, Response};
use http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use http::{HeaderValue, StatusCode};
use rmcp::model::{ErrorCode, ErrorData, RequestId};
use serde_json::json;

use crate::edge::Problem;

/// Bytes of a protocol library's error that are read; they are single sentences.
const SENTENCE_BYTES_MAX: usize = 4 * 1024;

/// 400 with a JSON-RPC error.
pub(super) fn bad_request(id: Option<RequestId>, error: ErrorData) -> Response {
    with_error(StatusCode::BAD_REQUEST.into_response(), id, error)
}

/// Gives every error response a JSON-RPC body, whoever raised it. Other responses pass unchanged.
pub(super) async fn in_json(mut response: Response, id: Option<RequestId>) -> Response {
    if let Some(problem) = response.extensions_mut().remove::<Arc<Problem>>() {
        return with_error(response, id, of_problem(&problem));
    }
    let status = response.status();
    let kind = response.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    if !(status.is_client_error() || status.is_server_error()) || kind.contains("json") {
        return response;
    }
    let (parts, body) = response.into_parts();
    let said = to_bytes(body, SENTENCE_BYTES_MAX).await.unwrap_or_default();
    let (status, error) = of_library(status, String::from_utf8_lossy(&said).into_owned());
    let mut response = Response::from_parts(parts, Body::empty());
    *response.status_mut() = status;
    with_error(response, id, error)
}

fn of_problem(problem: &Problem) -> ErrorData {
    let code = if problem.status.is_server_error() { ErrorCode::INTERNAL_ERROR } else { ErrorCode::INVALID_REQUEST };
    let data = json!({"status": problem.status.as_u16(), "code": problem.code, "detail": problem.detail});
    ErrorData::new(code, problem.detail.clone(), Some(data))
}

/// The library answers 415 to a message that it cannot parse; it is a bad request.
fn of_library(status: StatusCode, said: String) -> (StatusCode, ErrorData) {
    if status == StatusCode::UNSUPPORTED_MEDIA_TYPE {
        let why = "the body is not a JSON-RPC 2.0 message of this protocol";
        return (StatusCode::BAD_REQUEST, ErrorData::invalid_request(why, None));
    }
    if status.is_server_error() {
        tracing::error!("the connector failed a request: {said}");
        return (status, ErrorData::internal_error(Problem::internal().detail, None));
    }
    (status, ErrorData::invalid_request(said, None))
}

fn with_error(mut response: Response, id: Option<RequestId>, error: ErrorData) -> Response {
    // An unknown id is `null`: some clients ignore errors without an id.
    let body = json!({"jsonrpc": "2.0", "id": id, "error": error}).to_string();
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response.headers_mut().remove(CONTENT_LENGTH);
    *response.body_mut() = Body::from(body);
    response
}
