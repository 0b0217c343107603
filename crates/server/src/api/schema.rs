//! Schemas that are made from the nouns themselves, so that the API document cannot fall behind them.

use utoipa::openapi::Object;
use utoipa::openapi::schema::{ObjectBuilder, SchemaType, Type};

/// The schema of a word that is one of these. The first is the example.
pub fn one_of<const N: usize>(description: &str, names: [&'static str; N]) -> Object {
    ObjectBuilder::new()
        .schema_type(SchemaType::new(Type::String))
        .description(Some(description))
        .enum_values(Some(names))
        .examples(names.first().copied())
        .build()
}
