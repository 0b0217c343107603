//! A fresh database for each test.

use std::path::Path;
use std::str::FromStr;

use canvass::db::{self, Db};
use sqlx::Executor;
use sqlx::postgres::{PgConnectOptions, PgPool, PgSslMode};

use super::Proxy;

/// Which database a test runs on.
#[derive(Clone, Copy, Debug)]
pub enum On {
    Sqlite,
    Postgres,
    /// PostgreSQL behind a proxy.
    Behind(&'static Proxy),
}

impl On {
    /// The PostgreSQL that `make test` starts, behind a proxy.
    pub async fn behind_a_proxy() -> (On, &'static Proxy) {
        let options = PgConnectOptions::from_str(&postgres_url()).unwrap();
        let proxy = Proxy::to(options.get_host().to_owned(), options.get_port()).await;
        (On::Behind(proxy), proxy)
    }
}

/// A database with the schema and nothing else in it.
pub async fn fresh_database(on: On, folder: &Path) -> Db {
    let db = match on {
        On::Sqlite => db::open(None, folder).await.unwrap(),
        On::Postgres => db::open_with(fresh_schema().await).await.unwrap(),
        On::Behind(proxy) => {
            let options = fresh_schema().await.host("127.0.0.1").port(proxy.port).ssl_mode(PgSslMode::Disable);
            db::open_with(options).await.unwrap()
        }
    };
    db::migrate(&db, folder).await.unwrap();
    db
}

/// The PostgreSQL server that `make test` starts.
pub fn postgres_url() -> String {
    #[expect(clippy::disallowed_methods, reason = "names the test's own server; no setting of Canvass")]
    std::env::var("TEST_POSTGRES_URL").expect("needs a PostgreSQL: run the tests with `make unit` or `make test`")
}

/// The address of an empty schema, as a setting has it.
pub async fn fresh_schema_url() -> String {
    format!("{}?options=-c%20search_path%3D{}", postgres_url(), new_schema().await)
}

/// An empty schema of its own on that server, as connection options.
pub async fn fresh_schema() -> PgConnectOptions {
    let schema = new_schema().await;
    let options = PgConnectOptions::from_str(&postgres_url()).unwrap().application_name(&schema);
    options.options([("search_path", schema)])
}

async fn new_schema() -> String {
    let options = PgConnectOptions::from_str(&postgres_url()).unwrap();
    let schema = format!("t_{}", uuid::Builder::from_random_bytes(random()).into_uuid().simple());
    let pool = PgPool::connect_with(options).await.unwrap();
    pool.execute(sqlx::AssertSqlSafe(format!("create schema {schema}"))).await.unwrap();
    pool.close().await;
    schema
}

fn random() -> [u8; 16] {
    use canvass::ids::{Ids, SystemIds};
    let mut bytes = [0; 16];
    SystemIds.fill(&mut bytes);
    bytes
}
