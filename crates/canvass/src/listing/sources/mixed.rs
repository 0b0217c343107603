//! Live providers together with sets of place data, or with each other: one business that several of them list is one.
//!
//! Which records are the same business can only be said of all of them, so a search that begins here asks for everything first.
//! What providers answered is stored: a search that is resumed asks for nothing twice. A provider that does not answer is left
//! out, and the customer is told.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use futures::future::BoxFuture;
use futures::stream::{self, BoxStream};
use futures::{FutureExt, StreamExt};
use moka::future::Cache;
use place_data::Rank;
use place_data::merge::{Merged, Merger, SourceTag};

use super::live::LiveSource;
use super::place_data::{PlaceDataSource, listing};
use crate::cpu_pool;
use crate::fair_line::Sharer;
use crate::listing::{About, Cursor, Entry, Has, ListedBy, Query, Resolution, Source, SourceError, Words};

/// Between the versions of the parts.
const BETWEEN: &str = ";";
/// Records that are merged at once; a wider area is for place data alone.
const RECORDS_MAX: usize = 200_000;
/// Searches whose merged places are kept while they run.
const KEPT_SEARCHES: u64 = 8;
/// How long they are kept unused.
const KEPT_TIME: Duration = Duration::from_secs(10 * 60);

/// Lists what several sources have, at least one of them live.
#[derive(Clone, Debug)]
pub struct MixedSource(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    about: About,
    /// In the operator's order of preference.
    parts: Vec<Part>,
    gathered: Cache<String, Arc<Gathered>>,
}

/// One of the sources.
#[derive(Clone, Debug)]
pub enum Part {
    /// A provider that is asked live.
    Live(LiveSource),
    /// Sets of place data.
    Files(PlaceDataSource),
}

impl Part {
    fn about(&self) -> &About {
        match self {
            Part::Live(live) => live.about(),
            Part::Files(files) => files.about(),
        }
    }

    fn source(&self) -> &dyn Source {
        match self {
            Part::Live(live) => live,
            Part::Files(files) => files,
        }
    }
}

/// Everything that a search's sources have, as one.
#[derive(Debug)]
struct Gathered {
    places: Vec<(Rank, Merged)>,
    reviews: HashMap<(SourceTag, String), Vec<String>>,
    notes: Vec<String>,
}

impl MixedSource {
    /// Lists what these have, the first preferred.
    pub fn new(parts: Vec<Part>) -> MixedSource {
        let abouts: Vec<&About> = parts.iter().map(Part::about).collect();
        let names: Vec<&str> = abouts.iter().map(|about| about.name.as_str()).collect();
        let has = |part: fn(&Has) -> bool| abouts.iter().any(|about| part(&about.has));
        let about = About {
            name: names.join(","),
            attribution: attribution(&abouts),
            has: Has {
                ratings: has(|has| has.ratings),
                reviews: has(|has| has.reviews),
                phones: has(|has| has.phones),
            },
            retention_days: abouts.iter().filter_map(|about| about.retention_days).min(),
        };
        let gathered = Cache::builder().max_capacity(KEPT_SEARCHES).time_to_idle(KEPT_TIME).build();
        MixedSource(Arc::new(Shared { about, parts, gathered }))
    }
}

fn attribution(abouts: &[&About]) -> Option<String> {
    let mut all: Vec<&str> = abouts.iter().filter_map(|about| about.attribution.as_deref()).collect();
    all.dedup();
    (!all.is_empty()).then(|| all.join("; "))
}

impl Source for MixedSource {
    fn about(&self) -> &About {
        &self.0.about
    }

    fn resolve<'a>(&'a self, query: &'a Query, words: Words<'a>) -> BoxFuture<'a, Result<Resolution, SourceError>> {
        async move {
            let (mut versions, mut notes) = (Vec::new(), Vec::new());
            for part in &self.0.parts {
                let resolution = part.source().resolve(query, words).await?;
                versions.push(resolution.data_version);
                notes.extend(resolution.notes);
            }
            let start = start(words.industry, None);
            Ok(Resolution { data_version: versions.join(BETWEEN), count: None, start, notes })
        }
        .boxed()
    }

    fn open(&self, query: &Query, data_version: &str, at: &Cursor) -> BoxStream<'static, Result<Entry, SourceError>> {
        let Some((words, after)) = read(at) else {
            let error = SourceError::permanent(format!("{} do not know the cursor {:?}", self.0.about.name, at.0));
            return stream::iter([Err(error)]).boxed();
        };
        let asking = Asking {
            shared: self.0.clone(),
            query: query.clone(),
            data_version: data_version.to_owned(),
            words,
            after,
            held: None,
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

/// A cursor: the words, and the rank of the last place given.
fn start(words: &str, after: Option<&Rank>) -> Cursor {
    let after = after.map(Rank::to_text);
    Cursor(serde_json::to_string(&(words, after)).expect("a cursor is plain data"))
}

fn read(cursor: &Cursor) -> Option<(String, Option<Rank>)> {
    let (words, after): (String, Option<String>) = serde_json::from_str(&cursor.0).ok()?;
    match after {
        Some(after) => Some((words, Some(Rank::parse(&after)?))),
        None => Some((words, None)),
    }
}

/// A search's businesses on their way out.
struct Asking {
    shared: Arc<Shared>,
    query: Query,
    data_version: String,
    words: String,
    after: Option<Rank>,
    held: Option<(Arc<Gathered>, VecDeque<usize>)>,
}

impl Asking {
    async fn next(&mut self) -> Result<Option<Entry>, SourceError> {
        let mut notes = Vec::new();
        if self.held.is_none() {
            let gathered = self.gathered().await?;
            notes = gathered.notes.clone();
            let behind = |(rank, _): &(Rank, Merged)| self.after.as_ref().is_none_or(|after| rank > after);
            let left =
                gathered.places.iter().enumerate().filter(|(_, place)| behind(place)).map(|(at, _)| at).collect();
            self.held = Some((gathered, left));
        }
        let Some((gathered, left)) = &mut self.held else { return Ok(None) };
        let Some(at) = left.pop_front() else { return Ok(None) };
        let (rank, merged) = &gathered.places[at];
        let mut listing = listing(merged, self.query.area.country());
        let ids =
            std::iter::once((merged.source.clone(), merged.place.id.clone())).chain(merged.aliases.iter().cloned());
        listing.reviews = ids.filter_map(|id| gathered.reviews.get(&id)).flatten().cloned().collect();
        listing.listed_by = Some(self.shared.listed_by(merged));
        Ok(Some(Entry { listing, next: start(&self.words, Some(rank)), notes }))
    }

    async fn gathered(&self) -> Result<Arc<Gathered>, SourceError> {
        let gather = async { self.shared.gather(&self.query, &self.data_version, &self.words).await.map(Arc::new) };
        let key = self.data_version.clone();
        self.shared.gathered.try_get_with(key, gather).await.map_err(|error: Arc<SourceError>| (*error).clone())
    }
}

impl Shared {
    async fn gather(&self, query: &Query, data_version: &str, words: &str) -> Result<Gathered, SourceError> {
        let versions: Vec<&str> = data_version.split(BETWEEN).collect();
        let (mut merger, mut reviews, mut notes) = (Merger::default(), HashMap::new(), Vec::new());
        let (mut records, mut failure) = (0, None);
        for (part, version) in self.parts.iter().zip(versions) {
            let found = match part {
                Part::Files(files) => files.all(query, version).await,
                Part::Live(live) => live.all(query, version, words).await.map(|found| {
                    let tag = SourceTag::from(live.about().name.as_str());
                    let (places, texts) = found.into_iter().map(|found| (found.place, found.reviews)).unzip();
                    let ids = |place: &place_data::Place| (tag.clone(), place.id.clone());
                    let (places, texts): (Vec<place_data::Place>, Vec<Vec<String>>) = (places, texts);
                    reviews.extend(places.iter().map(ids).zip(texts));
                    vec![(tag.clone(), places)]
                }),
            };
            match found {
                Ok(sets) => {
                    records += sets.iter().map(|(_, places)| places.len()).sum::<usize>();
                    sets.into_iter().for_each(|(tag, places)| merger.add(tag, places));
                }
                Err(error) => {
                    notes.push(format!(
                        "The source {} could not be asked, so it is left out: {error}.",
                        part.about().name
                    ));
                    failure.get_or_insert(error);
                }
            }
        }
        // With nobody's answer there is nothing to go on with.
        if let Some(error) = failure.filter(|_| notes.len() == self.parts.len() || records == 0) {
            return Err(error);
        }
        if records > RECORDS_MAX {
            return Err(SourceError::permanent("so wide an area is too much for live sources; search a smaller one"));
        }
        let places = cpu_pool::run(Sharer::REQUESTS, move || {
            let merged = merger.finish().into_iter().map(|merged| (merged.rank(), merged));
            let mut places: Vec<(Rank, Merged)> = merged.collect();
            places.sort_by(|(one, _), (other, _)| one.cmp(other));
            places
        })
        .await;
        Ok(Gathered { places, reviews, notes })
    }

    fn listed_by(&self, merged: &Merged) -> ListedBy {
        let took_part = |part: &&Part| {
            part.about().name.split(',').any(|name| merged.sources().any(|source| source.as_str() == name))
        };
        let abouts: Vec<&About> = self.parts.iter().filter(took_part).map(Part::about).collect();
        ListedBy { source: merged.source.to_string(), attribution: attribution(&abouts) }
    }
}
