//! The files of one version of place data, opened as they are needed.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use futures::{StreamExt, TryStreamExt, stream};
use moka::sync::Cache;
use object_store::ObjectStore;
use object_store::path::Path;
use places::Bounds;
use tokio::sync::OnceCell;

use super::compute::workers;
use super::decide::DecidingRows;
use super::file::PlaceFile;
use super::footer::{Footer, FooterSource};
use super::list::{ListedFile, list};
use super::object::Objects;
use super::prune::{BoxColumns, RowGroupRows};
use crate::Error;
use crate::disk_cache::{Cached, DiskCache};
use crate::theme::Theme;

/// Row groups that are read at once from afar; on this machine, as many as there are workers.
const AT_ONCE_FAR: usize = 8;
/// Memory for what decides about rows, kept between queries.
const DECIDING_BYTES: u64 = 32 * 1024 * 1024;
/// Name of the boxes of files in the cache.
const BOXES_ENTRY: &str = "boxes.json";

/// The files of one version of place data.
#[derive(Debug)]
pub struct Dataset {
    pub(super) objects: Objects,
    pub(super) files: Vec<DataFile>,
    kept: DiskCache,
    theme: Theme,
    /// Boxes that an earlier process found in footers, by the file's fingerprint.
    known_boxes: OnceLock<BTreeMap<String, Bounds>>,
    /// By file and row group.
    pub(super) deciding: Cache<(usize, usize), Arc<DecidingRows>>,
}

/// A file, and what is known of it so far.
#[derive(Debug)]
pub(super) struct DataFile {
    pub(super) listed: ListedFile,
    /// A box around its places, from its footer.
    bounds: OnceLock<Bounds>,
    opened: OnceCell<Arc<PlaceFile>>,
}

/// Rows of one row group.
#[derive(Clone, Debug)]
pub(super) struct GroupRows {
    /// Position of the file.
    pub(super) number: usize,
    pub(super) file: Arc<PlaceFile>,
    pub(super) rows: RowGroupRows,
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

    /// These files of a store, with a cache of their boxes and, from afar, of their footers; `None` when there are no files.
    pub(crate) fn of(objects: Objects, files: Vec<ListedFile>, kept: DiskCache) -> Option<Dataset> {
        let file = |listed| DataFile { listed, bounds: OnceLock::new(), opened: OnceCell::new() };
        let files: Vec<DataFile> = files.into_iter().map(file).collect();
        let weigh = |_: &(usize, usize), rows: &Arc<DecidingRows>| rows.weight();
        let deciding = Cache::builder().max_capacity(DECIDING_BYTES).weigher(weigh).build();
        let (theme, known_boxes) = (Theme::Places, OnceLock::new());
        (!files.is_empty()).then_some(Dataset { objects, files, kept, theme, known_boxes, deciding })
    }

    /// The same files, read as records of this theme.
    pub(crate) fn of_theme(self, theme: Theme) -> Dataset {
        Dataset { theme, ..self }
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

    /// How many row groups are read at once.
    pub(super) fn at_once(&self) -> usize {
        if self.objects.is_near() { workers() } else { AT_ONCE_FAR }
    }

    pub(super) async fn file(&self, number: usize) -> Result<Arc<PlaceFile>, Error> {
        match self.files[number].opened.get() {
            Some(file) => Ok(file.clone()),
            None => self.open(number, self.footer(number).await?).await,
        }
    }

    /// The row groups of all files that can hold places within a box, with the rows of them that can.
    pub(super) async fn groups(&self, boxes: &[Bounds]) -> Result<Vec<GroupRows>, Error> {
        let possible: Vec<usize> = (0..self.files.len()).filter(|file| self.may_meet(*file, boxes)).collect();
        let open = |number: usize| self.meeting(number, boxes);
        let files: Vec<Option<Arc<PlaceFile>>> =
            stream::iter(possible.clone()).map(open).buffered(self.at_once()).try_collect().await?;
        self.keep_boxes(&possible);
        let met = possible.into_iter().zip(files).filter_map(|(number, file)| Some((number, file?)));
        let groups = met.flat_map(|(number, file)| {
            let groups = BoxColumns::meeting(file.boxes, file.metadata.metadata(), boxes);
            groups.into_iter().map(move |rows| GroupRows { number, file: file.clone(), rows })
        });
        Ok(groups.collect())
    }

    /// Whether a file can hold places within one of the boxes, as far as is known without opening it.
    fn may_meet(&self, number: usize, parts: &[Bounds]) -> bool {
        let file = &self.files[number];
        let bounds = file.listed.bounds.as_ref().or_else(|| file.bounds.get()).or_else(|| self.known_box(file));
        bounds.is_none_or(|bounds| parts.iter().any(|part| meet(bounds, part)))
    }

    /// A file, opened; `None` when its footer says that it has no places within the boxes.
    async fn meeting(&self, number: usize, boxes: &[Bounds]) -> Result<Option<Arc<PlaceFile>>, Error> {
        if let Some(file) = self.files[number].opened.get() {
            return Ok(Some(file.clone()));
        }
        let footer = self.footer(number).await?;
        if !BoxColumns::any_meets(footer.boxes, &footer.metadata, boxes) {
            return Ok(None);
        }
        self.open(number, footer).await.map(Some)
    }

    fn source(&self, number: usize) -> FooterSource<'_> {
        FooterSource { objects: &self.objects, listed: &self.files[number].listed, kept: &self.kept }
    }

    /// The footer of a file, which says where its places lie.
    async fn footer(&self, number: usize) -> Result<Footer, Error> {
        let footer = Footer::read(self.source(number)).await?;
        if let Some(around) = footer.boxes.and_then(|boxes| boxes.around(&footer.metadata)) {
            let _ = self.files[number].bounds.set(around);
        }
        Ok(footer)
    }

    async fn open(&self, number: usize, footer: Footer) -> Result<Arc<PlaceFile>, Error> {
        let footer = footer.with_indexes(self.source(number)).await?;
        let open = || async { PlaceFile::of(footer, self.theme).map(Arc::new) };
        self.files[number].opened.get_or_try_init(open).await.cloned()
    }

    fn known_box(&self, file: &DataFile) -> Option<&Bounds> {
        let read = || self.kept.read_json(BOXES_ENTRY).map(|Cached { value, .. }| value).unwrap_or_default();
        self.known_boxes.get_or_init(read).get(&file.listed.fingerprint())
    }

    /// Keeps the boxes of all files, when some of these were not known before.
    fn keep_boxes(&self, opened: &[usize]) {
        let is_new = |number: &usize| {
            let file = &self.files[*number];
            file.listed.bounds.is_none() && file.bounds.get().is_some() && self.known_box(file).is_none()
        };
        if self.kept.is_none() || !opened.iter().any(is_new) {
            return;
        }
        let bounds = |file: &DataFile| file.bounds.get().or_else(|| self.known_box(file)).copied();
        let boxes = self.files.iter().filter_map(|file| Some((file.listed.fingerprint(), bounds(file)?)));
        self.kept.write_json(BOXES_ENTRY, &boxes.collect::<BTreeMap<String, Bounds>>());
    }
}

/// Whether two boxes that do not cross the antimeridian have a point in common.
fn meet(one: &Bounds, other: &Bounds) -> bool {
    one.west <= other.east && one.east >= other.west && one.south <= other.north && one.north >= other.south
}
