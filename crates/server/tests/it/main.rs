//! The contract, noun by noun, through the real router and the real binary, on SQLite and on PostgreSQL.

#![expect(unreachable_pub, reason = "one binary: what modules share is public to it alone")]
#![expect(clippy::unwrap_used, reason = "in a test, a failed step is a failed test")]

mod account;
mod ai;
mod auth_coverage;
mod command;
mod credits;
mod db;
mod doctor;
mod enrichment;
mod exports;
mod find;
mod frame;
mod idempotency;
mod intro;
mod keys;
mod lead;
mod link;
mod log;
mod mcp;
mod notify;
mod openapi;
mod radar;
mod restart;
mod search;
mod storage;
mod streaming;
mod support;
mod tidy;
mod web;
mod website;
