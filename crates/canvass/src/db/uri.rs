//! Paths of SQLite files as URIs, which is the only form that takes options.

use std::path::{Path, PathBuf};

use sqlx::sqlite::SqliteConnectOptions;

/// What a URI begins with.
const URI: &str = "file:";

/// A path with options for SQLite, which takes them in a URI only.
pub(super) fn uri(path: &Path, options: &str) -> String {
    let path = path.display().to_string().replace('%', "%25").replace('?', "%3f").replace('#', "%23");
    format!("{URI}{path}?{options}")
}

/// The path of a database that was opened with [`uri`] or by its name.
pub(super) fn path_of(options: &SqliteConnectOptions) -> PathBuf {
    let name = options.get_filename().display().to_string();
    let Some((path, _)) = name.strip_prefix(URI).and_then(|rest| rest.split_once('?')) else { return name.into() };
    path.replace("%23", "#").replace("%3f", "?").replace("%25", "%").into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_survives_being_a_uri() {
        for path in ["data/canvass.db", "/srv/100% sure?/a#b.db", "plain"] {
            let options = SqliteConnectOptions::new().filename(uri(Path::new(path), "mode=ro"));
            assert_eq!(path_of(&options), Path::new(path));
        }
    }
}
