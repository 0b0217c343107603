//! The nouns of Canvass: their rules, their verbs, their SQL. No HTTP, no command line, no JSON views.
//!
//! A folder is a noun of the contract; its `mod.rs` holds the types and pure rules, `store.rs` all its SQL, and every
//! other file one verb. `ARCHITECTURE.md` has the map.

pub mod account;
pub mod activity;
pub mod ai;
pub mod app;
pub mod chores;
pub mod clock;
pub mod config;
mod cpu_pool;
pub mod credits;
pub mod db;
pub mod doctor;
pub mod enrichment;
pub mod exports;
pub mod fair_line;
pub mod geocode;
pub mod idempotency;
pub mod ids;
pub mod intro;
pub mod jobs;
pub mod keys;
pub mod lead;
pub mod listing;
pub mod mark;
pub mod measure;
pub mod notify;
pub mod outbound;
pub mod own_data;
mod owned;
pub mod password;
pub mod plan;
pub mod private_files;
pub mod provider;
pub mod radar;
pub mod removal;
pub mod request_rate;
pub mod sandbox;
pub mod search;
pub mod secret;
pub mod server_address;
pub mod session;
pub mod sign_in;
pub mod signals;
pub mod status;
pub mod steps;
pub mod suppression;
pub mod usage;
pub mod view;
pub mod website;
pub mod work;

pub use app::App;
pub use owned::Owned;
