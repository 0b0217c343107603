//! Anthropic's messages.

use serde_json::{Value, json};

use super::{Endpoint, Request, Strictness, below};
use crate::ai::prompt::Prompt;

/// The version of the API that is spoken here.
const VERSION: &str = "2023-06-01";

/// Puts a question into words the API understands.
pub(super) fn request(endpoint: &Endpoint, prompt: &Prompt, strictness: Strictness) -> Request {
    let mut body = json!({
        "model": endpoint.model,
        "max_tokens": prompt.tokens_max,
        "system": prompt.system,
        "messages": [{"role": "user", "content": prompt.user}],
    });
    if strictness == Strictness::Schema {
        body["output_config"] = json!({"format": {"type": "json_schema", "schema": prompt.form.schema}});
    }
    let mut headers = vec![("anthropic-version", VERSION.to_owned())];
    headers.extend(endpoint.key.as_ref().map(|key| ("x-api-key", key.reveal().to_owned())));
    // People write the address with and without the version in it.
    let path = if endpoint.base.path().trim_end_matches('/').ends_with("/v1") { "messages" } else { "v1/messages" };
    Request { url: below(&endpoint.base, path), headers, body }
}

/// What the model said: its text blocks, one behind the other.
pub(super) fn text(answer: &Value) -> Option<String> {
    let blocks = answer["content"].as_array()?;
    let text: String = blocks.iter().filter_map(|block| block["text"].as_str()).collect();
    (!text.is_empty()).then_some(text)
}
