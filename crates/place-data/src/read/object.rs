//! Bytes of a file, wherever it lies: neighbouring ranges are fetched together, several requests at a time.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use bytes::Bytes;
use futures::TryStreamExt;
use moka::sync::Cache;
use object_store::path::Path;
use object_store::{GetOptions, GetRange, ObjectStore, ObjectStoreExt, coalesce_ranges};

use super::compute::compute;
use crate::Error;
use crate::location::Folder;

/// Bytes between two wanted ranges up to which one request fetches both: about what arrives in the time of a request.
const GAP: u64 = 1024 * 1024;
/// Bytes of fetched ranges that are kept. On this machine, the system keeps them anyway.
const KEPT_BYTES: u64 = 16 * 1024 * 1024;

/// What is said when a file that is known cannot be read.
const NOT_KEPT: &str = "only the index of the place data is kept on this machine, the places must be fetched";

/// A range of a file.
type Part = (Path, Range<u64>);

/// A store of files, with the ranges it was asked for last.
#[derive(Clone, Debug)]
pub(crate) struct Objects {
    store: Arc<dyn ObjectStore>,
    /// What precedes a path in messages.
    prefix: Arc<str>,
    is_near: bool,
    kept: Cache<Part, Bytes>,
    /// What was fetched in advance for one query.
    held: Arc<HashMap<Part, Bytes>>,
    fetched: Arc<Fetched>,
}

/// What was fetched so far.
#[derive(Debug, Default)]
pub(crate) struct Fetched {
    requests: AtomicU64,
    bytes: AtomicU64,
}

impl Objects {
    /// The files of a store on this machine.
    pub(crate) fn new(store: Arc<dyn ObjectStore>) -> Objects {
        Objects::of(&Folder { store, path: Path::default(), near: true, prefix: String::new() })
    }

    /// The files of the store that a folder lies in.
    pub(crate) fn of(folder: &Folder) -> Objects {
        let weigh = |_: &Part, bytes: &Bytes| u32::try_from(bytes.len()).unwrap_or(u32::MAX);
        Objects {
            store: folder.store.clone(),
            prefix: folder.prefix.as_str().into(),
            is_near: folder.near,
            kept: Cache::builder().max_capacity(KEPT_BYTES).weigher(weigh).build(),
            held: Arc::default(),
            fetched: Arc::default(),
        }
    }

    /// Whether a request costs next to nothing.
    pub(crate) fn is_near(&self) -> bool {
        self.is_near
    }

    /// The same files, with more ranges that were fetched in advance.
    pub(crate) fn holding(&self, mut held: HashMap<Part, Bytes>) -> Objects {
        held.iter().for_each(|(part, bytes)| self.kept.insert(part.clone(), bytes.clone()));
        held.extend(self.held.iter().map(|(part, bytes)| (part.clone(), bytes.clone())));
        Objects { held: Arc::new(held), ..self.clone() }
    }

    /// A range of a file, when it was fetched before.
    pub(crate) fn known(&self, path: &Path, range: &Range<u64>) -> Option<Bytes> {
        let part = (path.clone(), range.clone());
        self.held.get(&part).cloned().or_else(|| self.kept.get(&part))
    }

    pub(crate) fn store(&self) -> &dyn ObjectStore {
        self.store.as_ref()
    }

    /// Requests made and bytes received so far.
    pub(crate) fn fetched(&self) -> (u64, u64) {
        (self.fetched.requests.load(Ordering::Relaxed), self.fetched.bytes.load(Ordering::Relaxed))
    }

    /// The size of a file.
    pub(crate) async fn size(&self, path: &Path) -> Result<u64, Error> {
        Ok(self.store.head(path).await.map_err(|error| self.unreadable(path, &error))?.size)
    }

    /// The last bytes of a file, at most so many, and the file's size.
    pub(crate) async fn tail(&self, path: &Path, count: u64, size: Option<u64>) -> Result<(Bytes, u64), Error> {
        if size == Some(0) {
            return Err(Error::malformed(self.address(path), "it is empty"));
        }
        let range = match size {
            Some(size) => GetRange::Bounded(size.saturating_sub(count)..size),
            None => GetRange::Suffix(count),
        };
        let options = GetOptions { range: Some(range), ..GetOptions::default() };
        let found = match self.store.get_opts(path, options).await {
            // Azure knows no ranges from the end.
            Err(object_store::Error::NotSupported { .. }) if size.is_none() => {
                let size = self.store.head(path).await.map_err(|error| self.unreadable(path, &error))?.size;
                return Box::pin(self.tail(path, count, Some(size))).await;
            }
            found => found.map_err(|error| self.unreadable(path, &error))?,
        };
        let size = found.meta.size;
        let bytes = found.bytes().await.map_err(|error| self.unreadable(path, &error))?;
        self.note(&bytes);
        Ok((bytes, size))
    }

    /// A whole file of at most so many bytes.
    pub(crate) async fn whole(&self, path: &Path, max: usize) -> Result<Bytes, Error> {
        let found = self.store.get(path).await.map_err(|error| self.unreadable(path, &error))?;
        let mut stream = found.into_stream();
        let mut bytes = Vec::new();
        while let Some(some) = stream.try_next().await.map_err(|error| self.unreadable(path, &error))? {
            if bytes.len() + some.len() > max {
                return Err(Error::malformed(self.address(path), format!("it has more than {max} bytes")));
            }
            bytes.extend_from_slice(&some);
        }
        let bytes = Bytes::from(bytes);
        self.note(&bytes);
        Ok(bytes)
    }

    /// These ranges of a file, in the order given.
    pub(crate) async fn ranges(&self, path: &Path, wanted: &[Range<u64>]) -> Result<Vec<Bytes>, Error> {
        if self.is_near {
            let (store, at, ranges) = (self.store.clone(), path.clone(), wanted.to_vec());
            // On a worker, where the bytes are decoded too: outside of a runtime, the store reads files right there.
            let found = compute(move || futures::executor::block_on(store.get_ranges(&at, &ranges))).await?;
            let found = found.map_err(|error| self.unreadable(path, &error))?;
            found.iter().for_each(|bytes| self.note(bytes));
            return Ok(found);
        }
        let known: Vec<Option<Bytes>> = wanted.iter().map(|range| self.known(path, range)).collect();
        let missing: Vec<Range<u64>> =
            wanted.iter().zip(&known).filter(|(_, known)| known.is_none()).map(|(range, _)| range.clone()).collect();
        let fetched = coalesce_ranges(&missing, |range| self.range(path, range), GAP).await?;
        let mut fetched = missing.into_iter().zip(fetched).map(|(range, bytes)| {
            // Copied: a slice would keep all that was fetched with it.
            let bytes = Bytes::copy_from_slice(&bytes);
            self.kept.insert((path.clone(), range), bytes.clone());
            bytes
        });
        Ok(known.into_iter().filter_map(|known| known.or_else(|| fetched.next())).collect())
    }

    /// One range of a file, fetched.
    pub(crate) async fn range(&self, path: &Path, range: Range<u64>) -> Result<Bytes, Error> {
        let bytes = self.store.get_range(path, range).await.map_err(|error| match self.unreadable(path, &error) {
            Error::Unreachable { file, reason } => Error::Unreachable { file, reason: format!("{reason}; {NOT_KEPT}") },
            other => other,
        })?;
        self.note(&bytes);
        Ok(bytes)
    }

    /// The address of a file, for messages.
    pub(crate) fn address(&self, path: &Path) -> String {
        format!("{}{path}", self.prefix)
    }

    /// An error of the store, with the file it is about.
    pub(crate) fn unreadable(&self, path: &Path, error: &object_store::Error) -> Error {
        let file = self.address(path);
        match error {
            object_store::Error::NotFound { .. } => Error::Missing { file },
            other => Error::Unreachable { file, reason: cause(other) },
        }
    }

    fn note(&self, bytes: &Bytes) {
        self.fetched.requests.fetch_add(1, Ordering::Relaxed);
        self.fetched.bytes.fetch_add(bytes.len() as u64, Ordering::Relaxed);
    }
}

/// The innermost cause of an error: what lies around it names attempts and types, not what went wrong.
fn cause(error: &object_store::Error) -> String {
    let mut cause: &dyn std::error::Error = error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    let text = cause.to_string();
    let first = text.lines().next().unwrap_or_default();
    first.chars().take(200).collect()
}
