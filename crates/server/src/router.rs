//! Every route, in one table: groups say which credentials their routes take.

use axum::Router;
use axum::middleware::from_fn_with_state;
use axum::routing::get;
use canvass::listing::About;
use http::header::{ACCEPT, AUTHORIZATION, CONTENT_DISPOSITION, CONTENT_TYPE, ETAG, IF_NONE_MATCH, LINK, RETRY_AFTER};
use http::{HeaderName, Method};
use tower::Layer;
use tower_http::cors::{Any, CorsLayer};
use tower_http::normalize_path::{NormalizePath, NormalizePathLayer};
use utoipa::openapi::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::api::{
    account, ai, area, credits, enrichment, exports, health, intro, lead, mark, person, quote, radar, search, suggest,
    usage,
};
use crate::edge::credential::Accepts;
use crate::edge::render_cache::RenderCache;
use crate::edge::{Edge, Problem, auth, frame, idempotency, openapi};
use crate::{mcp, streaming, web};

/// The public API: programs call it with a key, the web app with the session of a signed-in person. In the API document.
fn key_or_session() -> OpenApiRouter<Edge> {
    OpenApiRouter::new()
        .routes(routes!(account::me))
        .routes(routes!(ai::show_key, ai::set_key, ai::forget_key))
        .routes(routes!(credits::list))
        .routes(routes!(usage::show))
        .routes(routes!(suggest::industries))
        .routes(routes!(suggest::places))
        .routes(routes!(area::show))
        .routes(routes!(quote::quote))
        .routes(routes!(search::list))
        .routes(routes!(search::show))
        .routes(routes!(search::status))
        .routes(routes!(search::stop))
        .routes(routes!(lead::list))
        .routes(routes!(lead::find))
        .routes(routes!(lead::show))
        .routes(routes!(mark::set))
        .routes(routes!(mark::list))
        .routes(routes!(mark::tags_in_use))
        .routes(routes!(exports::all))
        .routes(routes!(exports::campaign))
        .routes(routes!(exports::selection))
        .routes(routes!(enrichment::show))
        .routes(routes!(radar::watches))
        .routes(routes!(radar::unwatch))
        .routes(routes!(radar::history))
        .routes(routes!(radar::alerts))
        .routes(routes!(streaming::search))
        .routes(routes!(streaming::events))
}

/// The part of the public API that spends: it honours an `Idempotency-Key`. Takes a key or a session too.
fn spending() -> OpenApiRouter<Edge> {
    OpenApiRouter::new()
        .routes(routes!(search::start))
        .routes(routes!(search::create))
        .routes(routes!(enrichment::start))
        .routes(routes!(enrichment::enrich_lead))
        .routes(routes!(intro::write))
        .routes(routes!(radar::watch))
}

/// The route that takes a signed link instead of a credential. In the API document.
fn signed() -> OpenApiRouter<Edge> {
    OpenApiRouter::new().routes(routes!(exports::linked))
}

/// What a signed-in person does with the account, and no key may. In the API document.
fn session_only() -> OpenApiRouter<Edge> {
    OpenApiRouter::new()
        .routes(routes!(person::profile::show, person::data::delete))
        .routes(routes!(person::data::export))
        .routes(routes!(person::profile::set_password))
        .routes(routes!(person::profile::change_email))
        .routes(routes!(person::profile::set_notification_email))
        .routes(routes!(person::devices::list))
        .routes(routes!(person::devices::sign_out_device))
        .routes(routes!(person::devices::sign_out))
        .routes(routes!(person::devices::sign_out_everywhere))
        .routes(routes!(person::activity::list))
        .routes(routes!(person::keys::list, person::keys::create))
        .routes(routes!(person::keys::revoke))
        .routes(routes!(person::views::list))
        .routes(routes!(person::views::save, person::views::remove))
}

/// The ways to become a signed-in person, from pages of this server. In the API document.
fn entrance() -> OpenApiRouter<Edge> {
    OpenApiRouter::new()
        .routes(routes!(person::enter::sign_in))
        .routes(routes!(person::enter::sign_up))
        .routes(routes!(person::enter::forgot))
        .routes(routes!(person::enter::open_link))
}

/// Routes open to anyone. In the API document.
fn open() -> OpenApiRouter<Edge> {
    OpenApiRouter::new()
        .routes(routes!(health::healthz))
        .routes(routes!(health::readyz))
        .routes(routes!(health::figures))
        .routes(routes!(person::enter::options))
}

/// Pages for browsers. Not in the API document.
fn pages(source: &About) -> Router<Edge> {
    let welcome = web::welcome(source);
    Router::new()
        .route("/", get(move |headers| async move { web::page(&welcome, &headers) }))
        .route("/app", get(web::app::start))
        .route("/app/{*path}", get(web::app::file_or_page))
        .route("/assets/{name}", get(web::asset))
        .route("/docs", get(web::docs))
        .route("/docs/{name}", get(web::docs_asset))
        .route("/openapi.json", openapi::serve(document))
}

/// Every route of the server inside its frame.
pub type Service = NormalizePath<Router>;

/// The server as it runs.
pub fn service(edge: Edge) -> Service {
    service_with(edge, More::default())
}

/// Further routes for each group, with which tests try the frame.
#[derive(Default)]
pub struct More {
    /// Take a key only.
    pub keyed: Router<Edge>,
    /// Take a session only.
    pub session_only: Router<Edge>,
    /// Take either.
    pub key_or_session: Router<Edge>,
    /// Take either, and spend.
    pub spending: Router<Edge>,
}

/// The same server with further routes.
pub fn service_with(edge: Edge, more: More) -> Service {
    // One stack of layers for a group, instead of one layer after the other: axum boxes the outcome of each, and copies all boxes
    // inside of it for every request.
    let front = from_fn_with_state(edge.clone(), web::sandbox::intercept);
    let admit = |accepts: Option<Accepts>, kept: Option<RenderCache>| {
        from_fn_with_state(frame::Group { edge: edge.clone(), accepts, kept }, frame::admit)
    };
    let kept = Some(RenderCache::default());
    // Pages of other websites may call what takes a key, and read why it was refused; nothing else.
    let keyed = |routes: Router<Edge>, accepts: Option<Accepts>| {
        routes.layer((front.clone(), cors(), admit(accepts, kept.clone())))
    };
    let own =
        |routes: Router<Edge>, accepts: Option<Accepts>| routes.layer((front.clone(), admit(accepts, kept.clone())));
    let spending = Router::from(spending()).merge(more.spending);
    let spending = spending.layer(from_fn_with_state(edge.clone(), idempotency::once));
    let key_or_session = Router::from(key_or_session()).merge(more.key_or_session).merge(spending);
    let session_only = Router::from(session_only()).merge(more.session_only);
    let entrance = Router::from(entrance()).route_layer(from_fn_with_state(edge.clone(), auth::from_own_page));
    let open = Router::from(open())
        .merge(pages(edge.app.sources.current().about()))
        .merge(mcp::keyless_routes())
        .merge(entrance);
    let open = open.fallback(|| async { Problem::no_such_path() });
    let router = keyed(key_or_session, Some(Accepts::KeyOrSession))
        .merge(keyed(more.keyed, Some(Accepts::Key)))
        .merge(keyed(mcp::routes(&edge), None))
        .merge(own(session_only, Some(Accepts::Session)))
        .merge(own(Router::from(signed()), None))
        .merge(open.layer((front, admit(None, None))))
        .with_state(edge);
    // Outside of the router, so that a slash at the end is gone before routes are matched.
    NormalizePathLayer::trim_trailing_slash().layer(router)
}

/// What the address of `metrics_listen` shows.
pub fn operation(edge: Edge) -> Service {
    let router = Router::new()
        .route("/healthz", get(health::healthz))
        .route("/readyz", get(health::readyz))
        .route("/metrics", get(health::show_figures))
        .fallback(|| async { Problem::no_such_path() })
        .layer(from_fn_with_state(frame::Group { edge: edge.clone(), accepts: None, kept: None }, frame::admit))
        .layer(from_fn_with_state(edge.clone(), frame::around))
        .with_state(edge);
    NormalizePathLayer::trim_trailing_slash().layer(router)
}

/// The API document of all these routes.
pub fn document() -> OpenApi {
    let groups = [
        openapi::accepting(Accepts::KeyOrSession, key_or_session().merge(spending()).into_openapi()),
        openapi::accepting(Accepts::Session, session_only().into_openapi()),
        signed().merge(open()).merge(entrance()).into_openapi(),
    ];
    openapi::document(groups)
}

/// Any page may call what takes a key, because the page has to be given the key first. Credentials are not allowed, so
/// that browsers send no cookie along; should one come all the same, `same_site` refuses it.
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
