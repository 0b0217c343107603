//! Whether the data folder can be written to, and has room.

use super::Check;
use crate::config::Settings;

/// Below this, a busy server may fill the disk within days.
const FREE_BYTES_WANTED: u64 = 1024 * 1024 * 1024;

pub(super) fn examine(settings: &Settings) -> Check {
    let folder = &settings.data;
    let shown = folder.display();
    let advice = "choose a folder this user may write to, with --data DIR or CANVASS_DATA";
    if let Err(error) = std::fs::create_dir_all(folder) {
        return Check::fail("disk", format!("the data folder {shown} cannot be created: {error}"), advice);
    }
    let probe = folder.join(".doctor");
    if let Err(error) = std::fs::write(&probe, b"x").and_then(|()| std::fs::remove_file(&probe)) {
        return Check::fail("disk", format!("the data folder {shown} cannot be written to: {error}"), advice);
    }
    let Ok(stat) = rustix::fs::statvfs(folder) else {
        return Check::warn("disk", format!("{shown} can be written to; its free space is unknown"), "watch it");
    };
    let free = stat.f_bavail.saturating_mul(stat.f_frsize);
    let says = format!("{shown} can be written to and has {} MiB free", free / 1024 / 1024);
    if free < FREE_BYTES_WANTED {
        return Check::warn("disk", says, "make room, or move the data folder: Canvass stops when the disk is full");
    }
    Check::ok("disk", says)
}
