//! The API document: the descriptions of the routes, and what all of them have in common.

use std::sync::OnceLock;

use axum::routing::{MethodRouter, get};
use canvass::idempotency::KEY_CHARS_MAX;
use http::header::CONTENT_TYPE;
use http::{HeaderMap, HeaderValue};
use utoipa::openapi::header::HeaderBuilder;
use utoipa::openapi::path::{Operation, Parameter};
use utoipa::openapi::request_body::RequestBody;
use utoipa::openapi::schema::{AdditionalProperties, ObjectBuilder, Ref, Schema, SchemaType, Type};
use utoipa::openapi::security::{
    ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityRequirement, SecurityScheme,
};
use utoipa::openapi::{Components, Content, ContentBuilder, OpenApi, RefOr, Response as Documented, ResponseBuilder};
use utoipa::{OpenApi as _, PartialSchema};

use super::Edge;
use super::cookie::SECURE_COOKIE;
use super::credential::{Accepts, KEY_PARAMETER};
use super::fields::NoParameters;
use super::idempotency::HEADER as IDEMPOTENCY_KEY;
use super::problem::{FieldError, ProblemBody};
use super::schema::shared;
use crate::edge::packed::Packed;

/// The document without its paths.
#[derive(utoipa::OpenApi)]
#[openapi(
    info(
        title = "Canvass",
        description = "On-demand searches for local businesses: start a search, watch it, download the leads.\n\n\
            Every request carries an API key in the `X-API-Key` header, or as `Authorization: Bearer`. Every response carries \
            an `X-Request-Id`. Errors are JSON with a `detail` that says what to fix.",
        contact(name = "The operator of this server"),
        license(name = "Apache-2.0", identifier = "Apache-2.0"),
    ),
    servers((url = "/", description = "The server this document came from.")),
    tags(
        (name = "Account", description = "The account, its balance and its ledger."),
        (name = "Searches", description = "Start searches, watch them, stop them."),
        (name = "Leads", description = "What searches delivered."),
        (name = "Exports", description = "Leads as CSV files, for spreadsheets, sales software and campaigns."),
        (name = "AI", description = "Owners, best emails and email openings, from what the websites say."),
        (name = "Radar", description = "Watch businesses, and be told when their websites change. Needs the Radar add-on."),
        (name = "Web app", description = "What a person does on this server's web page: signing in, keys, devices. Takes no API key."),
        (name = "Operation", description = "For those who run the server. No key needed."),
    ),
    components(schemas(FieldError)),
)]
struct Head;

/// The form of an idempotency key: visible ASCII without spaces.
const IDEMPOTENCY_KEY_PATTERN: &str = "^[!-~]+$";

/// Errors that every request with a credential can get, with the component that describes them.
const COMMON_ERRORS: [(&str, &str, &str); 10] = [
    ("400", "BadRequest", "The request is well-formed but cannot run; `detail` says what to change."),
    ("401", "Unauthorized", "The API key is missing, wrong or revoked, or the session has ended."),
    ("403", "Forbidden", "The plan does not include this, or another website made a browser send it."),
    ("404", "NotFound", "There is no such thing on this account."),
    ("405", "MethodNotAllowed", "The endpoint does not accept that method; `Allow` lists those it accepts."),
    ("413", "ContentTooLarge", "The body is larger than 1 MiB."),
    ("422", "UnprocessableContent", "A field or parameter is not acceptable as written; `errors` names each one."),
    ("429", "TooManyRequests", "Too many requests in a minute; `Retry-After` says when to come back."),
    ("500", "InternalServerError", "A fault of the service. Nothing was charged."),
    (
        "503",
        "ServiceUnavailable",
        "Overloaded, shutting down, or the database takes no writes; `Retry-After` says when to try again.",
    ),
];

/// Further errors of requests with a body.
const BODY_ERRORS: [(&str, &str, &str); 3] = [
    ("408", "RequestTimeout", "The body came too slowly, or not at all."),
    ("409", "Conflict", "A request with the same `Idempotency-Key` is still under way."),
    ("415", "UnsupportedMediaType", "The body is not JSON."),
];

/// Errors of requests without a credential.
const OPEN_ERRORS: [&str; 6] = ["405", "413", "422", "429", "500", "503"];

/// The schemes by which a program shows its key, and the one by which a browser shows a session.
const KEY_SCHEMES: [&str; 3] = ["ApiKeyHeader", "BearerKey", "ApiKeyQuery"];
const SESSION_SCHEME: &str = "SessionCookie";

/// Marks every operation of a group with the credentials it takes. What takes either says nothing of its own: the
/// document's default holds.
pub fn accepting(accepts: Accepts, mut group: OpenApi) -> OpenApi {
    let schemes: &[&str] = match accepts {
        Accepts::KeyOrSession => return group,
        Accepts::Key => &KEY_SCHEMES,
        Accepts::Session => &[SESSION_SCHEME],
    };
    for operation in operations(&mut group) {
        operation.security = Some(schemes.iter().map(|scheme| alternative(scheme)).collect());
    }
    group
}

fn alternative(scheme: &str) -> SecurityRequirement {
    SecurityRequirement::new::<_, [&str; 0], &str>(scheme, [])
}

fn operations(document: &mut OpenApi) -> impl Iterator<Item = &mut Operation> {
    let items = document.paths.paths.values_mut();
    items.flat_map(|item| [&mut item.get, &mut item.post, &mut item.put, &mut item.delete].into_iter().flatten())
}

/// The document of these groups of paths.
pub fn document(groups: impl IntoIterator<Item = OpenApi>) -> OpenApi {
    let mut document = Head::openapi();
    groups.into_iter().for_each(|group| document.merge(group));
    let components = document.components.get_or_insert_default();
    components.schemas.insert("Error".into(), ProblemBody::schema());
    components.schemas.extend(shared().map(|(name, schema)| (name.to_owned(), schema.into())));
    for (_, name, description) in COMMON_ERRORS.into_iter().chain(BODY_ERRORS) {
        components.responses.insert(name.into(), RefOr::T(error_response(name, description)));
    }
    let schemes = KEY_SCHEMES.into_iter().zip([header_scheme(), bearer_scheme(), query_scheme()]);
    let schemes = schemes.chain([(SESSION_SCHEME, session_scheme())]);
    components.security_schemes.extend(schemes.map(|(name, scheme)| (name.to_owned(), RefOr::T(scheme))));
    document.security = Some(KEY_SCHEMES.into_iter().chain([SESSION_SCHEME]).map(alternative).collect());
    for item in document.paths.paths.values_mut() {
        for operation in [&mut item.get, &mut item.post, &mut item.put, &mut item.delete].into_iter().flatten() {
            complete(operation);
            if let Some(RefOr::T(body)) = &mut operation.request_body {
                complete_body(body, components);
            }
        }
    }
    document
}

/// A body is an object or left out, never `null`; and it has no fields but the documented ones.
fn complete_body(body: &mut RequestBody, components: &mut Components) {
    for content in body.content.values_mut() {
        let RefOr::T(Content { schema: Some(schema), .. }) = content else { continue };
        if let RefOr::T(Schema::OneOf(either)) = schema
            && let Some(object) = either.items.iter().find(|item| matches!(item, RefOr::Ref(_)))
        {
            *schema = object.clone();
        }
        if let RefOr::Ref(reference) = schema
            && let Some(name) = reference.ref_location.rsplit('/').next()
            && let Some(RefOr::T(Schema::Object(object))) = components.schemas.get_mut(name)
        {
            object.additional_properties = Some(Box::new(AdditionalProperties::FreeForm(false)));
        }
    }
}

/// Adds what every operation has: errors, and headers of responses.
fn complete(operation: &mut Operation) {
    operation.parameters.iter_mut().flatten().for_each(complete_parameter);
    let keyed = needs_credential(operation);
    for (status, name, _) in COMMON_ERRORS.iter().filter(|(status, ..)| keyed || OPEN_ERRORS.contains(status)) {
        let reference = Ref::from_response_name(*name);
        operation.responses.responses.entry((*status).to_owned()).or_insert(RefOr::Ref(reference));
    }
    for (status, name, _) in BODY_ERRORS.iter().filter(|_| operation.request_body.is_some()) {
        let reference = Ref::from_response_name(*name);
        operation.responses.responses.entry((*status).to_owned()).or_insert(RefOr::Ref(reference));
    }
    for response in operation.responses.responses.values_mut() {
        if let RefOr::T(response) = response {
            add_headers(response, keyed);
        }
    }
}

/// Whether an operation is for callers we know: it takes the default, or names a scheme. An open one names none.
fn needs_credential(operation: &Operation) -> bool {
    let open = SecurityRequirement::default();
    operation.security.as_ref().is_none_or(|alternatives| !alternatives.contains(&open))
}

/// A parameter is present or not: headers and addresses have no null.
fn complete_parameter(parameter: &mut RefOr<Parameter>) {
    let RefOr::T(parameter) = parameter else { return };
    let Some(RefOr::T(Schema::Object(schema))) = &mut parameter.schema else { return };
    if let SchemaType::Array(types) = &schema.schema_type
        && let Some(one) = types.iter().find(|one| **one != Type::Null)
    {
        schema.schema_type = SchemaType::new(one.clone());
    }
    if parameter.name.eq_ignore_ascii_case(IDEMPOTENCY_KEY.as_str()) {
        (schema.min_length, schema.max_length) = (Some(1), Some(KEY_CHARS_MAX));
        schema.pattern = Some(IDEMPOTENCY_KEY_PATTERN.to_owned());
    }
}

fn error_response(name: &str, description: &str) -> Documented {
    let body = || ContentBuilder::new().schema(Some(Ref::from_schema_name("Error"))).build();
    let mut response = ResponseBuilder::new()
        .description(description)
        .content("application/json", body())
        .content("application/problem+json", body())
        .build();
    add_headers(&mut response, false);
    if matches!(name, "TooManyRequests" | "ServiceUnavailable") {
        add_header(&mut response, "Retry-After", "Seconds to wait.", Type::Integer);
    }
    if name == "TooManyRequests" {
        add_rate_headers(&mut response);
    }
    if name == "Unauthorized" {
        add_header(&mut response, "WWW-Authenticate", "Where the key belongs.", Type::String);
    }
    if name == "MethodNotAllowed" {
        add_header(&mut response, "Allow", "The methods this endpoint accepts.", Type::String);
    }
    response
}

fn add_headers(response: &mut Documented, keyed: bool) {
    add_header(response, "X-Request-Id", "The id of this request: name it when you ask for help.", Type::String);
    if keyed {
        add_rate_headers(response);
    }
}

fn add_rate_headers(response: &mut Documented) {
    let limit = "What is left of the limit, such as \"key\";r=119;t=1 (draft-ietf-httpapi-ratelimit-headers-11).";
    add_header(response, "RateLimit", limit, Type::String);
    add_header(response, "RateLimit-Policy", "The limit, such as \"key\";q=120;w=60.", Type::String);
}

fn add_header(response: &mut Documented, name: &str, description: &str, kind: Type) {
    let schema = ObjectBuilder::new().schema_type(SchemaType::new(kind));
    let header = HeaderBuilder::new().schema(Some(schema)).description(Some(description)).build();
    response.headers.insert(name.to_owned(), header.into());
}

fn header_scheme() -> SecurityScheme {
    let description = "The key, as it was shown when it was made. Preferred.";
    SecurityScheme::ApiKey(ApiKey::Header(ApiKeyValue::with_description("X-API-Key", description)))
}

fn bearer_scheme() -> SecurityScheme {
    let description =
        "The same key, for tools that only know `Authorization: Bearer`. `X-API-Key` wins when both are sent.";
    SecurityScheme::Http(HttpBuilder::new().scheme(HttpAuthScheme::Bearer).description(Some(description)).build())
}

fn query_scheme() -> SecurityScheme {
    let description = "The key in the address. Addresses are often logged: prefer the header.";
    SecurityScheme::ApiKey(ApiKey::Query(ApiKeyValue::with_description(KEY_PARAMETER, description)))
}

fn session_scheme() -> SecurityScheme {
    let description = "The session of a person who is signed in to this server's web app. Requests that another website \
                       makes a browser send are refused.";
    SecurityScheme::ApiKey(ApiKey::Cookie(ApiKeyValue::with_description(SECURE_COOKIE, description)))
}

/// Serves the document.
pub fn serve(document: fn() -> OpenApi) -> MethodRouter<Edge> {
    static TEXT: OnceLock<Packed> = OnceLock::new();
    get(move |_: NoParameters, headers: HeaderMap| async move {
        let text = TEXT.get_or_init(|| Packed::owned(document().to_pretty_json().unwrap_or_default().into()));
        let mut response = text.response(&headers);
        response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        response
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use utoipa_axum::router::OpenApiRouter;
    use utoipa_axum::routes;

    use super::*;

    /// Stands for any operation.
    #[utoipa::path(get, path = "/probe", responses((status = 200, description = "Fine.")))]
    async fn probe() {}

    #[test]
    fn every_operation_says_which_credentials_its_group_takes() {
        let security = |accepts| {
            let group = OpenApiRouter::<()>::new().routes(routes!(probe)).into_openapi();
            let document = serde_json::to_value(document([accepting(accepts, group)])).unwrap();
            let own = document["paths"]["/probe"]["get"]["security"].clone();
            if own.is_null() { document["security"].clone() } else { own }
        };
        let keys = [json!({"ApiKeyHeader": []}), json!({"BearerKey": []}), json!({"ApiKeyQuery": []})];
        let session = json!({"SessionCookie": []});
        assert_eq!(security(Accepts::Key), json!(keys));
        assert_eq!(security(Accepts::Session), json!([session]));
        assert_eq!(security(Accepts::KeyOrSession), json!([keys[0], keys[1], keys[2], session]));
    }
}
