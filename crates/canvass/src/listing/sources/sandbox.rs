//! Listings of the embedded world, with the faults that its test places and test trades ask for.

use std::sync::Arc;
use std::time::Duration;

use ::sandbox::{Business, Fault, Website, test_place, test_trade};
use futures::future::{BoxFuture, ready};
use futures::stream::{self, BoxStream};
use futures::{FutureExt, StreamExt};

use crate::listing::{
    About, Cursor, Entry, Has, Listing, PostalAddress, Query, Resolution, Source, SourceError, Words,
};
use crate::sandbox::Sandbox;

/// How long the slow provider takes for each page of listings.
const SLOW_PAGE: Duration = Duration::from_millis(700);
/// Listings on one of its pages.
const SLOW_PAGE_LISTINGS: u64 = 5;
/// Between the parts of a cursor; no test trade has it in its name.
const SEPARATOR: char = '|';

/// Lists the businesses of the embedded world.
#[derive(Debug)]
pub struct SandboxSource {
    sandbox: Arc<Sandbox>,
    about: About,
}

impl SandboxSource {
    /// Lists those of this world.
    pub fn new(sandbox: Arc<Sandbox>) -> SandboxSource {
        let about = About {
            name: "sandbox".to_owned(),
            attribution: Some("Made-up businesses of the Canvass sandbox".to_owned()),
            has: Has { ratings: true, reviews: true, phones: true },
            retention_days: None,
        };
        SandboxSource { sandbox, about }
    }

    fn data_version(&self) -> String {
        format!("seed {}", self.sandbox.world.seed())
    }
}

/// Where in the listings, and what the test trade that was asked for makes go wrong: `flaky trade|7|1`.
#[derive(Clone, Debug, PartialEq, Eq)]
struct SandboxCursor {
    /// The test trade's name; empty for every other trade.
    trade: String,
    position: u64,
    /// Scripted failures so far at this very position.
    failures: u32,
}

impl SandboxCursor {
    fn cursor(&self) -> Cursor {
        Cursor(format!("{}{SEPARATOR}{}{SEPARATOR}{}", self.trade, self.position, self.failures))
    }

    fn of(cursor: &Cursor) -> Option<SandboxCursor> {
        let mut parts = cursor.0.split(SEPARATOR);
        let (trade, position, failures) = (parts.next()?, parts.next()?, parts.next()?);
        let place = SandboxCursor {
            trade: trade.to_owned(),
            position: position.parse().ok()?,
            failures: failures.parse().ok()?,
        };
        parts.next().is_none().then_some(place)
    }

    fn fault(&self, query: &Query) -> Fault {
        let place = || test_place(query.area.name()).map(|place| place.fault());
        test_trade(&self.trade).map(|trade| trade.fault).or_else(place).unwrap_or(Fault::None)
    }
}

impl Source for SandboxSource {
    fn about(&self) -> &About {
        &self.about
    }

    fn resolve<'a>(&'a self, query: &'a Query, words: Words<'a>) -> BoxFuture<'a, Result<Resolution, SourceError>> {
        let trade = test_trade(words.industry).map_or(String::new(), |trade| trade.name.to_owned());
        let place = SandboxCursor { trade, position: 0, failures: 0 };
        let count = match place.fault(query) {
            Fault::Empty => Some(0),
            Fault::Blocked => None,
            _ => Some(self.sandbox.world.count(&query.area, query.category)),
        };
        ready(Ok(Resolution { data_version: self.data_version(), count, start: place.cursor(), notes: Vec::new() }))
            .boxed()
    }

    fn open(&self, query: &Query, data_version: &str, at: &Cursor) -> BoxStream<'static, Result<Entry, SourceError>> {
        if data_version != self.data_version() {
            return failing(SourceError::permanent("the sandbox has become another world since the search began"));
        }
        let Some(place) = SandboxCursor::of(at) else {
            return failing(SourceError::permanent(format!("the sandbox does not know the cursor {:?}", at.0)));
        };
        match place.fault(query) {
            Fault::Empty => stream::empty().boxed(),
            Fault::Blocked => failing(SourceError::permanent("the listing provider does not serve this region")),
            fault => self.listings(query, place, fault),
        }
    }
}

impl SandboxSource {
    fn listings(
        &self,
        query: &Query,
        place: SandboxCursor,
        fault: Fault,
    ) -> BoxStream<'static, Result<Entry, SourceError>> {
        let sandbox = self.sandbox.clone();
        let businesses = sandbox.world.businesses(&query.area, query.category).after(place.position);
        let entries = businesses.scan(Some(place), move |at, business| {
            // Nothing follows an error.
            let place = at.take()?;
            if fault.fails_at(place.position, place.failures) {
                let again = SandboxCursor { failures: place.failures + 1, ..place };
                let reason = "the listing provider did not answer in time".to_owned();
                return Some(Err(SourceError::Transient { reason, resume_at: Some(again.cursor()) }));
            }
            let next = at.insert(SandboxCursor { position: place.position + 1, failures: 0, ..place }).cursor();
            Some(Ok(Entry::new(listing(&sandbox, business), next)))
        });
        if fault == Fault::Slow { slowly(entries).boxed() } else { stream::iter(entries).boxed() }
    }
}

fn failing(error: SourceError) -> BoxStream<'static, Result<Entry, SourceError>> {
    stream::iter([Err(error)]).boxed()
}

/// Waits before each page.
fn slowly<E>(entries: E) -> impl stream::Stream<Item = Result<Entry, SourceError>> + Send
where
    E: Iterator<Item = Result<Entry, SourceError>> + Send + 'static,
{
    stream::iter((0..).zip(entries)).then(|(number, entry): (u64, _)| async move {
        if number.is_multiple_of(SLOW_PAGE_LISTINGS) {
            tokio::time::sleep(SLOW_PAGE).await;
        }
        entry
    })
}

fn listing(sandbox: &Sandbox, business: Business) -> Listing {
    Listing {
        business_id: format!("sandbox:{}", business.id),
        is_chain: business.chain.is_some() || places::is_chain(&business.name, business.country),
        name: business.name,
        phone: business.phone,
        website: match business.website {
            Website::None => None,
            Website::Own { host } => Some(sandbox.address(&host)),
            Website::Social(profile) => Some(profile),
        },
        address: PostalAddress {
            street: Some(business.street),
            city: Some(business.city),
            state: Some(business.state),
            postal_code: business.postal_code,
            country: Some(business.country.to_owned()),
        },
        point: Some(business.point),
        rating: business.rating,
        review_count: business.review_count.map(i64::from),
        reviews: business.reviews.into_iter().map(|review| review.text).collect(),
        ..Listing::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_is_read_as_it_is_written_and_nothing_else_is() {
        for place in [
            SandboxCursor { trade: String::new(), position: 0, failures: 0 },
            SandboxCursor { trade: "flaky trade".into(), position: 7, failures: 1 },
        ] {
            assert_eq!(SandboxCursor::of(&place.cursor()), Some(place));
        }
        for text in ["", "|", "||", "a|b|c", "|1|2|3", "|-1|0", "7"] {
            assert_eq!(SandboxCursor::of(&Cursor(text.into())), None, "{text}");
        }
    }
}
