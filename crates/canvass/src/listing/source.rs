//! The port that every source of listings implements.
//!
//! A query is resolved once, when its search starts; the search stores the outcome. From then on the source is opened at a
//! cursor of its own making, which the search stores with every batch of listings it has taken over: an interrupted search goes
//! on behind the last stored listing without asking for the earlier ones again. `tests/it/listing.rs` has the suite that every
//! source must pass.

use std::fmt;

use futures::future::BoxFuture;
use futures::stream::BoxStream;
use places::{Area, Category};
use serde::{Deserialize, Serialize};

use super::Listing;

/// What a source is like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct About {
    /// Its name, as settings, `coverage.source` and leads show it.
    pub name: String,
    /// Whom to credit when its data is shown.
    pub attribution: Option<String>,
    /// What its listings can have.
    pub has: Has,
    /// Days for which its terms allow its data to be kept; `None` when they set no limit.
    pub retention_days: Option<u32>,
}

/// What a source's listings can have. A filter on anything else is refused: it would leave out every business.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Has {
    /// Average ratings.
    pub ratings: bool,
    /// Numbers of reviews.
    pub reviews: bool,
    /// Phone numbers.
    pub phones: bool,
}

/// What is looked for.
#[derive(Clone, Debug)]
pub struct Query {
    /// Which kind of business.
    pub category: &'static Category,
    /// Where it must lie.
    pub area: Area,
}

/// The words that a query was made from, for sources that search by words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Words<'a> {
    /// The kind of business, as typed.
    pub industry: &'a str,
    /// The place, as typed.
    pub location: &'a str,
}

/// A place in a source's listings. Only the source knows what it says; others store it and hand it back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cursor(pub String);

/// How a source answers a query, fixed for the search that asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resolution {
    /// Which version of its data it answers from, such as the name of a release. It is handed back whenever the source is
    /// opened, so that a later release does not move a running search.
    pub data_version: String,
    /// About how many businesses there are, when that is cheap to say.
    pub count: Option<u64>,
    /// Where the listings begin.
    pub start: Cursor,
    /// Sentences on what of the area it does not know, and on what asking will cost, for the customer.
    pub notes: Vec<String>,
}

/// A listing, and where the source goes on behind it.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The business.
    pub listing: Listing,
    /// Opened here, the source begins with the next listing.
    pub next: Cursor,
    /// Sentences for the customer on what went otherwise than expected up to here; nearly always empty.
    pub notes: Vec<String>,
}

impl Entry {
    /// A listing about which there is nothing else to say.
    pub fn new(listing: Listing, next: Cursor) -> Entry {
        Entry { listing, next, notes: Vec::new() }
    }
}

/// Why a source cannot go on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SourceError {
    /// Trying again later may work.
    #[error("{reason}")]
    Transient {
        /// What went wrong, for the customer.
        reason: String,
        /// Where to go on, when that is not behind the last listing: the source may note here that it has failed.
        resume_at: Option<Cursor>,
    },
    /// Trying again will not help.
    #[error("{reason}")]
    Permanent {
        /// What went wrong, for the customer.
        reason: String,
    },
}

impl SourceError {
    /// A transient error; the source goes on behind the last listing.
    pub fn transient(reason: impl Into<String>) -> SourceError {
        SourceError::Transient { reason: reason.into(), resume_at: None }
    }

    /// A permanent error.
    pub fn permanent(reason: impl Into<String>) -> SourceError {
        SourceError::Permanent { reason: reason.into() }
    }

    /// Its name in metrics.
    pub fn kind(&self) -> &'static str {
        match self {
            SourceError::Transient { .. } => "transient",
            SourceError::Permanent { .. } => "permanent",
        }
    }
}

/// A source of listings.
pub trait Source: Send + Sync + fmt::Debug {
    /// What it is like. Does not change while the process runs.
    fn about(&self) -> &About;

    /// Resolves a query, once for each search.
    fn resolve<'a>(&'a self, query: &'a Query, words: Words<'a>) -> BoxFuture<'a, Result<Resolution, SourceError>>;

    /// The listings of one version of its data from a cursor on, in a fixed order: the same cursor always gives the same
    /// listings. Nothing is fetched before the stream is polled, and nothing more after it is dropped. An error ends the stream.
    fn open(&self, query: &Query, data_version: &str, at: &Cursor) -> BoxStream<'static, Result<Entry, SourceError>>;
}
