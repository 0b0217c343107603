//! Finds the places of an area and a kind, best first.

use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::RecordBatch;
use futures::{StreamExt, TryStreamExt, stream};
use places::{Area, Point};

use super::best::Best;
use super::compute::{compute, workers};
use super::dataset::{Dataset, GroupRows};
use super::decide::{self, Conditions, DecidingBatch, DecidingRows, Decision};
use super::file::Wanted;
use super::kinds::Kinds;
use super::object::Objects;
use super::prefetch::{self, Step};
use super::prune::RowGroupRows;
use crate::schema::{COLUMNS, decode_ranked};
use crate::{Error, Place, Rank};

/// Places of a search that are held at once; one that wants more asks again behind the last of them.
const HELD_PLACES: usize = 4_096;
/// Requests from afar that the places of a town should take, with those for the footers of files. The fewer there are, the
/// more is fetched that is not needed.
const REQUESTS: usize = 10;
/// Those of them for what decides about rows, at least, and for everything about the places that were found.
const DECIDING_REQUESTS: usize = 3;
const PLACES_REQUESTS: usize = 2;
/// The column of points, which are known once it is decided about the rows.
const GEOMETRY: &str = "geometry";

/// What is looked for.
#[derive(Clone, Debug)]
pub struct PlaceQuery {
    /// Where.
    pub area: Area,
    /// Which kind of place.
    pub kinds: Kinds,
    /// How sure its source must be that a place exists, 0 to 1.
    pub confidence_min: f64,
}

/// The places that were found, best first.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundPlaces {
    /// How many there are in all, also before the first and after the last of these.
    pub total: u64,
    /// The first of them behind the position that was asked for.
    pub places: Vec<Place>,
}

/// Rows of one row group that a query finds, with their points.
#[derive(Clone, Debug)]
pub(super) struct FoundRows {
    pub(super) group: GroupRows,
    points: Arc<[Point]>,
}

impl Dataset {
    /// The best places of a query, behind a position or from the beginning.
    pub async fn find(&self, query: &PlaceQuery, after: Option<&Rank>) -> Result<FoundPlaces, Error> {
        let (objects, found) = self.found(query).await?;
        let (total, places) = self.places(&objects, found, after).await?;
        Ok(FoundPlaces { total, places })
    }

    /// The rows that a query finds, and the store with what was fetched in advance.
    pub(super) async fn found(&self, query: &PlaceQuery) -> Result<(Objects, Vec<FoundRows>), Error> {
        let before = self.objects.fetched().0;
        let groups = self.groups(&query.area.boxes()).await?;
        let unknown = groups.iter().filter(|group| self.known(group).is_none()).collect();
        let used = usize::try_from(self.objects.fetched().0.saturating_sub(before)).unwrap_or(REQUESTS);
        let requests = REQUESTS.saturating_sub(used + PLACES_REQUESTS).max(DECIDING_REQUESTS);
        let step = Step { groups: unknown, columns: &decide::COLUMNS, next: &COLUMNS, requests };
        let objects = prefetch::fetch(&self.objects, step).await?;
        let conditions = Arc::new(Conditions {
            kinds: query.kinds.clone(),
            area: query.area.clone(),
            boxes: query.area.boxes(),
            confidence_min: query.confidence_min,
        });
        let decided = stream::iter(groups).map(|group| self.decide(&objects, group, &conditions));
        let mut found: Vec<FoundRows> = decided.buffered(self.at_once()).try_collect().await?;
        found.retain(|found| !found.points.is_empty());
        Ok((objects, found))
    }

    /// What decides about these rows, if that is known.
    fn known(&self, group: &GroupRows) -> Option<Arc<DecidingRows>> {
        self.deciding.get(&(group.number, group.rows.group)).filter(|known| known.covers(&group.rows))
    }

    /// Those of the rows that meet the conditions.
    async fn decide(&self, objects: &Objects, group: GroupRows, on: &Arc<Conditions>) -> Result<FoundRows, Error> {
        let known = match self.known(&group) {
            Some(known) => known,
            None => {
                let wanted = Wanted { rows: &group.rows, columns: group.file.columns(&decide::COLUMNS) };
                let batches = group.file.read(objects, wanted, |batch| DecidingBatch::of(&batch)).await?;
                let read = Arc::new(DecidingRows::new(&group.rows, batches));
                self.deciding.insert((group.number, group.rows.group), read.clone());
                read
            }
        };
        let conditions = on.clone();
        let Decision { mut found, open } = compute(move || known.decide(&conditions)).await?;
        if !open.is_empty() {
            found.extend(self.among(objects, &group, (open, on)).await?);
            found.sort_unstable_by_key(|(row, _)| *row);
        }
        let rows = RowGroupRows::of(group.rows.group, found.iter().map(|(row, _)| *row));
        let points = found.into_iter().map(|(_, point)| point).collect();
        Ok(FoundRows { group: GroupRows { rows, ..group }, points })
    }

    /// Those of some rows that are of the kind by their hierarchy.
    async fn among(
        &self,
        objects: &Objects,
        group: &GroupRows,
        (open, on): (Vec<(usize, Point)>, &Arc<Conditions>),
    ) -> Result<Vec<(usize, Point)>, Error> {
        let columns = group.file.columns(&[decide::HIERARCHY]);
        let rows = RowGroupRows::of(group.rows.group, open.iter().map(|(row, _)| *row));
        let conditions = on.clone();
        let named = group.file.read(objects, Wanted { rows: &rows, columns }, move |batch| {
            decide::named_in_hierarchy(&batch, &conditions.kinds)
        });
        let named = named.await?.into_iter().flatten();
        Ok(open.into_iter().zip(named).filter(|(_, named)| *named).map(|(found, _)| found).collect())
    }

    /// How many places these rows are, and everything about the best of them, in order.
    async fn places(
        &self,
        objects: &Objects,
        found: Vec<FoundRows>,
        after: Option<&Rank>,
    ) -> Result<(u64, Vec<Place>), Error> {
        let best = Arc::new(Mutex::new(Best::new(after, HELD_PLACES)));
        // Where there are fewer row groups than workers, the columns of each are shared out.
        let lanes = workers().checked_div(found.len()).unwrap_or(1).max(1);
        let columns: Vec<&str> = COLUMNS.into_iter().filter(|column| *column != GEOMETRY).collect();
        let groups = found.iter().map(|found| &found.group).collect();
        let step = Step { groups, columns: &columns, next: &[], requests: PLACES_REQUESTS };
        let objects = &prefetch::fetch(objects, step).await?;
        let (columns, best_so_far) = (&columns, &best);
        let reads = stream::iter(found).map(|FoundRows { group, points }| async move {
            let wanted = Wanted { rows: &group.rows, columns: group.file.columns(columns) };
            group.file.read_in_lanes(objects, (wanted, lanes), take_best(points, best_so_far.clone())).await
        });
        reads.buffer_unordered(self.at_once()).try_for_each(|_| async { Ok(()) }).await?;
        let mut best = best.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(best.finish())
    }
}

/// Takes the best places out of batches of rows at these points.
fn take_best(points: Arc<[Point]>, best: Arc<Mutex<Best>>) -> impl FnMut(RecordBatch) + Send + 'static {
    let mut next = 0;
    move |batch| {
        let end = next + batch.num_rows();
        let points = points.get(next..end).unwrap_or_default();
        next = end;
        let limits = best.lock().unwrap_or_else(PoisonError::into_inner).limits();
        let found = decode_ranked(&batch, points, |rank| limits.contain(rank));
        best.lock().unwrap_or_else(PoisonError::into_inner).add(found);
    }
}
