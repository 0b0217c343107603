//! The files of one version of place data, and the places they hold.

use std::sync::Arc;

use futures::{StreamExt, TryStreamExt, stream};
use object_store::ObjectStore;
use object_store::path::Path;
use places::{Area, Bounds};
use tokio::sync::OnceCell;

use super::file::{PlaceFile, Wanted};
use super::kinds::Kinds;
use super::list::{ListedFile, list};
use super::object::Objects;
use super::order::Rank;
use super::pick::{self, Pick};
use super::prune::{BoxColumns, RowGroupRows};
use crate::disk_cache::DiskCache;
use crate::schema::{self, decode};
use crate::{Error, Place};

/// Row groups that are read at once.
const AT_ONCE: usize = 8;
/// Places of a search that are held at once; one that wants more asks again behind the last of them.
const HELD_PLACES: usize = 4_096;

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
}

impl Dataset {
    /// The Parquet files in a folder of a store.
    pub async fn in_folder(store: Arc<dyn ObjectStore>, folder: &Path) -> Result<Dataset, Error> {
        let objects = Objects::new(store);
        let files = list(&objects, folder).await?;
        Dataset::of(objects, files, DiskCache::default())
            .ok_or_else(|| Error::malformed(folder.as_ref(), "there are no .parquet files in this folder"))
    }

    /// These files of a store.
    pub fn of_files(store: Arc<dyn ObjectStore>, files: Vec<Path>) -> Dataset {
        let files = files.into_iter().map(|file| (ListedFile::at(file), OnceCell::new())).collect();
        Dataset { objects: Objects::new(store), files, footers: DiskCache::default() }
    }

    /// These files of a store, with a cache of their footers; `None` when there are no files.
    pub(crate) fn of(objects: Objects, files: Vec<ListedFile>, footers: DiskCache) -> Option<Dataset> {
        let files: Vec<_> = files.into_iter().map(|file| (file, OnceCell::new())).collect();
        (!files.is_empty()).then_some(Dataset { objects, files, footers })
    }

    /// Requests made and bytes fetched so far.
    pub fn fetched(&self) -> (u64, u64) {
        self.objects.fetched()
    }

    /// How many rows all files have together.
    pub async fn rows(&self) -> Result<u64, Error> {
        let files = stream::iter(0..self.files.len()).map(|file| self.file(file)).buffered(AT_ONCE);
        files.try_fold(0, |sum, file| async move { Ok(sum + file.rows()) }).await
    }

    /// The best places of a query, behind a position or from the beginning.
    pub async fn find(&self, query: &PlaceQuery, after: Option<&Rank>) -> Result<FoundPlaces, Error> {
        let scan = Scan::of(query);
        let groups = self.groups(query).await?;
        let found = stream::iter(groups).map(|(file, rows)| {
            let scan = scan.clone();
            async move { self.places(&file, &rows, scan).await }
        });
        let mut best = Best { after: after.cloned(), total: 0, places: Vec::new() };
        let mut found = std::pin::pin!(found.buffer_unordered(AT_ONCE));
        while let Some(places) = found.try_next().await? {
            best.add(places);
        }
        Ok(best.finish())
    }

    pub(super) async fn file(&self, file: usize) -> Result<Arc<PlaceFile>, Error> {
        let (listed, opened) = &self.files[file];
        let open = || async { PlaceFile::open(&self.objects, listed, &self.footers).await.map(Arc::new) };
        opened.get_or_try_init(open).await.cloned()
    }

    /// The row groups of all files that can hold places of the area.
    async fn groups(&self, query: &PlaceQuery) -> Result<Vec<(Arc<PlaceFile>, RowGroupRows)>, Error> {
        let bounds = query.area.bounds();
        let parts = bounds.parts();
        let meets =
            |file: &usize| self.files[*file].0.bounds.is_none_or(|bounds| parts.iter().any(|part| meet(&bounds, part)));
        let meeting = (0..self.files.len()).filter(meets);
        let files: Vec<Arc<PlaceFile>> =
            stream::iter(meeting).map(|file| self.file(file)).buffered(AT_ONCE).try_collect().await?;
        let groups = files.into_iter().flat_map(|file| {
            let groups = BoxColumns::meeting(file.boxes, file.metadata.metadata(), bounds);
            groups.into_iter().map(move |rows| (file.clone(), rows))
        });
        Ok(groups.collect())
    }

    /// The places of a row group.
    async fn places(&self, file: &PlaceFile, rows: &RowGroupRows, scan: Scan) -> Result<Vec<Place>, Error> {
        let Scan { pick, area } = scan;
        let deciding = Wanted { rows, columns: file.columns(&pick::COLUMNS) };
        let passes = file.read(&self.objects, deciding, move |batch| pick.rows(&batch)).await?;
        let rows = pick::passed(rows, passes.into_iter().flatten());
        if rows.rows.is_empty() {
            return Ok(Vec::new());
        }
        let all = Wanted { rows: &rows, columns: file.columns(&schema::COLUMNS) };
        let places = file.read(&self.objects, all, move |batch| {
            let mut places = decode(&batch);
            places.retain(|place| area.contains(place.point));
            places
        });
        Ok(places.await?.into_iter().flatten().collect())
    }
}

/// Whether two boxes that do not cross the antimeridian have a point in common.
fn meet(one: &Bounds, other: &Bounds) -> bool {
    one.west <= other.east && one.east >= other.west && one.south <= other.north && one.north >= other.south
}

/// A query as every row group is asked it.
#[derive(Clone, Debug)]
struct Scan {
    pick: Arc<Pick>,
    area: Arc<Area>,
}

impl Scan {
    fn of(query: &PlaceQuery) -> Scan {
        let pick = Pick {
            kinds: query.kinds.clone(),
            boxes: query.area.bounds().parts(),
            confidence_min: query.confidence_min,
        };
        Scan { pick: Arc::new(pick), area: Arc::new(query.area.clone()) }
    }
}

/// The best places so far.
struct Best {
    after: Option<Rank>,
    total: u64,
    places: Vec<(Rank, Place)>,
}

impl Best {
    fn add(&mut self, places: Vec<Place>) {
        self.total += places.len() as u64;
        let ranked = places.into_iter().map(|place| (Rank::of(&place), place));
        self.places.extend(ranked.filter(|(rank, _)| self.after.as_ref().is_none_or(|after| rank > after)));
        if self.places.len() > 2 * HELD_PLACES {
            self.places.select_nth_unstable_by(HELD_PLACES, |(one, _), (other, _)| one.cmp(other));
            self.places.truncate(HELD_PLACES);
        }
    }

    fn finish(mut self) -> FoundPlaces {
        self.places.sort_by(|(one, _), (other, _)| one.cmp(other));
        self.places.truncate(HELD_PLACES);
        FoundPlaces { total: self.total, places: self.places.into_iter().map(|(_, place)| place).collect() }
    }
}
