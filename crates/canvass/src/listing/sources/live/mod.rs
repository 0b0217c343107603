//! Listings of a provider that is asked while the search runs.
//!
//! The area is asked about cell by cell; the provider says when one must be divided. A cursor holds the cells that are still to be
//! asked, the one in hand first, and the id of the last business given of it. Businesses of a cell come by id, so a search that is
//! resumed loses none, even when the map has changed meanwhile; and answers are stored, so none is paid for twice.

mod cursor;
mod set_up;

pub use set_up::{GOOGLE, OVERPASS, about, budget, is_live, provider, user_agent};

use std::collections::VecDeque;
use std::sync::Arc;

use futures::future::BoxFuture;
use futures::stream::{self, BoxStream};
use futures::{FutureExt, StreamExt};
use map_providers::{Answer, CallError, Found, Gateway, ListingProvider, ProviderError, Question};
use place_data::merge::{Merged, SourceTag};

use self::cursor::LiveCursor;
use super::place_data::listing;
use crate::clock::Clock;
use crate::ids::Ids;
use crate::listing::{About, Cursor, Entry, Query, Resolution, Source, SourceError, Words};
use crate::provider::{Inquiry, ProviderGateway};

/// Cells that a search may have before it: more means that a provider divides without end.
const CELLS_MAX: usize = 20_000;

/// Lists what a provider knows right now.
#[derive(Clone, Debug)]
pub struct LiveSource(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    about: About,
    provider: Arc<dyn ListingProvider>,
    gateway: ProviderGateway,
    clock: Arc<dyn Clock>,
    ids: Arc<dyn Ids>,
}

impl LiveSource {
    /// Lists what this provider knows.
    pub fn new(
        about: About,
        provider: Arc<dyn ListingProvider>,
        gateway: ProviderGateway,
        (clock, ids): (Arc<dyn Clock>, Arc<dyn Ids>),
    ) -> LiveSource {
        LiveSource(Arc::new(Shared { about, provider, gateway, clock, ids }))
    }

    /// Everything there is, at once.
    pub(super) async fn all(&self, query: &Query, data_version: &str, words: &str) -> Result<Vec<Found>, SourceError> {
        let mut asking = self.asking(query, data_version, LiveCursor::start(query, words))?;
        let mut all = Vec::new();
        while asking.ask().await? {
            if !asking.held.is_empty() {
                all.extend(asking.held.drain(..));
                asking.cursor = asking.cursor.behind_the_first();
            }
        }
        Ok(all)
    }

    fn asking(&self, query: &Query, data_version: &str, cursor: LiveCursor) -> Result<Asking, SourceError> {
        let began = || SourceError::permanent(format!("the search did not begin with {}", self.0.about.name));
        let inquiry = Inquiry::all_in(data_version).into_iter().next().ok_or_else(began)?;
        let gateway = self.0.gateway.on_behalf_of(inquiry);
        Ok(Asking { gateway, shared: self.0.clone(), query: query.clone(), cursor, held: VecDeque::new() })
    }

    /// Tries the set-up, and says in a sentence what was found or what is wrong.
    pub async fn check(&self) -> Result<String, String> {
        self.0.provider.check(&self.0.gateway).await.map_err(|error| error.to_string())
    }
}

impl Source for LiveSource {
    fn about(&self) -> &About {
        &self.0.about
    }

    fn resolve<'a>(&'a self, query: &'a Query, words: Words<'a>) -> BoxFuture<'a, Result<Resolution, SourceError>> {
        async move {
            let inquiry = Inquiry::new(&*self.0.ids, self.0.clock.now());
            let start = LiveCursor::start(query, words.industry);
            let calls = self.0.provider.estimate(&start.question(query));
            let notes = calls.iter().filter(|(_, calls)| *calls > 0).map(|(kind, calls)| {
                format!("About {calls} calls ({kind}) to {} will be made.", self.0.about.name)
            });
            let notes = notes.collect();
            Ok(Resolution { data_version: inquiry.as_str().to_owned(), count: None, start: start.cursor(), notes })
        }
        .boxed()
    }

    fn open(&self, query: &Query, data_version: &str, at: &Cursor) -> BoxStream<'static, Result<Entry, SourceError>> {
        let Some(cursor) = LiveCursor::read(at) else {
            let error = SourceError::permanent(format!("{} does not know the cursor {:?}", self.0.about.name, at.0));
            return stream::iter([Err(error)]).boxed();
        };
        let asking = match self.asking(query, data_version, cursor) {
            Ok(asking) => asking,
            Err(error) => return stream::iter([Err(error)]).boxed(),
        };
        stream::unfold(Some(asking), |asking| async move {
            let mut asking = asking?;
            match asking.next().await {
                Ok(Some(entry)) => Some((Ok(entry), Some(asking))),
                Ok(None) => None,
                Err(error) => Some((Err(error), None)),
            }
        })
        .boxed()
    }
}

/// A search's businesses on their way out.
struct Asking {
    shared: Arc<Shared>,
    gateway: ProviderGateway,
    query: Query,
    cursor: LiveCursor,
    /// Businesses of the first cell that were not given yet.
    held: VecDeque<Found>,
}

impl Asking {
    async fn next(&mut self) -> Result<Option<Entry>, SourceError> {
        while self.held.is_empty() {
            if !self.ask().await? {
                return Ok(None);
            }
        }
        let Some(found) = self.held.pop_front() else { return Ok(None) };
        self.cursor.after = Some(found.place.id.clone());
        let is_last = self.held.is_empty();
        let next = if is_last { self.cursor.behind_the_first() } else { self.cursor.clone() };
        if is_last {
            self.cursor = next.clone();
        }
        let tag = SourceTag::from(self.shared.about.name.as_str());
        let merged = Merged::single(tag, found.place);
        let mut listing = listing(&merged, self.query.area.country());
        listing.reviews = found.reviews;
        Ok(Some(Entry::new(listing, next.cursor())))
    }

    /// Asks about the next cell. `false` when there is none.
    async fn ask(&mut self) -> Result<bool, SourceError> {
        if self.cursor.cells.is_empty() {
            return Ok(false);
        }
        let question: Question = self.cursor.question(&self.query);
        let answer = self.shared.provider.ask(&self.gateway as &dyn Gateway, &question).await;
        match answer.map_err(|error| of_source(&self.shared.about.name, error))? {
            Answer::Divide(cells) => self.cursor.divide(cells),
            Answer::Whole(found) => {
                let after = self.cursor.after.as_deref();
                self.held = found.into_iter().filter(|one| after.is_none_or(|after| one.place.id.as_str() > after)).collect();
                if self.held.is_empty() {
                    self.cursor = self.cursor.behind_the_first();
                }
            }
        }
        if self.cursor.cells.len() > CELLS_MAX {
            let reason = format!("{} cannot list so wide an area; search a smaller one", self.shared.about.name);
            return Err(SourceError::permanent(reason));
        }
        Ok(true)
    }
}

/// A provider's error as the search sees it.
fn of_source(name: &str, error: ProviderError) -> SourceError {
    let reason = format!("{name}: {error}");
    match error {
        ProviderError::Permanent(_) | ProviderError::Call(CallError::OverBudget(_)) => SourceError::permanent(reason),
        ProviderError::Transient { .. } | ProviderError::Call(_) => SourceError::transient(reason),
    }
}
