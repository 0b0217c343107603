//! What fuzz targets need of the readers of Overture's catalog, which are private: compiled for fuzzing only.

use bytes::Bytes;

use super::catalog::Index;
use super::collections;
use super::name::is_release;
use crate::theme::Theme;

/// Reads these bytes as a catalog, and checks what comes out.
pub fn catalog(bytes: &[u8]) {
    if let Some(index) = Index::parse(bytes) {
        assert!(index.releases.contains(&index.latest));
        assert!(index.releases.iter().all(|name| is_release(name)));
    }
}

/// Reads these bytes as a list of a release's files, and checks what comes out.
pub fn collections(bytes: &[u8]) {
    for file in collections::parse(Bytes::copy_from_slice(bytes), Theme::Places) {
        assert!(file.name.ends_with(".parquet") && !file.name.contains(['/', '\\']));
        assert!(file.bounds.is_none_or(|bounds| bounds.west <= bounds.east && bounds.south <= bounds.north));
    }
}
