//! Reads the few pages of a website that are worth reading, politely and safely.
//!
//! A [`Reader`] is built once from [`ReaderSettings`] and cloned cheaply. [`Reader::read_site`] takes whatever a listing has
//! in its website field and returns a [`SiteReport`]: a status, the pages, and an explanation of what went wrong. It knows
//! nothing of leads, accounts or storage.
//!
//! One concern per file: `robots` (RFC 9309), `pacing` (one connection and a gap per host), `address_guard` (SSRF
//! protection), `retry`, `decompress` (body limits after decompression), `links` and `page_choice` (which pages), `parked`
//! (parked domains and bot challenges), `tag_manager`, `memory` (one budget for all bytes in flight), `report_budget` (memory
//! of reports held by callers), `small_reads` (small read buffers), `buffer_pool` (reuse of large ones), `compressed` (pages
//! wait compressed), `cache` (what is remembered, and for how long), `visit` (all requests go through it), `stall` (whether
//! this process was stopped or suspended), `figures` (metrics), and `read_site`, which puts them in order.

mod address_guard;
mod body;
mod buffer_pool;
mod cache;
mod compressed;
mod connect;
mod connection;
mod decompress;
mod domain;
mod exchange;
mod fetch;
mod fetch_error;
pub mod figures;
mod home_page;
mod limits;
mod links;
mod memory;
mod pacing;
mod page_choice;
mod page_keywords;
mod parked;
mod read_site;
mod reader;
mod reader_state;
mod report;
mod report_budget;
mod resolve;
mod retry;
mod robots;
mod settings;
mod site_address;
mod small_reads;
mod social;
mod stall;
mod tag_manager;
mod tracking;
mod visit;

pub use address_guard::{AddressGuard, Refusal, Target};
pub use reader::{Reader, RobotsFile};
pub use report::{FetchedPage, Freshness, PageKind, SiteReport, SiteStatus};
pub use resolve::{ResolveError, Resolver, SystemResolver};
pub use robots::{RobotsLine, RobotsVerdict, check_robots};
pub use settings::{ReaderSettings, SettingsError};
pub use site_address::{ListedWebsite, listed_website, names_own_site};
pub use stall::StallWatch;
