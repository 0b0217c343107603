//! Every route, in one table.

use axum::Router;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::routing::get;
use http::header::{ACCEPT, AUTHORIZATION, CONTENT_DISPOSITION, CONTENT_TYPE, ETAG, IF_NONE_MATCH, LINK, RETRY_AFTER};
use http::{HeaderName, Method};
use tower::Layer;
use tower_http::cors::{Any, CorsLayer};
use tower_http::normalize_path::{NormalizePath, NormalizePathLayer};
use utoipa::openapi::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::api::{account, ai, credits, enrichment, exports, health, intro, lead, quote, radar, search};
use crate::edge::{Edge, Problem, auth, compress, frame, idempotency, openapi};
use crate::{mcp, streaming, web};

/// Routes that need a key. All are in the API document.
fn keyed() -> OpenApiRouter<Edge> {
    OpenApiRouter::new()
        .routes(routes!(account::me))
        .routes(routes!(ai::show_key, ai::set_key, ai::forget_key))
        .routes(routes!(credits::list))
        .routes(routes!(quote::quote))
        .routes(routes!(search::list))
        .routes(routes!(search::show))
        .routes(routes!(search::status))
        .routes(routes!(search::stop))
        .routes(routes!(lead::list))
        .routes(routes!(lead::show))
        .routes(routes!(exports::all))
        .routes(routes!(exports::campaign))
        .routes(routes!(enrichment::show))
        .routes(routes!(radar::watches))
        .routes(routes!(radar::unwatch))
        .routes(routes!(radar::history))
        .routes(routes!(radar::alerts))
        .routes(routes!(streaming::search))
        .routes(routes!(streaming::events))
}

/// Routes that need a key and spend: they honour an `Idempotency-Key`. All are in the API document.
fn spending() -> OpenApiRouter<Edge> {
    OpenApiRouter::new()
        .routes(routes!(search::start))
        .routes(routes!(search::create))
        .routes(routes!(enrichment::start))
        .routes(routes!(enrichment::enrich_lead))
        .routes(routes!(intro::write))
        .routes(routes!(radar::watch))
}

/// The route that takes a signed link instead of a key. In the API document too.
fn signed() -> OpenApiRouter<Edge> {
    OpenApiRouter::new().routes(routes!(exports::linked))
}

/// Routes anyone may ask. In the API document too.
fn open() -> OpenApiRouter<Edge> {
    OpenApiRouter::new()
        .routes(routes!(health::healthz))
        .routes(routes!(health::readyz))
        .routes(routes!(health::figures))
}

/// What people open in a browser.
fn pages() -> Router<Edge> {
    Router::new()
        .route("/", get(web::welcome))
        .route("/app", get(web::app))
        .route("/assets/{name}", get(web::asset))
        .route("/docs", get(web::docs))
        .route("/docs/{name}", get(web::docs_asset))
        .route("/openapi.json", openapi::serve(document))
}

/// The whole server: every route inside its frame.
pub type Service = NormalizePath<Router>;

/// Puts the whole server together.
pub fn service(edge: Edge) -> Service {
    service_with(edge, More::default())
}

/// Further routes, so that tests can try the frame on them.
#[derive(Default)]
pub struct More {
    /// They need a key.
    pub keyed: Router<Edge>,
    /// They need a key and spend.
    pub spending: Router<Edge>,
}

/// The same with further routes.
pub fn service_with(edge: Edge, more: More) -> Service {
    let spending = Router::from(spending()).merge(more.spending);
    let spending = spending.layer(from_fn_with_state(edge.clone(), idempotency::once));
    let keyed = Router::from(keyed()).merge(more.keyed).merge(spending);
    let keyed = keyed.layer(from_fn_with_state(edge.clone(), auth::identify)).merge(mcp::routes(&edge));
    let open = Router::from(open()).merge(pages()).merge(mcp::keyless_routes());
    let open = open.fallback(|| async { Problem::no_such_path() });
    let admit = from_fn_with_state(edge.clone(), frame::admit);
    // Pages of other websites may call what asks for a key, and read why it was refused; nothing else.
    let known = keyed.layer(admit.clone()).layer(cors()).merge(Router::from(signed()).layer(admit.clone()));
    // An encoder costs memory until its response is read: only for those we know, by their key or their link.
    let router = known
        .layer(compress::layer())
        .layer(from_fn(compress::negotiate))
        .merge(open.layer(admit))
        .layer(from_fn_with_state(edge.clone(), frame::around))
        .with_state(edge);
    // Outside of the router, so that a slash at the end is gone before routes are matched.
    NormalizePathLayer::trim_trailing_slash().layer(router)
}

/// The API document of all these routes.
pub fn document() -> OpenApi {
    openapi::document(keyed().merge(spending()).merge(signed()).merge(open()).into_openapi())
}

/// Any page may call the API: what lets a caller in is the key it was given, never a cookie.
fn cors() -> CorsLayer {
    let named = |names: &[&'static str]| names.iter().map(|name| HeaderName::from_static(name)).collect::<Vec<_>>();
    let mut allowed = named(&["x-api-key", "idempotency-key", "last-event-id", "x-request-id"]);
    allowed.extend(named(&["mcp-protocol-version", "mcp-method", "mcp-name", "mcp-session-id"]));
    allowed.extend([ACCEPT, AUTHORIZATION, CONTENT_TYPE, IF_NONE_MATCH]);
    let mut exposed = named(&[
        "x-request-id",
        "ratelimit",
        "ratelimit-policy",
        "x-ratelimit-limit",
        "x-ratelimit-remaining",
        "x-ratelimit-reset",
        "x-total-count",
        "x-search-status",
        "idempotent-replayed",
    ]);
    exposed.extend([CONTENT_DISPOSITION, ETAG, LINK, RETRY_AFTER]);
    CorsLayer::new()
        .allow_origin(Any)
        .allow_methods([Method::GET, Method::HEAD, Method::POST, Method::PUT, Method::DELETE])
        .allow_headers(allowed)
        .expose_headers(exposed)
        .max_age(std::time::Duration::from_secs(24 * 60 * 60))
}
