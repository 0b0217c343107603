//! The edges of Canvass: HTTP and the command line. They extract, call one verb, and shape the answer; no rule and no
//! SQL lives here.

pub mod api;
pub mod command;
pub mod connection;
pub mod edge;
pub mod limits;
pub mod log;
pub mod mcp;
pub mod metrics;
pub mod printable;
pub mod router;
pub mod serve;
pub mod streaming;
pub mod traces;
mod web;
