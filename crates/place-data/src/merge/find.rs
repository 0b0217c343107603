//! The places of several data sets as one.

use std::sync::Arc;

use super::index::{MergedIndex, Set};
use super::{Merged, Merger, SourceTag};
use crate::read::QueryRows;
use crate::{Dataset, Error, PlaceQuery, Rank, schema};

/// Merged places that are given at once; who wants more asks again behind the last of them.
const GIVEN_PLACES: usize = 4_096;
/// Records up to which all of them are held; of more only which of them are one place, and their order.
const HELD_RECORDS: usize = 8_192;

/// Places of one or several data sets, best first.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundMerged {
    /// How many there are in all.
    pub total: u64,
    /// The first of them behind the position that was asked for, each with its own position.
    pub places: Vec<(Rank, Merged)>,
}

/// The places of several data sets as one: what several of them have is one place. Given page by page, best first.
#[derive(Debug)]
pub struct MergedPlaces(Kept);

#[derive(Debug)]
enum Kept {
    All(Vec<(Rank, Merged)>),
    Index(MergedIndex),
}

impl MergedPlaces {
    /// Finds and merges the places of these sets, which come in the operator's order.
    ///
    /// # Errors
    /// As [`Dataset::find`].
    pub async fn find(sets: &[(SourceTag, Arc<Dataset>)], query: &PlaceQuery) -> Result<MergedPlaces, Error> {
        let mut found: Vec<Set> = Vec::new();
        for (tag, dataset) in sets {
            found.push((tag.clone(), QueryRows::find(dataset, query).await?));
        }
        let sets = found;
        if sets.iter().map(|(_, rows)| rows.count()).sum::<usize>() > HELD_RECORDS {
            return Ok(MergedPlaces(Kept::Index(MergedIndex::build(sets).await?)));
        }
        let mut merger = Merger::default();
        for (tag, rows) in sets {
            let mut places = Vec::new();
            let take = |found: Vec<_>| places.extend(found.into_iter().map(|(_, place)| place));
            rows.scan(&schema::COLUMNS, |place| place, take).await?;
            merger.add(tag, places);
        }
        let work = move || {
            let mut places: Vec<(Rank, Merged)> =
                merger.finish().into_iter().map(|merged| (merged.rank(), merged)).collect();
            places.sort_by(|(one, _), (other, _)| one.cmp(other));
            MergedPlaces(Kept::All(places))
        };
        tokio::task::spawn_blocking(work).await.map_err(|_| Error::Cancelled)
    }

    /// How many there are.
    #[must_use]
    pub fn total(&self) -> u64 {
        match &self.0 {
            Kept::All(places) => places.len() as u64,
            Kept::Index(index) => index.total() as u64,
        }
    }

    /// About how much memory is held, in bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        /// What a place takes, roughly.
        const PLACE_BYTES: usize = 2_048;
        let bytes = match &self.0 {
            Kept::All(places) => places.len() * PLACE_BYTES,
            Kept::Index(index) => index.bytes(),
        };
        bytes as u64
    }

    /// The best places behind a position, or from the beginning.
    ///
    /// # Errors
    /// As [`Dataset::find`].
    pub async fn after(&self, after: Option<&Rank>) -> Result<FoundMerged, Error> {
        let places = match &self.0 {
            Kept::Index(index) => index.after(after, GIVEN_PLACES).await?,
            Kept::All(places) => {
                let first = after.map_or(0, |after| places.partition_point(|(rank, _)| rank <= after));
                places[first..].iter().take(GIVEN_PLACES).cloned().collect()
            }
        };
        Ok(FoundMerged { total: self.total(), places })
    }
}

/// The best places of one data set behind a position, or from the beginning.
///
/// # Errors
/// As [`Dataset::find`].
pub async fn find(
    (source, dataset): &(SourceTag, Arc<Dataset>),
    query: &PlaceQuery,
    after: Option<&Rank>,
) -> Result<FoundMerged, Error> {
    let found = dataset.find(query, after).await?;
    let places = found.places.into_iter().map(|place| (Rank::of(&place), Merged::single(source.clone(), place)));
    Ok(FoundMerged { total: found.total, places: places.collect() })
}
