//! Rebuilds the crate when a migration is added, as `sqlx::migrate!` reads them at compile time, and tells the readers of
//! one build from those of another.

use std::path::{Path, PathBuf};

/// Whatever decides what is found on a website: which pages are read, and what is seen there.
const READERS: [&str; 4] = ["../page-facts/src", "../polite-reader/src", "src/lead", "src/website"];

fn main() {
    println!("cargo:rerun-if-changed=../../migrations");
    println!("cargo:rustc-env=MARK_OF_READERS={}", mark_of_readers());
}

/// A number that changes with the readers' sources.
fn mark_of_readers() -> u32 {
    let mut files = Vec::new();
    for folder in READERS {
        println!("cargo:rerun-if-changed={folder}");
        list(Path::new(folder), &mut files);
    }
    files.sort();
    let mut hash = crc32fast::Hasher::new();
    for file in files {
        hash.update(&std::fs::read(file).expect("it was just listed"));
    }
    hash.finalize()
}

fn list(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("the sources are there").flatten() {
        match entry.path() {
            path if path.is_dir() => list(&path, files),
            path => files.push(path),
        }
    }
}
