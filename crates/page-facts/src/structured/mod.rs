//! Structured data about the business: JSON-LD, microdata, h-card, Open Graph.

pub(crate) mod business;
pub(crate) mod json;
pub(crate) mod microdata;
mod samples;
mod values;
