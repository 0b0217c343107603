//! Reads the few pages of one website that are worth reading, politely and safely.
//!
//! A [`Reader`] is built once from [`ReaderSettings`] and cloned cheaply. [`Reader::read_site`] takes
//! whatever a listing has in its website field and brings back a [`SiteReport`]: a status, the
//! pages, and plain words on what went wrong. It knows nothing of leads, accounts or storage.
//!
//! One concern per file: `robots` (RFC 9309), `pacing` (one connection and a gap per host),
//! `address_guard` (public addresses only), `retry`, `decode` (body limits after decompression),
//! `links` and `page_choice` (which pages), `marks` (parked sites), `tag_manager`, `memory` (one
//! budget for all bytes under way), `lending` (reports handed out count too), `sip` (small buffers), `reuse` (large ones), `kept`
//! (pages wait compressed), `shelf` (what is remembered, and
//! for how long), `visit` (every request goes through it), `stall` (whether this process was stopped
//! or suspended meanwhile), and `read_site`, which puts them in order.

mod address_guard;
mod connect;
mod decode;
mod exchange;
mod failure;
mod kept;
mod lending;
mod limits;
mod links;
mod marks;
mod memory;
mod pacing;
mod page_choice;
mod page_words;
mod read_site;
mod reader;
mod report;
mod resolve;
mod retry;
mod reuse;
mod robots;
mod settings;
mod shelf;
mod sip;
mod site_address;
mod social;
mod stall;
mod tag_manager;
mod visit;
mod wire;

pub use address_guard::{AddressGuard, Refusal, Target};
pub use reader::{Freshness, Reader};
pub use report::{FetchedPage, PageKind, SiteReport, SiteStatus};
pub use resolve::{ResolveError, Resolver, SystemResolver};
pub use settings::{ReaderSettings, SettingsError};
pub use site_address::names_own_site;
pub use stall::StallWatch;
