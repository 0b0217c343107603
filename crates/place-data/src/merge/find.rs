//! The places of several data sets as one.

use std::sync::Arc;

use super::{Merged, Merger, SourceTag};
use crate::{Dataset, Error, PlaceQuery, Rank};

/// Merged places that are given at once; who wants more asks again behind the last of them.
const GIVEN_PLACES: usize = 4_096;

/// Places of one or several data sets, best first.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundMerged {
    /// How many there are in all.
    pub total: u64,
    /// The first of them behind the position that was asked for, each with its own position.
    pub places: Vec<(Rank, Merged)>,
}

/// The best places of several data sets behind a position, or from the beginning: what several of them have is one place. The
/// sets come in the operator's order.
///
/// # Errors
/// As [`Dataset::find`].
pub async fn find(
    sets: &[(SourceTag, Arc<Dataset>)],
    query: &PlaceQuery,
    after: Option<&Rank>,
) -> Result<FoundMerged, Error> {
    if let [(source, dataset)] = sets {
        let found = dataset.find(query, after).await?;
        let places = found.places.into_iter().map(|place| (Rank::of(&place), Merged::single(source.clone(), place)));
        return Ok(FoundMerged { total: found.total, places: places.collect() });
    }
    let mut merger = Merger::default();
    for (source, dataset) in sets {
        let mut last = None;
        loop {
            let found = dataset.find(query, last.as_ref()).await?;
            let Some(place) = found.places.last() else { break };
            last = Some(Rank::of(place));
            merger.add(source.clone(), found.places);
        }
    }
    let after = after.cloned();
    let work = move || {
        let merged = merger.finish();
        let total = merged.len() as u64;
        let ranked = merged.into_iter().map(|merged| (Rank::of(&merged.place), merged));
        let mut places: Vec<(Rank, Merged)> =
            ranked.filter(|(rank, _)| after.as_ref().is_none_or(|after| rank > after)).collect();
        places.sort_by(|(one, _), (other, _)| one.cmp(other));
        places.truncate(GIVEN_PLACES);
        FoundMerged { total, places }
    };
    tokio::task::spawn_blocking(work).await.map_err(|_| Error::Cancelled)
}
