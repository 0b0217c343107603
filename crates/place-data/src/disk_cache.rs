//! What was fetched once and does not change, kept on disk: file lists, footers and page indexes.
//!
//! A cache may be lost, full or damaged at any time: then everything is fetched again, and no error is raised.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use bytes::Bytes;
use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};

/// What every entry begins with; another version of the format has another one.
const MAGIC: &[u8; 8] = b"CNVCACH1";
const HEADER_BYTES: usize = 8 + 4;

/// A folder of cached entries; without one, nothing is kept.
#[derive(Clone, Debug, Default)]
pub(crate) struct DiskCache {
    folder: Option<PathBuf>,
}

/// An entry that was found.
#[derive(Debug)]
pub(crate) struct Cached<T> {
    pub(crate) value: T,
    /// How long ago it was written.
    pub(crate) age: Duration,
}

impl DiskCache {
    pub(crate) fn in_folder(folder: PathBuf) -> DiskCache {
        DiskCache { folder: Some(folder) }
    }

    /// Whether nothing is kept.
    pub(crate) fn is_none(&self) -> bool {
        self.folder.is_none()
    }

    /// The part of the cache for something of this name, whatever characters it has.
    pub(crate) fn part(&self, name: &str) -> DiskCache {
        let plain: String = name.chars().map(|c| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' }).collect();
        let short: String = plain.chars().rev().take(40).collect::<String>().chars().rev().collect();
        let folder = self.folder.as_ref().map(|folder| folder.join(format!("{short}-{}", fingerprint(name))));
        DiskCache { folder }
    }

    /// An entry. A damaged one is removed.
    pub(crate) fn read(&self, name: &str) -> Option<Cached<Bytes>> {
        let path = self.folder.as_ref()?.join(name);
        let bytes = Bytes::from(fs::read(&path).ok()?);
        let age = fs::metadata(&path).ok()?.modified().ok()?.elapsed().unwrap_or_default();
        match payload(&bytes) {
            Some(value) => Some(Cached { value, age }),
            None => {
                let _ = fs::remove_file(&path);
                None
            }
        }
    }

    /// Keeps an entry: whole, or not at all.
    pub(crate) fn write(&self, name: &str, payload: &[u8]) {
        let Some(folder) = &self.folder else { return };
        let _ = write(folder, name, payload);
    }

    /// An entry that is kept as JSON.
    pub(crate) fn read_json<T: DeserializeOwned>(&self, name: &str) -> Option<Cached<T>> {
        let Cached { value, age } = self.read(name)?;
        Some(Cached { value: serde_json::from_slice(&value).ok()?, age })
    }

    pub(crate) fn write_json(&self, name: &str, value: &impl Serialize) {
        if let Ok(bytes) = serde_json::to_vec(value) {
            self.write(name, &bytes);
        }
    }
}

/// A short name for something, the same on every machine.
pub(crate) fn fingerprint(text: &str) -> String {
    hex::encode(&Sha256::digest(text.as_bytes())[..8])
}

fn payload(entry: &Bytes) -> Option<Bytes> {
    let header = entry.get(..HEADER_BYTES)?;
    let sum = u32::from_le_bytes(header.get(8..)?.try_into().ok()?);
    let payload = entry.slice(HEADER_BYTES..);
    (&header[..8] == MAGIC && crc32fast::hash(&payload) == sum).then_some(payload)
}

fn write(folder: &Path, name: &str, payload: &[u8]) -> std::io::Result<()> {
    fs::create_dir_all(folder)?;
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(MAGIC)?;
    file.write_all(&crc32fast::hash(payload).to_le_bytes())?;
    file.write_all(payload)?;
    file.persist(folder.join(name))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_damaged_entry_is_removed_and_read_as_absent() {
        let folder = tempfile::tempdir().unwrap();
        let cache = DiskCache::in_folder(folder.path().to_owned()).part("s3://bucket/2026-10-21.0");
        cache.write("entry", b"footer");
        assert_eq!(cache.read("entry").unwrap().value, "footer");
        let path = cache.folder.as_ref().unwrap().join("entry");
        for damage in [&b"CNVCACH1"[..], b"", b"CNVCACH1\0\0\0\0footer", b"something else entirely"] {
            fs::write(&path, damage).unwrap();
            assert!(cache.read("entry").is_none());
            assert!(!path.exists());
        }
    }

    #[test]
    fn without_a_folder_nothing_is_kept() {
        let cache = DiskCache::default();
        cache.write("entry", b"footer");
        assert!(cache.read("entry").is_none());
    }
}
