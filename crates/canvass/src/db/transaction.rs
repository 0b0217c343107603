//! A transaction that may write: what is stored together commits together.
//!
//! BEGIN, COMMIT and ROLLBACK are sent as plain statements, and a connection on which one of them failed, or was
//! cancelled half-way, is closed instead of going back into the pool. sqlx's own `Transaction` keeps such connections:
//! after SQLite has rolled back by itself because the disk was full, its writer would refuse every further BEGIN, and
//! a PostgreSQL connection whose BEGIN was cancelled would swallow later writes. A SQLite connection that turns out to be
//! read-only is replaced, because its disk may be writable again.

use std::time::Duration;

use futures::future::BoxFuture;
use sqlx::pool::PoolConnection;
use sqlx::{Executor, Postgres, Sqlite, SqlitePool};
use tokio::time::timeout;

use super::deadline::in_time;
use super::error::{is_connection_lost, is_read_only};
use super::reopen::reopen;
use super::{Db, DbError};
use crate::fair_line::Place;

/// How long a rollback may take before its connection is closed instead.
const ROLLBACK_TIME_MAX: Duration = Duration::from_secs(5);

/// An open transaction; rolled back when dropped without [`Tx::commit`].
#[derive(Debug)]
pub struct Tx {
    /// Taken when the transaction ends.
    connection: Option<Connection>,
    state: State,
    /// Kept until the transaction ends, when it is background work.
    place: Option<Place>,
}

#[derive(Debug)]
pub(super) enum Connection {
    /// The writer, and the readers of the same file.
    Sqlite(PoolConnection<Sqlite>, SqlitePool),
    Pg(PoolConnection<Postgres>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// BEGIN or COMMIT was sent and not confirmed: the connection cannot be used for anything else.
    Uncertain,
    /// Statements may follow.
    Open,
    /// A statement failed: only a rollback may follow.
    Failed,
    /// A statement failed because nothing can be written: the connection is replaced.
    ReadOnly,
}

impl Tx {
    /// Boxed, like every statement, so that the drivers' code is not compiled into every caller.
    pub(super) fn begin(db: &Db) -> BoxFuture<'_, Result<Tx, DbError>> {
        Box::pin(Tx::begin_or_retry(db))
    }

    async fn begin_or_retry(db: &Db) -> Result<Tx, DbError> {
        let begun = match Tx::try_begin(db).await {
            // Nothing was asked of the connection yet, so another one will do.
            Err(error) if is_connection_lost(&error) => Tx::try_begin(db).await,
            begun => begun,
        };
        begun.map_err(DbError::from)
    }

    async fn try_begin(db: &Db) -> Result<Tx, sqlx::Error> {
        let (connection, statement) = match db {
            // Taking the write lock at once means waiting in line here, never a refusal in the middle.
            Db::Sqlite { writer, readers, .. } => {
                (Connection::Sqlite(writer.acquire().await?, readers.clone()), "BEGIN IMMEDIATE")
            }
            Db::Pg { pool, .. } => (Connection::Pg(pool.acquire().await?), "BEGIN"),
        };
        // From here on a failed or cancelled BEGIN closes the connection.
        let mut tx = Tx { connection: Some(connection), state: State::Uncertain, place: None };
        if let Some(connection) = &mut tx.connection
            && let Err(error) = connection.execute(statement).await
        {
            // The shared memory of SQLite's log may be read-only where the file is writable again.
            if is_read_only(&error) {
                tx.state = State::ReadOnly;
            }
            return Err(error);
        }
        tx.state = State::Open;
        Ok(tx)
    }

    /// The same transaction, which keeps a place until it ends.
    pub(super) fn holding(mut self, place: Place) -> Tx {
        self.place = Some(place);
        self
    }

    /// Commits. [`DbError::CommitUnknown`] when the reply is lost; after any other error nothing was stored.
    pub async fn commit(mut self) -> Result<(), DbError> {
        self.usable()?;
        self.state = State::Uncertain;
        if let Some(connection) = &mut self.connection {
            connection.execute("COMMIT").await.map_err(DbError::of_commit)?;
        }
        // Back into the pool.
        drop(self.connection.take());
        Ok(())
    }

    /// The ending of a select that locks its rows and passes over those that another transaction has locked. Empty on
    /// SQLite, which has one writer at a time.
    pub(crate) fn skip_locked(&self) -> &'static str {
        match &self.connection {
            Some(Connection::Pg(_)) => "for update skip locked",
            Some(Connection::Sqlite(..)) | None => "",
        }
    }

    /// The connection, unless a statement has failed on it: PostgreSQL would answer a later COMMIT with success
    /// although it rolls back, and SQLite, having rolled back by itself, would store what follows statement by statement.
    pub(super) fn usable(&mut self) -> Result<&mut Connection, DbError> {
        match (&mut self.connection, self.state) {
            (Some(connection), State::Open) => Ok(connection),
            _ => Err(DbError::Refused(sqlx::Error::Protocol("a statement of this transaction failed before".into()))),
        }
    }

    /// Records whether a statement failed.
    pub(super) fn note<T>(&mut self, ended: Result<T, sqlx::Error>) -> Result<T, DbError> {
        let ended = ended.map_err(DbError::from);
        match &ended {
            Ok(_) => {}
            Err(DbError::ReadOnly(_)) => self.state = State::ReadOnly,
            Err(_) => self.state = State::Failed,
        }
        ended
    }
}

impl Drop for Tx {
    fn drop(&mut self) {
        let Some(mut connection) = self.connection.take() else { return };
        match self.state {
            State::Uncertain => connection.close_on_drop(),
            State::Open | State::Failed => drop(tokio::spawn(roll_back(connection))),
            State::ReadOnly => drop(tokio::spawn(replace(connection))),
        }
    }
}

async fn roll_back(mut connection: Connection) {
    if !matches!(timeout(ROLLBACK_TIME_MAX, connection.execute("ROLLBACK")).await, Ok(Ok(()))) {
        connection.close_on_drop();
    }
}

/// Rolls back, and has the next transaction use another connection.
async fn replace(mut connection: Connection) {
    // Closing it rolls back as well.
    let _ = timeout(ROLLBACK_TIME_MAX, connection.execute("ROLLBACK")).await;
    match connection {
        Connection::Sqlite(writer, readers) => reopen(writer, readers).await,
        Connection::Pg(mut connection) => connection.close_on_drop(),
    }
}

impl Connection {
    fn execute(&mut self, statement: &'static str) -> BoxFuture<'_, Result<(), sqlx::Error>> {
        Box::pin(async move {
            match self {
                Connection::Sqlite(connection, _) => connection.execute(statement).await.map(drop),
                Connection::Pg(connection) => in_time(connection.execute(statement)).await.map(drop),
            }
        })
    }

    /// Closes the connection instead of returning it to the pool.
    fn close_on_drop(&mut self) {
        match self {
            Connection::Sqlite(connection, _) => connection.close_on_drop(),
            Connection::Pg(connection) => connection.close_on_drop(),
        }
    }
}
