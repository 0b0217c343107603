//! Geography and industries, offline: what a typed location means and which area it covers, what a typed industry means, and
//! which business names belong to chains. Pure: no network, no database, no clock.
//!
//! The data is compiled in, decompressed on first use, and kept in memory.

mod area;
mod chains;
mod data_file;
mod fold;
mod gazetteer;
mod industry;
mod locate;
pub mod overture;
mod point;
mod postal;
mod saved_area;
mod scope;
mod shapes;

pub use area::{Area, CITY_RADIUS_MAX_MILES, COUNTY_RADIUS_MAX_MILES};
pub use chains::is_chain;
pub use fold::fold_words;
pub use gazetteer::{Town, town};
pub use industry::{Category, Industry, UnknownIndustry, categories, category, complete_industry, industry};
pub use locate::{Located, NotFound, Place, StreetText, complete, country_at, locate};
pub use point::{Bounds, Point};
pub use saved_area::SavedArea;
pub use scope::{Scope, UnknownScope};
