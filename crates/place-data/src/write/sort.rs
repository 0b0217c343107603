//! Sorts more places than fit into memory: sorted runs are written to temporary files, and merged in the end.

use std::path::PathBuf;

use super::curve::{Position, position};
use super::merge::Merge;
use super::run::{RECORD_BYTES_MAX, RunWriter, compare};
use crate::{Error, Place};

/// Bytes of places that are held in memory.
pub(super) const HELD_BYTES: usize = 32 * 1024 * 1024;
/// Runs that are read at once; more are merged into longer ones first.
const MERGED_RUNS: usize = 32;

/// Places that are being sorted.
pub(super) struct Sorter {
    folder: PathBuf,
    held_bytes: usize,
    /// The records of the held places, one behind the other.
    records: Vec<u8>,
    held: Vec<Held>,
    /// Runs by how often their records were merged.
    levels: Vec<Vec<PathBuf>>,
    runs_written: u64,
}

/// A place in memory.
struct Held {
    position: Position,
    start: usize,
    end: usize,
}

impl Sorter {
    /// Sorts in this folder, with so many bytes of places in memory.
    pub(super) fn new(folder: PathBuf, held_bytes: usize) -> Sorter {
        Sorter { folder, held_bytes, records: Vec::new(), held: Vec::new(), levels: Vec::new(), runs_written: 0 }
    }

    /// Adds a place.
    pub(super) fn add(&mut self, place: &Place) -> Result<(), Error> {
        let start = self.records.len();
        // Serialising into a growing vector cannot fail; the vector is handed back with the record behind it.
        let written = postcard::to_extend(place, std::mem::take(&mut self.records));
        self.records = written.map_err(|error| self.unsortable(place, &error.to_string()))?;
        let end = self.records.len();
        if end - start > RECORD_BYTES_MAX {
            return Err(self.unsortable(place, &format!("it is longer than {RECORD_BYTES_MAX} bytes")));
        }
        self.held.push(Held { position: position(place.point), start, end });
        if end < self.held_bytes { Ok(()) } else { self.spill() }
    }

    /// Adds a run that lies elsewhere and stays there.
    pub(super) fn add_run(&mut self, run: PathBuf) -> Result<(), Error> {
        self.keep(run, 0)
    }

    /// All places in order.
    pub(super) fn finish(mut self) -> Result<Merge, Error> {
        self.spill()?;
        // Level by level, so that the few long runs are not copied together with the many short ones.
        while self.levels.iter().map(Vec::len).sum::<usize>() > MERGED_RUNS {
            let level = self.levels.iter().position(|runs| !runs.is_empty()).unwrap_or_default();
            self.merge(level)?;
        }
        Merge::of(self.levels.concat())
    }

    /// Writes the held places as a run.
    fn spill(&mut self) -> Result<(), Error> {
        if self.held.is_empty() {
            return Ok(());
        }
        let Sorter { records, held, .. } = self;
        let record = |held: &Held| (held.position, &records[held.start..held.end]);
        held.sort_unstable_by(|one, other| compare(record(one), record(other)));
        let mut run = RunWriter::create(self.folder.join(format!("{}.run", self.runs_written)))?;
        for held in &self.held {
            run.add(held.position, &self.records[held.start..held.end])?;
        }
        let run = run.finish()?;
        self.held.clear();
        self.records.clear();
        self.keep(run, 0)
    }

    fn keep(&mut self, run: PathBuf, level: usize) -> Result<(), Error> {
        self.runs_written += 1;
        self.levels.resize(self.levels.len().max(level + 1), Vec::new());
        self.levels[level].push(run);
        if self.levels[level].len() < MERGED_RUNS { Ok(()) } else { self.merge(level) }
    }

    /// Merges the runs of a level into one of the next.
    fn merge(&mut self, level: usize) -> Result<(), Error> {
        let runs = std::mem::take(&mut self.levels[level]);
        let merged = Merge::of(runs.clone())?.into_run(self.folder.join(format!("{}.run", self.runs_written)))?;
        for run in runs.iter().filter(|run| run.parent() == Some(&self.folder)) {
            std::fs::remove_file(run).map_err(Error::io(run))?;
        }
        self.keep(merged, level + 1)
    }

    fn unsortable(&self, place: &Place, problem: &str) -> Error {
        let id: String = place.id.chars().take(100).collect();
        Error::malformed_at(
            self.folder.display().to_string(),
            format!("place {id}"),
            format!("cannot be kept: {problem}"),
        )
    }
}
