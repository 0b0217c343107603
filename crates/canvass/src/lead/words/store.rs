//! All SQL about the words of leads.

use std::collections::BTreeSet;

use crate::db::{Db, DbError, Tx, Value, sql, sql_of};
use crate::ids::AccountId;
use crate::lead::StoredLead;
use crate::lead::place::Belongs;

/// Words inserted by one statement.
const WORDS_AT_ONCE: usize = 5_000;
/// Behind every word that begins the same way.
const WORD_END: char = char::MAX;

/// Adds words to those of leads, which are given by their numbers within the search.
pub(crate) async fn insert(
    tx: &mut Tx,
    to: Belongs,
    words: impl Iterator<Item = (i64, String)>,
) -> Result<(), DbError> {
    let rows: Vec<Vec<Value>> = words.map(|(number, word)| vec![word.into(), number.into()]).collect();
    for rows in rows.chunks(WORDS_AT_ONCE) {
        sql("insert into lead_word (account, word, search, number)
             select a.number, w.column1, s.number, w.column2 from account_number a, search_number s, (values")
        .bind(to.account)
        .bind(to.search)
        .values(rows.to_vec(), ") as w where a.account_id = $1 and s.search_id = $2 on conflict do nothing")
        .run(tx)
        .await?;
    }
    Ok(())
}

/// Removes words of a lead: each is found in the index.
pub(super) async fn forget(tx: &mut Tx, of: Belongs, number: i64, words: BTreeSet<String>) -> Result<(), DbError> {
    if words.is_empty() {
        return Ok(());
    }
    sql("delete from lead_word where account = (select number from account_number where account_id = $1)
         and search = (select number from search_number where search_id = $2) and number = $3 and word in")
    .bind(of.account)
    .bind(of.search)
    .bind(number)
    .among(words.into_iter().map(Value::from))
    .run(tx)
    .await
    .map(|_| ())
}

/// Removes the words of a lead, whatever they are: all words of the account are looked through.
pub(super) async fn forget_all(tx: &mut Tx, of: Belongs, number: i64) -> Result<(), DbError> {
    sql("delete from lead_word where account = (select number from account_number where account_id = $1)
         and search = (select number from search_number where search_id = $2) and number = $3")
    .bind(of.account)
    .bind(of.search)
    .bind(number)
    .run(tx)
    .await
    .map(|_| ())
}

/// How many leads of the account have a word that begins so, counted up to a limit.
pub(super) async fn count(db: &Db, account: AccountId, word: &str, limit: i64) -> Result<i64, DbError> {
    let (count,) = sql("select count(*) from (select 1 from lead_word
         where account = (select number from account_number where account_id = $1) and word >= $2 and word < $3 limit $4) as counted")
    .bind(account)
    .bind(word)
    .bind(format!("{word}{WORD_END}"))
    .bind(limit)
    .one(db)
    .await?;
    Ok(count)
}

/// The newest leads of the account that have, for each of these words, one that begins so.
pub(super) async fn with_words(
    db: &Db,
    account: AccountId,
    words: &[&str],
    limit: i64,
) -> Result<Vec<StoredLead>, DbError> {
    let having: Vec<String> = (0..words.len())
        .map(|at| {
            let (from, to) = (at * 2 + 3, at * 2 + 4);
            format!(
                "select search, number from lead_word
                 where account = (select number from account_number where account_id = $1) and word >= ${from} and word < ${to}"
            )
        })
        .collect();
    let query = sql_of(found_among(&having.join(" intersect "))).bind(account).bind(limit);
    let query = words.iter().fold(query, |query, word| query.bind(*word).bind(format!("{word}{WORD_END}")));
    query.all(db).await
}

/// Of the newest leads of the account with exactly the first of these words, those with the others too: read from the end of its part
/// of the index, with a lookup there for each of the others.
pub(super) async fn with_exact_words(
    db: &Db,
    account: AccountId,
    words: &[&str],
    limit: i64,
) -> Result<Vec<StoredLead>, DbError> {
    let has = |at: usize| {
        format!(
            " and exists (select 1 from lead_word o where o.account = newest.account and o.word = ${}
             and o.search = newest.search and o.number = newest.number)",
            at + 3
        )
    };
    let others: String = (1..words.len()).map(has).collect();
    let having = format!(
        "select search, number from (select account, search, number from lead_word
         where account = (select number from account_number where account_id = $1) and word = $3
         order by search desc, number desc limit $2) as newest where true {others}"
    );
    let query = sql_of(found_among(&having)).bind(account).bind(limit);
    words.iter().fold(query, |query, word| query.bind(*word)).all(db).await
}

/// Some leads of the account that have a word that begins so, when too many have.
pub(super) async fn beginning_with(
    db: &Db,
    account: AccountId,
    word: &str,
    limit: i64,
) -> Result<Vec<StoredLead>, DbError> {
    let having = "select search, number from (select search, number from lead_word
        where account = (select number from account_number where account_id = $1) and word >= $3 and word < $4
        limit $2) as first_ones";
    let query = sql_of(found_among(having)).bind(account).bind(limit).bind(word);
    query.bind(format!("{word}{WORD_END}")).all(db).await
}

fn found_among(hits: &str) -> String {
    // The lead of a hit is looked up for each by itself. As a join, PostgreSQL reads the whole search once for each hit while it knows
    // nothing of the table yet: for a minute after the first leads.
    format!(
        "select l.id, l.number, l.document, l.body, l.premium, l.version
         from (select search, number, (select x.id from search_number s join lead x on x.search_id = s.search_id
                   where s.number = newest.search and x.number = newest.number) as id
               from ({hits} order by search desc, number desc limit $2) as newest) as hit
         join lead l on l.id = hit.id
         where l.account_id = $1 order by hit.search desc, hit.number desc"
    )
}
