//! Statements, their values, and where they run. The only place that knows of the two drivers.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use futures::future::BoxFuture;
use sqlx::pool::PoolConnection;
use sqlx::postgres::{PgArguments, PgConnection, PgPool, PgRow};
use sqlx::sqlite::{SqliteArguments, SqliteRow};
use sqlx::{Arguments, AssertSqlSafe, Connection as _, Executor, FromRow, Postgres, SqlSafeStr, SqlStr, Sqlite};
use tokio::time::timeout;

use super::deadline::in_time;
use super::error::is_connection_lost;
use super::transaction::Connection;
use super::{Db, DbError, Tx};

/// A statement with numbered parameters (`$1`), the same text for both databases.
pub fn sql(text: &'static str) -> Sql {
    Sql { text: text.into_sql_str(), values: Vec::new() }
}

/// A statement put together from constants of ours. Never from values: those are bound.
pub(crate) fn sql_of(text: String) -> Sql {
    Sql { text: AssertSqlSafe(text).into_sql_str(), values: Vec::new() }
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
        Sql { text: AssertSqlSafe(text).into_sql_str(), ..self }
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
        Sql { text: AssertSqlSafe(text).into_sql_str(), ..self }
    }

    /// Runs a statement that changes rows, and says how many it changed.
    pub fn run(self, tx: &mut Tx) -> BoxFuture<'_, Result<u64, DbError>> {
        // Boxed for the same reason as `fetch`.
        Box::pin(async move {
            STATEMENTS.fetch_add(1, Ordering::Relaxed);
            let ended = match tx.usable()? {
                Connection::Sqlite(connection, _) => {
                    let running = sqlx::query_with(self.text, sqlite(self.values)?).execute(&mut **connection);
                    running.await.map(|done| done.rows_affected())
                }
                Connection::Pg(connection) => {
                    let running = sqlx::query_with(self.text, postgres(&self.values)?).execute(&mut **connection);
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
            let Sql { text, values } = self;
            match on {
                On::Db(Db::Sqlite { readers, .. }) => Ok(from_sqlite(readers, text, sqlite(values)?, take).await?),
                On::Db(Db::Pg(pool)) => Ok(from_pool(pool, text, &values, take).await?),
                On::Tx(tx) => {
                    let ended = match tx.usable()? {
                        Connection::Sqlite(connection, _) => {
                            from_sqlite(&mut **connection, text, sqlite(values)?, take).await
                        }
                        Connection::Pg(connection) => {
                            in_time(from_postgres(connection, text, postgres(&values)?, take)).await
                        }
                    };
                    tx.note(ended)
                }
            }
        })
    }
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
    text: SqlStr,
    arguments: SqliteArguments,
    take: Take,
) -> Result<Fetched, sqlx::Error> {
    let query = sqlx::query_with(text, arguments);
    Ok(Fetched::Sqlite(match take {
        Take::All => query.fetch_all(on).await?,
        Take::First => query.fetch_optional(on).await?.into_iter().collect(),
    }))
}

async fn from_postgres(
    on: &mut PgConnection,
    text: SqlStr,
    arguments: PgArguments,
    take: Take,
) -> Result<Fetched, sqlx::Error> {
    let query = sqlx::query_with(text, arguments);
    Ok(Fetched::Pg(match take {
        Take::All => query.fetch_all(on).await?,
        Take::First => query.fetch_optional(on).await?.into_iter().collect(),
    }))
}

/// Reads outside of a transaction; once more on another connection when the first one turns out to be broken.
async fn from_pool(pool: &PgPool, text: SqlStr, values: &[Value], take: Take) -> Result<Fetched, sqlx::Error> {
    match from_connection(pool, text.clone(), values, take).await {
        Err(error) if is_connection_lost(&error) => from_connection(pool, text, values, take).await,
        rows => rows,
    }
}

async fn from_connection(pool: &PgPool, text: SqlStr, values: &[Value], take: Take) -> Result<Fetched, sqlx::Error> {
    let mut lent = Lent::new(pool.acquire().await?);
    let arguments = postgres(values)?;
    let rows = in_time(from_postgres(lent.connection(), text, arguments, take)).await;
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

/// A row of either database; tuples and types with `#[derive(sqlx::FromRow)]` are.
pub trait Row: for<'r> FromRow<'r, SqliteRow> + for<'r> FromRow<'r, PgRow> + Send + Unpin {}
impl<T> Row for T where T: for<'r> FromRow<'r, SqliteRow> + for<'r> FromRow<'r, PgRow> + Send + Unpin {}

/// A parameter value of a type that both databases have.
#[derive(Clone, Debug)]
pub enum Value {
    /// Text, ids, JSON.
    Text(Option<String>),
    /// Counts, amounts, times.
    Integer(Option<i64>),
    /// Flags.
    Boolean(Option<bool>),
    /// What is packed.
    Bytes(Vec<u8>),
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Value::Text(Some(text))
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Value::Text(Some(text.to_owned()))
    }
}

impl From<Vec<u8>> for Value {
    fn from(bytes: Vec<u8>) -> Self {
        Value::Bytes(bytes)
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Self {
        Value::Integer(Some(number))
    }
}

impl From<bool> for Value {
    fn from(yes: bool) -> Self {
        Value::Boolean(Some(yes))
    }
}

impl From<Option<bool>> for Value {
    fn from(yes: Option<bool>) -> Self {
        Value::Boolean(yes)
    }
}

impl From<Option<String>> for Value {
    fn from(text: Option<String>) -> Self {
        Value::Text(text)
    }
}

impl From<Option<i64>> for Value {
    fn from(number: Option<i64>) -> Self {
        Value::Integer(number)
    }
}

fn sqlite(values: Vec<Value>) -> Result<SqliteArguments, sqlx::Error> {
    let mut arguments = SqliteArguments::default();
    arguments.reserve(values.len(), 0);
    for value in values {
        match value {
            Value::Text(text) => arguments.add(text),
            Value::Integer(number) => arguments.add(number),
            Value::Boolean(yes) => arguments.add(yes),
            Value::Bytes(bytes) => arguments.add(bytes),
        }
        .map_err(sqlx::Error::Encode)?;
    }
    Ok(arguments)
}

fn postgres(values: &[Value]) -> Result<PgArguments, sqlx::Error> {
    let mut arguments = PgArguments::default();
    arguments.reserve(values.len(), 0);
    for value in values {
        match value {
            Value::Text(text) => arguments.add(text.as_deref()),
            Value::Integer(number) => arguments.add(number),
            Value::Boolean(yes) => arguments.add(yes),
            Value::Bytes(bytes) => arguments.add(bytes),
        }
        .map_err(sqlx::Error::Encode)?;
    }
    Ok(arguments)
}
