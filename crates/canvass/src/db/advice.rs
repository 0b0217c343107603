//! Why a database cannot be used, and what its operator should do; the same for `serve` and `doctor`.

use std::io::ErrorKind;
use std::path::PathBuf;

use sqlx::migrate::MigrateError;
use sqlx::postgres::{PgConnectOptions, PgDatabaseError};
use sqlx::sqlite::SqliteError;

use super::uri::path_of;
use super::{Db, DbError};

/// Which database, without its password.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DatabaseAddress {
    /// An SQLite file.
    File(PathBuf),
    /// A PostgreSQL server.
    Server {
        /// Host and port.
        address: String,
        /// Who logs in.
        user: String,
        /// The database's name.
        database: String,
    },
}

impl DatabaseAddress {
    pub(super) fn of(db: &Db) -> DatabaseAddress {
        match db {
            Db::Sqlite { writer, .. } => DatabaseAddress::File(path_of(&writer.connect_options())),
            Db::Pg { pool, .. } => DatabaseAddress::server(&pool.connect_options()),
        }
    }

    pub(super) fn server(options: &PgConnectOptions) -> DatabaseAddress {
        let user = options.get_username().to_owned();
        DatabaseAddress::Server {
            address: format!("{}:{}", options.get_host(), options.get_port()),
            database: options.get_database().unwrap_or(&user).to_owned(),
            user,
        }
    }
}

impl std::fmt::Display for DatabaseAddress {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            DatabaseAddress::File(path) => write!(f, "the SQLite file {}", path.display()),
            DatabaseAddress::Server { address, user, database } => {
                write!(f, "the PostgreSQL database {database} at {address}, as user {user},")
            }
        }
    }
}

/// The database cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The setting names neither of the two kinds.
    #[error("database_url must start with postgres:// or sqlite://, or be empty for the database in the data folder")]
    Address,
    /// The setting cannot be read as the address of a server.
    #[error("database_url cannot be understood")]
    Url(#[source] sqlx::Error),
    /// The folder of the file cannot be created, or the file not be read.
    #[error("{} cannot be used", path.display())]
    Path {
        /// Which.
        path: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
    /// The file begins with something else than an SQLite database does.
    #[error("{} is not an SQLite database", .0.display())]
    NotADatabase(PathBuf),
    /// The file is empty, but its log is not: the file was lost, and SQLite would delete the log.
    #[error("{} is empty although its log ({}-wal) holds data", .0.display(), .0.display())]
    Lost(PathBuf),
    /// The log holds changes that can only be read by changing files, which looking must not do.
    #[error("{} has a log ({}-wal) that no start has taken in yet", .0.display(), .0.display())]
    Unmerged(PathBuf),
    /// It has tables, but not ours.
    #[error("{0} belongs to another program")]
    Foreign(Box<DatabaseAddress>),
    /// It was changed by a version of Canvass that knows more schema steps.
    #[error(
        "{place} was written by a newer version of Canvass: it is at schema step {found}, this version knows {known}"
    )]
    Newer {
        /// Which database.
        place: Box<DatabaseAddress>,
        /// Its schema's version.
        found: i64,
        /// The last version known here.
        known: i64,
    },
    /// A schema step that was applied is not the one of this version.
    #[error("{place} was set up by another build of Canvass: schema step {version} differs")]
    Changed {
        /// Which database.
        place: Box<DatabaseAddress>,
        /// The step.
        version: i64,
    },
    /// It failed.
    #[error("{place} cannot be used")]
    Failed {
        /// Which database.
        place: Box<DatabaseAddress>,
        /// How.
        source: DbError,
    },
}

impl OpenError {
    pub(super) fn failed(place: DatabaseAddress, source: impl Into<DbError>) -> OpenError {
        OpenError::Failed { place: Box::new(place), source: source.into() }
    }

    /// A statement failed on a database that was opened before.
    pub fn on(db: &Db, source: DbError) -> OpenError {
        OpenError::failed(DatabaseAddress::of(db), source)
    }

    pub(super) fn of_migration(place: DatabaseAddress, error: MigrateError, known: i64) -> OpenError {
        match error {
            MigrateError::VersionMissing(found) => OpenError::Newer { place: Box::new(place), found, known },
            MigrateError::VersionMismatch(version) | MigrateError::Dirty(version) => {
                OpenError::Changed { place: Box::new(place), version }
            }
            MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _) => OpenError::failed(place, error),
            other => OpenError::failed(place, sqlx::Error::Migrate(Box::new(other))),
        }
    }

    /// What the operator should do.
    pub fn advice(&self) -> String {
        match self {
            OpenError::Address => "correct CANVASS_DATABASE_URL".into(),
            OpenError::Url(_) => "write CANVASS_DATABASE_URL as postgres://user:password@host:port/database".into(),
            OpenError::Path { path, .. } => {
                format!(
                    "give {} to the user that runs Canvass, or choose another folder with --data DIR",
                    path.display()
                )
            }
            OpenError::NotADatabase(path) | OpenError::Lost(path) => restore(path.display()),
            OpenError::Unmerged(_) => "start the server, which takes it in, then look again".into(),
            OpenError::Foreign(_) => "point CANVASS_DATABASE_URL or --data at a place of its own for Canvass".into(),
            OpenError::Newer { .. } => {
                "start the newer version, or restore the backup from before the upgrade for this one".into()
            }
            OpenError::Changed { .. } => "start the build that set it up, or restore a backup made by this one".into(),
            OpenError::Failed { place, source } => match &**place {
                DatabaseAddress::File(path) => for_file(path, source),
                DatabaseAddress::Server { address, user, database } => for_server((address, user, database), source),
            },
        }
    }
}

fn restore(path: impl std::fmt::Display) -> String {
    format!(
        "stop Canvass, keep {path} and its -wal file as they are for analysis, and restore the last backup in their place"
    )
}

fn for_file(path: &std::path::Path, error: &DbError) -> String {
    let shown = path.display();
    match error {
        DbError::StorageFull(_) => format!("free some space on the disk of {shown}"),
        DbError::ReadOnly(_) => {
            format!(
                "make {shown} and its folder writable for the user that runs Canvass (chown, chmod, or mount it writable)"
            )
        }
        DbError::Unavailable(_) => {
            format!("another process keeps {shown} locked; see which one with `fuser {shown}`, and stop it")
        }
        DbError::Damaged(error) => match sqlite_code(error) {
            Some(14) => format!("check that the user that runs Canvass may read and write {shown} and its folder"),
            Some(10) => {
                "check the disk and the system's log for I/O errors; restore the last backup on another disk".into()
            }
            _ => format!("{}; without one, `sqlite3 {shown} .recover` may save a part", restore(shown.to_string())),
        },
        DbError::CommitUnknown(_) | DbError::Refused(_) => report(),
    }
}

fn for_server((address, user, database): (&str, &str, &str), error: &DbError) -> String {
    let (DbError::Unavailable(cause)
    | DbError::StorageFull(cause)
    | DbError::ReadOnly(cause)
    | DbError::Damaged(cause)
    | DbError::CommitUnknown(cause)
    | DbError::Refused(cause)) = error;
    let url = "CANVASS_DATABASE_URL";
    match cause {
        sqlx::Error::Io(cause) if cause.kind() == ErrorKind::ConnectionRefused => {
            format!("nothing listens at {address}: start PostgreSQL, or correct host and port in {url}")
        }
        sqlx::Error::Io(cause) if cause.kind() == ErrorKind::TimedOut => {
            format!(
                "{address} does not answer: check that PostgreSQL runs, the host and port in {url}, and the firewall"
            )
        }
        sqlx::Error::Io(_) => format!("{address} cannot be reached: check the host and port in {url}, and the network"),
        sqlx::Error::Tls(_) => format!("check sslmode in {url} and the server's certificate"),
        sqlx::Error::Database(said) => {
            let sqlstate = said.try_downcast_ref::<PgDatabaseError>().map_or("", PgDatabaseError::code);
            match sqlstate {
                "28P01" => format!(
                    "the password of user {user} is wrong: correct it in {url} (special characters percent-encoded)"
                ),
                "28000" => format!(
                    "the server does not let user {user} in: correct the user in {url}, or allow it in pg_hba.conf"
                ),
                "3D000" => format!("create the database with `createdb {database}`, or correct its name in {url}"),
                "42501" => {
                    format!("let the user create tables: `grant create on schema public to {user}` in {database}")
                }
                "53300" => {
                    "the server has no connection left: raise max_connections there, or stop other clients".into()
                }
                "53100" => "free some space on the disk of the PostgreSQL server".into(),
                "25006" => format!("{address} is a read-only replica: name the primary server in {url}"),
                "57P03" | "57P01" => "the server is starting or stopping: wait for it, then try again".into(),
                _ => format!("see the log of the PostgreSQL server at {address}"),
            }
        }
        _ => report(),
    }
}

fn report() -> String {
    "keep a copy of the database and report this with the message above".into()
}

fn sqlite_code(error: &sqlx::Error) -> Option<i32> {
    use sqlx::error::DatabaseError;
    let error = error.as_database_error()?.try_downcast_ref::<SqliteError>()?;
    error.code()?.parse::<i32>().ok().map(|code| code & 0xff)
}
