//! Whether a folder can take another write: tried with a file that has no name, so that nothing is left behind.

use std::io::{self, Read};
use std::path::Path;

/// Bytes that are tried: more than one delivery of leads writes.
const ROOM_BYTES: u64 = 1024 * 1024;

/// Writes into a nameless file in `folder`, which is gone when this returns.
pub fn try_room(folder: &Path) -> io::Result<()> {
    let mut file = tempfile::tempfile_in(folder)?;
    io::copy(&mut io::repeat(0).take(ROOM_BYTES), &mut file).map(drop)
}
