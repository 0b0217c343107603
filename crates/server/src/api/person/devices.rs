//! Sessions of a person: where they are signed in, and signing out.

use axum::extract::{Path, State};
use axum::response::Response;
use canvass::App;
use canvass::ids::SessionId;
use canvass::session;
use http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;

use super::signed_out;
use crate::edge::body::Json;
use crate::edge::caller::SignedIn;
use crate::edge::fields::NoParameters;
use crate::edge::{Edge, Problem};

/// Where a person is signed in.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Device)]
pub struct DeviceView {
    /// Used to sign it out.
    #[schema(example = "019a8546-6d1b-7cc0-b6dd-8f3b5f0c9d11")]
    pub id: String,
    /// Browser and system.
    #[schema(example = "Firefox on Linux")]
    pub device: String,
    /// When somebody signed in there.
    #[schema(format = DateTime)]
    pub created_at: String,
    /// Accurate to the minute.
    #[schema(format = DateTime)]
    pub last_seen_at: String,
    /// Whether this request came from there.
    #[schema(example = true)]
    pub is_current: bool,
}

/// How many sessions ended.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SignedOut)]
pub struct EndedView {
    /// How many there were, this one included.
    #[schema(minimum = 1, example = 3)]
    pub ended: u64,
}

/// List devices
///
/// Where you are signed in, the one used last first.
#[utoipa::path(get, path = "/account/devices", operation_id = "listDevices", tag = "Web app",
    responses((status = 200, description = "The devices.", body = [DeviceView])))]
pub async fn list(State(app): State<App>, person: SignedIn, _: NoParameters) -> Result<Json<Vec<DeviceView>>, Problem> {
    let sessions = session::list(&app.db, person.account.id, app.clock.now()).await?;
    let view = |found: session::Session| DeviceView {
        is_current: found.id == person.session,
        id: found.id.to_string(),
        device: found.device,
        created_at: found.created_at.to_string(),
        last_seen_at: found.last_seen_at.to_string(),
    };
    Ok(Json(sessions.into_iter().map(view).collect()))
}

/// Sign out a device
///
/// Ends one of your sessions. API keys go on working.
#[utoipa::path(delete, path = "/account/devices/{device_id}", operation_id = "signOutDevice", tag = "Web app",
    params(("device_id" = String, Path, description = "The device.")),
    responses((status = 204, description = "It is signed out.")))]
pub async fn sign_out_device(
    State(app): State<App>,
    person: SignedIn,
    Path(id): Path<String>,
    _: NoParameters,
) -> Result<StatusCode, Problem> {
    let missing = || Problem::not_found("device");
    let id = SessionId::parse(&id).ok_or_else(missing)?;
    let ended = session::sign_out_device(&app, &person, id).await?;
    if ended { Ok(StatusCode::NO_CONTENT) } else { Err(missing()) }
}

/// Sign out
///
/// Ends this session.
#[utoipa::path(post, path = "/account/sign-out", operation_id = "signOut", tag = "Web app",
    responses((status = 204, description = "Signed out: the cookie is gone.")))]
pub async fn sign_out(State(edge): State<Edge>, person: SignedIn, _: NoParameters) -> Result<Response, Problem> {
    session::sign_out(&edge.app, &person).await?;
    Ok(signed_out(&edge, StatusCode::NO_CONTENT))
}

/// Sign out everywhere
///
/// Ends every session of yours, this one included. API keys go on working.
#[utoipa::path(post, path = "/account/sign-out-everywhere", operation_id = "signOutEverywhere", tag = "Web app",
    responses((status = 200, description = "Signed out everywhere.", body = EndedView)))]
pub async fn sign_out_everywhere(
    State(edge): State<Edge>,
    person: SignedIn,
    _: NoParameters,
) -> Result<Response, Problem> {
    let ended = session::sign_out_everywhere(&edge.app, &person).await?;
    Ok(signed_out(&edge, Json(EndedView { ended })))
}
