//! OpenAI's chat completions, as many servers speak them.

use serde_json::{Value, json};

use super::{Endpoint, Request, Strictness, below};
use crate::ai::prompt::Prompt;

/// The host whose newer models take another name for the limit, and no temperature.
const OPENAI_HOST: &str = "api.openai.com";

/// Puts a question into words the API understands.
pub(super) fn request(endpoint: &Endpoint, prompt: &Prompt, strictness: Strictness) -> Request {
    let mut body = json!({
        "model": endpoint.model,
        "messages": [
            {"role": "system", "content": prompt.system},
            {"role": "user", "content": prompt.user},
        ],
        "stream": false,
    });
    if endpoint.base.host_str() == Some(OPENAI_HOST) {
        body["max_completion_tokens"] = prompt.tokens_max.into();
    } else {
        body["max_tokens"] = prompt.tokens_max.into();
        body["temperature"] = 0.into();
    }
    if strictness == Strictness::Schema {
        body["response_format"] = json!({
            "type": "json_schema",
            "json_schema": {"name": prompt.form.name, "strict": true, "schema": schema(endpoint, prompt)},
        });
    }
    let key = endpoint.key.as_ref().map(|key| ("authorization", format!("Bearer {}", key.reveal())));
    Request { url: below(&endpoint.base, "chat/completions"), headers: key.into_iter().collect(), body }
}

/// The form of the answer. Small models talk on and on until they are cut off in the middle of a word; servers that run
/// them hold them to a length, and OpenAI's own refuses to be told one.
fn schema(endpoint: &Endpoint, prompt: &Prompt) -> Value {
    let mut schema = prompt.form.schema.clone();
    if endpoint.base.host_str() != Some(OPENAI_HOST)
        && let Some(properties) = schema["properties"].as_object_mut()
    {
        properties.values_mut().for_each(|property| property["maxLength"] = prompt.form.text_chars_max.into());
    }
    schema
}

/// What the model said.
pub(super) fn text(answer: &Value) -> Option<String> {
    answer["choices"][0]["message"]["content"].as_str().map(str::to_owned)
}
