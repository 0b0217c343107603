//! Brings the schema up to date. Safe to call from several processes at once.

use std::fs::File;
use std::path::Path;
use std::sync::LazyLock;

use sqlx::SqlSafeStr as _;
use sqlx::migrate::{Migration, MigrationType, Migrator};

use super::advice::{DatabaseAddress, OpenError};
use super::{Db, DbError, sql};
use crate::private_files;

/// Lock file that serialises migrations of one machine's processes.
const LOCK_FILE: &str = "migrate.lock";

static SQLITE: LazyLock<Migrator> = LazyLock::new(|| migrator_of(&include!(concat!(env!("OUT_DIR"), "/sqlite.rs"))));
static POSTGRES: LazyLock<Migrator> =
    LazyLock::new(|| migrator_of(&include!(concat!(env!("OUT_DIR"), "/postgres.rs"))));

/// What a migration did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Migrated {
    /// Steps applied by this call.
    pub applied: usize,
    /// Version after it.
    pub version: i64,
}

/// How a database's schema relates to this version's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Schema {
    /// Every step was applied.
    Current,
    /// So many steps are missing; all of them in a new database.
    Behind(usize),
}

/// Applies the steps that are missing. `data` is where processes on one machine queue for SQLite.
pub async fn migrate(db: &Db, data: &Path) -> Result<Migrated, OpenError> {
    let (migrator, place) = (migrator(db), DatabaseAddress::of(db));
    let version = last_version(migrator);
    // Asked before anything is changed: a database of a newer version, or of another program, is left as it is.
    let Schema::Behind(applied) = schema(db).await? else { return Ok(Migrated { applied: 0, version }) };
    let run = match db {
        Db::Sqlite { writer, .. } => {
            // SQLite has no lock of its own for this; PostgreSQL's advisory lock is taken by sqlx.
            let waiting = wait_for_turn(data).await;
            let _turn = waiting.map_err(|source| OpenError::Path { path: data.join(LOCK_FILE), source })?;
            migrator.run(writer).await
        }
        Db::Pg { pool, .. } => migrator.run(pool).await,
    };
    run.map_err(|error| OpenError::of_migration(place, error, version))?;
    Ok(Migrated { applied, version })
}

fn migrator(db: &Db) -> &'static Migrator {
    match db {
        Db::Sqlite { .. } => &SQLITE,
        Db::Pg { .. } => &POSTGRES,
    }
}

fn migrator_of(steps: &[(i64, &'static str, &'static str)]) -> Migrator {
    let steps = steps.iter().map(|&(version, description, sql)| {
        Migration::new(version, description.into(), MigrationType::Simple, sql.into_sql_str(), false)
    });
    Migrator::with_migrations(steps.collect())
}

fn last_version(migrator: &Migrator) -> i64 {
    migrator.iter().map(|step| step.version).max().unwrap_or(0)
}

/// The lock is held until the file is dropped, or its process dies.
async fn wait_for_turn(data: &Path) -> std::io::Result<File> {
    private_files::create_folder(data)?;
    let file = private_files::create(&data.join(LOCK_FILE))?;
    let waiting = tokio::task::spawn_blocking(move || file.lock().map(|()| file));
    waiting.await.map_err(std::io::Error::other)?
}

/// Compares a database's schema with this version's, without changing anything.
pub async fn schema(db: &Db) -> Result<Schema, OpenError> {
    let migrator = migrator(db);
    let steps = applied(db).await.map_err(|error| OpenError::failed(DatabaseAddress::of(db), error))?;
    let Some(steps) = steps else { return Err(OpenError::Foreign(Box::new(DatabaseAddress::of(db)))) };
    for (version, checksum) in &steps {
        match migrator.iter().find(|step| step.version == *version) {
            None => {
                let found = steps.iter().map(|(version, _)| *version).max().unwrap_or_default();
                return Err(OpenError::Newer {
                    place: Box::new(DatabaseAddress::of(db)),
                    found,
                    known: last_version(migrator),
                });
            }
            Some(step) if *step.checksum != **checksum => {
                return Err(OpenError::Changed { place: Box::new(DatabaseAddress::of(db)), version: *version });
            }
            Some(_) => {}
        }
    }
    match migrator.iter().count() - steps.len() {
        0 => Ok(Schema::Current),
        missing => Ok(Schema::Behind(missing)),
    }
}

/// The steps that were applied, with their checksums: none in a new database, and `None` in one of another program.
async fn applied(db: &Db) -> Result<Option<Vec<(i64, Vec<u8>)>>, DbError> {
    let (ours, others): (i64, i64) = match db {
        Db::Sqlite { .. } => {
            sql("select count(*) filter (where name = '_sqlx_migrations'), count(*) from sqlite_schema")
        }
        // A PostgreSQL database may be shared with others, each in its own tables.
        Db::Pg { .. } => sql("select (to_regclass('_sqlx_migrations') is not null)::int::bigint, 0::bigint"),
    }
    .one(db)
    .await?;
    match (ours, others) {
        (0, 0) => Ok(Some(Vec::new())),
        (0, _) => Ok(None),
        _ => {
            sql("select version, checksum from _sqlx_migrations where success order by version").all(db).await.map(Some)
        }
    }
}
