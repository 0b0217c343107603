//! Tells a process that another one has committed: PostgreSQL by notifications, SQLite by a counter in the file.

use sqlx::postgres::{PgListener, PgPoolOptions};
use sqlx::sqlite::SqliteConnection;
use sqlx::{ConnectOptions, Connection, PgPool};

use super::deadline::in_time;
use super::reopen::{OutsidePools, reopened};
use super::{Db, DbError};

/// Notifications of one PostgreSQL database, on a connection of their own.
#[derive(Debug)]
pub struct Notifications {
    listener: PgListener,
    /// Where answers to [`Notifications::ping`] come from: other connections than the one that listens.
    pool: PgPool,
    channel: String,
}

impl Notifications {
    /// Listens. `None` on SQLite, which has no notifications.
    pub async fn listen(db: &Db) -> Result<Option<Notifications>, DbError> {
        let Db::Pg { pool, .. } = db else { return Ok(None) };
        // The triggers notify a channel of their schema's: databases may share a server, and schemas a database.
        let asking = sqlx::query_scalar("select 'canvass_' || md5(current_schema())");
        let channel: String = in_time(asking.fetch_one(pool)).await?;
        // A pool of one, as the listener takes its connection from a pool: none of those that requests wait for.
        let own = PgPoolOptions::new().max_connections(1).max_lifetime(None).idle_timeout(None);
        let own = in_time(own.connect_with((*pool.connect_options()).clone())).await?;
        let mut listener = PgListener::connect_with(&own).await?;
        listener.ignore_pool_close_event(true);
        // A lost connection must be seen by the caller, who then looks for what it has missed.
        listener.eager_reconnect(false);
        in_time(listener.listen(&channel)).await?;
        Ok(Some(Notifications { listener, pool: pool.clone(), channel }))
    }

    /// The payload of the next notification. After an error the connection is lost: listen anew, and look for what was missed.
    pub async fn next(&mut self) -> Result<String, DbError> {
        match self.listener.try_recv().await? {
            Some(notification) => Ok(notification.payload().to_owned()),
            None => Err(sqlx::Error::Io(std::io::ErrorKind::ConnectionAborted.into()).into()),
        }
    }

    /// Notifies everyone who listens, from another connection. Who does not hear it hears nothing: its connection is dead, or
    /// goes through a pooler that does not pass notifications on.
    pub async fn ping(&self, payload: &str) -> Result<(), DbError> {
        let asking = sqlx::query("select pg_notify($1, $2)").bind(&self.channel).bind(payload);
        Ok(in_time(asking.execute(&self.pool)).await.map(drop)?)
    }
}

/// A counter in an SQLite file that changes with every commit of any other connection, this process's included.
#[derive(Debug)]
pub struct CommitCounter {
    /// `None` once it was closed.
    connection: Option<(SqliteConnection, OutsidePools)>,
    /// What [`reopened`] said when it was opened.
    opened: u64,
}

impl CommitCounter {
    /// Opens a connection of its own for it. `None` on PostgreSQL.
    pub async fn open(db: &Db) -> Result<Option<CommitCounter>, DbError> {
        let Db::Sqlite { readers, .. } = db else { return Ok(None) };
        let place = OutsidePools::enter().await;
        let opened = reopened();
        Ok(Some(CommitCounter { connection: Some((readers.connect_options().connect().await?, place)), opened }))
    }

    /// The count; only whether it differs from the one before means anything. An error once the other connections to the
    /// file are replaced: then this one is closed, too.
    pub async fn read(&mut self) -> Result<i64, DbError> {
        if reopened() != self.opened
            && let Some((connection, place)) = self.connection.take()
        {
            // Dropped, it would be closed some time later.
            let _ = connection.close().await;
            drop(place);
        }
        match &mut self.connection {
            Some((connection, _)) => Ok(sqlx::query_scalar("pragma data_version").fetch_one(connection).await?),
            None => Err(DbError::Unavailable(sqlx::Error::PoolClosed)),
        }
    }
}
