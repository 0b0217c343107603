//! A source of listings that says exactly what a test wants, when it wants.

use std::sync::Arc;

use canvass::listing::{About, Listing, Listings, PostalAddress, Query, SourceError, Spot};
use futures::StreamExt;
use futures::stream::{self, BoxStream};
use places::{Area, Industry, NotFound, Point, UnknownIndustry};
use tokio::sync::Semaphore;

/// Lists what it was given, each when its gate lets it.
#[derive(Debug)]
pub struct Scripted {
    listings: Vec<Listing>,
    gate: Arc<Semaphore>,
    /// How often it fails, and behind how many listings.
    trouble: Option<(u32, usize, SourceError)>,
    has_ratings: bool,
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
        Scripted { listings, gate: Arc::new(Semaphore::new(1_000_000)), trouble: None, has_ratings: true }
    }

    /// Lets listings out only as the gate gives permits.
    pub fn gated(mut self) -> (Scripted, Arc<Semaphore>) {
        self.gate = Arc::new(Semaphore::new(0));
        let gate = self.gate.clone();
        (self, gate)
    }

    /// Fails the first `times` tries, each behind `after` listings.
    pub fn failing(mut self, times: u32, after: usize, trouble: SourceError) -> Scripted {
        self.trouble = Some((times, after, trouble));
        self
    }

    pub fn without_ratings(mut self) -> Scripted {
        self.has_ratings = false;
        self
    }
}

impl Listings for Scripted {
    fn about(&self) -> About {
        About { name: "test", attribution: None, has_ratings: self.has_ratings }
    }

    fn locate(&self, location: &str) -> Result<Spot, NotFound> {
        let point = Point { latitude: 30.0, longitude: -97.0 };
        Ok(Spot::fixed(Area::circle(location, "US", point, 10.0)))
    }

    fn industry(&self, _: &str) -> Result<Industry, UnknownIndustry> {
        places::industry("plumber")
    }

    fn count(&self, _: &Query) -> Option<u64> {
        Some(self.listings.len() as u64)
    }

    fn open(&self, _: &Query, tries: u32) -> BoxStream<'static, Result<Listing, SourceError>> {
        let gate = self.gate.clone();
        let failing = self.trouble.clone().filter(|(times, ..)| tries < *times);
        let listings: Vec<Listing> = match &failing {
            Some((_, after, _)) => self.listings[..*after].to_vec(),
            None => self.listings.clone(),
        };
        let listed = stream::iter(listings).then(move |listing| {
            let gate = gate.clone();
            async move {
                gate.acquire().await.unwrap().forget();
                Ok(listing)
            }
        });
        listed.chain(stream::iter(failing.map(|(_, _, trouble)| Err(trouble)))).boxed()
    }
}
