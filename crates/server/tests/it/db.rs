//! Storage: what commits stays, what does not leaves no trace, and waiting never becomes an error.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use canvass::db::{self, Db, Value, insert_rows, sql};
use canvass::fair_line::Sharer;
use rstest::rstest;
use sqlx::Executor;
use sqlx::postgres::{PgPool, PgPoolOptions};
use tokio::sync::Semaphore;

use crate::support::{On, fresh_database, fresh_schema};

async fn table(on: On) -> (Db, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let db = fresh_database(on, folder.path()).await;
    let mut tx = db.begin().await.unwrap();
    sql("create table note (id bigint primary key, text text, flag boolean not null)").run(&mut tx).await.unwrap();
    tx.commit().await.unwrap();
    (db, folder)
}

async fn count(db: &Db) -> i64 {
    sql("select count(*) from note").one::<(i64,)>(db).await.unwrap().0
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn one_text_serves_both_databases(#[case] on: On) {
    let (db, _folder) = table(on).await;
    let mut tx = db.begin().await.unwrap();
    let rows =
        (1..=300_i64).map(|id| vec![id.into(), Value::Text((id % 2 == 0).then(|| format!("n{id}"))), (id < 3).into()]);
    let inserted =
        insert_rows("insert into note (id, text, flag) values", rows.collect(), "").run(&mut tx).await.unwrap();
    assert_eq!(inserted, 300);
    let inside: Vec<(i64, Option<String>, bool)> =
        sql("select id, text, flag from note where id <= $1 and flag = $2 order by id")
            .bind(9_i64)
            .bind(true)
            .all(&mut tx)
            .await
            .unwrap();
    assert_eq!(inside, [(1, None, true), (2, Some("n2".into()), true)]);
    assert_eq!(count(&db).await, 0, "nothing is seen outside before the commit");
    tx.commit().await.unwrap();
    assert_eq!(count(&db).await, 300);

    let mut tx = db.begin().await.unwrap();
    sql("delete from note").run(&mut tx).await.unwrap();
    drop(tx);
    assert_eq!(count(&db).await, 300, "what is not committed leaves no trace");
    assert!(sql("select id from note where id = 0").one::<(i64,)>(&db).await.is_err());
    assert_eq!(sql("select id from note where id = 0").optional::<(i64,)>(&db).await.unwrap(), None);
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_crowd_of_writers_waits_its_turn(#[case] on: On) {
    let (db, folder) = table(on).await;
    // A second opening of the same database, as another process has it.
    let other = match &db {
        Db::Sqlite { .. } => db::open(None, folder.path()).await.unwrap(),
        Db::Pg { .. } => db.clone(),
    };
    let writers = (0..200_i64).map(|id| {
        let db = if id % 2 == 0 { db.clone() } else { other.clone() };
        tokio::spawn(async move {
            let mut tx = db.begin().await.unwrap();
            let seen = sql("select count(*) from note").one::<(i64,)>(&mut tx).await.unwrap().0;
            sql("insert into note (id, text, flag) values ($1, null, $2)")
                .bind(id)
                .bind(seen < 0)
                .run(&mut tx)
                .await
                .unwrap();
            tx.commit().await.unwrap();
        })
    });
    for writer in futures::future::join_all(writers).await {
        writer.unwrap();
    }
    assert_eq!(count(&db).await, 200);
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn a_request_is_never_behind_all_background_work(#[case] on: On) {
    let (db, _folder) = table(on).await;
    let first = db.begin_in_background(Sharer::CHORES, 1).await.unwrap();
    let gate = Arc::new(Semaphore::new(0));
    let background: Vec<_> = (0..40)
        .map(|_| {
            let (db, gate) = (db.clone(), gate.clone());
            tokio::spawn(async move {
                let tx = db.begin_in_background(Sharer::CHORES, 1).await.unwrap();
                let _opened = gate.acquire().await.unwrap();
                tx.commit().await.unwrap();
            })
        })
        .collect();
    // All of them are in line by now, or have begun.
    tokio::time::sleep(Duration::from_millis(50)).await;
    let request = tokio::spawn({
        let db = db.clone();
        async move { db.begin().await.unwrap().commit().await.unwrap() }
    });
    tokio::time::sleep(Duration::from_millis(50)).await;
    first.commit().await.unwrap();
    // None of the others ends before the gate opens.
    tokio::time::timeout(Duration::from_secs(20), request).await.expect("it waits for background work").unwrap();
    gate.add_permits(1);
    for ended in futures::future::join_all(background).await {
        ended.unwrap();
    }
}

#[tokio::test]
async fn sqlite_syncs_at_every_commit() {
    let (db, _folder) = table(On::Sqlite).await;
    let mut tx = db.begin().await.unwrap();
    assert_eq!(sql("pragma synchronous").one::<(i64,)>(&mut tx).await.unwrap().0, 2, "FULL");
    assert_eq!(sql("pragma journal_mode").one::<(String,)>(&mut tx).await.unwrap().0, "wal");
    assert_eq!(sql("pragma foreign_keys").one::<(i64,)>(&mut tx).await.unwrap().0, 1);
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn several_processes_may_migrate_at_once(#[case] on: On) {
    let folder = tempfile::tempdir().unwrap();
    let schema = match on {
        On::Sqlite => None,
        On::Postgres | On::Behind(_) => Some(fresh_schema().await),
    };
    let migrating = (0..4).map(|_| async {
        let db = match &schema {
            None => db::open(None, folder.path()).await.unwrap(),
            Some(options) => db::open_with(options.clone()).await.unwrap(),
        };
        let version = db::migrate(&db, folder.path()).await.unwrap().version;
        assert_eq!(db::schema(&db).await.unwrap(), db::Schema::Current);
        version
    });
    let versions = futures::future::join_all(migrating).await;
    assert!(versions.iter().all(|version| *version >= 1 && *version == versions[0]), "{versions:?}");
}

/// Hangs up on a `begin` after so many looks at it: before its statement is sent, after, or when it is done.
async fn hang_up_on_begin(pool: &PgPool, after: i64) {
    // A connection finds its way back into the pool by itself; only then do the looks mean the same every time.
    while pool.num_idle() == 0 {
        tokio::task::yield_now().await;
    }
    let mut begin = pin!(pool.begin());
    let mut looks = 0;
    poll_fn(|context| {
        looks += 1;
        let done = begin.as_mut().poll(context).is_ready();
        if done || looks == after { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
}

/// Hangs up on a `begin`, then writes without a transaction, again and again; says how many of the writes are there.
async fn write_after_cancelled_begins(pool: &PgPool, times: i64) -> i64 {
    for id in 0..times {
        hang_up_on_begin(pool, 1 + id % 3).await;
        sqlx::query("insert into lost (id) values ($1)").bind(id).execute(pool).await.unwrap();
    }
    // Whoever looks on a connection of their own sees what is durable.
    let eyes = PgPool::connect_with((*pool.connect_options()).clone()).await.unwrap();
    let (count,): (i64,) = sqlx::query_as("select count(*) from lost").fetch_one(&eyes).await.unwrap();
    count
}

/// Puts a connection back into the pool inside an open transaction, which is how sqlx 0.9.0 leaves one whose `begin` was
/// cancelled while its answer was awaited; then writes without a transaction, and says how many writes are there.
async fn write_after_an_open_transaction(pool: &PgPool) -> i64 {
    let mut connection = pool.acquire().await.unwrap();
    connection.execute("BEGIN").await.unwrap();
    drop(connection);
    sqlx::query("insert into lost (id) values (-1)").execute(pool).await.unwrap();
    let eyes = PgPool::connect_with((*pool.connect_options()).clone()).await.unwrap();
    let (count,): (i64,) = sqlx::query_as("select count(*) from lost where id = -1").fetch_one(&eyes).await.unwrap();
    count
}

#[tokio::test]
async fn a_cancelled_begin_loses_no_later_write() {
    const TIMES: i64 = 30;
    let unguarded = PgPoolOptions::new().max_connections(1).connect_with(fresh_schema().await).await.unwrap();
    unguarded.execute("create table lost (id bigint primary key)").await.unwrap();
    assert_eq!(write_after_an_open_transaction(&unguarded).await, 0, "without the guard the write is lost");

    let Db::Pg { pool: guarded, .. } = db::open_with(fresh_schema().await).await.unwrap() else {
        panic!("PostgreSQL was asked for")
    };
    guarded.execute("create table lost (id bigint primary key)").await.unwrap();
    assert_eq!(write_after_an_open_transaction(&guarded).await, 1, "with it, it is not");
    assert_eq!(write_after_cancelled_begins(&guarded, TIMES).await, TIMES + 1, "nor after begins that were hung up on");
}
