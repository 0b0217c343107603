//! The rows that a query finds, to be read in pieces and in any order.

use std::sync::Arc;

use arrow_array::RecordBatch;
use futures::{StreamExt, TryStreamExt, stream};

use super::dataset::{Dataset, GroupRows};
use super::file::Wanted;
use super::find::PlaceQuery;
use super::object::Objects;
use super::prune::RowGroupRows;
use crate::schema::decode_each;
use crate::{Error, Place};

/// Where a row lies: its row group among those that a query found, and its number there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct RowAt {
    group: u32,
    row: u32,
}

/// The rows that a query finds in a data set.
#[derive(Clone, Debug)]
pub(crate) struct QueryRows {
    objects: Objects,
    groups: Arc<[GroupRows]>,
    at_once: usize,
}

/// What one row gave.
type ReadRow<T> = (RowAt, T);

impl QueryRows {
    pub(crate) async fn find(dataset: &Dataset, query: &PlaceQuery) -> Result<QueryRows, Error> {
        let (objects, found) = dataset.found(query).await?;
        let groups = found.into_iter().map(|found| found.group).collect();
        Ok(QueryRows { objects, groups, at_once: dataset.at_once() })
    }

    /// How many there are. Some may turn out to be no places.
    pub(crate) fn count(&self) -> usize {
        self.groups.iter().map(|group| group.rows.count()).sum()
    }

    /// Passes on what `each` makes of every place, a row group at a time, in no particular order. Only these columns are read.
    pub(crate) async fn scan<T: Send + 'static>(
        &self,
        columns: &[&str],
        each: impl Fn(Place) -> T + Clone + Send + 'static,
        mut take: impl FnMut(Vec<ReadRow<T>>),
    ) -> Result<(), Error> {
        let groups = (0_u32..).zip(self.groups.iter()).map(|(at, group)| (at, group.rows.clone())).collect();
        let mut reads = std::pin::pin!(self.read(groups, columns, each));
        while let Some(rows) = reads.try_next().await? {
            take(rows);
        }
        Ok(())
    }

    /// What `each` makes of the places of some rows, sorted by row. `rows` are sorted, too.
    pub(crate) async fn some<T: Send + 'static>(
        &self,
        rows: &[RowAt],
        columns: &[&str],
        each: impl Fn(Place) -> T + Clone + Send + 'static,
    ) -> Result<Vec<ReadRow<T>>, Error> {
        let groups = rows.chunk_by(|one, other| one.group == other.group).map(|rows| {
            let group = self.groups[rows[0].group as usize].rows.group;
            (rows[0].group, RowGroupRows::of(group, rows.iter().map(|at| at.row as usize)))
        });
        let read: Vec<Vec<ReadRow<T>>> = self.read(groups.collect(), columns, each).try_collect().await?;
        let mut read: Vec<ReadRow<T>> = read.into_iter().flatten().collect();
        read.sort_unstable_by_key(|(at, _)| *at);
        Ok(read)
    }

    fn read<T: Send + 'static>(
        &self,
        groups: Vec<(u32, RowGroupRows)>,
        columns: &[&str],
        each: impl Fn(Place) -> T + Clone + Send + 'static,
    ) -> impl futures::Stream<Item = Result<Vec<ReadRow<T>>, Error>> {
        let reads = stream::iter(groups).map(move |(group, rows)| {
            let each = each.clone();
            async move {
                let file = &self.groups[group as usize].file;
                let wanted = Wanted { rows: &rows, columns: file.columns(columns) };
                let numbers: Vec<u32> = rows.each().filter_map(|row| u32::try_from(row).ok()).collect();
                let read = file.read(
                    &self.objects,
                    wanted,
                    numbered(numbers, move |at, place| (RowAt { group, row: at }, each(place))),
                );
                Ok(read.await?.into_iter().flatten().collect())
            }
        });
        reads.buffer_unordered(self.at_once)
    }
}

/// Decodes batches whose rows have these numbers, and calls `each` with the number and the place of each row.
fn numbered<T>(
    numbers: Vec<u32>,
    each: impl Fn(u32, Place) -> T + Send + 'static,
) -> impl FnMut(RecordBatch) -> Vec<T> + Send + 'static {
    let mut next = 0;
    move |batch| {
        let places = decode_each(&batch);
        let own = numbers.get(next..next + places.len()).unwrap_or_default();
        next += own.len();
        own.iter().zip(places).filter_map(|(number, place)| Some(each(*number, place?))).collect()
    }
}
