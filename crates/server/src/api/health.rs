//! Whether this process lives, whether it can serve, and its figures.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::HeaderValue;
use http::header::CONTENT_TYPE;
use serde::Serialize;
use utoipa::ToSchema;

use crate::edge::body::Json;
use crate::edge::fields::NoParameters;
use crate::edge::{Edge, Problem};
use crate::metrics::{self, Held};

/// How the server is.
#[derive(Debug, Serialize, ToSchema)]
pub struct Health {
    /// Always `ok`; a server that is not ok does not answer 200.
    #[schema(example = "ok")]
    pub status: &'static str,
    /// Which version runs.
    #[schema(example = "0.1.0")]
    pub version: &'static str,
}

const OK: Health = Health { status: "ok", version: env!("CARGO_PKG_VERSION") };

/// Tell whether the process lives
///
/// Answers as long as the process runs, whatever else is broken. For a supervisor that restarts what hangs.
#[utoipa::path(get, path = "/healthz", operation_id = "healthz", tag = "Operation", security(()),
    responses((status = 200, description = "The process lives.", body = Health)))]
pub async fn healthz(_: NoParameters) -> Json<Health> {
    Json(OK)
}

/// Tell whether the server can serve
///
/// 503 while the database takes no writes (it does not answer, its disk is full, it is read-only) or the server is
/// shutting down. Answers within three seconds; the database is asked at most once a second. For a load balancer.
#[utoipa::path(get, path = "/readyz", operation_id = "readyz", tag = "Operation", security(()),
    responses((status = 200, description = "Requests will be served.", body = Health)))]
pub async fn readyz(State(edge): State<Edge>, _: NoParameters) -> Result<Json<Health>, Problem> {
    if edge.is_closing() {
        return Err(Problem::unavailable("this server is shutting down"));
    }
    match edge.app.readiness.check().await {
        Ok(()) => Ok(Json(OK)),
        Err(error) => Err(Problem::of_database(&error)),
    }
}

/// Show figures for Prometheus
///
/// Requests, searches, sources, websites, Radar, emails, AI, database and memory. Holds no account's data. If the operator set
/// `metrics_listen`, they are shown at that address instead, and this answers 404.
#[utoipa::path(get, path = "/metrics", operation_id = "metrics", tag = "Operation", security(()),
    responses((status = 200, description = "Figures in Prometheus' text format.", content_type = "text/plain",
        body = String)))]
pub async fn figures(State(edge): State<Edge>, _: NoParameters) -> Result<Response, Problem> {
    match edge.app.settings.telemetry.metrics_listen {
        Some(_) => Err(Problem::no_such_path()),
        None => Ok(show_figures(State(edge)).await),
    }
}

/// The figures, at an address of their own.
pub async fn show_figures(State(edge): State<Edge>) -> Response {
    edge.queues.update(&edge.app).await;
    let kind = HeaderValue::from_static("text/plain; version=0.0.4; charset=utf-8");
    let held = Held {
        hears_others: edge.app.bell.hears_others(),
        connections: &edge.connections,
        body_bytes: edge.bodies.held(),
        db: &edge.app.db,
    };
    ([(CONTENT_TYPE, kind)], metrics::render(&held)).into_response()
}
