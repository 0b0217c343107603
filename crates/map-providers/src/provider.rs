//! The port of providers that list businesses.

use std::fmt;
use std::time::Duration;

use futures::future::BoxFuture;
use place_data::Place;
use places::{Area, Category};

use crate::{CallError, Cell, Gateway};

/// What is asked: the businesses of a category that lie in an area, one cell of it at a time.
#[derive(Clone, Debug)]
pub struct Question {
    /// Which kind of business.
    pub category: &'static Category,
    /// The industry as it was typed, for providers that search by words.
    pub words: String,
    /// Where it must lie.
    pub area: Area,
    /// The part of the area's bounding box that is asked about.
    pub cell: Cell,
}

/// A provider's answer about a cell.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// Every business in the cell (and in the area), ordered by id.
    Whole(Vec<Found>),
    /// There are too many for one answer: ask about these, which together hold everything of the area that the cell holds.
    Divide(Vec<Cell>),
    /// A part of them: every business in the cell (and in the area) that lies in none of `rest`, ordered by id.
    Part {
        /// The businesses that are known.
        found: Vec<Found>,
        /// What is left to ask about. Empty when there are more businesses than the provider lists for the smallest cell: the
        /// others cannot be had.
        rest: Vec<Cell>,
    },
}

/// A business as a provider lists it.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// The business; its id is the provider's.
    pub place: Place,
    /// A few texts that customers wrote.
    pub reviews: Vec<String>,
}

/// Why a provider gives no answer. The sentences are for the customer and the operator; they hold no key and no address.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProviderError {
    /// Trying again after a while may work.
    #[error("{reason}")]
    Transient {
        /// What went wrong.
        reason: String,
        /// How long the provider asks to wait, when it says so.
        after: Option<Duration>,
    },
    /// Trying again will not help: a wrong key, a region that is not served.
    #[error("{0}")]
    Permanent(String),
    /// The request could not be made, or got no reply.
    #[error(transparent)]
    Call(#[from] CallError),
}

/// A provider that lists businesses.
pub trait ListingProvider: Send + Sync + fmt::Debug {
    /// Its name, as settings and leads show it.
    fn name(&self) -> &'static str;

    /// Asks about one cell. Waits and retries within reason where the provider says that it is busy.
    fn ask<'a>(
        &'a self,
        gateway: &'a dyn Gateway,
        question: &'a Question,
    ) -> BoxFuture<'a, Result<Answer, ProviderError>>;

    /// About how many calls the businesses of this area will take, by kind of call; for a quote.
    fn estimate(&self, question: &Question) -> Vec<(&'static str, u32)>;

    /// Tries the set-up with the cheapest request there is.
    fn check<'a>(&'a self, gateway: &'a dyn Gateway) -> BoxFuture<'a, Result<String, ProviderError>>;
}
