//! Storage: one SQL text for two databases, SQLite inside the process and PostgreSQL beside it.
//!
//! Reads go to a [`Db`] or a [`Tx`]; writes go to a [`Tx`] only. On SQLite every write transaction
//! begins as a write (`BEGIN IMMEDIATE`), so none fails half-way because another one wrote first.

mod advice;
mod coalesce;
mod deadline;
mod error;
mod generation;
mod inspect;
mod listen;
mod look;
mod migrate;
mod open;
mod query;
mod ready;
mod reopen;
mod room;
mod time;
mod transaction;
mod uri;
mod value;

pub use advice::{DatabaseAddress, OpenError};
pub use coalesce::Coalesce;
pub use error::DbError;
pub use inspect::{Found, inspect};
pub use listen::{CommitCounter, Notifications};
pub use look::open_to_look;
pub use migrate::{Migrated, Schema, migrate, schema};
pub use open::{EMPTY_ADVICE, file_of, open, open_with};
pub(crate) use query::sql_of;
pub use query::{On, Row, Sql, insert_rows, sql, statements};
pub use ready::Readiness;
pub use room::try_room;
pub use time::{ServerTime, see_time, server_time};
pub use transaction::Tx;
pub use value::Value;

use sqlx::{PgPool, SqlitePool};

use crate::fair_line::{FairLine, Sharer};

/// The database. Cheap to clone: clones share their pools.
#[derive(Clone, Debug)]
pub enum Db {
    /// The embedded one: many readers, one writer.
    Sqlite {
        /// Connections that only read.
        readers: SqlitePool,
        /// The single writing connection; writers queue for it.
        writer: SqlitePool,
        /// The line of background work; see [`Db::begin_in_background`].
        background: FairLine,
    },
    /// A PostgreSQL server.
    Pg {
        /// Its connections.
        pool: PgPool,
        /// The line of background work.
        background: FairLine,
    },
}

impl Db {
    /// Begins a transaction that may write.
    pub async fn begin(&self) -> Result<Tx, DbError> {
        Tx::begin(self).await
    }

    /// Begins a transaction of background work: a long one, or one of many. Those wait for each other before they join the
    /// queue for a connection, so that a request is never behind all of them. `rows` is about what it stores, which counts
    /// against whoever it is for.
    pub async fn begin_in_background(&self, sharer: Sharer, rows: u64) -> Result<Tx, DbError> {
        let (Db::Sqlite { background, .. } | Db::Pg { background, .. }) = self;
        let place = background.wait(sharer, rows).await;
        Ok(self.begin().await?.holding(place))
    }

    /// Checks that the database responds.
    pub async fn ping(&self) -> Result<(), DbError> {
        sql("select 1").one::<(i32,)>(self).await.map(|_| ())
    }

    /// Name for log lines and the doctor.
    pub fn name(&self) -> &'static str {
        match self {
            Db::Sqlite { .. } => "SQLite",
            Db::Pg { .. } => "PostgreSQL",
        }
    }

    /// Closes every connection, waiting for those in use.
    pub async fn close(&self) {
        match self {
            Db::Sqlite { readers, writer, .. } => {
                readers.close().await;
                writer.close().await;
            }
            Db::Pg { pool, .. } => pool.close().await,
        }
    }
}
