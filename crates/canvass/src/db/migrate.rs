//! Brings the schema up to date. Safe to call from several processes at once.

use std::fs::File;
use std::path::Path;

use sqlx::migrate::{MigrateError, Migrator};

use super::{Db, DbError, sql};

static SQLITE: Migrator = sqlx::migrate!("../../migrations/sqlite");
static POSTGRES: Migrator = sqlx::migrate!("../../migrations/postgres");

/// What a migration did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Migrated {
    /// How many steps it took now.
    pub applied: usize,
    /// The schema's version.
    pub version: i64,
}

/// Applies the steps that are missing. `data` is where processes on one machine queue for SQLite.
pub async fn migrate(db: &Db, data: &Path) -> Result<Migrated, MigrateError> {
    let before = applied(db).await;
    let version = match db {
        Db::Sqlite { writer, .. } => {
            // SQLite has no lock of its own for this; PostgreSQL's advisory lock is taken by sqlx.
            let _turn = wait_for_turn(data).await.map_err(|error| MigrateError::Execute(sqlx::Error::Io(error)))?;
            SQLITE.run(writer).await?;
            last_version(&SQLITE)
        }
        Db::Pg(pool) => {
            POSTGRES.run(pool).await?;
            last_version(&POSTGRES)
        }
    };
    Ok(Migrated { applied: applied(db).await.saturating_sub(before), version })
}

fn last_version(migrator: &Migrator) -> i64 {
    migrator.iter().map(|step| step.version).max().unwrap_or(0)
}

/// The lock is held until the file is dropped, or its process dies.
async fn wait_for_turn(data: &Path) -> std::io::Result<File> {
    std::fs::create_dir_all(data)?;
    let file = File::create(data.join("migrate.lock"))?;
    let waiting = tokio::task::spawn_blocking(move || file.lock().map(|()| file));
    waiting.await.map_err(std::io::Error::other)?
}

async fn applied(db: &Db) -> usize {
    let count: Result<(i64,), DbError> = sql("select count(*) from _sqlx_migrations where success").one(db).await;
    // Before the first migration the table is not there: nothing has been applied.
    count.map_or(0, |(count,)| usize::try_from(count).unwrap_or(0))
}

/// How many steps are missing.
pub async fn pending(db: &Db) -> Result<usize, DbError> {
    db.ping().await?;
    let known = match db {
        Db::Sqlite { .. } => SQLITE.iter().count(),
        Db::Pg(_) => POSTGRES.iter().count(),
    };
    Ok(known.saturating_sub(applied(db).await))
}
