//! Whether other users of the machine can read what is stored: leads, e-mails, and the secret that signs links.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use super::Check;
use crate::config::Settings;
use crate::db;
use crate::notify::OUTBOX_FOLDER;
use crate::private_files::{FILE_MODE, FOLDER_MODE};
use crate::secret::KEY_FILE;

/// Files of the outbox that are looked at.
const OUTBOX_FILES_MAX: usize = 10_000;
/// What a mode gives to others than the owner.
const OTHERS: u32 = 0o077;

/// A file or folder that others may read or write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exposed {
    path: PathBuf,
    /// What the command that closes it names: the path, or a pattern for it and what belongs to it.
    pattern: PathBuf,
    mode: u32,
    wanted: u32,
}

impl Exposed {
    /// What is wrong with it.
    pub fn says(&self) -> String {
        format!("{} is open to other users (mode {:03o})", self.path.display(), self.mode)
    }

    /// The command that closes it.
    pub fn advice(&self) -> String {
        format!("chmod {:o} {}", self.wanted, quoted(&self.pattern))
    }
}

/// Everything of ours that other users may read or write. What is not there is not listed.
pub fn exposed(settings: &Settings) -> Vec<Exposed> {
    let outbox = settings.data.join(OUTBOX_FOLDER);
    let mut found = vec![look(&settings.data, FOLDER_MODE), look(&outbox, FOLDER_MODE)];
    let url = settings.database_url.as_ref().map(|url| url.reveal());
    if let Ok(Some(file)) = db::file_of(url, &settings.data) {
        // SQLite makes the log of a database and removes it, so that it may be gone when the command runs.
        let exposed = ["", "-wal", "-shm"].map(|end| look(&with_end(&file, end), FILE_MODE));
        found.push(exposed.into_iter().flatten().next().map(|one| Exposed { pattern: with_end(&file, "*"), ..one }));
    }
    found.push(look(&settings.data.join(KEY_FILE), FILE_MODE));
    found.push(first_exposed_mail(&outbox));
    found.into_iter().flatten().collect()
}

pub(super) fn examine(settings: &Settings) -> Check {
    let exposed = exposed(settings);
    if exposed.is_empty() {
        return Check::ok("permissions", "what is stored can be read by this user only");
    }
    let says: Vec<String> = exposed.iter().map(Exposed::says).collect();
    let advice: Vec<String> = [FOLDER_MODE, FILE_MODE].into_iter().filter_map(|mode| close(mode, &exposed)).collect();
    Check::warn("permissions", says.join("; "), format!("run: {}", advice.join(" && ")))
}

/// The command that closes everything that should have this mode.
fn close(mode: u32, exposed: &[Exposed]) -> Option<String> {
    let paths: Vec<String> = exposed.iter().filter(|one| one.wanted == mode).map(|one| quoted(&one.pattern)).collect();
    (!paths.is_empty()).then(|| format!("chmod {mode:o} {}", paths.join(" ")))
}

fn look(path: &Path, wanted: u32) -> Option<Exposed> {
    let mode = std::fs::metadata(path).ok()?.permissions().mode() & 0o777;
    (mode & OTHERS != 0).then(|| Exposed { path: path.into(), pattern: path.into(), mode, wanted })
}

/// All e-mails are closed by one command, so one of them stands for the rest.
fn first_exposed_mail(outbox: &Path) -> Option<Exposed> {
    let files = std::fs::read_dir(outbox).ok()?.take(OUTBOX_FILES_MAX).flatten();
    let mut exposed = files.filter_map(|entry| look(&entry.path(), FILE_MODE));
    exposed.next().map(|one| Exposed { path: outbox.join("*"), pattern: outbox.join("*"), ..one })
}

fn with_end(path: &Path, end: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(end);
    name.into()
}

/// The path as a shell reads it. An asterisk at its end stays one.
fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    let (text, asterisk) = text.strip_suffix('*').map_or((text.as_str(), ""), |stem| (stem, "*"));
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-".contains(c);
    if text.chars().all(plain) {
        format!("{text}{asterisk}")
    } else {
        format!("'{}'{asterisk}", text.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_quoted_and_its_pattern_is_not() {
        assert_eq!(quoted(Path::new("/data/canvass.db*")), "/data/canvass.db*");
        assert_eq!(quoted(Path::new("/my data/outbox/*")), "'/my data/outbox/'*");
        assert_eq!(quoted(Path::new("/it's/a*b")), r"'/it'\''s/a*b'");
    }
}
