//! The connector for assistants (MCP): tools, resources and prompts over streamable HTTP, at `/mcp/<key>` and `/mcp`.
//!
//! Stateless: every request carries its credential, so any server can take the next one. A tool calls the same verb as the
//! endpoint does; no rule lives here. `converse` takes one message from HTTP to a tool and back.

mod accepts;
mod admit;
mod connector;
mod converse;
mod progress;
mod prompts;
mod read;
mod refuse;
mod resources;
mod tools;

use axum::Router;
use axum::extract::Extension;
use axum::routing::post;
use http::StatusCode;
use serde_json::{Value, json};

use crate::edge::Edge;
use crate::edge::body::Json;
use connector::service;

/// The routes of the connector, which need a key.
pub fn routes(edge: &Edge) -> Router<Edge> {
    Router::new()
        .route("/mcp", post(converse::by_header))
        .route("/mcp/{key}", post(converse::by_path))
        .layer(Extension(service(edge)))
}

/// Routes that assistants call without a key.
pub fn keyless_routes() -> Router<Edge> {
    Router::new().route("/register", post(register))
}

/// Assistants call this when their key is refused, because they expect OAuth registration.
async fn register() -> (StatusCode, Json<Value>) {
    let why =
        "there is nothing to register here: the key is wrong or revoked; copy a new address from the account page";
    (StatusCode::BAD_REQUEST, Json(json!({"error": "access_denied", "error_description": why})))
}
