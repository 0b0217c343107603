//! Checks a message before the protocol library parses it, so that its errors have the same JSON form as all others.

use http::HeaderMap;
use rmcp::model::{ErrorData, ProtocolVersion, RequestId};
use serde_json::{Map, Value};

use crate::log::{hide_secrets, holds_secret};

/// The header that names a protocol version.
const VERSION_HEADER: &str = "mcp-protocol-version";
/// The `_meta` member in which newer protocol versions name it.
const VERSION_META: &str = "io.modelcontextprotocol/protocolVersion";
/// The request that negotiates a version, and may therefore name any.
pub(super) const AGREEING: &str = "initialize";
/// Characters of a version that an error repeats.
const ECHOED_CHARS_MAX: usize = 40;

/// What is read of a message before it is parsed completely.
#[derive(Debug)]
pub(super) struct Seen {
    /// The id that the response must repeat; none for a notification.
    pub(super) id: Option<RequestId>,
    method: Option<String>,
    names_version: bool,
}

/// Reads a message.
pub(super) fn look(bytes: &[u8]) -> Result<Seen, ErrorData> {
    let refused = |why: &'static str| Err(ErrorData::invalid_request(why, None));
    match serde_json::from_slice(bytes) {
        Ok(Value::Object(message)) if message.get("id").and_then(Value::as_str).is_some_and(holds_secret) => {
            refused("the id of the message holds an API key; choose another id")
        }
        Ok(Value::Object(message)) => Ok(seen(&message)),
        Ok(Value::Array(_)) => refused("batches are not supported; send one message at a time"),
        Ok(_) => refused("the message must be a JSON object"),
        Err(error) => Err(ErrorData::parse_error(format!("the body is not valid JSON: {error}"), None)),
    }
}

fn seen(message: &Map<String, Value>) -> Seen {
    let meta = message.get("params").and_then(|params| params.get("_meta"));
    Seen {
        id: message.get("id").and_then(|id| serde_json::from_value(id.clone()).ok()),
        method: message.get("method").and_then(Value::as_str).map(str::to_owned),
        names_version: meta.is_some_and(|meta| meta.get(VERSION_META).is_some()),
    }
}

impl Seen {
    /// Checks the version that the headers name. One inside the message is checked by the protocol library.
    pub(super) fn check_version(&self, headers: &HeaderMap) -> Result<(), ErrorData> {
        let Some(named) = headers.get(VERSION_HEADER) else { return Ok(()) };
        if self.names_version || self.method.as_deref() == Some(AGREEING) {
            return Ok(());
        }
        let named = String::from_utf8_lossy(named.as_bytes());
        if ProtocolVersion::KNOWN_VERSIONS.iter().any(|known| known.as_str() == named) {
            return Ok(());
        }
        let echoed: String = hide_secrets(&named).chars().take(ECHOED_CHARS_MAX).collect();
        let version = serde_json::from_value(Value::String(echoed)).unwrap_or_default();
        Err(ErrorData::unsupported_protocol_version(version, ProtocolVersion::KNOWN_VERSIONS))
    }
}

#[cfg(test)]
mod tests {
    use rmcp::model::ErrorCode;

    use super::*;

    fn check(bytes: &str, expected: Option<ErrorCode>) {
        assert_eq!(look(bytes.as_bytes()).err().map(|error| error.code), expected, "{bytes}");
    }

    #[test]
    fn only_one_object_at_a_time_is_a_message() {
        check(r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#, None);
        check("{", Some(ErrorCode::PARSE_ERROR));
        check("", Some(ErrorCode::PARSE_ERROR));
        check("\u{0}", Some(ErrorCode::PARSE_ERROR));
        check(&"[".repeat(100_000), Some(ErrorCode::PARSE_ERROR));
        check("[]", Some(ErrorCode::INVALID_REQUEST));
        check("7", Some(ErrorCode::INVALID_REQUEST));
    }
}
