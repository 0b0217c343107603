//! The ways in: signing in and up, links, a forgotten password. Open to everybody, from this server's own pages.

use axum::extract::State;
use axum::response::Response;
use canvass::App;
use canvass::config::SignUp;
use canvass::sign_in::{self, Purpose};
use http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa::openapi::Object;

use super::{PASSWORD_CHARS_MAX, signed_in, throttled};
use crate::edge::body::{Json, JsonBody};
use crate::edge::client::Client;
use crate::edge::fields::NoParameters;
use crate::edge::schema::one_of;
use crate::edge::{Edge, Problem};

/// Characters of a link's token that are read.
const TOKEN_CHARS_MAX: usize = 200;

/// What somebody who is not signed in may know of this server.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SignInOptions)]
pub struct OptionsView {
    /// Who may open an account.
    #[schema(schema_with = sign_up_schema)]
    pub sign_up: &'static str,
    /// Whether e-mails are sent; else they are written to the operator's outbox folder.
    #[schema(example = true)]
    pub sends_mail: bool,
    /// The source of listings.
    #[schema(example = "sandbox")]
    pub source: String,
    /// Whether its businesses are made up.
    #[schema(example = true)]
    pub is_generated: bool,
    /// Whom to credit where its data is shown; null when nobody.
    #[schema(required, example = "Overture Maps Foundation, overturemaps.org")]
    pub attribution: Option<String>,
}

/// E-mail address and password.
#[derive(Debug, ToSchema)]
#[schema(as = Credentials)]
#[expect(dead_code, reason = "it only describes the body in the API document; Fields reads it")]
pub struct CredentialsView {
    /// The address of the account.
    #[schema(min_length = 1, max_length = 254, format = Email, example = "owner@example.com")]
    email: String,
    /// At least ten characters.
    #[schema(write_only, min_length = 1, max_length = 1000, format = Password)]
    password: String,
}

/// An e-mail address.
#[derive(Debug, ToSchema)]
#[schema(as = EmailAddress)]
#[expect(dead_code, reason = "it only describes the body in the API document; Fields reads it")]
pub struct EmailView {
    /// The address of the account.
    #[schema(min_length = 1, max_length = 254, format = Email, example = "owner@example.com")]
    email: String,
}

/// A link that lets somebody in.
#[derive(Debug, ToSchema)]
#[schema(as = LinkToken)]
#[expect(dead_code, reason = "it only describes the body in the API document; Fields reads it")]
pub struct LinkView {
    /// What stands behind the `#` of the link.
    #[schema(write_only, min_length = 1, max_length = 200, example = "cv_link_...")]
    token: String,
}

/// What a link opened.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = OpenedLink)]
pub struct OpenedView {
    /// What the link was for.
    #[schema(schema_with = purpose_schema)]
    pub purpose: &'static str,
    /// The address of the account.
    #[schema(example = "owner@example.com", format = Email)]
    pub email: String,
    /// Whether the account has a password; else one should be set now.
    #[schema(example = false)]
    pub has_password: bool,
}

fn sign_up_schema() -> Object {
    one_of("Who may open an account.", SignUp::ALL.map(SignUp::name))
}

fn purpose_schema() -> Object {
    one_of("What the link was for.", Purpose::ALL.map(Purpose::name))
}

/// Show how to get in
///
/// Who may open an account here, and where the businesses come from.
#[utoipa::path(get, path = "/account/options", operation_id = "getSignInOptions", tag = "Web app", security(()),
    responses((status = 200, description = "The options.", body = OptionsView)))]
pub async fn options(State(app): State<App>, _: NoParameters) -> Json<OptionsView> {
    let about = app.sources.current().about();
    Json(OptionsView {
        sign_up: app.settings.sign_up.name(),
        sends_mail: app.settings.smtp_url.is_some(),
        source: about.name.clone(),
        is_generated: app.settings.source.is_sandbox(),
        attribution: about.attribution.clone(),
    })
}

/// Sign in
///
/// Sets the cookie of a session. Whether the address or the password was wrong is not said.
#[utoipa::path(post, path = "/account/sign-in", operation_id = "signIn", tag = "Web app", security(()),
    request_body = CredentialsView,
    responses((status = 204, description = "Signed in: the cookie is set."),
        (status = 401, description = "The address or the password is wrong."),
        (status = 403, description = "Another website made a browser send it.")))]
pub async fn sign_in(
    State(edge): State<Edge>,
    client: Client,
    _: NoParameters,
    JsonBody(mut body): JsonBody,
) -> Result<Response, Problem> {
    let email = body.email("email");
    let email = body.require("email", email, "the address of your account");
    let password = body.secret("password", PASSWORD_CHARS_MAX);
    let password = body.require("password", password, "your password");
    body.finish()?;
    let (Some(email), Some(password)) = (email, password) else { return Err(Problem::internal()) };
    let token = sign_in::sign_in(&edge.app, &email, password, &client.view()).await?;
    Ok(signed_in(&edge, &token, StatusCode::NO_CONTENT))
}

/// Sign up
///
/// Sends a link that opens the account. The answer is the same for every address.
#[utoipa::path(post, path = "/account/sign-up", operation_id = "signUp", tag = "Web app", security(()),
    request_body = CredentialsView,
    responses((status = 202, description = "An e-mail with a link is on its way."),
        (status = 400, description = "The password would be guessed."),
        (status = 403, description = "Accounts are opened by the operator, or another website made a browser send it.")))]
pub async fn sign_up(
    State(app): State<App>,
    client: Client,
    _: NoParameters,
    JsonBody(mut body): JsonBody,
) -> Result<StatusCode, Problem> {
    let email = body.email("email");
    let email = body.require("email", email, "your address");
    let password = body.secret("password", PASSWORD_CHARS_MAX);
    let password = body.require("password", password, "a password of at least ten characters");
    body.finish()?;
    let (Some(email), Some(password)) = (email, password) else { return Err(Problem::internal()) };
    sign_in::sign_up(&app, &email, &password, &client.view()).await?;
    Ok(StatusCode::ACCEPTED)
}

/// Ask for a new password
///
/// Sends a link to set one, if the address has an account. The answer is the same for every address.
#[utoipa::path(post, path = "/account/forgot", operation_id = "forgotPassword", tag = "Web app", security(()),
    request_body = EmailView,
    responses((status = 202, description = "If there is such an account, an e-mail with a link is on its way."),
        (status = 403, description = "Another website made a browser send it.")))]
pub async fn forgot(
    State(app): State<App>,
    client: Client,
    _: NoParameters,
    JsonBody(mut body): JsonBody,
) -> Result<StatusCode, Problem> {
    let email = body.email("email");
    let email = body.require("email", email, "the address of your account");
    body.finish()?;
    let Some(email) = email else { return Err(Problem::internal()) };
    sign_in::forgot(&app, &email, &client.view()).await?.map_err(throttled)?;
    Ok(StatusCode::ACCEPTED)
}

/// Open a link
///
/// Signs in whoever holds a link: one that `canvass serve` printed, that the operator made, or that came by e-mail. It
/// works once. Afterwards a password can be set without the present one, for a quarter of an hour.
#[utoipa::path(post, path = "/account/link", operation_id = "openLink", tag = "Web app", security(()),
    request_body = LinkView,
    responses((status = 200, description = "Signed in: the cookie is set.", body = OpenedView),
        (status = 403, description = "Another website made a browser send it."),
        (status = 404, description = "The link is not known here."),
        (status = 410, description = "The link was used before, or has expired.")))]
pub async fn open_link(
    State(edge): State<Edge>,
    client: Client,
    _: NoParameters,
    JsonBody(mut body): JsonBody,
) -> Result<Response, Problem> {
    let token = body.secret("token", TOKEN_CHARS_MAX);
    let token = body.require("token", token, "what stands behind the # of the link");
    body.finish()?;
    let Some(token) = token else { return Err(Problem::internal()) };
    let opened = sign_in::redeem(&edge.app, &token, client.device()).await?;
    let view = OpenedView {
        purpose: opened.purpose.name(),
        email: opened.email.to_string(),
        has_password: opened.has_password,
    };
    Ok(signed_in(&edge, &opened.token, Json(view)))
}
