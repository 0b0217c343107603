//! Bytes of a file, wherever it lies: neighbouring ranges are fetched together, several requests at a time.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use bytes::Bytes;
use moka::sync::Cache;
use object_store::path::Path;
use object_store::{GetOptions, GetRange, ObjectStore, ObjectStoreExt, coalesce_ranges};

use crate::Error;

/// Bytes between two wanted ranges up to which one request fetches both: about what arrives in the time of a request.
const GAP: u64 = 256 * 1024;
/// Bytes of fetched ranges that are kept.
const KEPT_BYTES: u64 = 48 * 1024 * 1024;

/// A store of files, with the ranges it was asked for last.
#[derive(Clone, Debug)]
pub(crate) struct Objects {
    store: Arc<dyn ObjectStore>,
    kept: Cache<(Path, Range<u64>), Bytes>,
    fetched: Arc<Fetched>,
}

/// What was fetched so far.
#[derive(Debug, Default)]
pub(crate) struct Fetched {
    requests: AtomicU64,
    bytes: AtomicU64,
}

impl Objects {
    pub(crate) fn new(store: Arc<dyn ObjectStore>) -> Objects {
        let weigh = |_: &(Path, Range<u64>), bytes: &Bytes| u32::try_from(bytes.len()).unwrap_or(u32::MAX);
        let kept = Cache::builder().max_capacity(KEPT_BYTES).weigher(weigh).build();
        Objects { store, kept, fetched: Arc::default() }
    }

    /// Requests made and bytes received so far.
    pub(crate) fn fetched(&self) -> (u64, u64) {
        (self.fetched.requests.load(Ordering::Relaxed), self.fetched.bytes.load(Ordering::Relaxed))
    }

    /// The size of a file.
    pub(crate) async fn size(&self, path: &Path) -> Result<u64, Error> {
        Ok(self.store.head(path).await.map_err(|error| unreadable(path, &error))?.size)
    }

    /// The last bytes of a file, at most so many, and the file's size.
    pub(crate) async fn tail(&self, path: &Path, count: u64) -> Result<(Bytes, u64), Error> {
        let options = GetOptions { range: Some(GetRange::Suffix(count)), ..GetOptions::default() };
        let found = self.store.get_opts(path, options).await.map_err(|error| unreadable(path, &error))?;
        let size = found.meta.size;
        let bytes = found.bytes().await.map_err(|error| unreadable(path, &error))?;
        self.note(&bytes);
        Ok((bytes, size))
    }

    /// These ranges of a file, in the order given.
    pub(crate) async fn ranges(&self, path: &Path, wanted: &[Range<u64>]) -> Result<Vec<Bytes>, Error> {
        let missing: Vec<Range<u64>> =
            wanted.iter().filter(|range| !self.kept.contains_key(&(path.clone(), (*range).clone()))).cloned().collect();
        let fetch = |range: Range<u64>| async move {
            let bytes = self.store.get_range(path, range).await?;
            self.note(&bytes);
            Ok::<Bytes, object_store::Error>(bytes)
        };
        let found = coalesce_ranges(&missing, fetch, GAP).await.map_err(|error| unreadable(path, &error))?;
        let mut found: std::collections::HashMap<Range<u64>, Bytes> = missing.into_iter().zip(found).collect();
        let mut all = Vec::with_capacity(wanted.len());
        for range in wanted {
            let key = (path.clone(), range.clone());
            let bytes = match found.remove(range) {
                // Copied: a slice would keep all that was fetched with it.
                Some(bytes) => Bytes::copy_from_slice(&bytes),
                None => match self.kept.get(&key) {
                    Some(bytes) => bytes,
                    None => {
                        self.store.get_range(path, range.clone()).await.map_err(|error| unreadable(path, &error))?
                    }
                },
            };
            self.kept.insert(key, bytes.clone());
            all.push(bytes);
        }
        Ok(all)
    }

    fn note(&self, bytes: &Bytes) {
        self.fetched.requests.fetch_add(1, Ordering::Relaxed);
        self.fetched.bytes.fetch_add(bytes.len() as u64, Ordering::Relaxed);
    }
}

/// An error of the store, with the file it is about.
pub(crate) fn unreadable(path: &Path, error: &object_store::Error) -> Error {
    match error {
        object_store::Error::NotFound { .. } => Error::Missing { file: path.to_string() },
        other => Error::Unreachable { file: path.to_string(), reason: other.to_string() },
    }
}
