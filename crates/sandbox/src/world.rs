//! The world: everything in it is derived from its seed.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use places::{Area, Category};

use crate::business::{self, Business, HOST_ENDING, Website};
use crate::code::{CODE_CHARS, Key, trade_of};
use crate::fault::Fault;
use crate::listings::{self, Businesses};
use crate::site::plan::Subject;
use crate::site::response::{self, SiteRequest, SiteResponse};
use crate::site::truth::{self, Change, Truth};
use crate::test_places;
use crate::town::{Town, TownSize, count};
use crate::weather::{Forecast, Weather};

/// Towns cached, because looking up postal codes takes longer than everything else.
const TOWNS_KEPT_MAX: usize = 4_096;

/// Flickering websites whose fetches are counted; beyond that, all counts restart.
const FLICKERS_KEPT_MAX: usize = 4_096;

/// A world of businesses and websites. The same seed gives the same world; clones share its caches.
#[derive(Debug, Clone)]
pub struct World {
    inner: Arc<Inner>,
    weather: Weather,
}

#[derive(Debug)]
struct Inner {
    seed: u64,
    towns: Mutex<HashMap<u32, Arc<Town>>>,
    /// Fetches of the first page of flickering websites, the only impure state.
    flickers: Mutex<HashMap<Key, u32>>,
}

impl World {
    /// The world of a seed.
    pub fn new(seed: u64) -> World {
        World {
            inner: Arc::new(Inner { seed, towns: Mutex::default(), flickers: Mutex::default() }),
            weather: Weather::Calm,
        }
    }

    /// The same world in another weather: the same businesses and pages, but not the same waits.
    #[must_use]
    pub fn in_weather(self, weather: Weather) -> World {
        World { weather, ..self }
    }

    /// How long its websites take.
    pub fn weather(&self) -> Weather {
        self.weather
    }

    /// How long the website with this host name makes its visitors wait; `None` in calm weather.
    pub fn forecast(&self, host: &str) -> Option<Forecast> {
        (self.weather == Weather::Web).then(|| Forecast::of(self.seed(), host))
    }

    /// The seed everything is derived from.
    pub fn seed(&self) -> u64 {
        self.inner.seed
    }

    /// Businesses of a trade in an area, in a fixed order, generated one by one on demand. Each lies in the area, and none
    /// occurs twice.
    pub fn businesses(&self, area: &Area, category: &'static Category) -> Businesses {
        Businesses::new(self.seed(), area, category)
    }

    /// The number of businesses. Exact when at most a few thousand have to be examined, as in a town; otherwise an estimate
    /// from a sample of two thousand.
    pub fn count(&self, area: &Area, category: &'static Category) -> u64 {
        listings::count_in(self.seed(), area, category)
    }

    /// The business with this id; `None` when there is no such business in this world.
    pub fn business(&self, id: &str) -> Option<Business> {
        self.find(id).map(|(business, _)| business)
    }

    /// The business whose website has this host name, with or without a port and `www.`.
    pub fn at_host(&self, host: &str) -> Option<Business> {
        self.found_at(host).map(|found| found.business)
    }

    /// The ground truth of a business's website at an age. The website of another world's business is dead.
    pub fn truth(&self, business: &Business, age: u32) -> Truth {
        let site_status = match (&business.website, self.subject(business)) {
            (Website::None, _) => "none",
            (Website::Social(_), _) => "social_only",
            (Website::Own { .. }, Some(subject)) => return truth::truth_at(&subject, age),
            (Website::Own { .. }, None) => "dead",
        };
        Truth { site_status, ..Truth::default() }
    }

    /// What changes on a website from one age to a later one: exactly what Radar should report. Nothing when the site cannot be
    /// read at either age.
    pub fn changes(&self, business: &Business, from_age: u32, to_age: u32) -> Vec<Change> {
        match &business.website {
            Website::Own { .. } => {
                self.subject(business).map(|subject| truth::changes(&subject, from_age, to_age)).unwrap_or_default()
            }
            _ => Vec::new(),
        }
    }

    /// The response of a website to a request; `None` when the host is not part of the world.
    pub fn respond(&self, host: &str, path: &str, age: u32) -> Option<SiteResponse> {
        let found = self.found_at(host)?;
        Some(self.response_of(
            &found,
            &SiteRequest { host, has_www: found.has_www, path, age, fetch: 0, weather: self.weather },
        ))
    }

    /// The same, counting fetches of websites that flicker.
    pub(crate) fn fetch(&self, host: &str, path: &str, age: u32) -> Option<SiteResponse> {
        let found = self.found_at(host)?;
        let fetch = if found.fault == Fault::Flicker { self.count_fetch(found.key, path) } else { 0 };
        Some(self.response_of(
            &found,
            &SiteRequest { host, has_www: found.has_www, path, age, fetch, weather: self.weather },
        ))
    }

    fn response_of(&self, found: &HostMatch, request: &SiteRequest<'_>) -> SiteResponse {
        let HostMatch { business, key, fault, .. } = found;
        let subject = Subject { seed: self.seed(), key: *key, business, fault: *fault };
        response::respond(&subject, request)
    }

    /// How often the first page was fetched before; other pages belong to the last fetch of the first.
    fn count_fetch(&self, key: Key, path: &str) -> u32 {
        let mut flickers = self.inner.flickers.lock().unwrap_or_else(PoisonError::into_inner);
        if flickers.len() >= FLICKERS_KEPT_MAX {
            flickers.clear();
        }
        let fetches = flickers.entry(key).or_default();
        *fetches += u32::from(path == "/");
        fetches.saturating_sub(1)
    }

    fn subject<'b>(&self, business: &'b Business) -> Option<Subject<'b>> {
        let key = Key::read(&business.id, self.seed())?;
        let fault = self.town(key.town)?.fault;
        Some(Subject { seed: self.seed(), key, business, fault })
    }

    pub(crate) fn find(&self, id: &str) -> Option<(Business, Key)> {
        let key = Key::read(id, self.seed())?;
        let category = trade_of(key.trade)?;
        let town = self.town(key.town)?;
        let known = count(self.seed(), &TownSize::from(town.as_ref()), category, key.trade);
        (u64::from(key.number) < known).then(|| (business::make(self.seed(), key, &town, category), key))
    }

    fn town(&self, id: u32) -> Option<Arc<Town>> {
        let mut towns = self.inner.towns.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(town) = towns.get(&id) {
            return Some(Arc::clone(town));
        }
        let town = Arc::new(test_places::town_of(id).or_else(|| places::town(id).map(|town| Town::of(&town)))?);
        if towns.len() >= TOWNS_KEPT_MAX {
            towns.clear();
        }
        towns.insert(id, Arc::clone(&town));
        Some(town)
    }

    pub(crate) fn found_at(&self, host: &str) -> Option<HostMatch> {
        let host = host.split(':').next().unwrap_or(host).trim_end_matches('.').to_ascii_lowercase();
        let bare = host.strip_prefix("www.").unwrap_or(&host);
        let label = bare.strip_suffix(HOST_ENDING)?;
        let id = label.get(label.len().checked_sub(CODE_CHARS)?..)?;
        let (business, key) = self.find(id)?;
        match &business.website {
            Website::Own { host: own } if own == bare => {
                let fault = self.town(key.town)?.fault;
                Some(HostMatch { has_www: bare.len() < host.len(), business, key, fault })
            }
            _ => None,
        }
    }
}

/// A business found by its host.
pub(crate) struct HostMatch {
    pub(crate) business: Business,
    pub(crate) key: Key,
    pub(crate) fault: Fault,
    pub(crate) has_www: bool,
}
