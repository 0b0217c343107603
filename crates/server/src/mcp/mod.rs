//! The connector for assistants (MCP): tools, resources and prompts over streamable HTTP, at `/mcp/<key>` and `/mcp`.
//!
//! Stateless: every request says who asks and is answered whole, so any server can answer the next one. A tool calls the
//! same verb as the endpoint does; no rule lives here. `converse` is the way of one message from HTTP to a tool and
//! back.

mod admit;
mod connector;
mod converse;
mod progress;
mod prompts;
mod read;
mod refuse;
mod resources;
mod tools;

use axum::extract::Extension;
use axum::routing::post;
use axum::{Json, Router};
use http::StatusCode;
use serde_json::{Value, json};

use crate::edge::Edge;
use connector::service;

/// The routes of the connector, which ask for a key.
pub fn routes(edge: &Edge) -> Router<Edge> {
    Router::new()
        .route("/mcp", post(converse::by_header))
        .route("/mcp/{key}", post(converse::by_path))
        .layer(Extension(service(edge)))
}

/// What assistants ask for without a key.
pub fn keyless_routes() -> Router<Edge> {
    Router::new().route("/register", post(register))
}

/// What an assistant asks for when its key is refused: it takes us for a server where one signs in.
async fn register() -> (StatusCode, Json<Value>) {
    let why =
        "there is nothing to register here: the key is wrong or revoked; copy a new address from the account page";
    (StatusCode::BAD_REQUEST, Json(json!({"error": "access_denied", "error_description": why})))
}
