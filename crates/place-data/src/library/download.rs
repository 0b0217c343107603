//! Collects places part by part into a folder of sorted files. Parts that are complete stay when the process is killed, and
//! the next one goes on behind them.

use std::path::{Path, PathBuf};

use places::SavedArea;

use super::commit::Change;
use super::durable::{rename, sync_folder, write_file};
use super::format::Format;
use super::lock::ImportLock;
use super::manifest::Manifest;
use crate::write::{PartWriter, SortedWriter};
use crate::{Error, Place, Sink};

/// Within the folder of a download, the parts that are complete.
const PARTS: &str = "parts";
/// Within that of the parts, what they are parts of.
const PLAN: &str = "plan";
/// Within the folder of a download, the part that is being written.
const WRITTEN: &str = "part";

/// What is downloaded.
#[derive(Clone, Debug, PartialEq)]
pub struct DownloadRequest {
    /// The name of the download, such as `texas`.
    pub name: String,
    /// The format.
    pub format: Format,
    /// Where it comes from, such as `release 2026-09-17.0`.
    pub original: String,
    /// The area.
    pub area: SavedArea,
    /// The time now.
    pub imported_at: jiff::Timestamp,
}

/// A download that goes on where one of the same plan stopped.
pub struct Download {
    folder: PathBuf,
    change: Change,
    _lock: ImportLock,
}

impl Download {
    /// Begins a download into a folder, or goes on with one that was killed. `plan` says in any words what all parts are
    /// parts of, such as the release and the area; parts of another plan are removed.
    ///
    /// # Errors
    /// [`Error::Busy`] while another process downloads into this folder.
    pub fn into_folder(folder: &Path, plan: &str) -> Result<Download, Error> {
        std::fs::create_dir_all(folder).map_err(Error::io(folder))?;
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        let lock = ImportLock::take(folder.parent().unwrap_or(folder), &name)?;
        let change = Change::begin(folder.into(), Some(PARTS))?;
        let parts = folder.join(PARTS);
        if std::fs::read_to_string(parts.join(PLAN)).ok().as_deref() != Some(plan) {
            if parts.exists() {
                std::fs::remove_dir_all(&parts).map_err(Error::io(&parts))?;
            }
            std::fs::create_dir(&parts).map_err(Error::io(&parts))?;
            write_file(&parts.join(PLAN), plan.as_bytes())?;
            sync_folder(&parts)?;
            sync_folder(folder)?;
        }
        Ok(Download { folder: folder.into(), change, _lock: lock })
    }

    /// Whether this part is complete.
    pub fn has(&self, part: usize) -> bool {
        self.path(part).is_file()
    }

    /// Begins a part. Its places count once [`DownloadPart::finish`] was called.
    ///
    /// # Errors
    /// [`Error::Io`] when the folder cannot be written.
    pub fn part(&self, part: usize) -> Result<DownloadPart<'_>, Error> {
        let folder = self.change.work().join(WRITTEN);
        if folder.exists() {
            std::fs::remove_dir_all(&folder).map_err(Error::io(&folder))?;
        }
        std::fs::create_dir(&folder).map_err(Error::io(&folder))?;
        Ok(DownloadPart { download: self, part, writer: PartWriter::in_folder(folder) })
    }

    /// Merges all parts into sorted files, in place of an earlier download. `progress` is called with the part that is done,
    /// 0 to 1; after its [`Error::Cancelled`] the parts are still there.
    ///
    /// # Errors
    /// [`Error::Malformed`] when there are no places.
    pub fn finish(
        self,
        request: DownloadRequest,
        progress: &mut dyn FnMut(f64) -> Result<(), Error>,
    ) -> Result<Manifest, Error> {
        let Download { folder, change, _lock } = self;
        let writer = SortedWriter::of_parts(change.work(), runs(&folder.join(PARTS))?)?;
        if writer.added() == 0 {
            return Err(Error::malformed(request.original, "there are no businesses in this area"));
        }
        let (current, tally) = change.write(writer, progress)?;
        let DownloadRequest { name, format, original, area, imported_at } = request;
        let previous = change.before(&current);
        change.commit(Manifest {
            name,
            format,
            original,
            area: Some(area),
            imported_at,
            licence: format.licence().map(str::to_owned),
            attribution: format.attribution().map(str::to_owned),
            current,
            tally,
            skipped: std::collections::BTreeMap::new(),
            previous,
        })
    }

    fn path(&self, part: usize) -> PathBuf {
        self.folder.join(PARTS).join(format!("{part}.run"))
    }
}

/// The complete parts.
fn runs(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let entries = std::fs::read_dir(folder).map_err(Error::io(folder))?;
    let paths = entries.map(|entry| entry.map(|entry| entry.path())).collect::<Result<Vec<_>, _>>();
    let mut paths = paths.map_err(Error::io(folder))?;
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "run"));
    Ok(paths)
}

/// One part of a download. Dropping it leaves the part out.
pub struct DownloadPart<'a> {
    download: &'a Download,
    part: usize,
    writer: PartWriter,
}

impl Sink for DownloadPart<'_> {
    fn place(&mut self, place: Place) -> Result<(), Error> {
        self.writer.add(&place)
    }

    fn progress(&mut self, _bytes: u64) -> Result<(), Error> {
        Ok(())
    }
}

impl DownloadPart<'_> {
    /// The part is complete, whatever happens from now on.
    ///
    /// # Errors
    /// [`Error::Io`] when it cannot be written.
    pub fn finish(self) -> Result<(), Error> {
        let path = self.download.path(self.part);
        rename(&self.writer.finish()?, &path)?;
        sync_folder(&self.download.folder.join(PARTS))
    }
}
