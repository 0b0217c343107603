//! What importers of all formats share: where places go, and the record of what was skipped.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::fs::File;
use std::path::Path;

use crate::{Error, Place};

/// Opens a file to be imported. Files are read several times, so a pipe will not do; opening one would also wait for a writer.
pub(crate) fn open_input(path: &Path) -> Result<File, Error> {
    let metadata = path.metadata().map_err(Error::io(path))?;
    let problem = match metadata.is_dir() {
        _ if metadata.is_file() => return File::open(path).map_err(Error::io(path)),
        true => "it is a folder; name a file in it",
        false => "it is a pipe or a device; save what it holds to a file first",
    };
    Err(Error::malformed(path.display().to_string(), problem))
}

/// Takes the places that an importer reads.
pub trait Sink {
    /// Takes a place.
    fn place(&mut self, place: Place) -> Result<(), Error>;

    /// Called with the number of bytes of the input read so far. [`Error::Cancelled`] ends the import.
    fn progress(&mut self, bytes: u64) -> Result<(), Error>;
}

/// An import in progress.
pub struct Import<'a> {
    sink: &'a mut dyn Sink,
    taken: u64,
    skipped: Skipped,
    notes: Skipped,
}

impl<'a> Import<'a> {
    /// An import into this sink.
    pub fn into(sink: &'a mut dyn Sink) -> Import<'a> {
        Import { sink, taken: 0, skipped: Skipped::default(), notes: Skipped::default() }
    }

    /// Takes a place.
    pub fn place(&mut self, place: Place) -> Result<(), Error> {
        self.taken += 1;
        self.sink.place(place)
    }

    /// Leaves a record out. The reason is the same for all records of its kind; the position names this one.
    pub fn skip(&mut self, reason: &'static str, at: impl Display) {
        self.skipped.add(reason, at);
    }

    /// Counts something that is wrong with a record that is taken all the same: a value that was left out of it.
    pub fn note(&mut self, reason: &'static str, at: impl Display) {
        self.notes.add(reason, at);
    }

    /// What is wrong with records that were taken all the same.
    pub fn notes(&self) -> &Skipped {
        &self.notes
    }

    /// Reports the number of bytes of the input read so far.
    pub fn progress(&mut self, bytes: u64) -> Result<(), Error> {
        self.sink.progress(bytes)
    }

    /// How many places were taken, and what was left out.
    pub fn finish(self) -> (u64, Skipped) {
        (self.taken, self.skipped)
    }
}

/// What an import left out, by reason.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Skipped(pub BTreeMap<&'static str, SkippedKind>);

/// The records left out for one reason.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct SkippedKind {
    /// How many.
    pub count: u64,
    /// Where the first of them are: a line, an object id.
    pub examples: Vec<String>,
}

impl Skipped {
    /// Positions kept for each reason.
    pub const EXAMPLES: usize = 5;

    fn add(&mut self, reason: &'static str, at: impl Display) {
        let kind = self.0.entry(reason).or_default();
        kind.count += 1;
        if kind.examples.len() < Skipped::EXAMPLES {
            kind.examples.push(at.to_string());
        }
    }
}
