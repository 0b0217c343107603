//! A bare axum server that answers `/me` with a constant: what `make bench` measures ours against.

use axum::routing::get;
use axum::{Json, Router};
use serde_json::json;

#[tokio::main]
async fn main() -> std::io::Result<()> {
    let address = std::env::args().nth(1).unwrap_or_else(|| "127.0.0.1:8081".into());
    let me = || async {
        let entitlements = json!({"api_access": true, "scope": "country", "per_search_cap": 2500, "signals_plus": true, "radar": true});
        Json(json!({"email": "demo@example.com", "tier": "scale", "credits": 10000, "entitlements": entitlements}))
    };
    let listener = tokio::net::TcpListener::bind(address).await?;
    axum::serve(listener, Router::new().route("/me", get(me))).await
}
