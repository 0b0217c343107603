//! The schema of a place file: Overture's, with what other formats have beside it.

mod decode;
mod encode;
mod view;

pub(crate) use decode::{Texts, decode, decode_each, decode_ranked, items, lists, points, texts};
pub(crate) use encode::{encode, schema};
pub(crate) use view::viewed;

/// The columns of a place that a listing needs, in files of any generation. A file may lack each of them.
pub(crate) const COLUMNS: [&str; 20] = [
    "id",
    "geometry",
    "names.primary",
    "names.common",
    "categories",
    "taxonomy",
    "basic_category",
    "confidence",
    "operating_status",
    "websites",
    "socials",
    "emails",
    "phones",
    "brand.wikidata",
    "brand.names.primary",
    "addresses",
    "sources",
    "opening_hours",
    "rating",
    "review_count",
];

/// The columns of an address, in Overture's theme of them. A file may lack all but the first three.
pub(crate) const ADDRESS_COLUMNS: [&str; 8] =
    ["id", "geometry", "street", "number", "unit", "postcode", "postal_city", "address_levels"];
