//! One statement, its values, and where it runs. The only place that knows two drivers exist.

use std::sync::atomic::{AtomicU64, Ordering};

use sqlx::postgres::{PgArguments, PgRow};
use sqlx::sqlite::{SqliteArguments, SqliteRow};
use sqlx::{Arguments, AssertSqlSafe, Encode, FromRow, Postgres, SqlSafeStr, SqlStr, Sqlite, Type};

use super::{Db, DbError, Tx};

/// A statement with numbered places (`$1`), the same text for both databases.
pub fn sql(text: &'static str) -> Sql {
    Sql { text: text.into_sql_str(), values: Vec::new() }
}

/// Inserts many rows with one statement: `head` ends in `values`, `tail` is what follows the rows.
///
/// # Panics
/// When rows differ in length, or hold more values than a statement may carry: both are faults of the caller.
pub fn insert_rows(head: &'static str, rows: Vec<Vec<Value>>, tail: &'static str) -> Sql {
    let width = rows.first().map_or(0, Vec::len);
    assert!(rows.iter().all(|row| row.len() == width) && rows.len() * width <= STATEMENT_VALUES_MAX);
    let places: Vec<String> = (0..rows.len()).map(|row| row_places(row * width, width)).collect();
    let text = format!("{head} {} {tail}", places.join(","));
    Sql { text: AssertSqlSafe(text).into_sql_str(), values: rows.into_iter().flatten().collect() }
}

fn row_places(before: usize, width: usize) -> String {
    let places: Vec<String> = (1..=width).map(|place| format!("${}", before + place)).collect();
    format!("({})", places.join(","))
}

/// Values one statement may carry: SQLite's limit, which is the lower one.
const STATEMENT_VALUES_MAX: usize = 32_766;

/// How many statements this process has run.
static STATEMENTS: AtomicU64 = AtomicU64::new(0);

/// How many statements this process has run, to measure what something costs.
pub fn statements() -> u64 {
    STATEMENTS.load(Ordering::Relaxed)
}

/// A statement on its way; see [`sql`].
#[derive(Debug)]
pub struct Sql {
    text: SqlStr,
    values: Vec<Value>,
}

impl Sql {
    /// Gives the next numbered place its value.
    #[must_use]
    pub fn bind(mut self, value: impl Into<Value>) -> Self {
        self.values.push(value.into());
        self
    }

    /// Puts a list of values at the end of a statement that ends in `in`.
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

    /// Runs a statement that changes rows, and says how many it changed.
    pub async fn run(self, tx: &mut Tx) -> Result<u64, DbError> {
        STATEMENTS.fetch_add(1, Ordering::Relaxed);
        Ok(match tx {
            Tx::Sqlite(tx) => {
                sqlx::query_with(self.text, sqlite(self.values)?).execute(&mut **tx).await?.rows_affected()
            }
            Tx::Pg(tx) => sqlx::query_with(self.text, postgres(self.values)?).execute(&mut **tx).await?.rows_affected(),
        })
    }

    /// Every row.
    pub async fn all<R: Row>(self, on: impl Into<On<'_>>) -> Result<Vec<R>, DbError> {
        STATEMENTS.fetch_add(1, Ordering::Relaxed);
        Ok(match on.into() {
            On::Db(Db::Sqlite { readers, .. }) => {
                sqlx::query_as_with(self.text, sqlite(self.values)?).fetch_all(readers).await?
            }
            On::Tx(Tx::Sqlite(tx)) => sqlx::query_as_with(self.text, sqlite(self.values)?).fetch_all(&mut **tx).await?,
            On::Db(Db::Pg(pool)) => sqlx::query_as_with(self.text, postgres(self.values)?).fetch_all(pool).await?,
            On::Tx(Tx::Pg(tx)) => sqlx::query_as_with(self.text, postgres(self.values)?).fetch_all(&mut **tx).await?,
        })
    }

    /// The first row, if there is one.
    pub async fn optional<R: Row>(self, on: impl Into<On<'_>>) -> Result<Option<R>, DbError> {
        STATEMENTS.fetch_add(1, Ordering::Relaxed);
        Ok(match on.into() {
            On::Db(Db::Sqlite { readers, .. }) => {
                sqlx::query_as_with(self.text, sqlite(self.values)?).fetch_optional(readers).await?
            }
            On::Tx(Tx::Sqlite(tx)) => {
                sqlx::query_as_with(self.text, sqlite(self.values)?).fetch_optional(&mut **tx).await?
            }
            On::Db(Db::Pg(pool)) => sqlx::query_as_with(self.text, postgres(self.values)?).fetch_optional(pool).await?,
            On::Tx(Tx::Pg(tx)) => {
                sqlx::query_as_with(self.text, postgres(self.values)?).fetch_optional(&mut **tx).await?
            }
        })
    }

    /// The row there must be.
    pub async fn one<R: Row>(self, on: impl Into<On<'_>>) -> Result<R, DbError> {
        self.optional(on).await?.ok_or(DbError::Refused(sqlx::Error::RowNotFound))
    }
}

/// Where a read runs: on the database as it is, or inside a transaction.
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

/// A row that both databases can give; `#[derive(sqlx::FromRow)]` and tuples are.
pub trait Row: for<'r> FromRow<'r, SqliteRow> + for<'r> FromRow<'r, PgRow> + Send + Unpin {}
impl<T> Row for T where T: for<'r> FromRow<'r, SqliteRow> + for<'r> FromRow<'r, PgRow> + Send + Unpin {}

/// A value in a statement: what both databases understand.
#[derive(Clone, Debug)]
pub enum Value {
    /// Text, ids, JSON.
    Text(Option<String>),
    /// Counts, amounts, times.
    Integer(Option<i64>),
    /// Yes or no.
    Boolean(Option<bool>),
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
    arguments::<Sqlite>(values)
}

fn postgres(values: Vec<Value>) -> Result<PgArguments, sqlx::Error> {
    arguments::<Postgres>(values)
}

fn arguments<D>(values: Vec<Value>) -> Result<D::Arguments, sqlx::Error>
where
    D: sqlx::Database,
    for<'q> Option<String>: Encode<'q, D> + Type<D>,
    for<'q> Option<i64>: Encode<'q, D> + Type<D>,
    for<'q> Option<bool>: Encode<'q, D> + Type<D>,
{
    let mut arguments = D::Arguments::default();
    arguments.reserve(values.len(), 0);
    for value in values {
        match value {
            Value::Text(text) => arguments.add(text),
            Value::Integer(number) => arguments.add(number),
            Value::Boolean(yes) => arguments.add(yes),
        }
        .map_err(sqlx::Error::Encode)?;
    }
    Ok(arguments)
}
