//! All SQL about the words of leads.

use crate::db::{Db, DbError, Tx, Value, insert_rows, sql, sql_of};
use crate::ids::{AccountId, LeadId};
use crate::lead::json::{LeadColumns, LeadJson};
use crate::lead::{Lead, StoredLead};

/// Words inserted by one statement.
const WORDS_AT_ONCE: usize = 5_000;
/// Behind every word that begins the same way.
const WORD_END: char = char::MAX;

/// Adds words to those of a lead.
pub(crate) async fn add(
    tx: &mut Tx,
    account: AccountId,
    lead: LeadId,
    words: impl IntoIterator<Item = String>,
) -> Result<(), DbError> {
    insert(tx, account, words.into_iter().map(|word| (lead, word))).await
}

/// Inserts words of leads; those that are there already stay.
pub(crate) async fn insert(
    tx: &mut Tx,
    account: AccountId,
    words: impl Iterator<Item = (LeadId, String)>,
) -> Result<(), DbError> {
    let rows: Vec<Vec<Value>> = words.map(|(lead, word)| vec![account.into(), word.into(), lead.into()]).collect();
    for rows in rows.chunks(WORDS_AT_ONCE) {
        let head = "insert into lead_word (account_id, word, lead_id) values";
        insert_rows(head, rows.to_vec(), "on conflict do nothing").run(tx).await?;
    }
    Ok(())
}

/// Removes the words of a lead.
pub(crate) async fn forget(tx: &mut Tx, account: AccountId, lead: LeadId) -> Result<(), DbError> {
    let removed = sql("delete from lead_word where account_id = $1 and lead_id = $2");
    removed.bind(account).bind(lead).run(tx).await.map(|_| ())
}

/// The newest leads of the account that have, for each of these words, one that begins so.
pub(super) async fn with_words(
    db: &Db,
    account: AccountId,
    words: &[String],
    limit: i64,
) -> Result<Vec<StoredLead>, DbError> {
    let having: Vec<String> = (0..words.len())
        .map(|at| {
            let (from, to) = (at * 2 + 3, at * 2 + 4);
            format!("id in (select lead_id from lead_word where account_id = $1 and word >= ${from} and word < ${to})")
        })
        .collect();
    let text = format!(
        "select id, number, body, premium, version from lead
         where account_id = $1 and {} order by id desc limit $2",
        having.join(" and ")
    );
    let query = sql_of(text).bind(account).bind(limit);
    let query = words.iter().fold(query, |query, word| query.bind(word.as_str()).bind(format!("{word}{WORD_END}")));
    query.all(db).await
}

/// A lead of an earlier version, which has no words yet.
#[derive(Debug, sqlx::FromRow)]
pub(super) struct Unindexed {
    #[sqlx(try_from = "String")]
    pub(super) id: LeadId,
    #[sqlx(try_from = "String", rename = "account_id")]
    pub(super) account: AccountId,
    #[sqlx(flatten)]
    columns: LeadColumns,
}

impl Unindexed {
    pub(super) fn lead(&self) -> Option<Lead> {
        LeadJson::try_from(self.columns.clone()).ok()?.parse().ok()
    }
}

/// The lead after which leads of earlier versions have no words yet; `None` when all have theirs.
pub(super) async fn backlog(db: &Db) -> Result<Option<String>, DbError> {
    let found: Option<(String,)> = sql("select after_lead from lead_word_backlog where id = 1").optional(db).await?;
    Ok(found.map(|(after,)| after))
}

pub(super) async fn unindexed(db: &Db, after: &str, limit: i64) -> Result<Vec<Unindexed>, DbError> {
    sql("select id, account_id, body, version from lead where id > $1 order by id limit $2")
        .bind(after)
        .bind(limit)
        .all(db)
        .await
}

/// Leads up to this one have their words; without one, all have.
pub(super) async fn advance_backlog(tx: &mut Tx, to: Option<LeadId>) -> Result<(), DbError> {
    let query = match to {
        Some(lead) => sql("update lead_word_backlog set after_lead = $1 where id = 1 and after_lead < $1").bind(lead),
        None => sql("delete from lead_word_backlog where id = 1"),
    };
    query.run(tx).await.map(|_| ())
}
