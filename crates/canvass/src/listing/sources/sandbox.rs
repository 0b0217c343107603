//! Listings of the embedded world.

use std::sync::Arc;
use std::time::Duration;

use ::sandbox::{Business, FLAKY_EVERY, Trouble as Planned, Website, test_place, test_trade};
use futures::StreamExt;
use futures::stream::{self, BoxStream};
use places::Industry;

use crate::listing::{About, Listing, Listings, PostalAddress, Query, SourceError, Spot};
use crate::sandbox::Sandbox;

/// How long the slow provider takes for each page of listings.
const SLOW_PAGE: Duration = Duration::from_millis(700);
/// Listings on one of its pages.
const SLOW_PAGE_LISTINGS: usize = 5;

/// Lists the businesses of the embedded world.
#[derive(Debug)]
pub struct SandboxListings(Arc<Sandbox>);

impl SandboxListings {
    /// Lists those of this world.
    pub fn new(sandbox: Arc<Sandbox>) -> SandboxListings {
        SandboxListings(sandbox)
    }
}

impl Listings for SandboxListings {
    fn about(&self) -> About {
        About { name: "sandbox", attribution: Some("Made-up businesses of the Canvass sandbox"), has_ratings: true }
    }

    fn locate(&self, location: &str) -> Result<Spot, places::NotFound> {
        match test_place(location) {
            Some(place) => Ok(Spot::fixed(place.area(places::Scope::City))),
            None => places::locate(location).map(Spot::known),
        }
    }

    fn industry(&self, industry: &str) -> Result<Industry, places::UnknownIndustry> {
        match test_trade(industry) {
            Some(trade) => Ok(Industry { category: trade.category, exact: true }),
            None => places::industry(industry),
        }
    }

    fn count(&self, query: &Query) -> Option<u64> {
        match planned(query) {
            Planned::Empty => Some(0),
            Planned::Blocked => None,
            _ => Some(self.0.world.count(&query.area, query.category)),
        }
    }

    fn open(&self, query: &Query, tries: u32) -> BoxStream<'static, Result<Listing, SourceError>> {
        let sandbox = self.0.clone();
        let businesses = sandbox.world.businesses(&query.area, query.category);
        let listings = businesses.map(move |business| Ok(listing(&sandbox, business)));
        match planned(query) {
            Planned::Empty => stream::empty().boxed(),
            Planned::Blocked => failing("the listing provider does not serve this region", SourceError::Permanent),
            Planned::Flaky { failures } if tries < failures => {
                let before = (tries * FLAKY_EVERY) as usize;
                stream::iter(listings.take(before)).chain(transient_error()).boxed()
            }
            Planned::FlakyForever => stream::iter(listings.take(FLAKY_EVERY as usize)).chain(transient_error()).boxed(),
            Planned::Slow => slowly(listings).boxed(),
            _ => stream::iter(listings).boxed(),
        }
    }
}

/// What the words of a query ask to go wrong.
fn planned(query: &Query) -> Planned {
    let place = test_place(&query.words.location).map(|place| place.trouble());
    match test_trade(&query.words.industry) {
        Some(trade) => trade.trouble,
        None => place.unwrap_or(Planned::None),
    }
}

fn transient_error() -> BoxStream<'static, Result<Listing, SourceError>> {
    failing("the listing provider did not answer in time", SourceError::Transient)
}

fn failing(why: &str, error: fn(String) -> SourceError) -> BoxStream<'static, Result<Listing, SourceError>> {
    stream::iter([Err(error(why.to_owned()))]).boxed()
}

/// Waits before each page.
fn slowly<L>(listings: L) -> impl stream::Stream<Item = Result<Listing, SourceError>> + Send
where
    L: Iterator<Item = Result<Listing, SourceError>> + Send + 'static,
{
    stream::iter(listings.enumerate()).then(|(number, listing)| async move {
        if number % SLOW_PAGE_LISTINGS == 0 {
            tokio::time::sleep(SLOW_PAGE).await;
        }
        listing
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
    }
}
