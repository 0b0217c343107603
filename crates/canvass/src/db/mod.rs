//! Storage: one SQL text for two databases, SQLite inside the process and PostgreSQL beside it.
//!
//! Reads go to a [`Db`] or a [`Tx`]; writes go to a [`Tx`] only. That is what keeps SQLite calm: every write
//! transaction begins as a write (`BEGIN IMMEDIATE`), so none is ever refused half-way.

mod advice;
mod coalesce;
mod error;
mod inspect;
mod listen;
mod migrate;
mod open;
mod query;
mod ready;
mod room;
mod time;
mod transaction;

pub use advice::{OpenError, Place};
pub use coalesce::Coalesce;
pub use error::DbError;
pub use inspect::{Found, inspect, open_to_look};
pub use listen::{CommitCounter, Notifications};
pub use migrate::{Migrated, Schema, migrate, schema};
pub use open::{EMPTY_ADVICE, file_of, open, open_with};
pub(crate) use query::sql_of;
pub use query::{On, Row, Sql, Value, insert_rows, sql, statements};
pub use ready::Readiness;
pub use room::try_room;
pub use time::{ServerTime, see_time, server_time};
pub use transaction::Tx;

use sqlx::{PgPool, SqlitePool};

/// The database, cheap to clone.
#[derive(Clone, Debug)]
pub enum Db {
    /// The embedded one: many readers, one writer.
    Sqlite {
        /// Connections that only read.
        readers: SqlitePool,
        /// The one connection that writes; waiting for it is waiting in line.
        writer: SqlitePool,
    },
    /// A PostgreSQL server.
    Pg(PgPool),
}

impl Db {
    /// Begins a transaction that may write.
    pub async fn begin(&self) -> Result<Tx, DbError> {
        Tx::begin(self).await
    }

    /// Answers whether the database answers.
    pub async fn ping(&self) -> Result<(), DbError> {
        sql("select 1").one::<(i32,)>(self).await.map(|_| ())
    }

    /// What a person would call this database.
    pub fn name(&self) -> &'static str {
        match self {
            Db::Sqlite { .. } => "SQLite",
            Db::Pg(_) => "PostgreSQL",
        }
    }

    /// Closes every connection, waiting for those in use.
    pub async fn close(&self) {
        match self {
            Db::Sqlite { readers, writer } => {
                readers.close().await;
                writer.close().await;
            }
            Db::Pg(pool) => pool.close().await,
        }
    }
}
