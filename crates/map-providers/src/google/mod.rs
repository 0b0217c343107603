//! Google's Places API (New), with the operator's key.

mod area;
mod division;
mod estimate;
mod failure;
mod hours;
mod place;
mod read;
mod request;
mod send;
mod types;

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use futures::FutureExt;
use futures::future::BoxFuture;
use places::{Area, Point};
use url::Url;

use self::division::{Listed, Step};
use self::read::Page;
pub(crate) use self::request::address;
use self::send::SendError;
use crate::{Answer, Cell, Found, Gateway, ListingProvider, Pace, ProviderError, Question};

/// Where the API is.
pub const BASE_URL: &str = "https://places.googleapis.com";
/// Places on one page of a text search, and in the answer to a nearby search.
const PAGE_SIZE: usize = 20;
/// Places that one text search lists, all its pages together.
const QUERY_MAX: usize = 60;
/// Pages read of one search: more than there should be, for pages that are not full.
const PAGES_MAX: usize = 6;
/// The widest cell that may be asked about, in degrees.
const WIDTH_MAX_DEGREES: f64 = 175.0;
/// The largest circle that a nearby search takes: 50 km, less a margin.
const RADIUS_MAX_MILES: f64 = 31.0;
/// How long an answer may be reused by default. Google's terms allow to keep ids, but no contents, without limit.
const FRESH_FOR: Duration = Duration::from_secs(24 * 60 * 60);
/// How long an answer may take by default.
const TIMEOUT: Duration = Duration::from_secs(30);
/// The pace by default: half of the 600 requests a minute that a project may make.
const PACE: Pace = Pace { interval: Duration::from_millis(200), concurrent_max: 4 };

/// How Google is asked.
#[derive(Clone)]
pub struct GoogleSettings {
    /// Where the API is; [`BASE_URL`] except in a rehearsal.
    pub base_url: Url,
    /// The operator's key.
    pub key: String,
    /// The language of names and addresses, such as `en`; the provider's choice without.
    pub language: Option<String>,
    /// The region whose customs addresses follow, such as `US`.
    pub region: Option<String>,
    /// Whether a few reviews are asked for, which Google charges more for.
    pub with_reviews: bool,
    /// Which of the two searches is used for industries that are a type of place at Google.
    pub search: Search,
    /// How long an answer may be reused; zero for never.
    pub fresh_for: Duration,
    /// How long an answer may take.
    pub timeout: Duration,
    /// How fast requests follow each other.
    pub pace: Pace,
}

/// The two searches of the API.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Search {
    /// By words and type in a box, up to 60 places in three pages. Takes the fewest calls.
    #[default]
    Text,
    /// By type in a circle, up to 20 places. Needs no words; industries that are not a type of place are searched by text.
    Nearby,
}

impl GoogleSettings {
    /// The defaults, with a key.
    #[must_use]
    pub fn new(base_url: Url, key: impl Into<String>) -> GoogleSettings {
        GoogleSettings {
            base_url,
            key: key.into(),
            language: None,
            region: None,
            with_reviews: false,
            search: Search::Text,
            fresh_for: FRESH_FOR,
            timeout: TIMEOUT,
            pace: PACE,
        }
    }
}

impl fmt::Debug for GoogleSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GoogleSettings")
            .field("base_url", &self.base_url.as_str())
            .field("search", &self.search)
            .field("with_reviews", &self.with_reviews)
            .finish_non_exhaustive()
    }
}

/// Lists businesses from Google's Places API (New).
#[derive(Clone, Debug)]
pub struct Google {
    settings: GoogleSettings,
}

impl Google {
    /// Asks with these settings.
    #[must_use]
    pub fn new(settings: GoogleSettings) -> Google {
        Google { settings }
    }

    async fn answer(&self, gateway: &dyn Gateway, question: &Question) -> Result<Answer, ProviderError> {
        if !area::touches(&question.area, &question.cell) {
            return Ok(Answer::Whole(Vec::new()));
        }
        let query = request::Query::of(&self.settings, question);
        if let Some(parts) = too_wide(&question.cell, query.search) {
            return Ok(Answer::Divide(parts));
        }
        match self.pages(gateway, question, (&query, self.settings.fresh_for)).await {
            // A stored first page names a next page that Google no longer knows.
            Err(SendError::StaleToken) => match self.pages(gateway, question, (&query, Duration::ZERO)).await {
                Err(SendError::StaleToken) => Err(failure::stale_token()),
                Err(SendError::Failed(error)) => Err(error),
                Ok(answer) => Ok(answer),
            },
            Err(SendError::Failed(error)) => Err(error),
            Ok(answer) => Ok(answer),
        }
    }

    /// Reads page after page, for as long as that is better than to divide the cell.
    async fn pages(
        &self,
        gateway: &dyn Gateway,
        question: &Question,
        (query, fresh_for): (&request::Query<'_>, Duration),
    ) -> Result<Answer, SendError> {
        let (area, cell) = (&question.area, &question.cell);
        let query_max = query.places_max();
        let mut listing = Listing::default();
        let mut token: Option<String> = None;
        loop {
            let call = query.call(token.as_deref(), fresh_for).map_err(SendError::Failed)?;
            let body = send::send(gateway, &call, token.is_some()).await?;
            token = listing.add(read::page(&body, question));
            let is_full = listing.listed >= query_max || listing.pages >= PAGES_MAX;
            let listed = Listed { points: &listing.points, query_max };
            let step = match token {
                None if listing.listed < query_max => return Ok(Answer::Whole(listing.within(area, cell))),
                _ if query.search == Search::Nearby => division::quarters(area, cell),
                Some(_) if !is_full => division::after_page(area, cell, listed),
                _ => division::after_query(area, cell, listed),
            };
            match step {
                Step::ReadOn => {}
                Step::Divide(cells) => return Ok(Answer::Divide(cells)),
                Step::Keep { known, rest } => return Ok(Answer::Part { found: listing.within(area, &known), rest }),
                Step::Cut => return Ok(Answer::Part { found: listing.within(area, cell), rest: Vec::new() }),
            }
        }
    }
}

impl ListingProvider for Google {
    fn name(&self) -> &'static str {
        "google"
    }

    fn ask<'a>(
        &'a self,
        gateway: &'a dyn Gateway,
        question: &'a Question,
    ) -> BoxFuture<'a, Result<Answer, ProviderError>> {
        self.answer(gateway, question).boxed()
    }

    fn estimate(&self, question: &Question) -> Vec<(&'static str, u32)> {
        let query = request::Query::of(&self.settings, question);
        vec![(query.kind(), estimate::calls(question))]
    }

    fn check<'a>(&'a self, gateway: &'a dyn Gateway) -> BoxFuture<'a, Result<String, ProviderError>> {
        async move {
            let call = request::check(&self.settings)?;
            match send::send(gateway, &call, false).await {
                Ok(_) => Ok("Google accepts the key, and the Places API (New) is enabled".to_owned()),
                Err(SendError::Failed(error)) => Err(error),
                Err(SendError::StaleToken) => Err(failure::stale_token()),
            }
        }
        .boxed()
    }
}

/// What the pages of a query have listed so far.
#[derive(Default)]
struct Listing {
    pages: usize,
    /// Places on these pages, repeated ones included.
    listed: usize,
    /// Where they lie, in their order.
    points: Vec<Point>,
    /// Those that can be leads, by id.
    found: BTreeMap<String, Found>,
}

impl Listing {
    /// Adds a page; gives the token of the next one.
    fn add(&mut self, page: Page) -> Option<String> {
        self.pages += 1;
        self.listed += page.listed;
        for place in page.places {
            // Google repeats places where the order has changed between two pages.
            if self.found.contains_key(&place.id) {
                continue;
            }
            self.points.push(place.point);
            if let Some(found) = place.found {
                self.found.insert(place.id, found);
            }
        }
        page.token
    }

    fn within(self, area: &Area, cell: &Cell) -> Vec<Found> {
        let is_within = |found: &Found| cell.contains(found.place.point) && area.contains(found.place.point);
        self.found.into_values().filter(is_within).collect()
    }
}

/// The parts of a cell that is larger than the API takes.
fn too_wide(cell: &Cell, search: Search) -> Option<Vec<Cell>> {
    let bounds = cell.bounds();
    let columns = ((bounds.east - bounds.west) / WIDTH_MAX_DEGREES).ceil().max(1.0) as u32;
    let (mut rows, mut columns) = (1, columns);
    if search == Search::Nearby {
        let times = (request::radius_miles(cell) / RADIUS_MAX_MILES).ceil().clamp(1.0, 8.0) as u32;
        (rows, columns) = (times, columns.max(times));
    }
    (rows * columns > 1).then(|| cell.divide(rows, columns)).filter(|parts| parts.len() > 1)
}
