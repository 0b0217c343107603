//! What an import passes on, kept for tests to look at.

use place_data::{Error, Place, Sink};

/// Keeps everything that an import passes on.
#[derive(Default)]
pub(crate) struct Collected {
    pub(crate) places: Vec<Place>,
    pub(crate) progress: Vec<u64>,
    /// Cancels the import at this many reports of progress.
    pub(crate) cancel_at: Option<usize>,
}

impl Sink for Collected {
    fn place(&mut self, place: Place) -> Result<(), Error> {
        self.places.push(place);
        Ok(())
    }

    fn progress(&mut self, bytes: u64) -> Result<(), Error> {
        self.progress.push(bytes);
        if self.cancel_at == Some(self.progress.len()) { Err(Error::Cancelled) } else { Ok(()) }
    }
}
