//! Whether the data folder can be written to, and has room. Nothing is left behind, nor is a missing folder created.

use std::io::ErrorKind;
use std::path::Path;

use super::Check;
use crate::config::Settings;
use crate::db;

/// Below this, a busy server may fill the disk within days.
const FREE_BYTES_WANTED: u64 = 1024 * 1024 * 1024;
/// What to do when another folder may be the answer.
const OTHER_FOLDER: &str = "or choose another folder with --data DIR or CANVASS_DATA";

pub(super) fn examine(settings: &Settings) -> Check {
    let folder = &settings.data;
    let shown = folder.display();
    if folder.exists() && !folder.is_dir() {
        let advice = format!("move that file away, {OTHER_FOLDER}");
        return Check::fail("disk", format!("{shown} is a file, not a folder"), advice);
    }
    // A folder that is not there yet is created at the first start, in the nearest one that is.
    let Some(there) = nearest_folder(folder) else {
        return Check::fail(
            "disk",
            format!("no folder above {shown} can be seen"),
            format!("check the path, {OTHER_FOLDER}"),
        );
    };
    if let Err(error) = db::try_room(there) {
        return refused(there, &error);
    }
    let missing = if folder.is_dir() { "" } else { "does not exist yet and is created at the first start; its disk " };
    let Ok(stat) = rustix::fs::statvfs(there) else {
        return Check::warn(
            "disk",
            format!("{shown} {missing}can be written to; its free space is unknown"),
            "watch it",
        );
    };
    let free = stat.f_bavail.saturating_mul(stat.f_frsize);
    let says = format!("{shown} {missing}can be written to and has {} MiB free", free / 1024 / 1024);
    if free < FREE_BYTES_WANTED {
        return Check::warn("disk", says, "free some space soon: when the disk is full, Canvass can only be read from");
    }
    Check::ok("disk", says)
}

/// The folder itself, or the nearest one above it that exists.
fn nearest_folder(folder: &Path) -> Option<&Path> {
    let above = folder.ancestors().map(|path| if path.as_os_str().is_empty() { Path::new(".") } else { path });
    above.into_iter().find(|path| path.is_dir())
}

fn refused(folder: &Path, error: &std::io::Error) -> Check {
    let shown = folder.display();
    match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => Check::fail(
            "disk",
            format!("the disk of {shown} is full: {error}"),
            "free some space on it; a running server goes on by itself then",
        ),
        ErrorKind::ReadOnlyFilesystem => Check::fail(
            "disk",
            format!("{shown} is on a disk that is mounted read-only: {error}"),
            format!("mount it writable, {OTHER_FOLDER}"),
        ),
        ErrorKind::PermissionDenied => Check::fail(
            "disk",
            format!("this user may not write to {shown}: {error}"),
            format!("give the folder to the user that runs Canvass (chown), {OTHER_FOLDER}"),
        ),
        _ => Check::fail(
            "disk",
            format!("{shown} cannot be written to: {error}"),
            format!("check the disk, {OTHER_FOLDER}"),
        ),
    }
}
