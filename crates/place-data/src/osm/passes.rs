//! What an import asks of a file format: three passes over the file, each with one question.

use super::element::{Coordinate, WayNodes};
use super::gather::{Gathered, HeldBudget};
use super::wanted::Wanted;
use crate::{Error, Import};

/// A file that can be read several times. Objects refer to others that files list before them, so one pass does not do; holding
/// everything would need many times the size of the file.
pub(super) trait Passes {
    /// Picks the businesses out of all objects.
    fn businesses(&mut self, budget: &HeldBudget, progress: &mut Progress<'_, '_>) -> Result<Gathered, Error>;

    /// Finds the nodes of ways that relations refer to.
    fn ways(&mut self, wanted: &mut Wanted<WayNodes>, context: &mut PassContext<'_, '_, '_>) -> Result<(), Error>;

    /// Finds the positions of nodes that ways and relations refer to.
    fn nodes(&mut self, wanted: &mut Wanted<Coordinate>, progress: &mut Progress<'_, '_>) -> Result<(), Error>;
}

/// What a pass that holds memory needs beside its question.
pub(super) struct PassContext<'a, 'p, 'i> {
    pub(super) budget: &'a HeldBudget,
    pub(super) progress: &'a mut Progress<'p, 'i>,
}

/// Passes over a file.
const PASSES: u64 = 3;

/// Reports progress in bytes of the file, to each byte of which every pass contributes a third.
pub(super) struct Progress<'p, 'i> {
    import: &'p mut Import<'i>,
    file_bytes: u64,
    passes_done: u64,
    reported: u64,
}

impl<'p, 'i> Progress<'p, 'i> {
    pub(super) fn new(import: &'p mut Import<'i>, file_bytes: u64) -> Progress<'p, 'i> {
        Progress { import, file_bytes, passes_done: 0, reported: 0 }
    }

    /// The present pass has reached this byte.
    pub(super) fn at(&mut self, byte: u64) -> Result<(), Error> {
        let read = (self.passes_done * self.file_bytes + byte.min(self.file_bytes)) / PASSES;
        self.reported = self.reported.max(read.min(self.file_bytes));
        self.import.progress(self.reported)
    }

    /// The present pass is over, or was not needed.
    pub(super) fn end_pass(&mut self) -> Result<(), Error> {
        self.passes_done += 1;
        self.at(0)
    }
}
