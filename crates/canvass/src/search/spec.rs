//! A search that can run: what a start request was parsed into.

use super::StartRequest;
use crate::listing::Query;
use crate::plan::Scope;

/// A search that can run.
#[derive(Clone, Debug)]
pub struct SearchSpec {
    /// The request.
    pub request: StartRequest,
    /// How wide its area is.
    pub scope: Scope,
    /// What the source is asked for.
    pub query: Query,
    /// The name of the area that the location was read as.
    pub area_name: String,
    /// Sentences on how the request was interpreted; empty when it is taken exactly as asked.
    pub notes: Vec<String>,
    /// Leads asked for, no more than the plan's cap.
    pub requested: i64,
}
