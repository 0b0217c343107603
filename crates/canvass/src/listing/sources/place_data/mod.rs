//! Listings out of place data: Overture's releases and imported files, one set alone or several as one.
//!
//! A cursor is the rank of the last place: the order of places is fixed by the data alone, so the same cursor always leads to the
//! same next place. The version of the data names that of each set.

mod listing;
mod member;
mod uncovered;

pub(super) use listing::listing;
pub use member::{Member, OVERTURE, overture_settings};

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use futures::future::BoxFuture;
use futures::stream::{self, BoxStream};
use futures::{FutureExt, StreamExt};
use moka::future::Cache;
use place_data::merge::{self, FoundMerged, Merged, MergedPlaces, SourceTag};
use place_data::{Dataset, Error, Kinds, Place, PlaceQuery, Rank};
use places::SavedArea;

use crate::listing::{About, Cursor, Entry, Has, ListedBy, Query, Resolution, Source, SourceError, Words};

/// Memory for which places of several sets are one, of recent queries, in KiB. What a running search uses is held besides.
const KEPT_MERGED_KIB: u64 = 160 * 1024;
/// Places of recent queries that are kept, for the search behind a quote and for searches that ask alike.
const KEPT_PLACES: u64 = 20_000;
/// How long they are kept unused.
const KEPT_TIME: Duration = Duration::from_secs(10 * 60);
/// Between the versions of several sets, and between the name and the version of a set.
const BETWEEN_SETS: char = ',';
const BEHIND_NAME: char = '=';

/// Lists the places of one or several sets of place data.
#[derive(Clone, Debug)]
pub struct PlaceDataSource(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    about: About,
    members: Vec<Member>,
    confidence_min: f64,
    found: Cache<FoundKey, Arc<FoundMerged>>,
    merged: Cache<FoundKey, Arc<MergedPlaces>>,
}

/// A question that was answered.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct FoundKey {
    category: &'static str,
    area: String,
    data_version: String,
    after: String,
}

impl FoundKey {
    /// The question for all places.
    fn new(query: &Query, data_version: &str) -> FoundKey {
        FoundKey {
            category: query.category.slug,
            area: serde_json::to_string(&SavedArea::from(&query.area)).unwrap_or_default(),
            data_version: data_version.to_owned(),
            after: String::new(),
        }
    }
}

impl PlaceDataSource {
    /// Lists the places of these sets as one, the first preferred. `confidence_min` is how sure a set must be that a place exists.
    pub fn new(members: Vec<Member>, confidence_min: f64) -> PlaceDataSource {
        let names: Vec<&str> = members.iter().map(Member::name).collect();
        let has = |part: fn(&Has) -> bool| members.iter().any(|member| part(&member.has));
        let about = About {
            name: names.join(&BETWEEN_SETS.to_string()),
            attribution: attribution(members.iter()),
            has: Has {
                ratings: has(|has| has.ratings),
                reviews: has(|has| has.reviews),
                phones: has(|has| has.phones),
            },
            retention_days: None,
        };
        let weigh = |_: &FoundKey, found: &Arc<FoundMerged>| u32::try_from(found.places.len() + 1).unwrap_or(u32::MAX);
        let found = Cache::builder().max_capacity(KEPT_PLACES).weigher(weigh).time_to_idle(KEPT_TIME).build();
        let weigh =
            |_: &FoundKey, merged: &Arc<MergedPlaces>| u32::try_from(merged.bytes() / 1024 + 1).unwrap_or(u32::MAX);
        let merged = Cache::builder().max_capacity(KEPT_MERGED_KIB).weigher(weigh).time_to_idle(KEPT_TIME).build();
        PlaceDataSource(Arc::new(Shared { about, members, confidence_min, found, merged }))
    }

    /// Every place of each set, with the name of the set.
    pub(super) async fn all(
        &self,
        query: &Query,
        data_version: &str,
    ) -> Result<Vec<(SourceTag, Vec<Place>)>, SourceError> {
        let mut all = Vec::new();
        for set in self.0.datasets(data_version).await? {
            let (mut places, mut after) = (Vec::new(), None);
            loop {
                let found = merge::find(&set, &self.0.place_query(query), after.as_ref()).await.map_err(of_source)?;
                let Some((last, _)) = found.places.last() else { break };
                after = Some(last.clone());
                places.extend(found.places.into_iter().map(|(_, merged)| merged.place));
            }
            all.push((set.0, places));
        }
        Ok(all)
    }

    /// The sets it reads.
    pub fn members(&self) -> &[Member] {
        &self.0.members
    }
}

impl Source for PlaceDataSource {
    fn about(&self) -> &About {
        &self.0.about
    }

    fn resolve<'a>(&'a self, query: &'a Query, _: Words<'a>) -> BoxFuture<'a, Result<Resolution, SourceError>> {
        async move {
            let data_version = self.0.latest().await?;
            let total = if self.0.is_single() {
                self.0.find(query, &data_version, None).await?.total
            } else {
                self.0.merge(query, &data_version).await?.total()
            };
            let notes = uncovered::notes(&self.0.members, &query.area, total == 0).await.map_err(of_source)?;
            Ok(Resolution { data_version, count: Some(total), start: Cursor(String::new()), notes })
        }
        .boxed()
    }

    fn open(&self, query: &Query, data_version: &str, at: &Cursor) -> BoxStream<'static, Result<Entry, SourceError>> {
        let after = Rank::parse(&at.0);
        if after.is_none() && !at.0.is_empty() {
            let error = SourceError::permanent(format!("place data does not know the cursor {:?}", at.0));
            return stream::iter([Err(error)]).boxed();
        }
        let reading = Reading {
            shared: self.0.clone(),
            query: query.clone(),
            data_version: data_version.to_owned(),
            after,
            merged: None,
            held: VecDeque::new(),
        };
        stream::unfold(Some(reading), |reading| async move {
            let mut reading = reading?;
            match reading.next().await {
                Ok(Some(entry)) => Some((Ok(entry), Some(reading))),
                Ok(None) => None,
                Err(error) => Some((Err(error), None)),
            }
        })
        .boxed()
    }
}

impl Shared {
    /// The latest versions of all sets.
    async fn latest(&self) -> Result<String, SourceError> {
        let mut versions = Vec::new();
        for member in &self.members {
            versions.push((member.name(), member.latest().await.map_err(of_source)?.0));
        }
        Ok(match versions.as_slice() {
            [(_, version)] => version.clone(),
            several => {
                let named: Vec<String> =
                    several.iter().map(|(name, version)| format!("{name}{BEHIND_NAME}{version}")).collect();
                named.join(&BETWEEN_SETS.to_string())
            }
        })
    }

    /// The sets in the versions that a search began with.
    async fn datasets(&self, data_version: &str) -> Result<Vec<(SourceTag, Arc<Dataset>)>, SourceError> {
        let mut sets = Vec::new();
        for member in &self.members {
            let version = match self.members.as_slice() {
                [_] => Some(data_version),
                _ => data_version
                    .split(BETWEEN_SETS)
                    .find_map(|part| part.strip_prefix(member.name())?.strip_prefix(BEHIND_NAME)),
            };
            let gone = || SourceError::permanent(format!("the search did not begin with the source {}", member.name()));
            let dataset = member.version(version.ok_or_else(gone)?).await.map_err(of_source)?;
            sets.push((member.tag.clone(), dataset));
        }
        Ok(sets)
    }

    fn is_single(&self) -> bool {
        self.members.len() == 1
    }

    fn place_query(&self, query: &Query) -> PlaceQuery {
        PlaceQuery { area: query.area.clone(), kinds: Kinds::of(query.category), confidence_min: self.confidence_min }
    }

    /// The best places of a single set behind a rank; the same question is answered once.
    async fn find(
        &self,
        query: &Query,
        data_version: &str,
        after: Option<&Rank>,
    ) -> Result<Arc<FoundMerged>, SourceError> {
        let key =
            FoundKey { after: after.map(Rank::to_text).unwrap_or_default(), ..FoundKey::new(query, data_version) };
        let search = async {
            let sets = self.datasets(data_version).await?;
            let found = merge::find(&sets[0], &self.place_query(query), after).await;
            found.map(Arc::new).map_err(of_source)
        };
        self.found.try_get_with(key, search).await.map_err(|error: Arc<SourceError>| (*error).clone())
    }

    /// The places of several sets as one; the same question is answered once.
    async fn merge(&self, query: &Query, data_version: &str) -> Result<Arc<MergedPlaces>, SourceError> {
        let search = async {
            let sets = self.datasets(data_version).await?;
            let merged = MergedPlaces::find(&sets, &self.place_query(query)).await;
            merged.map(Arc::new).map_err(of_source)
        };
        let key = FoundKey::new(query, data_version);
        self.merged.try_get_with(key, search).await.map_err(|error: Arc<SourceError>| (*error).clone())
    }

    fn listed_by(&self, merged: &Merged) -> Option<ListedBy> {
        let took_part = |member: &&Member| merged.sources().any(|source| *source == member.tag);
        (!self.is_single()).then(|| ListedBy {
            source: merged.source.to_string(),
            attribution: attribution(self.members.iter().filter(took_part)),
        })
    }
}

/// Places on their way out.
#[derive(Debug)]
struct Reading {
    shared: Arc<Shared>,
    query: Query,
    data_version: String,
    /// The rank of the last place given.
    after: Option<Rank>,
    /// The places of several sets, held for as long as they are read: they may be too many to be kept.
    merged: Option<Arc<MergedPlaces>>,
    held: VecDeque<(Rank, Merged)>,
}

impl Reading {
    async fn next(&mut self) -> Result<Option<Entry>, SourceError> {
        if self.held.is_empty() {
            self.held = self.next_places().await?;
        }
        let Some((rank, merged)) = self.held.pop_front() else { return Ok(None) };
        let mut listing = listing::listing(&merged, self.query.area.country());
        listing.listed_by = self.shared.listed_by(&merged);
        let next = Cursor(rank.to_text());
        self.after = Some(rank);
        Ok(Some(Entry::new(listing, next)))
    }
}

impl Reading {
    async fn next_places(&mut self) -> Result<VecDeque<(Rank, Merged)>, SourceError> {
        if self.shared.is_single() {
            let found = self.shared.find(&self.query, &self.data_version, self.after.as_ref()).await?;
            return Ok(found.places.iter().cloned().collect());
        }
        let merged = match self.merged.take() {
            Some(merged) => merged,
            None => self.shared.merge(&self.query, &self.data_version).await?,
        };
        let found = merged.after(self.after.as_ref()).await.map_err(of_source)?;
        self.merged = Some(merged);
        Ok(found.places.into())
    }
}

/// Whom to credit for several sets, each once.
fn attribution<'a>(members: impl Iterator<Item = &'a Member>) -> Option<String> {
    let mut all: Vec<&str> = Vec::new();
    for one in members.filter_map(|member| member.attribution.as_deref()) {
        if !all.contains(&one) {
            all.push(one);
        }
    }
    (!all.is_empty()).then(|| all.join("; "))
}

/// An error of the data as the search sees it: what the network or the disk refuses now, it may give later.
fn of_source(error: Error) -> SourceError {
    match error {
        Error::Unreachable { .. } | Error::Io { .. } | Error::Cancelled => SourceError::transient(error.to_string()),
        other => SourceError::permanent(other.to_string()),
    }
}
