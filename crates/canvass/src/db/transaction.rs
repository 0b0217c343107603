//! A transaction that may write: what is stored together commits together.

use sqlx::{Postgres, Sqlite, Transaction};

use super::{Db, DbError};

/// An open transaction. Dropped without [`Tx::commit`] it leaves no trace.
#[derive(Debug)]
pub enum Tx {
    /// On the embedded database.
    Sqlite(Transaction<'static, Sqlite>),
    /// On PostgreSQL.
    Pg(Transaction<'static, Postgres>),
}

impl Tx {
    pub(super) async fn begin(db: &Db) -> Result<Tx, DbError> {
        Ok(match db {
            // Taking the write lock at once means waiting in line here, never a refusal in the middle.
            Db::Sqlite { writer, .. } => Tx::Sqlite(writer.begin_with("BEGIN IMMEDIATE").await?),
            Db::Pg(pool) => Tx::Pg(pool.begin().await?),
        })
    }

    /// Makes it all durable. [`DbError::CommitUnknown`] when the answer is lost; any other error stored nothing.
    pub async fn commit(self) -> Result<(), DbError> {
        let committed = match self {
            Tx::Sqlite(tx) => tx.commit().await,
            Tx::Pg(tx) => tx.commit().await,
        };
        committed.map_err(DbError::of_commit)
    }
}
