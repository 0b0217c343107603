//! Statements, their values, and where they run. The only place that knows of the two drivers.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use futures::future::BoxFuture;
use sqlx::pool::PoolConnection;
use sqlx::postgres::{PgArguments, PgConnection, PgPool, PgRow};
use sqlx::query::Query;
use sqlx::sqlite::{SqliteArguments, SqliteRow};
use sqlx::{AssertSqlSafe, Connection as _, Executor, FromRow, Postgres, SqlSafeStr, SqlStr, Sqlite};
use tokio::time::timeout;

use super::deadline::in_time;
use super::error::is_connection_lost;
use super::transaction::Connection;
use super::value::{Value, postgres, sqlite};
use super::{Db, DbError, Tx};

/// A statement with numbered parameters (`$1`), the same text for both databases.
pub fn sql(text: &'static str) -> Sql {
    Sql { text: text.into_sql_str(), values: Vec::new(), has_list: false }
}

/// A statement put together from constants of ours. Never from values: those are bound.
pub(crate) fn sql_of(text: String) -> Sql {
    Sql { text: AssertSqlSafe(text).into_sql_str(), values: Vec::new(), has_list: false }
}

/// Inserts many rows with one statement: `head` ends in `values`, `tail` is what follows the rows.
///
/// # Panics
/// When rows differ in length, or hold more values than a statement may carry: both are faults of the caller.
pub fn insert_rows(head: &'static str, rows: Vec<Vec<Value>>, tail: &'static str) -> Sql {
    sql(head).values(rows, tail)
}

fn row_places(before: usize, width: usize) -> String {
    let places: Vec<String> = (1..=width).map(|place| format!("${}", before + place)).collect();
    format!("({})", places.join(","))
}

/// Values one statement may carry: SQLite's limit, which is the lower one.
const STATEMENT_VALUES_MAX: usize = 32_766;

/// Time limit for the rest of a cancelled read.
const LATE_ANSWER_WAIT_MAX: Duration = Duration::from_secs(5);

/// How many statements this process has run.
static STATEMENTS: AtomicU64 = AtomicU64::new(0);

/// How many statements this process has run, to measure what something costs.
pub fn statements() -> u64 {
    STATEMENTS.load(Ordering::Relaxed)
}

/// A statement under construction; see [`sql`].
#[derive(Debug)]
pub struct Sql {
    text: SqlStr,
    values: Vec<Value>,
    /// Whether it holds a list, so that its text is hardly ever the same twice and not worth keeping prepared.
    has_list: bool,
}

impl Sql {
    /// Binds the next numbered parameter.
    #[must_use]
    pub fn bind(mut self, value: impl Into<Value>) -> Self {
        self.values.push(value.into());
        self
    }

    /// Appends a list of values to a statement that ends in `in`.
    ///
    /// # Panics
    /// When there are more values than a statement may carry: a fault of the caller.
    #[must_use]
    pub fn among(mut self, values: impl IntoIterator<Item = Value>) -> Self {
        let before = self.values.len();
        self.values.extend(values);
        assert!(self.values.len() <= STATEMENT_VALUES_MAX);
        let text = format!("{} {}", self.text.as_str(), row_places(before, self.values.len() - before));
        Sql { text: AssertSqlSafe(text).into_sql_str(), has_list: true, ..self }
    }

    /// Appends rows to a statement that ends in `values`, and what follows the rows.
    ///
    /// # Panics
    /// When rows differ in length, or there are more values than a statement may carry: both are faults of the caller.
    #[must_use]
    pub fn values(mut self, rows: Vec<Vec<Value>>, tail: &'static str) -> Self {
        let (before, width) = (self.values.len(), rows.first().map_or(0, Vec::len));
        assert!(rows.iter().all(|row| row.len() == width) && before + rows.len() * width <= STATEMENT_VALUES_MAX);
        let places: Vec<String> = (0..rows.len()).map(|row| row_places(before + row * width, width)).collect();
        let text = format!("{} {} {tail}", self.text.as_str(), places.join(","));
        self.values.extend(rows.into_iter().flatten());
        Sql { text: AssertSqlSafe(text).into_sql_str(), has_list: true, ..self }
    }

    /// Runs a statement that changes rows, and says how many it changed.
    pub fn run(self, tx: &mut Tx) -> BoxFuture<'_, Result<u64, DbError>> {
        // Boxed for the same reason as `fetch`.
        Box::pin(async move {
            STATEMENTS.fetch_add(1, Ordering::Relaxed);
            let ended = match tx.usable()? {
                Connection::Sqlite(connection, _) => {
                    let running = self.for_sqlite()?.execute(&mut **connection);
                    running.await.map(|done| done.rows_affected())
                }
                Connection::Pg(connection) => {
                    let running = self.for_postgres()?.execute(&mut **connection);
                    in_time(running).await.map(|done| done.rows_affected())
                }
            };
            tx.note(ended)
        })
    }

    /// Every row.
    pub async fn all<R: Row>(self, on: impl Into<On<'_>>) -> Result<Vec<R>, DbError> {
        read_all(&self.fetch(on.into(), Take::All).await?)
    }

    /// The first row, if there is one.
    pub async fn optional<R: Row>(self, on: impl Into<On<'_>>) -> Result<Option<R>, DbError> {
        Ok(read_all(&self.fetch(on.into(), Take::First).await?)?.pop())
    }

    /// The first row; an error when there is none.
    pub async fn one<R: Row>(self, on: impl Into<On<'_>>) -> Result<R, DbError> {
        self.optional(on).await?.ok_or(DbError::Refused(sqlx::Error::RowNotFound))
    }

    /// Rows as the drivers give them. Neither generic nor inlined into the caller's future: else all that the drivers do for a
    /// query would be compiled again for every type of row, and in every crate that asks.
    fn fetch(self, on: On<'_>, take: Take) -> BoxFuture<'_, Result<Fetched, DbError>> {
        Box::pin(async move {
            STATEMENTS.fetch_add(1, Ordering::Relaxed);
            match on {
                On::Db(Db::Sqlite { readers, .. }) => Ok(from_sqlite(readers, self.for_sqlite()?, take).await?),
                On::Db(Db::Pg { pool, .. }) => Ok(from_pool(pool, &self, take).await?),
                On::Tx(tx) => {
                    let ended = match tx.usable()? {
                        Connection::Sqlite(connection, _) => {
                            from_sqlite(&mut **connection, self.for_sqlite()?, take).await
                        }
                        Connection::Pg(connection) => {
                            in_time(from_postgres(connection, self.for_postgres()?, take)).await
                        }
                    };
                    tx.note(ended)
                }
            }
        })
    }

    /// SQLite searches all numbered parameters for each of them, both when it parses a statement and when values are bound: a
    /// list of thousands gets parameters without numbers instead.
    fn for_sqlite(self) -> Result<Query<'static, Sqlite, SqliteArguments>, sqlx::Error> {
        if !self.has_list {
            return Ok(sqlx::query_with(self.text, sqlite(self.values)?));
        }
        let (text, values) = without_numbers(self.text.as_str(), self.values);
        Ok(sqlx::query_with(AssertSqlSafe(text), sqlite(values)?).persistent(false))
    }

    fn for_postgres(&self) -> Result<Query<'static, Postgres, PgArguments>, sqlx::Error> {
        Ok(sqlx::query_with(self.text.clone(), postgres(&self.values)?).persistent(!self.has_list))
    }
}

/// A statement whose parameters are in the order of its text, and the values in that order.
fn without_numbers(text: &str, values: Vec<Value>) -> (String, Vec<Value>) {
    let mut pieces = text.split('$');
    let mut unnumbered = pieces.next().unwrap_or_default().to_owned();
    let mut order = Vec::with_capacity(values.len());
    for piece in pieces {
        let after = piece.trim_start_matches(|digit: char| digit.is_ascii_digit());
        let number: usize =
            piece[..piece.len() - after.len()].parse().expect("our statements have no other dollar signs");
        order.push(number - 1);
        unnumbered.push('?');
        unnumbered.push_str(after);
    }
    let is_in_order = order.len() == values.len() && order.iter().enumerate().all(|(place, index)| place == *index);
    let values = if is_in_order { values } else { order.into_iter().map(|index| values[index].clone()).collect() };
    (unnumbered, values)
}

/// How many rows to fetch.
#[derive(Clone, Copy)]
enum Take {
    All,
    First,
}

/// Rows of one of the databases.
enum Fetched {
    Sqlite(Vec<SqliteRow>),
    Pg(Vec<PgRow>),
}

/// Rows as the caller wants them. A row that does not fit is a fault of ours, and of no consequence for a transaction.
fn read_all<R: Row>(fetched: &Fetched) -> Result<Vec<R>, DbError> {
    let rows: Result<Vec<R>, sqlx::Error> = match fetched {
        Fetched::Sqlite(rows) => rows.iter().map(R::from_row).collect(),
        Fetched::Pg(rows) => rows.iter().map(R::from_row).collect(),
    };
    Ok(rows?)
}

async fn from_sqlite<'e>(
    on: impl Executor<'e, Database = Sqlite>,
    query: Query<'static, Sqlite, SqliteArguments>,
    take: Take,
) -> Result<Fetched, sqlx::Error> {
    Ok(Fetched::Sqlite(match take {
        Take::All => query.fetch_all(on).await?,
        Take::First => query.fetch_optional(on).await?.into_iter().collect(),
    }))
}

async fn from_postgres(
    on: &mut PgConnection,
    query: Query<'static, Postgres, PgArguments>,
    take: Take,
) -> Result<Fetched, sqlx::Error> {
    Ok(Fetched::Pg(match take {
        Take::All => query.fetch_all(on).await?,
        Take::First => query.fetch_optional(on).await?.into_iter().collect(),
    }))
}

/// Reads outside of a transaction; once more on another connection when the first one turns out to be broken.
async fn from_pool(pool: &PgPool, sql: &Sql, take: Take) -> Result<Fetched, sqlx::Error> {
    match from_connection(pool, sql, take).await {
        Err(error) if is_connection_lost(&error) => from_connection(pool, sql, take).await,
        rows => rows,
    }
}

async fn from_connection(pool: &PgPool, sql: &Sql, take: Take) -> Result<Fetched, sqlx::Error> {
    let mut lent = Lent::new(pool.acquire().await?);
    let rows = in_time(from_postgres(lent.connection(), sql.for_postgres()?, take)).await;
    lent.give_back(rows.as_ref().err());
    rows
}

/// A connection lent for one read. When the read is cancelled, its answer is still on the way: the connection goes back
/// only once it has arrived, and is closed when it does not arrive in time.
struct Lent(Option<PoolConnection<Postgres>>);

impl Lent {
    fn new(connection: PoolConnection<Postgres>) -> Lent {
        Lent(Some(connection))
    }

    fn connection(&mut self) -> &mut PgConnection {
        self.0.as_mut().expect("it is taken only by give_back and drop")
    }

    /// Back into the pool, unless the connection broke or did not answer in time.
    fn give_back(mut self, failure: Option<&sqlx::Error>) {
        if let Some(mut connection) = self.0.take()
            && failure.is_some_and(|error| is_connection_lost(error) || matches!(error, sqlx::Error::Io(_)))
        {
            connection.close_on_drop();
        }
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        let Some(mut connection) = self.0.take() else { return };
        tokio::spawn(async move {
            if !matches!(timeout(LATE_ANSWER_WAIT_MAX, connection.ping()).await, Ok(Ok(()))) {
                connection.close_on_drop();
            }
        });
    }
}

/// Where a read runs: outside of a transaction or inside one.
#[derive(Debug)]
pub enum On<'a> {
    /// Outside of any transaction.
    Db(&'a Db),
    /// Inside this one.
    Tx(&'a mut Tx),
}

impl<'a> From<&'a Db> for On<'a> {
    fn from(db: &'a Db) -> Self {
        On::Db(db)
    }
}

impl<'a> From<&'a mut Tx> for On<'a> {
    fn from(tx: &'a mut Tx) -> Self {
        On::Tx(tx)
    }
}

/// A row of either database; tuples and types with `#[derive(from_row::FromRow)]` are.
pub trait Row: for<'r> FromRow<'r, SqliteRow> + for<'r> FromRow<'r, PgRow> + Send + Unpin {}
impl<T> Row for T where T: for<'r> FromRow<'r, SqliteRow> + for<'r> FromRow<'r, PgRow> + Send + Unpin {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_without_numbers_keep_their_values() {
        let numbered = "insert into a select w.a, $1 from (values ($3,$4),($5,$6)) as w where b = $1 and c = $2";
        let values = (1..=6).map(Value::from).collect();
        let (text, values) = without_numbers(numbered, values);
        assert_eq!(text, "insert into a select w.a, ? from (values (?,?),(?,?)) as w where b = ? and c = ?");
        let numbers: Vec<Option<i64>> =
            values.into_iter().map(|value| if let Value::Integer(number) = value { number } else { None }).collect();
        assert_eq!(numbers, [1, 3, 4, 5, 6, 1, 2].map(Some));
    }
}
