//! The text of an XML file: decompressed, counted, and with a limit on what the parser may have to hold.

use std::cell::Cell;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;
use std::rc::Rc;

use crate::Error;
use crate::import::open_input;

/// Bytes of one XML tag or text, which the parser holds as a whole.
const EVENT_BYTES_MAX: u64 = 32 * 1024 * 1024;
const BUFFER_BYTES: usize = 256 * 1024;

/// How the text is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::osm) enum XmlCompression {
    None,
    Bzip2,
}

/// Counters that the layers of an input share with who reads it.
#[derive(Clone, Default)]
pub(super) struct Counters {
    /// Bytes read of the file.
    pub(super) read: Rc<Cell<u64>>,
    /// Bytes of text since the parser last completed something.
    pub(super) held: Rc<Cell<u64>>,
}

/// Opens a file as text.
pub(super) fn open(path: &Path, compression: XmlCompression, counters: &Counters) -> Result<Box<dyn BufRead>, Error> {
    let file = open_input(path)?;
    let file = Counted { input: file, count: counters.read.clone(), limit: u64::MAX };
    let text: Box<dyn Read> = match compression {
        XmlCompression::None => Box::new(file),
        XmlCompression::Bzip2 => {
            Box::new(bzip2::bufread::MultiBzDecoder::new(BufReader::with_capacity(BUFFER_BYTES, file)))
        }
    };
    let text = Counted { input: text, count: counters.held.clone(), limit: EVENT_BYTES_MAX };
    Ok(Box::new(BufReader::with_capacity(BUFFER_BYTES, text)))
}

/// Counts bytes, and fails once there are too many.
struct Counted<R> {
    input: R,
    count: Rc<Cell<u64>>,
    limit: u64,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.count.get() > self.limit {
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, "a tag or text has more than 32 MiB"));
        }
        let read = self.input.read(buffer)?;
        self.count.set(self.count.get() + read as u64);
        Ok(read)
    }
}
