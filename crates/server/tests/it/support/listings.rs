//! A source of listings that says exactly what a test wants, when it wants.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use canvass::listing::{
    About, Cursor, Entry, Has, Listing, PostalAddress, Query, Resolution, Source, SourceError, Words,
};
use futures::future::{BoxFuture, ready};
use futures::stream::{self, BoxStream};
use futures::{FutureExt, StreamExt};
use tokio::sync::Semaphore;

/// Lists what it was given, each when its gate lets it. A cursor is the number of listings before it and of the failures so
/// far: `7|1`.
#[derive(Debug)]
pub struct Scripted {
    about: About,
    listings: Arc<Vec<Listing>>,
    gate: Arc<Semaphore>,
    /// How often it fails, and behind how many listings.
    fault: Option<(u32, usize, SourceError)>,
    /// Listings that were handed out, by whomever.
    given: Arc<AtomicUsize>,
}

/// A business with nothing but a name.
pub fn listing(number: usize) -> Listing {
    Listing {
        business_id: format!("test:{number}"),
        name: format!("Business {number}"),
        address: PostalAddress { city: Some("Testville".into()), country: Some("US".into()), ..Default::default() },
        ..Default::default()
    }
}

impl Scripted {
    /// Lists so many, without delay.
    pub fn of(count: usize) -> Scripted {
        Scripted::listing((0..count).map(listing).collect())
    }

    pub fn listing(listings: Vec<Listing>) -> Scripted {
        let about = About {
            name: "test".into(),
            attribution: None,
            has: Has { ratings: true, reviews: true, phones: true },
            retention_days: None,
        };
        let gate = Arc::new(Semaphore::new(1_000_000));
        Scripted { about, listings: Arc::new(listings), gate, fault: None, given: Arc::default() }
    }

    /// Lets listings out only as the gate gives permits.
    pub fn gated(mut self) -> (Scripted, Arc<Semaphore>) {
        self.gate = Arc::new(Semaphore::new(0));
        let gate = self.gate.clone();
        (self, gate)
    }

    /// Fails the first `times` attempts, each behind `after` listings in all.
    pub fn failing(mut self, times: u32, after: usize, error: SourceError) -> Scripted {
        self.fault = Some((times, after, error));
        self
    }

    pub fn with(mut self, has: Has) -> Scripted {
        self.about.has = has;
        self
    }

    /// How many listings were handed out.
    pub fn given(&self) -> Arc<AtomicUsize> {
        self.given.clone()
    }
}

impl Source for Scripted {
    fn about(&self) -> &About {
        &self.about
    }

    fn resolve<'a>(&'a self, _: &'a Query, _: Words<'a>) -> BoxFuture<'a, Result<Resolution, SourceError>> {
        let count = Some(self.listings.len() as u64);
        ready(Ok(Resolution { data_version: "1".into(), count, start: cursor(0, 0), notes: Vec::new() })).boxed()
    }

    fn open(&self, _: &Query, _: &str, at: &Cursor) -> BoxStream<'static, Result<Entry, SourceError>> {
        let (position, failures) = at.0.split_once('|').unwrap();
        let (position, failures): (usize, u32) = (position.parse().unwrap(), failures.parse().unwrap());
        let fault = self.fault.clone().filter(|(times, ..)| failures < *times);
        let end = fault.as_ref().map_or(self.listings.len(), |(_, after, _)| *after).max(position);
        let (gate, given, listings) = (self.gate.clone(), self.given.clone(), self.listings.clone());
        let listed = stream::iter(position..end).then(move |position| {
            let (gate, given, listing) = (gate.clone(), given.clone(), listings[position].clone());
            async move {
                gate.acquire().await.unwrap().forget();
                given.fetch_add(1, Ordering::SeqCst);
                Ok(Entry::new(listing, cursor(position + 1, failures)))
            }
        });
        let error = fault.map(|(_, _, error)| match error {
            SourceError::Transient { reason, .. } => {
                Err(SourceError::Transient { reason, resume_at: Some(cursor(end, failures + 1)) })
            }
            error => Err(error),
        });
        listed.chain(stream::iter(error)).boxed()
    }
}

fn cursor(position: usize, failures: u32) -> Cursor {
    Cursor(format!("{position}|{failures}"))
}
