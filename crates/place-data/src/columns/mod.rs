//! Places out of flat columns, such as those of a CSV file or of the properties of a GeoJSON feature: what a column holds is
//! guessed from its header, and values are read in the spellings in which people write them.

mod category;
mod country;
mod field;
mod headers;
mod mapping;
mod numbers;
mod place;
mod position;
mod texts;

pub(crate) use category::known_kind;
pub use field::Field;
pub use mapping::Mapping;
pub(crate) use place::{PlaceReader, ReadPlace, Row, SeenIds, made_id};
pub(crate) use position::on_globe;
pub(crate) use texts::VALUE_BYTES_MAX;

/// Why a place was left out, for all formats in the same words.
pub(crate) mod reasons {
    pub(crate) const NO_NAME: &str = "no name";
    pub(crate) const NO_COORDINATES: &str = "no coordinates";
    pub(crate) const BAD_COORDINATES: &str = "coordinates that cannot be read or are out of range";
    pub(crate) const ZERO_COORDINATES: &str = "coordinates 0, 0, which mean that nobody knows";
    pub(crate) const CLOSED: &str = "closed for good";
    pub(crate) const SEEN_BEFORE: &str = "the same id a second time";
    pub(crate) const LONG_VALUE: &str = "a name or id longer than 4,096 bytes";
}
