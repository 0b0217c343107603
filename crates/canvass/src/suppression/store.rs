//! All SQL about the suppression list.

use super::Entry;
use crate::clock::Moment;
use crate::db::{Db, DbError, Tx, Value, insert_rows, sql};

/// Entries inserted by one statement.
const INSERTED_ENTRIES: usize = 1_000;

/// An entry as the list shows it.
#[derive(Clone, Debug, PartialEq, Eq, from_row::FromRow)]
pub struct Listed {
    /// Whom it covers.
    #[row(try_from = "String")]
    pub entry: Entry,
    /// Why it was added, in the operator's words.
    pub note: Option<String>,
    /// When it was added first.
    pub added_at: Moment,
}

/// Notes that the list changes, and has others who change it wait until this transaction ends.
pub(super) async fn change(tx: &mut Tx) -> Result<(), DbError> {
    sql("update suppression_revision set revision = revision + 1 where id = 1").run(tx).await.map(|_| ())
}

/// How often the list has changed.
pub(super) async fn revision(db: &Db) -> Result<i64, DbError> {
    let (revision,) = sql("select revision from suppression_revision where id = 1").one(db).await?;
    Ok(revision)
}

/// Adds entries in one transaction, and says how many were not on the list before.
pub(crate) async fn add(db: &Db, entries: &[Entry], note: Option<&str>, now: Moment) -> Result<u64, DbError> {
    let mut tx = db.begin().await?;
    change(&mut tx).await?;
    let mut added = 0;
    for some in entries.chunks(INSERTED_ENTRIES) {
        let row =
            |entry: &Entry| -> Vec<Value> { vec![entry.key().into(), note.map(str::to_owned).into(), now.into()] };
        let head = "insert into suppression (entry, note, added_at) values";
        let rows = some.iter().map(row).collect();
        added += insert_rows(head, rows, "on conflict (entry) do nothing").run(&mut tx).await?;
    }
    tx.commit().await?;
    Ok(added)
}

/// Takes an entry off. `false` when it was not on the list.
pub(super) async fn delete(tx: &mut Tx, entry: &Entry) -> Result<bool, DbError> {
    let deleted = sql("delete from suppression where entry = $1").bind(entry.key()).run(tx).await?;
    Ok(deleted > 0)
}

/// Every entry.
pub(super) async fn entries(db: &Db) -> Result<Vec<Entry>, DbError> {
    Ok(list(db).await?.into_iter().map(|listed| listed.entry).collect())
}

/// The whole list, the oldest entry first.
pub async fn list(db: &Db) -> Result<Vec<Listed>, DbError> {
    sql("select entry, note, added_at from suppression order by added_at, entry").all(db).await
}

/// Entries added at or after a moment, the oldest first.
pub(crate) async fn added_since(db: &Db, since: Moment) -> Result<Vec<Listed>, DbError> {
    sql("select entry, note, added_at from suppression where added_at >= $1 order by added_at, entry")
        .bind(since)
        .all(db)
        .await
}
