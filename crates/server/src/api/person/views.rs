//! Views of the web app that a person keeps.

use axum::extract::{Path, State};
use canvass::App;
use canvass::view::{self, NAME_CHARS_MAX, SaveError, View};
use http::StatusCode;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use crate::edge::Problem;
use crate::edge::body::{Json, JsonBody};
use crate::edge::caller::SignedIn;
use crate::edge::fields::NoParameters;

/// A view.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = View)]
pub struct ViewView {
    /// Unique within the account.
    #[schema(example = "No website")]
    pub name: String,
    /// Whatever the web app needs to show it again.
    #[schema(value_type = Object)]
    pub settings: Value,
}

/// What a view shows.
#[derive(Debug, ToSchema)]
#[schema(as = NewView)]
#[expect(dead_code, reason = "it only describes the body in the API document")]
pub struct ViewSettingsView {
    /// Whatever the web app needs to show it again.
    #[schema(value_type = Object)]
    settings: Value,
}

/// List views
///
/// The views you keep, by name.
#[utoipa::path(get, path = "/account/views", operation_id = "listViews", tag = "Web app",
    responses((status = 200, description = "The views.", body = [ViewView])))]
pub async fn list(State(app): State<App>, person: SignedIn, _: NoParameters) -> Result<Json<Vec<ViewView>>, Problem> {
    let views = view::list(&app.db, person.account.id).await?;
    let shown = |view: View| Some(ViewView { settings: serde_json::from_str(&view.settings).ok()?, name: view.name });
    Ok(Json(views.into_iter().filter_map(shown).collect()))
}

/// Keep a view
///
/// Keeps a view, or replaces the one of the same name. Its settings are whatever the web app needs.
#[utoipa::path(put, path = "/account/views/{name}", operation_id = "saveView", tag = "Web app",
    params(("name" = String, Path, min_length = 1, max_length = 80, description = "The name of the view.")),
    request_body = ViewSettingsView,
    responses((status = 204, description = "It is kept.")))]
pub async fn save(
    State(app): State<App>,
    person: SignedIn,
    path: (Path<String>, NoParameters),
    JsonBody(mut fields): JsonBody,
) -> Result<StatusCode, Problem> {
    let (Path(name), _) = path;
    let settings = fields.anything("settings");
    let settings = fields.require("settings", settings, "an object with what the view shows").unwrap_or_default();
    fields.finish()?;
    let name = named(&name)?;
    let settings = Value::Object(settings).to_string();
    view::save(&app, &person.account, &View { name, settings }).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Delete a view
///
/// Deletes a view that you keep.
#[utoipa::path(delete, path = "/account/views/{name}", operation_id = "deleteView", tag = "Web app",
    params(("name" = String, Path, description = "The name of the view.")),
    responses((status = 204, description = "It is gone.")))]
pub async fn remove(
    State(app): State<App>,
    person: SignedIn,
    Path(name): Path<String>,
    _: NoParameters,
) -> Result<StatusCode, Problem> {
    if view::remove(&app.db, person.account.id, name.trim()).await? {
        Ok(StatusCode::NO_CONTENT)
    } else {
        Err(Problem::not_found("view"))
    }
}

impl From<SaveError> for Problem {
    fn from(error: SaveError) -> Problem {
        match error {
            SaveError::TooLarge(_) => Problem::bad_request("view_too_large", error.to_string()),
            SaveError::TooMany => Problem::bad_request("too_many_views", error.to_string()),
            SaveError::Db(error) => error.into(),
        }
    }
}

fn named(name: &str) -> Result<String, Problem> {
    let name = name.trim();
    if name.is_empty() || name.chars().count() > NAME_CHARS_MAX || name.chars().any(char::is_control) {
        let detail = format!("the name of a view must have 1 to {NAME_CHARS_MAX} characters, without line breaks");
        return Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "invalid_name", detail));
    }
    Ok(name.to_owned())
}
