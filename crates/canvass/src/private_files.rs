//! Files and folders that only the user Canvass runs as can read, whatever the umask.

use std::fs::{DirBuilder, File, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;

/// Mode of every folder that is created.
pub const FOLDER_MODE: u32 = 0o700;
/// Mode of every file that is created.
pub const FILE_MODE: u32 = 0o600;

/// Creates a folder and those above it, where they are missing. One that is there is left as it is.
pub fn create_folder(path: &Path) -> io::Result<()> {
    if path.is_dir() {
        return Ok(());
    }
    DirBuilder::new().recursive(true).mode(FOLDER_MODE).create(path)?;
    // A umask only removes permissions; without those of the owner the folder would be unusable.
    std::fs::set_permissions(path, Permissions::from_mode(FOLDER_MODE))
}

/// Creates a file that must not be there yet.
pub fn create_new(path: &Path) -> io::Result<File> {
    let file = OpenOptions::new().write(true).create_new(true).mode(FILE_MODE).open(path)?;
    file.set_permissions(Permissions::from_mode(FILE_MODE))?;
    Ok(file)
}

/// Creates a file, or empties the one that is there. The mode of one that is there is not changed.
pub fn create(path: &Path) -> io::Result<File> {
    match create_new(path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => File::create(path),
        created => created,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mode(path: &Path) -> u32 {
        std::fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn what_is_created_is_private_and_what_is_there_stays() {
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path().join("a/b");
        create_folder(&data).unwrap();
        assert_eq!((mode(&data), mode(&folder.path().join("a"))), (0o700, 0o700));
        std::fs::set_permissions(&data, Permissions::from_mode(0o750)).unwrap();
        create_folder(&data).unwrap();
        assert_eq!(mode(&data), 0o750);
        let file = data.join("file");
        create(&file).unwrap();
        assert_eq!(mode(&file), 0o600);
        assert!(create_new(&file).is_err());
    }
}
