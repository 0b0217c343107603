//! The HTTP API. [`router`] has every route in one table; [`frame`] is what surrounds them all.

pub mod account;
pub mod ai;
pub mod auth;
pub mod body;
pub(crate) mod compress;
pub mod credits;
pub mod drain;
pub mod edge;
pub mod enrichment;
pub mod etag;
pub mod exports;
pub mod fields;
pub mod frame;
pub mod health;
pub mod idempotency;
pub mod intro;
pub mod lead;
pub mod openapi;
pub mod path;
pub mod problem;
pub mod quote;
pub mod radar;
pub mod rate_limit;
pub mod router;
pub mod schema;
pub mod search;
pub mod start;
pub mod upload;

pub use edge::Edge;
pub use problem::Problem;
