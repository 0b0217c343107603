//! Tells whether the embedded database is still as it was, without asking it: every commit, of whichever process, changes the header
//! of the index that SQLite keeps of its log, in the file beside the database whose name ends in `-shm`.

use std::ffi::OsString;
use std::fs::File;
use std::mem::ManuallyDrop;
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::PathBuf;
use std::sync::{PoisonError, RwLock};

use super::Db;

/// Bytes of the header. It is there twice; while it is written, the two differ.
const HEADER_BYTES: usize = 48;
/// What it begins with, in the byte order of the machine: the version of its format.
const VERSION: u32 = 3_007_000;

/// A state of the database: as long as it is the same, nobody has committed anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Generation([u8; HEADER_BYTES]);

/// Reads the state of one database.
#[derive(Debug)]
pub(super) struct Generations {
    path: PathBuf,
    /// Never closed while SQLite uses it: the system takes all locks of a process on a file from it as soon as the process closes
    /// any descriptor of that file, and these are the locks by which writers keep each other out.
    file: RwLock<Option<ManuallyDrop<File>>>,
}

impl Generations {
    /// `None` for a server, which cannot be seen through a file.
    pub(super) fn of(db: &Db) -> Option<Generations> {
        let Db::Sqlite { readers, .. } = db else { return None };
        let mut path = OsString::from(readers.connect_options().get_filename());
        path.push("-shm");
        Some(Generations { path: path.into(), file: RwLock::default() })
    }

    /// The state now; `None` if it cannot be told.
    pub(super) fn now(&self) -> Option<Generation> {
        if let Some(file) =
            self.file.read().unwrap_or_else(PoisonError::into_inner).as_ref().filter(|file| is_there(file))
        {
            return header(file);
        }
        let mut file = self.file.write().unwrap_or_else(PoisonError::into_inner);
        // Another thread may have opened it meanwhile.
        if file.as_ref().is_none_or(|file| !is_there(file)) {
            // Nobody locks what was removed.
            file.take().map(ManuallyDrop::into_inner);
            *file = Some(ManuallyDrop::new(File::open(&self.path).ok()?));
        }
        file.as_ref().and_then(|file| header(file))
    }
}

/// Whether a file was not removed: SQLite does so when it closes its last connection, and begins another one.
fn is_there(file: &File) -> bool {
    file.metadata().is_ok_and(|metadata| metadata.nlink() > 0)
}

/// Reads the header; `None` while it is written.
fn header(file: &File) -> Option<Generation> {
    let mut bytes = [0; 2 * HEADER_BYTES];
    file.read_exact_at(&mut bytes, 0).ok()?;
    let (header, copy) = bytes.split_first_chunk::<HEADER_BYTES>()?;
    (header == copy && header.starts_with(&VERSION.to_ne_bytes())).then_some(Generation(*header))
}

#[cfg(test)]
mod tests {
    use sqlx::ConnectOptions;

    use super::*;
    use crate::db::{open, sql};

    #[tokio::test]
    async fn a_commit_of_anybody_makes_another_generation() {
        let folder = tempfile::tempdir().unwrap();
        let db = open(None, folder.path()).await.unwrap();
        let mut tx = db.begin().await.unwrap();
        sql("create table note (text text)").run(&mut tx).await.unwrap();
        tx.commit().await.unwrap();
        let generations = Generations::of(&db).unwrap();

        let first = generations.now().expect("a state");
        sql("select count(*) from note").one::<(i64,)>(&db).await.unwrap();
        let mut tx = db.begin().await.unwrap();
        sql("insert into note values ('a')").run(&mut tx).await.unwrap();
        assert_eq!(generations.now(), Some(first), "reading and what is not committed change nothing");
        tx.commit().await.unwrap();
        let second = generations.now().expect("a state");
        assert_ne!(second, first);

        let Db::Sqlite { readers, .. } = &db else { unreachable!("it is embedded") };
        let mut other = readers.connect_options().connect().await.unwrap();
        sqlx::query("insert into note values ('b')").execute(&mut other).await.unwrap();
        assert_ne!(generations.now(), Some(second), "another connection counts as well");
    }

    /// A process that closes any descriptor of a file loses its locks on it. SQLite itself cannot be asked: within a process it
    /// remembers who has locked what.
    #[tokio::test]
    async fn reading_the_state_takes_no_lock_from_sqlite() {
        let folder = tempfile::tempdir().unwrap();
        let db = open(None, folder.path()).await.unwrap();
        let tx = db.begin().await.unwrap();
        let inode = std::fs::metadata(folder.path().join("canvass.db-shm")).unwrap().ino();
        // The byte of the index that stands for the one writer of the log.
        let is_writing = || {
            let locks = std::fs::read_to_string("/proc/locks").unwrap();
            locks.lines().any(|lock| lock.contains("WRITE") && lock.ends_with(&format!(":{inode} 120 120")))
        };
        assert!(is_writing(), "a transaction is the writer");
        for _ in 0..20 {
            let generations = Generations::of(&db).unwrap();
            std::thread::scope(|scope| {
                for _ in 0..8 {
                    scope.spawn(|| generations.now().expect("a state"));
                }
            });
            assert!(is_writing(), "it still is");
        }
        drop(tx);
    }

    #[tokio::test]
    async fn a_file_that_sqlite_has_replaced_is_opened_anew() {
        let folder = tempfile::tempdir().unwrap();
        let db = open(None, folder.path()).await.unwrap();
        let generations = Generations::of(&db).unwrap();
        let first = generations.now().expect("a state");
        db.close().await;
        assert_eq!(generations.now(), None, "nobody has the database open");
        let db = open(None, folder.path()).await.unwrap();
        let mut tx = db.begin().await.unwrap();
        sql("create table note (text text)").run(&mut tx).await.unwrap();
        tx.commit().await.unwrap();
        assert!(generations.now().is_some_and(|second| second != first));
    }
}
