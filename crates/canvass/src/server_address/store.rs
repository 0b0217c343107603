//! All SQL about the servers' address.

use url::Url;

use crate::clock::Moment;
use crate::db::{Db, DbError, sql};

/// Stores an address, unless a configured one would give way to one that is not.
pub(super) async fn note(
    db: &Db,
    url: &Url,
    is_configured: bool,
    (now, expired): (Moment, Moment),
) -> Result<(), DbError> {
    let mut tx = db.begin().await?;
    sql("insert into server_address (id, base_url, is_configured, noted_at) values (1, $1, $2, $3)
         on conflict (id) do update set
             base_url = excluded.base_url, is_configured = excluded.is_configured, noted_at = excluded.noted_at
         where excluded.is_configured or not server_address.is_configured or server_address.noted_at < $4")
    .bind(url.as_str())
    .bind(is_configured)
    .bind(now)
    .bind(expired)
    .run(&mut tx)
    .await?;
    tx.commit().await
}

pub(super) async fn find(db: &Db) -> Result<Option<String>, DbError> {
    let found: Option<(String,)> = sql("select base_url from server_address where id = 1").optional(db).await?;
    Ok(found.map(|(url,)| url))
}
