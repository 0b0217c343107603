//! The endpoints of the HTTP API, one file for each noun of the contract. The routes are in [`crate::router`].

pub mod account;
pub mod ai;
pub mod area;
pub mod credits;
pub mod enrichment;
pub mod exports;
pub mod health;
pub mod intro;
pub mod lead;
pub mod mark;
pub mod person;
pub mod quote;
pub mod radar;
pub mod search;
pub mod start;
pub mod suggest;
pub mod usage;
