//! All SQL about located addresses.

use super::LocatedDoor;
use crate::clock::Moment;
use crate::db::{Db, DbError, sql};

/// What is remembered of an address: where it lies, or that nobody knew. `None` when nothing is.
pub(super) async fn known(db: &Db, key: &str, now: Moment) -> Result<Option<Option<LocatedDoor>>, DbError> {
    let found: Option<(Option<String>,)> = sql("select door from located_address where query = $1 and expires_at > $2")
        .bind(key)
        .bind(now)
        .optional(db)
        .await?;
    Ok(found.map(|(door,)| door.and_then(|door| serde_json::from_str(&door).ok())))
}

/// Remembers where an address lies, or that nobody knows.
pub(super) async fn remember(
    db: &Db,
    key: &str,
    found: Option<&LocatedDoor>,
    expires_at: Moment,
) -> Result<(), DbError> {
    let door = found.map(|found| serde_json::to_string(found).expect("a located address is plain data"));
    let mut tx = db.begin().await?;
    sql("insert into located_address (query, door, expires_at) values ($1, $2, $3)
         on conflict (query) do update set door = excluded.door, expires_at = excluded.expires_at")
    .bind(key)
    .bind(door)
    .bind(expires_at)
    .run(&mut tx)
    .await?;
    tx.commit().await
}

/// Deletes what is too old to be believed.
pub(super) async fn delete_expired(db: &Db, now: Moment) -> Result<(), DbError> {
    let mut tx = db.begin().await?;
    sql("delete from located_address where expires_at <= $1").bind(now).run(&mut tx).await?;
    tx.commit().await
}
