//! The contract, noun by noun, through the real router and the real binary, on SQLite and on PostgreSQL.

#![expect(unreachable_pub, reason = "one binary: what modules share is public to it alone")]
#![expect(clippy::unwrap_used, reason = "in a test, a failed step is a failed test")]

mod account;
mod ai;
mod app_needs;
mod auth_coverage;
mod bell;
mod clocks;
mod command;
mod compress;
mod connection;
mod credits;
mod db;
mod doctor;
mod documents;
mod enrichment;
mod exports;
mod find;
mod frame;
mod idempotency;
mod intro;
mod keys;
mod lead;
mod link;
mod listing;
mod live;
mod log;
mod lost_replies;
mod mcp;
mod metrics;
mod misplaced_key;
mod notes;
mod notify;
mod openapi;
mod person;
mod places;
mod plans;
mod power;
mod radar;
mod restart;
mod revocation;
mod search;
mod servers;
mod session;
mod status;
mod storage;
mod streaming;
mod support;
mod suppression;
mod tidy;
mod traces;
mod upgrade;
mod weather;
mod web;
mod website;
