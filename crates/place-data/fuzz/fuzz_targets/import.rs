//! What the targets share: bytes as a file, and a sink that checks what arrives.

use place_data::{Error, Import, Place, Sink};

struct Checked;

impl Sink for Checked {
    fn place(&mut self, place: Place) -> Result<(), Error> {
        assert!(!place.id.is_empty() && !place.name.trim().is_empty());
        assert!((-90.0..=90.0).contains(&place.point.latitude));
        assert!((-180.0..=180.0).contains(&place.point.longitude));
        assert!(place.rating.is_none_or(|rating| (0.0..=5.0).contains(&rating)));
        Ok(())
    }

    fn progress(&mut self, _bytes: u64) -> Result<(), Error> {
        Ok(())
    }
}

/// Imports these bytes as a file: places within their limits, or an error that is the file's fault.
pub fn import(bytes: &[u8], read: impl FnOnce(&std::path::Path, &mut Import<'_>) -> Result<(), Error>) {
    let file = tempfile::NamedTempFile::new().expect("a temporary file can be made");
    std::fs::write(file.path(), bytes).expect("a temporary file can be written");
    let mut sink = Checked;
    let result = read(file.path(), &mut Import::into(&mut sink));
    assert!(matches!(result, Ok(()) | Err(Error::Malformed { .. })), "{result:?}");
}
