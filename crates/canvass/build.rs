//! Lists the migrations of each database for `db::migrate`, which applies them.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

const MIGRATIONS: &str = "../../migrations";

fn main() -> io::Result<()> {
    println!("cargo:rerun-if-changed={MIGRATIONS}");
    let written = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    for database in ["sqlite", "postgres"] {
        fs::write(written.join(format!("{database}.rs")), steps(&Path::new(MIGRATIONS).join(database))?)?;
    }
    Ok(())
}

/// The array of a folder's steps: version, description and SQL of each.
fn steps(folder: &Path) -> io::Result<String> {
    let files: io::Result<Vec<PathBuf>> =
        fs::read_dir(folder.canonicalize()?)?.map(|entry| Ok(entry?.path())).collect();
    let mut files = files?;
    files.sort();
    let mut steps = "[".to_owned();
    for file in &files {
        let name = file.file_stem().and_then(|name| name.to_str()).and_then(|name| name.split_once('_'));
        let (number, words) = name.expect("a migration is called NUMBER_what_it_does.sql");
        let version: i64 = number.parse().expect("the number of a migration");
        writeln!(steps, "({version}, {:?}, include_str!({file:?})),", words.replace('_', " ")).expect("memory");
    }
    Ok(steps + "]")
}
