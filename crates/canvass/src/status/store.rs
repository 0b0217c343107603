//! All SQL about how things stand. Rows that are open are few, and have partial indexes; of what there may be very many, only the
//! latest or the first are counted.

use super::{COUNTED_MAX, Queue, Watches};
use crate::clock::Moment;
use crate::db::{Db, DbError, sql, sql_of};
use crate::ids::SearchId;

/// A worker that holds searches.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, from_row::FromRow)]
pub struct Worker {
    /// A random name, new with each start.
    pub name: String,
    /// Searches it works on.
    pub searches: i64,
    /// Seconds until the first of its leases ends, unless it is renewed.
    pub lease_seconds_left: i64,
}

/// Searches with one status.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, from_row::FromRow)]
pub struct DayCount {
    /// The status.
    pub status: String,
    /// How many have it.
    pub count: i64,
}

/// Counts the open rows of a table of jobs. `try_at` is the column of the partial index over these: a condition on it makes sure
/// that the index is read.
fn queue(table: &str, open: &str, failures: &str) -> String {
    format!(
        "select cast(coalesce(sum(case when lease_until > $1 then 1 else 0 end), 0) as bigint) as running,
            cast(coalesce(sum(case when lease_until > $1 then 0 else 1 end), 0) as bigint) as waiting,
            cast(coalesce(sum(case when lease_until > $1 or {failures} = 0 then 0 else 1 end), 0) as bigint) as retried,
            cast(coalesce(max(case when lease_until > $1 then 0 else $1 - created_at end), 0) / 1000000 as bigint)
                as oldest_waiting_seconds
         from {table} where {open} and try_at >= 0"
    )
}

fn search_queue() -> String {
    queue("search", "status = 'running'", "troubles")
}

fn enrichment_queue() -> String {
    queue("enrichment", "status = 'running'", "0")
}

fn mail_queue() -> String {
    queue("outbox", "state = 'waiting'", "tries")
}

fn letter_queue() -> String {
    queue("letter", "state = 'waiting'", "tries")
}

const WATCHES: &str = "select
        (select count(*) from watch where lease_owner is not null and lease_until > $1) as checking,
        (select count(*) from (select 1 from watch where next_check_at <= $1 and lease_until <= $1 limit $2) as free) as due";
const WORKERS: &str = "select lease_owner as name, count(*) as searches,
        cast((min(lease_until) - $1) / 1000000 as bigint) as lease_seconds_left
     from search where status = 'running' and try_at >= 0 and lease_until > $1 and lease_owner is not null
     group by lease_owner order by searches desc, name";
// One look into the index for each account, of which there are few.
const LEADS_ON: &str = "select cast(coalesce(sum(
        (select leads from usage_day where usage_day.account_id = account.id and usage_day.day = $1)
     ), 0) as bigint) from account";
const SEARCHES_SINCE: &str = "select status, count(*) as count
     from (select status from search where id >= $1 order by id desc limit $2) as latest
     group by status order by status";

pub(super) async fn searches(db: &Db, now: Moment) -> Result<Queue, DbError> {
    sql_of(search_queue()).bind(now).one(db).await
}

pub(super) async fn enrichments(db: &Db, now: Moment) -> Result<Queue, DbError> {
    sql_of(enrichment_queue()).bind(now).one(db).await
}

pub(super) async fn mails(db: &Db, now: Moment) -> Result<Queue, DbError> {
    sql_of(mail_queue()).bind(now).one(db).await
}

pub(super) async fn letters(db: &Db, now: Moment) -> Result<Queue, DbError> {
    sql_of(letter_queue()).bind(now).one(db).await
}

pub(super) async fn watches(db: &Db, now: Moment) -> Result<Watches, DbError> {
    sql(WATCHES).bind(now).bind(COUNTED_MAX).one(db).await
}

pub(super) async fn workers(db: &Db, now: Moment) -> Result<Vec<Worker>, DbError> {
    sql(WORKERS).bind(now).all(db).await
}

/// Leads delivered on a day, in days since 1970.
pub(super) async fn leads_on(db: &Db, day: i64) -> Result<i64, DbError> {
    let (leads,) = sql(LEADS_ON).bind(day).one(db).await?;
    Ok(leads)
}

/// Searches from this id on, by status.
pub(super) async fn searches_since(db: &Db, first: SearchId) -> Result<Vec<DayCount>, DbError> {
    sql(SEARCHES_SINCE).bind(first).bind(COUNTED_MAX).all(db).await
}

/// The size of the database.
pub(super) async fn database_bytes(db: &Db) -> Result<i64, DbError> {
    let statement = match db {
        Db::Sqlite { .. } => sql("select page_count * page_size from pragma_page_count(), pragma_page_size()"),
        Db::Pg { .. } => sql("select pg_database_size(current_database())"),
    };
    let (bytes,) = statement.one(db).await?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use sqlx::Row;

    use super::*;
    use crate::db;

    /// The plan that SQLite has for a statement.
    async fn plan(db: &Db, statement: &str) -> String {
        let Db::Sqlite { readers, .. } = db else { unreachable!("the test opens SQLite") };
        let explain = sqlx::AssertSqlSafe(format!("explain query plan {statement}"));
        let rows = sqlx::query(explain).bind(1_i64).bind(1_i64).fetch_all(readers).await.unwrap();
        rows.iter().map(|row| row.get::<String, _>("detail")).collect::<Vec<_>>().join("\n")
    }

    #[tokio::test]
    async fn no_large_table_is_read_as_a_whole() {
        let folder = tempfile::tempdir().unwrap();
        let db = db::open(None, folder.path()).await.unwrap();
        db::migrate(&db, folder.path()).await.unwrap();
        let queues = [search_queue(), enrichment_queue(), mail_queue(), letter_queue()];
        let others = [WATCHES, WORKERS, LEADS_ON, SEARCHES_SINCE].map(str::to_owned);
        for statement in queues.into_iter().chain(others) {
            let plan = plan(&db, &statement).await;
            for step in plan.lines().filter(|step| step.starts_with("SCAN")) {
                // Accounts are few; the others are results of inner selects, which have a limit.
                let fine = ["SCAN account", "SCAN latest", "SCAN (subquery", "SCAN free", "SCAN CONSTANT"];
                assert!(fine.iter().any(|known| step.starts_with(known)), "{statement}\n{plan}");
            }
            assert!(plan.contains("INDEX"), "{statement}\n{plan}");
        }
    }
}
