//! The reading of a file into the library, with progress, until Ctrl-C.

use std::path::{Path, PathBuf};

use place_data::library::{Format, Importer, Manifest};
use place_data::{Error, Import, Place, Sink, Skipped, csv, foursquare, geojson, osm};

use super::progress::Progress;

/// Reads files of one format.
#[derive(Debug)]
pub(super) enum Reader {
    Osm,
    Foursquare,
    Geojson,
    Csv(csv::Options),
}

impl Reader {
    pub(super) fn format(&self) -> Format {
        match self {
            Reader::Osm => Format::Osm,
            Reader::Foursquare => Format::Foursquare,
            Reader::Geojson => Format::Geojson,
            Reader::Csv(_) => Format::Csv,
        }
    }

    fn read(&self, file: &Path, import: &mut Import<'_>) -> Result<(), Error> {
        match self {
            Reader::Osm => osm::read(file, import),
            Reader::Foursquare => foursquare::read(file, import),
            Reader::Geojson => geojson::read(file, import),
            Reader::Csv(options) => csv::read(file, options, import),
        }
    }
}

/// What was read.
#[derive(Debug)]
pub(super) struct FileRead {
    /// Businesses that were taken.
    pub(super) taken: u64,
    /// Records that were left out.
    pub(super) skipped: Skipped,
    /// Values that were left out of records that were taken.
    pub(super) notes: Skipped,
}

/// The reading of a file.
pub(super) struct Work {
    pub(super) reader: Reader,
    pub(super) file: PathBuf,
    pub(super) progress: Progress,
}

impl Work {
    /// Reads the file, and puts it in place when all of it is good.
    pub(super) fn import(&self, importer: Importer) -> Result<(Manifest, FileRead), Error> {
        let mut sink = ProgressSink { importer: Some(importer), progress: &self.progress };
        let read = self.read(&mut sink)?;
        let importer = sink.importer.take().ok_or(Error::Cancelled)?;
        self.progress.restart("{bar:30} {percent} % sorted and written, {eta} left");
        let manifest = importer.finish(&read.skipped, &mut |part| self.progress.at_part(part))?;
        Ok((manifest, read))
    }

    /// Reads the file and keeps nothing.
    pub(super) fn try_out(&self) -> Result<FileRead, Error> {
        self.read(&mut ProgressSink { importer: None, progress: &self.progress })
    }

    fn read(&self, sink: &mut ProgressSink<'_>) -> Result<FileRead, Error> {
        let mut import = Import::into(sink);
        self.reader.read(&self.file, &mut import)?;
        let notes = import.notes().clone();
        let (taken, skipped) = import.finish();
        Ok(FileRead { taken, skipped, notes })
    }
}

/// Passes places on, shows progress, and cancels after Ctrl-C.
struct ProgressSink<'a> {
    importer: Option<Importer>,
    progress: &'a Progress,
}

impl Sink for ProgressSink<'_> {
    fn place(&mut self, place: Place) -> Result<(), Error> {
        self.progress.check()?;
        self.importer.as_mut().map_or(Ok(()), |importer| importer.place(place))
    }

    fn progress(&mut self, bytes: u64) -> Result<(), Error> {
        self.progress.at(bytes)
    }
}
