//! Schemas made from the domain types themselves, so that the API document cannot fall behind them.

use canvass::plan::Scope;
use canvass::search::Status;
use utoipa::openapi::schema::{ObjectBuilder, OneOfBuilder, Ref, RefBuilder, SchemaType, Type};
use utoipa::openapi::{Object, RefOr, Schema};

const SCOPE: &str = "Scope";
const SEARCH_STATUS: &str = "SearchStatus";

/// Enumerations that several objects use. As components they have one type and one name in generated clients.
pub fn shared() -> [(&'static str, Object); 2] {
    [
        (SCOPE, one_of("How wide a search reaches.", Scope::ALL.map(Scope::name))),
        (SEARCH_STATUS, one_of("The state of a search.", Status::ALL.map(Status::name))),
    ]
}

/// The schema of a scope.
pub fn scope(description: &str) -> Ref {
    reference(SCOPE, description)
}

/// The schema of a search's status.
pub fn search_status() -> Ref {
    reference(SEARCH_STATUS, "The state of the search.")
}

/// The schema of a word that is one of these. The first is the example.
pub fn one_of<const N: usize>(description: &str, names: [&'static str; N]) -> Object {
    ObjectBuilder::new()
        .schema_type(SchemaType::new(Type::String))
        .description(Some(description))
        .enum_values(Some(names))
        .examples(names.first().copied())
        .build()
}

/// The schema of a value that may be null.
pub fn or_null(schema: impl Into<RefOr<Schema>>) -> Schema {
    let null = ObjectBuilder::new().schema_type(SchemaType::new(Type::Null));
    OneOfBuilder::new().item(schema).item(null).build().into()
}

fn reference(name: &str, description: &str) -> Ref {
    RefBuilder::new().ref_location_from_schema_name(name).description(Some(description)).build()
}
