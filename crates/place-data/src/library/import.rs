//! Puts places into the library. Until the last step the import before is untouched.

use super::Library;
use super::commit::Change;
use super::durable::sync_folder;
use super::format::Format;
use super::lock::ImportLock;
use super::manifest::{self, Manifest};
use super::name::ImportName;
use crate::write::SortedWriter;
use crate::{Error, Place, Sink, Skipped};

/// What is imported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportRequest {
    /// The name under which searches find it. An import of the same name is replaced.
    pub name: ImportName,
    /// The format of the file.
    pub format: Format,
    /// The name of the file.
    pub original: String,
    /// Whom to name wherever the data is shown, instead of whom the format asks for.
    pub attribution: Option<String>,
    /// The time now.
    pub imported_at: jiff::Timestamp,
}

/// An import that is being prepared. Dropping it leaves everything as it was; [`Importer::finish`] puts it in place.
pub struct Importer {
    request: ImportRequest,
    writer: SortedWriter,
    change: Change,
    _lock: ImportLock,
}

impl Library {
    /// Begins an import, and removes what imports that were killed have left.
    ///
    /// # Errors
    /// [`Error::Busy`] while another import of this name runs.
    pub fn importer(&self, request: ImportRequest) -> Result<Importer, Error> {
        std::fs::create_dir_all(&self.folder).map_err(Error::io(&self.folder))?;
        let lock = ImportLock::take(&self.folder, request.name.as_str())?;
        let change = Change::begin(self.folder_of(&request.name), None)?;
        sync_folder(&self.folder)?;
        Ok(Importer { request, writer: SortedWriter::in_folder(change.work()), change, _lock: lock })
    }
}

impl Sink for Importer {
    fn place(&mut self, place: Place) -> Result<(), Error> {
        self.writer.add(&place)
    }

    fn progress(&mut self, _bytes: u64) -> Result<(), Error> {
        Ok(())
    }
}

impl Importer {
    /// Sorts and writes the places, and puts them in place of an earlier import. `progress` is called with the part that is
    /// done, 0 to 1; its [`Error::Cancelled`] ends the work, and nothing has changed.
    ///
    /// # Errors
    /// [`Error::Malformed`] when there are no places: an empty file does not replace anything.
    pub fn finish(
        self,
        skipped: &Skipped,
        progress: &mut dyn FnMut(f64) -> Result<(), Error>,
    ) -> Result<Manifest, Error> {
        let Importer { request, writer, change, _lock } = self;
        if writer.added() == 0 {
            return Err(Error::malformed(request.original, nothing_found(skipped)));
        }
        let (current, tally) = change.write(writer, progress)?;
        let ImportRequest { name, format, original, attribution, imported_at } = request;
        let previous = change.before(&current);
        change.commit(Manifest {
            area: None,
            name: name.to_string(),
            format,
            original,
            imported_at,
            licence: format.licence().map(str::to_owned),
            attribution: attribution.or_else(|| format.attribution().map(str::to_owned)),
            current,
            tally,
            skipped: manifest::stored(skipped),
            previous,
        })
    }
}

fn nothing_found(skipped: &Skipped) -> String {
    let reasons = skipped.0.iter().map(|(reason, kind)| format!("{} left out: {reason}", kind.count));
    let reasons: Vec<String> = reasons.collect();
    let reasons = if reasons.is_empty() { String::new() } else { format!(" ({})", reasons.join("; ")) };
    format!("there are no businesses in it{reasons}, so nothing was imported")
}
