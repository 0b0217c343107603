//! What is stored about a person's account: a copy of it, and its deletion.

use axum::body::Body;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use canvass::own_data::{self, DeleteError};
use futures::stream;
use http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use http::{HeaderValue, StatusCode};
use utoipa::ToSchema;

use super::{PASSWORD_CHARS_MAX, signed_out};
use crate::edge::body::JsonBody;
use crate::edge::caller::SignedIn;
use crate::edge::fields::NoParameters;
use crate::edge::{Edge, Problem};

/// The password, to prove that it is you.
#[derive(Debug, ToSchema)]
#[schema(as = Confirmation)]
#[expect(dead_code, reason = "it only describes the body in the API document; Fields reads it")]
pub struct ConfirmationView {
    /// Not needed by whoever has just come by a link.
    #[schema(write_only, max_length = 1000, format = Password)]
    password: Option<String>,
}

/// Copy all data
///
/// Everything that is stored about the account as one JSON document: searches, leads, notes, ledger, keys without their secrets,
/// watches, views and activity.
#[utoipa::path(get, path = "/account/export", operation_id = "exportData", tag = "Web app",
    responses((status = 200, description = "The document.", content_type = "application/json", body = Object,
        headers(("Content-Disposition" = String, description = "A name for the file.")))))]
pub async fn export(State(edge): State<Edge>, person: SignedIn, _: NoParameters) -> Result<Response, Problem> {
    let document = own_data::export(&edge.app, &person).await?;
    let pieces = stream::try_unfold(document, |mut document| async move {
        let piece = document.next().await.inspect_err(|error| {
            tracing::error!(error = error as &dyn std::error::Error, "a copy of an account broke off");
        })?;
        Ok::<_, canvass::db::DbError>(piece.map(|piece| (piece, document)))
    });
    let headers = [
        (CONTENT_TYPE, HeaderValue::from_static("application/json")),
        (CONTENT_DISPOSITION, HeaderValue::from_static("attachment; filename=\"canvass-account.json\"")),
    ];
    Ok((headers, Body::from_stream(pieces)).into_response())
}

/// Delete the account
///
/// Deletes the account with everything that is stored about it, for good: searches, leads, credits, keys, watches. Running searches
/// are stopped.
#[utoipa::path(delete, path = "/account", operation_id = "deleteAccount", tag = "Web app",
    request_body = ConfirmationView,
    responses((status = 204, description = "The account is gone, and you are signed out.")))]
pub async fn delete(
    State(edge): State<Edge>,
    person: SignedIn,
    _: NoParameters,
    JsonBody(mut body): JsonBody,
) -> Result<Response, Problem> {
    let password = body.secret("password", PASSWORD_CHARS_MAX);
    body.finish()?;
    own_data::delete(&edge.app, &person, password).await?;
    Ok(signed_out(&edge, StatusCode::NO_CONTENT))
}

impl From<DeleteError> for Problem {
    fn from(error: DeleteError) -> Problem {
        match error {
            DeleteError::Unconfirmed(error) => error.into(),
            DeleteError::Db(error) => error.into(),
        }
    }
}
