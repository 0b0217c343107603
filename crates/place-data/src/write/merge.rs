//! Merges sorted runs into one order.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::path::PathBuf;

use super::run::{Record, RunReader, RunWriter};
use crate::{Error, Place};

/// Several runs, read as one.
pub(super) struct Merge {
    runs: Vec<RunReader>,
    /// The next record of each run that has one.
    next: BinaryHeap<Reverse<(Record, usize)>>,
}

impl Merge {
    /// Opens runs.
    pub(super) fn of(paths: Vec<PathBuf>) -> Result<Merge, Error> {
        let mut runs = paths.into_iter().map(RunReader::open).collect::<Result<Vec<_>, Error>>()?;
        let mut next = BinaryHeap::with_capacity(runs.len());
        for (number, run) in runs.iter_mut().enumerate() {
            let mut record = Record::default();
            if run.next(&mut record)? {
                next.push(Reverse((record, number)));
            }
        }
        Ok(Merge { runs, next })
    }

    /// Calls `each` with every place, in order, and its record.
    pub(super) fn places(mut self, mut each: impl FnMut(Place, &[u8]) -> Result<(), Error>) -> Result<(), Error> {
        while let Some(mut top) = self.next.peek_mut() {
            let Reverse((record, run)) = &mut *top;
            let run = &mut self.runs[*run];
            each(record.place(run.path())?, &record.bytes)?;
            if !run.next(record)? {
                std::collections::binary_heap::PeekMut::pop(top);
            }
        }
        Ok(())
    }

    /// Writes all records as one run.
    pub(super) fn into_run(mut self, path: PathBuf) -> Result<PathBuf, Error> {
        let mut output = RunWriter::create(path)?;
        while let Some(mut top) = self.next.peek_mut() {
            let Reverse((record, run)) = &mut *top;
            output.add(record.position, &record.bytes)?;
            if !self.runs[*run].next(record)? {
                std::collections::binary_heap::PeekMut::pop(top);
            }
        }
        output.finish()
    }
}
