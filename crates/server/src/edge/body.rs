//! JSON bodies: those of requests are read, bounded, of the right type, an object; those of responses are written.

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{FromRequest, Request};
use axum::response::{IntoResponse, Response};
use http::header::CONTENT_TYPE;
use http::{HeaderValue, StatusCode};
use serde::Serialize;
use serde_json::{Map, Value};

use super::fields::Fields;
use super::problem::Problem;
use super::upload::UploadError;
use crate::limits::BODY_BYTES_MAX;

/// The fields of a JSON body. No body at all counts as an empty object.
#[derive(Debug)]
pub struct JsonBody(pub Fields);

impl<S: Sync> FromRequest<S> for JsonBody {
    type Rejection = Problem;

    async fn from_request(request: Request, _: &S) -> Result<Self, Problem> {
        let declared = request.headers().get(CONTENT_TYPE).cloned();
        let bytes = read(request.into_body()).await?;
        if bytes.trim_ascii().is_empty() {
            return Ok(JsonBody(Fields::of_json(Map::new())));
        }
        if !declared.as_ref().and_then(|value| value.to_str().ok()).is_some_and(is_json) {
            let detail = "the body must be JSON; send it with Content-Type: application/json";
            return Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "not_json", detail));
        }
        match serde_json::from_slice(&bytes) {
            Ok(Value::Object(values)) => Ok(JsonBody(Fields::of_json(values))),
            Ok(other) => Err(not_an_object(&other)),
            Err(error) => Err(Problem::bad_request("malformed_json", format!("the body is not valid JSON: {error}"))),
        }
    }
}

fn not_an_object(body: &Value) -> Problem {
    let kind = match body {
        Value::Array(_) => "an array",
        Value::String(_) => "a string",
        Value::Number(_) => "a number",
        Value::Bool(_) => "true or false",
        Value::Null | Value::Object(_) => "null",
    };
    let detail = format!("the body must be a JSON object with the fields in braces, but it is {kind}");
    Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "not_an_object", detail)
}

/// A response in JSON. As axum's, but written into a plain vector, not piece by piece into a `BytesMut`.
#[derive(Clone, Copy, Debug)]
pub struct Json<T>(pub T);

impl<T: Serialize> IntoResponse for Json<T> {
    fn into_response(self) -> Response {
        match serde_json::to_vec(&self.0) {
            Ok(body) => ([(CONTENT_TYPE, HeaderValue::from_static("application/json"))], body).into_response(),
            Err(_) => Problem::internal().into_response(),
        }
    }
}

/// Reads a body, at most [`BODY_BYTES_MAX`] of it.
pub async fn read(body: Body) -> Result<Bytes, Problem> {
    to_bytes(body, BODY_BYTES_MAX).await.map_err(|error| {
        let mut cause: Option<&dyn std::error::Error> = Some(&error);
        while let Some(inner) = cause {
            if inner.is::<http_body_util::LengthLimitError>() {
                return Problem::too_large();
            }
            match inner.downcast_ref::<UploadError>() {
                Some(UploadError::TooSlow) => return Problem::too_slow(),
                Some(UploadError::OverBudget) => {
                    return Problem::unavailable("too many request bodies are being received; try again in a moment");
                }
                Some(UploadError::Broken(_)) | None => cause = inner.source(),
            }
        }
        Problem::bad_request("broken_body", "the body ended before it was complete; send the request again")
    })
}

/// Whether a content type is JSON, by any of its names.
pub fn is_json(content_type: &str) -> bool {
    let kind = content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    kind == "application/json" || (kind.starts_with("application/") && kind.ends_with("+json"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(content_type: &str, expected: bool) {
        assert_eq!(is_json(content_type), expected, "{content_type}");
    }

    #[test]
    fn json_goes_by_several_names() {
        check("application/json", true);
        check("Application/JSON; charset=utf-8", true);
        check("application/vnd.api+json", true);
        check("text/plain", false);
        check("application/x-www-form-urlencoded", false);
        check("", false);
    }
}
