//! API keys of a person's account. A key cannot make another: a stolen one would live on in its copies.

use axum::extract::{Path, State};
use canvass::App;
use canvass::ids::KeyId;
use canvass::keys::{self, CreateError, Key};
use canvass::plan::{Actor, Permission};
use http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;

use crate::edge::Problem;
use crate::edge::body::{Json, JsonBody};
use crate::edge::caller::SignedIn;
use crate::edge::fields::NoParameters;

/// Characters of a name that are read; what is too long is refused with a reason.
const NAME_CHARS_MAX: usize = 100;

/// An API key, without its secret.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ApiKey)]
pub struct KeyView {
    /// Used to revoke it.
    #[schema(example = "019a8546-6d1b-7cc0-b6dd-8f3b5f0c9d11")]
    pub id: String,
    /// What it is for.
    #[schema(example = "laptop")]
    pub name: String,
    /// Its first characters.
    #[schema(example = "cv_live_Ab12")]
    pub prefix: String,
    /// When it was made.
    #[schema(format = DateTime)]
    pub created_at: String,
    /// Accurate to the minute; null before the first use.
    #[schema(required, format = DateTime)]
    pub last_used_at: Option<String>,
    /// Null while it works.
    #[schema(required, format = DateTime)]
    pub revoked_at: Option<String>,
}

/// A new API key. The only answer that ever shows it.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = CreatedApiKey)]
pub struct CreatedKeyView {
    /// As it is listed.
    #[serde(flatten)]
    pub listed: KeyView,
    /// The key itself.
    #[schema(example = "cv_live_...")]
    pub key: String,
}

/// The name of a new key.
#[derive(Debug, ToSchema)]
#[schema(as = NewApiKey)]
#[expect(dead_code, reason = "it only describes the body in the API document; Fields reads it")]
pub struct NewKeyView {
    /// The tool that will use it.
    #[schema(min_length = 1, max_length = 100, example = "laptop")]
    name: String,
}

impl From<Key> for KeyView {
    fn from(key: Key) -> KeyView {
        KeyView {
            id: key.id.to_string(),
            name: key.name,
            prefix: key.prefix,
            created_at: key.created_at.to_string(),
            last_used_at: key.last_used_at.map(|at| at.to_string()),
            revoked_at: key.revoked_at.map(|at| at.to_string()),
        }
    }
}

/// List API keys
///
/// Oldest first, revoked ones too.
#[utoipa::path(get, path = "/account/keys", operation_id = "listKeys", tag = "Web app",
    responses((status = 200, description = "The keys.", body = [KeyView])))]
pub async fn list(State(app): State<App>, person: SignedIn, _: NoParameters) -> Result<Json<Vec<KeyView>>, Problem> {
    let keys = keys::list(&app.db, person.account.id).await?;
    Ok(Json(keys.into_iter().map(KeyView::from).collect()))
}

/// Make an API key
///
/// Shown only this once. Refused on plans without API access.
#[utoipa::path(post, path = "/account/keys", operation_id = "createKey", tag = "Web app",
    request_body = NewKeyView,
    responses((status = 201, description = "The key, shown only this once.", body = CreatedKeyView)))]
pub async fn create(
    State(app): State<App>,
    person: SignedIn,
    _: NoParameters,
    JsonBody(mut body): JsonBody,
) -> Result<(StatusCode, Json<CreatedKeyView>), Problem> {
    let name = body.text("name", 1..=NAME_CHARS_MAX);
    let name = body.require("name", name, "the name of the tool that will use the key");
    body.finish()?;
    // What a program with this key could not do, nobody should get a key for.
    app.settings.plans.allows(person.account.subscription(), Actor::Program, Permission::Api)?;
    let created = keys::create_by(&app, &person, &name.unwrap_or_default()).await?;
    let view = CreatedKeyView { key: created.secret.reveal().to_owned(), listed: created.key.into() };
    Ok((StatusCode::CREATED, Json(view)))
}

/// Revoke an API key
///
/// At once and for good. Revoking it again changes nothing.
#[utoipa::path(delete, path = "/account/keys/{key_id}", operation_id = "revokeKey", tag = "Web app",
    params(("key_id" = String, Path, description = "The key.")),
    responses((status = 204, description = "It is revoked.")))]
pub async fn revoke(
    State(app): State<App>,
    person: SignedIn,
    Path(id): Path<String>,
    _: NoParameters,
) -> Result<StatusCode, Problem> {
    let missing = || Problem::not_found("key");
    let id = KeyId::parse(&id).ok_or_else(missing)?;
    let revoked = keys::revoke_by(&app, &person, id).await?;
    if revoked { Ok(StatusCode::NO_CONTENT) } else { Err(missing()) }
}

impl From<CreateError> for Problem {
    fn from(error: CreateError) -> Problem {
        match error {
            CreateError::Name => Problem::bad_request("bad_name", error.to_string()),
            CreateError::Db(error) => error.into(),
        }
    }
}
