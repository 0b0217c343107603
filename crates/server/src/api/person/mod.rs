//! `/account/*`: what a person does with the web app beyond the public API. Keys reach none of it.

pub mod activity;
pub mod data;
pub mod devices;
pub mod enter;
pub mod keys;
pub mod profile;
pub mod views;

use axum::response::{IntoResponse, Response};
use canvass::password::{SetError, WeakPassword};
use canvass::session::SessionToken;
use canvass::sign_in::{ConfirmError, RedeemError, SignInError, SignUpError, Throttled};
use http::header::{RETRY_AFTER, SET_COOKIE};
use http::{HeaderValue, StatusCode};

use crate::edge::{Edge, Problem, cookie};

/// Characters of a password that are read.
const PASSWORD_CHARS_MAX: usize = 1_000;

/// A response that signs its browser in.
fn signed_in(edge: &Edge, token: &SessionToken, response: impl IntoResponse) -> Response {
    let mut response = response.into_response();
    response.headers_mut().insert(SET_COOKIE, cookie::keep(edge, token));
    response
}

/// A response that signs its browser out.
fn signed_out(edge: &Edge, response: impl IntoResponse) -> Response {
    let mut response = response.into_response();
    response.headers_mut().insert(SET_COOKIE, cookie::forget(edge));
    response
}

fn weak(error: WeakPassword) -> Problem {
    Problem::bad_request("weak_password", error.to_string())
}

fn throttled(error: Throttled) -> Problem {
    let problem = Problem::new(StatusCode::TOO_MANY_REQUESTS, "throttled", error.to_string());
    problem.with(RETRY_AFTER, HeaderValue::from(error.seconds))
}

impl From<SignInError> for Problem {
    fn from(error: SignInError) -> Problem {
        match error {
            SignInError::Wrong => Problem::signed_out("wrong_credentials", error.to_string()),
            SignInError::Throttled(error) => throttled(error),
            SignInError::Db(error) => error.into(),
        }
    }
}

impl From<SignUpError> for Problem {
    fn from(error: SignUpError) -> Problem {
        match error {
            SignUpError::NotOpen => Problem::forbidden("sign_up_closed", error.to_string()),
            SignUpError::Weak(error) => weak(error),
            SignUpError::Throttled(error) => throttled(error),
            SignUpError::Db(error) => error.into(),
        }
    }
}

impl From<RedeemError> for Problem {
    fn from(error: RedeemError) -> Problem {
        let gone = |code| Problem::new(StatusCode::GONE, code, error.to_string());
        match error {
            RedeemError::Unknown => Problem::new(StatusCode::NOT_FOUND, "unknown_link", error.to_string()),
            RedeemError::Used => gone("link_used"),
            RedeemError::Expired => gone("link_expired"),
            RedeemError::Taken(_) => gone("email_taken"),
            RedeemError::Secret(_) => Problem::internal(),
            RedeemError::Db(error) => error.into(),
        }
    }
}

impl From<SetError> for Problem {
    fn from(error: SetError) -> Problem {
        match error {
            SetError::Weak(error) => weak(error),
            SetError::Wrong => Problem::bad_request("wrong_password", error.to_string()),
            SetError::Db(error) => error.into(),
        }
    }
}

impl From<ConfirmError> for Problem {
    fn from(error: ConfirmError) -> Problem {
        match error {
            ConfirmError::Wrong => Problem::bad_request("wrong_password", error.to_string()),
            ConfirmError::Throttled(error) => throttled(error),
            ConfirmError::Db(error) => error.into(),
        }
    }
}
