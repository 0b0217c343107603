//! `/me/ai-key`: the customer's own AI key. It comes in and is never shown again.

use axum::extract::State;
use canvass::App;
use canvass::ai::{self, KnownKey, OPENAI_BASE_URL, OwnKey, SetBy};
use canvass::config::Secret;
use serde::Serialize;
use url::Url;
use utoipa::ToSchema;

use crate::edge::Problem;
use crate::edge::body::{Json, JsonBody};
use crate::edge::caller::{Api, Authorized};
use crate::edge::fields::{Fields, NoParameters};

/// Characters of a key; providers' keys are far shorter.
const KEY_CHARS_MAX: usize = 1_024;
/// Characters of a model's name.
const MODEL_CHARS_MAX: usize = 200;
/// Characters of an address.
const ADDRESS_CHARS_MAX: usize = 2_000;

/// A customer's own AI key, and what it is for.
#[derive(Debug, ToSchema)]
#[schema(as = AiKeyRequest)]
#[expect(dead_code, reason = "it only describes the body in the API document; Fields reads it")]
pub struct AiKeyRequestView {
    /// The provider's key: visible ASCII without spaces. Stored sealed, never shown again.
    #[schema(write_only, min_length = 1, max_length = 1024, example = "sk-...")]
    api_key: String,
    /// The model to ask.
    #[schema(min_length = 1, max_length = 200, example = "gpt-5-mini")]
    model: String,
    /// Where the provider's API begins: HTTPS, on the public internet. OpenAI's when left out.
    #[schema(min_length = 1, max_length = 2000, example = "https://api.openai.com/v1")]
    base_url: Option<String>,
}

/// What is known of the account's own AI key: everything but the key.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AiKey)]
pub struct AiKeyView {
    /// Whether there is one.
    #[schema(example = true)]
    pub set: bool,
    /// The model it is for; null when there is none.
    #[schema(required, example = "gpt-5-mini")]
    pub model: Option<String>,
    /// Where the provider's API begins; null when there is none.
    #[schema(required, example = "https://api.openai.com/v1")]
    pub base_url: Option<String>,
}

impl From<Option<KnownKey>> for AiKeyView {
    fn from(known: Option<KnownKey>) -> AiKeyView {
        let (model, base_url) = known.map(|known| (known.model, known.base_url)).unzip();
        AiKeyView { set: model.is_some(), model, base_url }
    }
}

/// Show your own AI key
///
/// Whether there is one, the model it is for and where it leads; never the key.
#[utoipa::path(get, path = "/me/ai-key", operation_id = "getAiKey", tag = "Account",
    responses((status = 200, description = "Everything but the key.", body = AiKeyView)))]
pub async fn show_key(
    State(app): State<App>,
    caller: Authorized<Api>,
    _: NoParameters,
) -> Result<Json<AiKeyView>, Problem> {
    Ok(Json(ai::own_key(&app.db, caller.account().id).await?.into()))
}

/// Set your own AI key
///
/// Used for enrichments and intros once the plan's allowance and packs are used up; then the provider charges you, and no
/// allowance is spent. Replaces any key before. The key is stored sealed and never shown again.
#[utoipa::path(put, path = "/me/ai-key", operation_id = "setAiKey", tag = "Account",
    request_body = AiKeyRequestView,
    responses((status = 200, description = "The key is set.", body = AiKeyView)))]
pub async fn set_key(
    State(app): State<App>,
    caller: Authorized<Api>,
    _: NoParameters,
    JsonBody(body): JsonBody,
) -> Result<Json<AiKeyView>, Problem> {
    let account = caller.account().id;
    ai::set_own_key(&app, account, &read(body)?).await?;
    Ok(Json(ai::own_key(&app.db, account).await?.into()))
}

/// Forget your own AI key
///
/// Forgetting what is not there is no error.
#[utoipa::path(delete, path = "/me/ai-key", operation_id = "deleteAiKey", tag = "Account",
    responses((status = 200, description = "There is no key any more.", body = AiKeyView)))]
pub async fn forget_key(
    State(app): State<App>,
    caller: Authorized<Api>,
    _: NoParameters,
) -> Result<Json<AiKeyView>, Problem> {
    ai::clear_own_key(&app, caller.account().id).await?;
    Ok(Json(None.into()))
}

fn read(mut body: Fields) -> Result<OwnKey, Problem> {
    let key = body.text("api_key", 1..=KEY_CHARS_MAX);
    let key = body.require("api_key", key, "the key your AI provider gave you");
    let model = body.text("model", 1..=MODEL_CHARS_MAX);
    let model = body.require("model", model, "the name of the model to use, such as \"gpt-5-mini\"");
    let address = body.text("base_url", 1..=ADDRESS_CHARS_MAX).unwrap_or_else(|| OPENAI_BASE_URL.to_owned());
    let base_url = Url::parse(&address).ok();
    if base_url.is_none() {
        body.contradict("base_url", "must be a URL such as https://api.openai.com/v1");
    }
    body.finish()?;
    match (key, model, base_url) {
        (Some(key), Some(model), Some(base_url)) => {
            Ok(OwnKey { key: Secret::new(key), base_url, model, set_by: SetBy::Customer })
        }
        // finish() has said what is missing.
        _ => Err(Problem::internal()),
    }
}
