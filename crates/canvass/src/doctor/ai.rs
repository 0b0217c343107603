//! Whether the model's API answers with the key that is set.

use serde_json::Value;

use super::{ANSWER_TIME_MAX, Check, whole};
use crate::config::Settings;

const NAME: &str = "ai";

pub(super) async fn examine(settings: &Settings) -> Check {
    let Some(base) = &settings.ai_base_url else {
        return Check::ok(NAME, "no model is set; the built-in rules find owners and write intros");
    };
    let host = base.host_str().unwrap_or_default();
    let answer = match models(settings, base.as_str()).await {
        Ok(answer) => answer,
        Err(error) => {
            let advice = "check CANVASS_AI_BASE_URL, and that this machine may reach it";
            return Check::fail(NAME, format!("{host} does not answer: {}", whole(&error)), advice);
        }
    };
    match answer.status().as_u16() {
        200 => model_listed(settings, host, answer.json().await.unwrap_or_default()),
        401 | 403 => Check::fail(NAME, format!("{host} refuses the key"), "check CANVASS_AI_API_KEY"),
        status => Check::warn(
            NAME,
            format!("{host} answers, but lists no models (status {status})"),
            "check that CANVASS_AI_BASE_URL ends where the API begins, often in /v1",
        ),
    }
}

async fn models(settings: &Settings, base: &str) -> Result<reqwest::Response, reqwest::Error> {
    // Fails only when a provider is installed already, which is just as good.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let client = reqwest::Client::builder().timeout(ANSWER_TIME_MAX).no_proxy().build()?;
    let mut request = client.get(format!("{}/models", base.trim_end_matches('/')));
    if let Some(key) = &settings.ai_api_key {
        request = request
            .bearer_auth(key.reveal())
            .header("x-api-key", key.reveal())
            .header("anthropic-version", "2023-06-01");
    }
    request.send().await
}

fn model_listed(settings: &Settings, host: &str, list: Value) -> Check {
    let Some(wanted) = &settings.ai_model else {
        return Check::warn(NAME, format!("{host} answers, but no model is chosen"), "set CANVASS_AI_MODEL");
    };
    let listed = list["data"].as_array().is_some_and(|all| all.iter().any(|one| one["id"] == wanted.as_str()));
    if listed {
        return Check::ok(NAME, format!("{host} answers and offers {wanted}"));
    }
    Check::warn(NAME, format!("{host} answers, but does not list {wanted}"), "check CANVASS_AI_MODEL")
}
