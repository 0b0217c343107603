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
use map_providers::{Answer, CallError, Cell, Found, Gateway, ListingProvider, ProviderError, Question};
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
                asking.go_on();
            }
        }
        Ok(all)
    }

    fn asking(&self, query: &Query, data_version: &str, cursor: LiveCursor) -> Result<Asking, SourceError> {
        let began = || SourceError::permanent(format!("the search did not begin with {}", self.0.about.name));
        let inquiry = Inquiry::all_in(data_version).into_iter().next().ok_or_else(began)?;
        let gateway = self.0.gateway.on_behalf_of(inquiry);
        Ok(Asking {
            gateway,
            shared: self.0.clone(),
            query: query.clone(),
            cursor,
            held: VecDeque::new(),
            rest: Vec::new(),
            notes: Vec::new(),
        })
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
                let calls = if *calls == 1 { "one call".to_owned() } else { format!("{calls} calls") };
                format!("About {calls} ({kind}) to {} will be made.", self.0.about.name)
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
    /// What is left to ask about in the first cell once they are given.
    rest: Vec<Cell>,
    notes: Vec<String>,
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
        if self.held.is_empty() {
            self.go_on();
        }
        let tag = SourceTag::from(self.shared.about.name.as_str());
        let mut listing = listing(&Merged::single(tag, found.place), self.query.area.country());
        listing.reviews = found.reviews;
        Ok(Some(Entry { listing, next: self.cursor.cursor(), notes: std::mem::take(&mut self.notes) }))
    }

    /// Asks about the next cell. `false` when there is none.
    async fn ask(&mut self) -> Result<bool, SourceError> {
        if self.cursor.cells.is_empty() {
            return Ok(false);
        }
        let name = &self.shared.about.name;
        let question: Question = self.cursor.question(&self.query);
        let answer = self.shared.provider.ask(&self.gateway as &dyn Gateway, &question).await;
        let (found, rest) = match answer.map_err(|error| of_source(name, error))? {
            Answer::Whole(found) => (found, Vec::new()),
            Answer::Divide(rest) => (Vec::new(), rest),
            Answer::Part { found, rest } => {
                if rest.is_empty() {
                    self.notes.push(format!(
                        "{name} lists only so many businesses for the smallest area it can be asked about; a few may be missing."
                    ));
                }
                (found, rest)
            }
        };
        if self.cursor.cells.len() + rest.len() > CELLS_MAX {
            return Err(SourceError::permanent(format!("{name} cannot list so wide an area; search a smaller one")));
        }
        let after = self.cursor.after.as_deref();
        let is_new = |one: &Found| after.is_none_or(|after| one.place.id.as_str() > after);
        (self.held, self.rest) = (found.into_iter().filter(is_new).collect(), rest);
        if self.held.is_empty() {
            self.go_on();
        }
        Ok(true)
    }

    /// Everything that is known of the first cell was given: what is left of it takes its place.
    fn go_on(&mut self) {
        let rest = std::mem::take(&mut self.rest);
        self.cursor.replace_first(rest);
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
