//! A person's account: what it is, its password and its addresses.

use axum::extract::State;
use canvass::App;
use canvass::{account, password, sign_in};
use http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;

use super::PASSWORD_CHARS_MAX;
use crate::api::account::AccountView;
use crate::edge::Problem;
use crate::edge::body::{Json, JsonBody};
use crate::edge::caller::SignedIn;
use crate::edge::fields::NoParameters;

/// The account of a person who is signed in.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Profile)]
pub struct ProfileView {
    /// As `GET /me` shows it.
    #[serde(flatten)]
    pub account: AccountView,
    /// Whether there is a password to sign in with.
    #[schema(example = true)]
    pub has_password: bool,
    /// Whether a password may be set without the present one, because a link was opened just now.
    #[schema(example = false)]
    pub may_set_password: bool,
    /// Where e-mails about searches go.
    #[schema(example = "sales@example.com", format = Email)]
    pub notification_email: String,
    /// When the account was opened.
    #[schema(format = DateTime)]
    pub created_at: String,
}

/// A new password.
#[derive(Debug, ToSchema)]
#[schema(as = NewPassword)]
#[expect(dead_code, reason = "it only describes the body in the API document; Fields reads it")]
pub struct NewPasswordView {
    /// Not needed when there is none, or when a link was opened in the last quarter of an hour.
    #[schema(write_only, max_length = 1000, format = Password)]
    current_password: Option<String>,
    /// At least ten characters.
    #[schema(write_only, min_length = 1, max_length = 1000, format = Password)]
    new_password: String,
}

/// A new address, and the password.
#[derive(Debug, ToSchema)]
#[schema(as = NewEmail)]
#[expect(dead_code, reason = "it only describes the body in the API document; Fields reads it")]
pub struct NewEmailView {
    /// The new address.
    #[schema(min_length = 1, max_length = 254, format = Email, example = "owner@example.com")]
    email: String,
    /// The password.
    #[schema(write_only, min_length = 1, max_length = 1000, format = Password)]
    password: String,
}

/// Where e-mails about searches go.
#[derive(Debug, ToSchema)]
#[schema(as = NotificationEmail)]
#[expect(dead_code, reason = "it only describes the body in the API document; Fields reads it")]
pub struct NotificationEmailView {
    /// The address; when left out, that of the account.
    #[schema(max_length = 254, format = Email, example = "sales@example.com")]
    email: Option<String>,
}

/// Show the profile
///
/// The account of the person who is signed in.
#[utoipa::path(get, path = "/account", operation_id = "getProfile", tag = "Web app",
    responses((status = 200, description = "The profile.", body = ProfileView)))]
pub async fn show(State(app): State<App>, person: SignedIn, _: NoParameters) -> Result<Json<ProfileView>, Problem> {
    let account = &person.account;
    Ok(Json(ProfileView {
        account: AccountView::of(&app, account).await?,
        has_password: password::is_set(&app.db, account.id).await?,
        may_set_password: person.may_set_password(app.clock.now()),
        notification_email: account::notification_email(&app.db, account).await?.to_string(),
        created_at: account.created_at.to_string(),
    }))
}

/// Set the password
///
/// Ends all other sessions.
#[utoipa::path(put, path = "/account/password", operation_id = "setPassword", tag = "Web app",
    request_body = NewPasswordView,
    responses((status = 204, description = "The password is set.")))]
pub async fn set_password(
    State(app): State<App>,
    person: SignedIn,
    _: NoParameters,
    JsonBody(mut body): JsonBody,
) -> Result<StatusCode, Problem> {
    let current = body.secret("current_password", PASSWORD_CHARS_MAX);
    let new = body.secret("new_password", PASSWORD_CHARS_MAX);
    let new = body.require("new_password", new, "the password you want from now on");
    body.finish()?;
    password::set(&app, &person, current, &new.unwrap_or_default()).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Change the address
///
/// Sends a link to the new address; the account has it once the link is opened.
#[utoipa::path(put, path = "/account/email", operation_id = "changeEmail", tag = "Web app",
    request_body = NewEmailView,
    responses((status = 202, description = "An e-mail with a link is on its way to the new address.")))]
pub async fn change_email(
    State(app): State<App>,
    person: SignedIn,
    _: NoParameters,
    JsonBody(mut body): JsonBody,
) -> Result<StatusCode, Problem> {
    let email = body.email("email");
    let email = body.require("email", email, "the new address");
    let password = body.secret("password", PASSWORD_CHARS_MAX);
    let password = body.require("password", password, "your password");
    body.finish()?;
    let (Some(email), Some(password)) = (email, password) else { return Err(Problem::internal()) };
    sign_in::change_email(&app, &person, &email, password).await?;
    Ok(StatusCode::ACCEPTED)
}

/// Choose where e-mails go
///
/// Those about the end of searches. What has to do with signing in goes to the address of the account.
#[utoipa::path(put, path = "/account/notification-email", operation_id = "setNotificationEmail", tag = "Web app",
    request_body = NotificationEmailView,
    responses((status = 204, description = "E-mails about searches go there.")))]
pub async fn set_notification_email(
    State(app): State<App>,
    person: SignedIn,
    _: NoParameters,
    JsonBody(mut body): JsonBody,
) -> Result<StatusCode, Problem> {
    let email = body.email("email");
    body.finish()?;
    account::set_notification_email(&app.db, person.account.id, email.as_ref()).await?;
    Ok(StatusCode::NO_CONTENT)
}
