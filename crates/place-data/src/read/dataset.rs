//! The files of one version of place data, and the places they hold.

use std::sync::Arc;

use arrow_array::RecordBatch;
use futures::{Stream, StreamExt, TryStreamExt, stream};
use moka::sync::Cache;
use object_store::ObjectStore;
use object_store::path::Path;
use places::{Area, Bounds};
use tokio::sync::OnceCell;

use super::best::Best;
use super::decide::{self, Conditions, DecidingBatch, DecidingRows, Decision};
use super::file::{PlaceFile, Wanted};
use super::kinds::Kinds;
use super::list::{ListedFile, list};
use super::object::Objects;
use super::prefetch;
use super::prune::{BoxColumns, RowGroupRows};
use crate::disk_cache::DiskCache;
use crate::schema::{self, decode, ranks};
use crate::{Error, Place, Rank};

/// Row groups that are read at once from afar.
const AT_ONCE_FAR: usize = 8;
/// Row groups that are read at once on this machine, where there are processors for them; each takes some memory.
const AT_ONCE_NEAR: usize = 4;
/// Places of a search that are held at once; one that wants more asks again behind the last of them.
const HELD_PLACES: usize = 4_096;
/// Places up to which they are read without finding out first which of them are the best.
const READ_PLACES: usize = 2 * HELD_PLACES;
/// Memory for what decides about rows, kept between queries.
const DECIDING_BYTES: u64 = 24 * 1024 * 1024;
/// What the order depends on.
const RANK_COLUMNS: [&str; 5] = ["id", "names.primary", "websites", "phones", "confidence"];

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

/// The files of one version of place data.
#[derive(Debug)]
pub struct Dataset {
    pub(super) objects: Objects,
    pub(super) files: Vec<(ListedFile, OnceCell<Arc<PlaceFile>>)>,
    footers: DiskCache,
    /// By file and row group.
    deciding: Cache<(usize, usize), Arc<DecidingRows>>,
}

/// Rows of one row group.
#[derive(Clone, Debug)]
pub(super) struct GroupRows {
    number: usize,
    pub(super) file: Arc<PlaceFile>,
    pub(super) rows: RowGroupRows,
}

/// The rows that a query finds, and the store with what was fetched in advance.
#[derive(Clone, Debug)]
pub(super) struct FoundRows {
    pub(super) objects: Objects,
    pub(super) groups: Vec<GroupRows>,
}

impl Dataset {
    /// The Parquet files in a folder of a store on this machine.
    pub async fn in_folder(store: Arc<dyn ObjectStore>, folder: &Path) -> Result<Dataset, Error> {
        let objects = Objects::new(store);
        let files = list(&objects, folder).await?;
        Dataset::of(objects, files, DiskCache::default())
            .ok_or_else(|| Error::malformed(folder.as_ref(), "there are no .parquet files in this folder"))
    }

    /// These files of a store on this machine; `None` when there are no files.
    pub fn of_files(store: Arc<dyn ObjectStore>, files: Vec<Path>) -> Option<Dataset> {
        let files = files.into_iter().map(ListedFile::at).collect();
        Dataset::of(Objects::new(store), files, DiskCache::default())
    }

    /// These files of a store, with a cache of their footers; `None` when there are no files.
    pub(crate) fn of(objects: Objects, files: Vec<ListedFile>, footers: DiskCache) -> Option<Dataset> {
        let files: Vec<_> = files.into_iter().map(|file| (file, OnceCell::new())).collect();
        let weigh = |_: &(usize, usize), rows: &Arc<DecidingRows>| rows.weight();
        let deciding = Cache::builder().max_capacity(DECIDING_BYTES).weigher(weigh).build();
        (!files.is_empty()).then_some(Dataset { objects, files, footers, deciding })
    }

    /// Requests made and bytes fetched so far.
    pub fn fetched(&self) -> (u64, u64) {
        self.objects.fetched()
    }

    /// How many rows all files have together.
    pub async fn rows(&self) -> Result<u64, Error> {
        let files = stream::iter(0..self.files.len()).map(|file| self.file(file)).buffered(self.at_once());
        files.try_fold(0, |sum, file| async move { Ok(sum + file.rows()) }).await
    }

    /// How many places a query finds.
    pub async fn count(&self, query: &PlaceQuery) -> Result<u64, Error> {
        let found = self.found(query).await?;
        let counts = self.read(&found, &["id", "names.primary"], |batch| ranks(&batch).iter().flatten().count() as u64);
        counts.try_fold(0, |sum, (_, counts)| async move { Ok(sum + counts.iter().sum::<u64>()) }).await
    }

    /// The best places of a query, behind a position or from the beginning.
    pub async fn find(&self, query: &PlaceQuery, after: Option<&Rank>) -> Result<FoundPlaces, Error> {
        let found = self.found(query).await?;
        let count: usize = found.groups.iter().map(|group| group.rows.count()).sum();
        if count <= READ_PLACES {
            let (total, places) = self.places(&found, after).await?;
            return Ok(FoundPlaces { total, places });
        }
        let (total, best) = self.best(found, after).await?;
        Ok(FoundPlaces { total, places: self.places(&best, after).await?.1 })
    }

    pub(super) fn at_once(&self) -> usize {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        if self.objects.is_near() { AT_ONCE_NEAR.min(processors) } else { AT_ONCE_FAR }
    }

    pub(super) async fn file(&self, file: usize) -> Result<Arc<PlaceFile>, Error> {
        let (listed, opened) = &self.files[file];
        let open = || async { PlaceFile::open(&self.objects, listed, &self.footers).await.map(Arc::new) };
        opened.get_or_try_init(open).await.cloned()
    }

    /// The rows that a query finds.
    pub(super) async fn found(&self, query: &PlaceQuery) -> Result<FoundRows, Error> {
        let groups = self.groups(query.area.bounds()).await?;
        let unknown = groups.iter().filter(|group| self.known(group).is_none()).cloned().collect();
        let objects = prefetch::fetch(&self.objects, unknown).await?;
        let conditions = Arc::new(Conditions {
            kinds: query.kinds.clone(),
            area: query.area.clone(),
            boxes: query.area.bounds().parts(),
            confidence_min: query.confidence_min,
        });
        let decided = stream::iter(groups).map(|group| self.decide(&objects, group, &conditions));
        let mut groups: Vec<GroupRows> = decided.buffered(self.at_once()).try_collect().await?;
        groups.retain(|group| !group.rows.rows.is_empty());
        Ok(FoundRows { objects, groups })
    }

    /// The row groups of all files that can hold places within a box, with the rows of them that can.
    pub(super) async fn groups(&self, bounds: Bounds) -> Result<Vec<GroupRows>, Error> {
        let parts = bounds.parts();
        let meets = |file: &usize| {
            let listed = self.files[*file].0.bounds;
            listed.is_none_or(|listed| parts.iter().any(|part| meet(&listed, part)))
        };
        let meeting: Vec<usize> = (0..self.files.len()).filter(meets).collect();
        let files: Vec<Arc<PlaceFile>> =
            stream::iter(meeting.clone()).map(|file| self.file(file)).buffered(self.at_once()).try_collect().await?;
        let groups = meeting.into_iter().zip(files).flat_map(|(number, file)| {
            let groups = BoxColumns::meeting(file.boxes, file.metadata.metadata(), bounds);
            groups.into_iter().map(move |rows| GroupRows { number, file: file.clone(), rows })
        });
        Ok(groups.collect())
    }

    /// What decides about these rows, if that is known.
    fn known(&self, group: &GroupRows) -> Option<Arc<DecidingRows>> {
        self.deciding.get(&(group.number, group.rows.group)).filter(|known| known.covers(&group.rows))
    }

    /// Those of the rows that meet the conditions.
    async fn decide(&self, objects: &Objects, group: GroupRows, on: &Arc<Conditions>) -> Result<GroupRows, Error> {
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
        let decided = tokio::task::spawn_blocking(move || known.decide(&conditions)).await;
        let Decision { mut found, open } = decided.map_err(|_| Error::Cancelled)?;
        if !open.is_empty() {
            found.extend(self.among(objects, &group, (open, on)).await?);
            found.sort_unstable();
        }
        Ok(GroupRows { rows: RowGroupRows::of(group.rows.group, found), ..group })
    }

    /// Those of some rows that are of the kind by their hierarchy.
    async fn among(
        &self,
        objects: &Objects,
        group: &GroupRows,
        (open, on): (Vec<usize>, &Arc<Conditions>),
    ) -> Result<Vec<usize>, Error> {
        let columns = group.file.columns(&[decide::HIERARCHY]);
        let rows = RowGroupRows::of(group.rows.group, open);
        let conditions = on.clone();
        let named = group.file.read(objects, Wanted { rows: &rows, columns }, move |batch| {
            decide::named_in_hierarchy(&batch, &conditions.kinds)
        });
        let named = named.await?.into_iter().flatten();
        Ok(rows.each().zip(named).filter(|(_, named)| *named).map(|(row, _)| row).collect())
    }

    /// Which of the rows are the best, and how many places there are in all.
    async fn best(&self, found: FoundRows, after: Option<&Rank>) -> Result<(u64, FoundRows), Error> {
        let mut best = Best::new(after, HELD_PLACES);
        let mut ranked = std::pin::pin!(self.read(&found, &RANK_COLUMNS, |batch| ranks(&batch)));
        while let Some((group, ranks)) = ranked.try_next().await? {
            let rows = found.groups[group].rows.each().zip(ranks.into_iter().flatten());
            best.add(rows.filter_map(|(row, rank)| Some((rank?, (group, row)))));
        }
        let (total, mut rows): (u64, Vec<(usize, usize)>) = best.finish();
        rows.sort_unstable();
        let chosen = rows.chunk_by(|one, other| one.0 == other.0).map(|rows| {
            let group = found.groups[rows[0].0].clone();
            let best = RowGroupRows::of(group.rows.group, rows.iter().map(|(_, row)| *row));
            GroupRows { rows: best, ..group }
        });
        Ok((total, FoundRows { groups: chosen.collect(), objects: found.objects.clone() }))
    }

    /// Everything about the places of these rows, in order.
    async fn places(&self, found: &FoundRows, after: Option<&Rank>) -> Result<(u64, Vec<Place>), Error> {
        let mut best = Best::new(after, HELD_PLACES);
        let mut read = std::pin::pin!(self.read(found, &schema::COLUMNS, |batch| decode(&batch)));
        while let Some((_, places)) = read.try_next().await? {
            best.add(places.into_iter().flatten().map(|place| (Rank::of(&place), place)));
        }
        Ok(best.finish())
    }

    /// Reads columns of rows, several row groups at a time. Each result comes with the position of its row group.
    fn read<'a, T: Send + 'static>(
        &self,
        found: &'a FoundRows,
        columns: &'a [&'a str],
        each: impl Fn(RecordBatch) -> T + Clone + Send + 'static,
    ) -> impl Stream<Item = Result<(usize, Vec<T>), Error>> {
        let reads = stream::iter(0..found.groups.len()).map(move |position| {
            let each = each.clone();
            async move {
                let group = &found.groups[position];
                let wanted = Wanted { rows: &group.rows, columns: group.file.columns(columns) };
                Ok((position, group.file.read(&found.objects, wanted, each).await?))
            }
        });
        reads.buffer_unordered(self.at_once())
    }
}

/// Whether two boxes that do not cross the antimeridian have a point in common.
fn meet(one: &Bounds, other: &Bounds) -> bool {
    one.west <= other.east && one.east >= other.west && one.south <= other.north && one.north >= other.south
}
