//! All SQL about what is deleted of searches that ended long ago.

use crate::clock::Moment;
use crate::db::{Db, DbError, Tx, sql};
use crate::ids::{AccountId, LeadId, SearchId};
use crate::lead::WordedLead;
use crate::lead::place::Belongs;

/// A search that ended long ago, of whatever account.
#[derive(Clone, Copy, Debug, from_row::FromRow)]
pub(super) struct EndedSearch {
    #[row(try_from = "String")]
    pub(super) id: SearchId,
    #[row(try_from = "String", rename = "account_id")]
    account: AccountId,
}

impl EndedSearch {
    pub(super) fn belongs(self) -> Belongs {
        Belongs { account: self.account, search: self.id }
    }
}

/// The searches that ended up to then and still have leads to delete, the oldest first.
pub(super) async fn unpruned(db: &Db, ended_before: Moment, limit: i64) -> Result<Vec<EndedSearch>, DbError> {
    sql("select id, account_id from search where completed_at <= $1 and is_pruned = false order by completed_at limit $2")
        .bind(ended_before)
        .bind(limit)
        .all(db)
        .await
}

/// The searches that ended up to then and still have text of websites to delete, the oldest first.
pub(super) async fn text_unpruned(db: &Db, ended_before: Moment, limit: i64) -> Result<Vec<EndedSearch>, DbError> {
    sql("select id, account_id from search where completed_at <= $1 and is_text_pruned = false
         order by completed_at limit $2")
    .bind(ended_before)
    .bind(limit)
    .all(db)
    .await
}

/// Says that the leads of a search are deleted, before they are: whoever reads them meanwhile would get a part.
pub(super) async fn announce(tx: &mut Tx, search: SearchId, now: Moment) -> Result<(), DbError> {
    sql("update search set leads_deleted_at = coalesce(leads_deleted_at, $2), revision = revision + 1 where id = $1")
        .bind(search)
        .bind(now)
        .run(tx)
        .await
        .map(|_| ())
}

/// The first leads of a search, but for those that Radar watches.
pub(super) async fn unwatched(tx: &mut Tx, search: SearchId, limit: i64) -> Result<Vec<WordedLead>, DbError> {
    sql("select id, number, document, body, premium, version from lead where search_id = $1
         and not exists (select 1 from watch where watch.lead_id = lead.id) order by number limit $2")
    .bind(search)
    .bind(limit)
    .all(tx)
    .await
}

/// What refers to leads, and then the leads.
const DELETIONS: [&str; 4] = [
    "delete from lead_mark where lead_id in",
    "delete from enrichment_lead where lead_id in",
    "delete from lead_retention where lead_id in",
    "delete from lead where id in",
];

/// Deletes leads. Their words are forgotten before.
pub(super) async fn delete_leads(tx: &mut Tx, leads: &[LeadId]) -> Result<(), DbError> {
    for deletion in DELETIONS {
        sql(deletion).among(leads.iter().map(|lead| (*lead).into())).run(tx).await?;
    }
    Ok(())
}

/// Deletes what else is kept of a search whose leads are deleted, and says that nothing is left to do.
pub(super) async fn settle(tx: &mut Tx, search: SearchId) -> Result<(), DbError> {
    for rest in [
        "delete from search_page where search_id = $1",
        "delete from search_rejection where search_id = $1",
        "update search set is_pruned = true where id = $1",
    ] {
        sql(rest).bind(search).run(tx).await?;
    }
    Ok(())
}

/// Says that no text of websites is left of a search.
pub(super) async fn settle_text(tx: &mut Tx, search: SearchId) -> Result<(), DbError> {
    sql("update search set is_text_pruned = true where id = $1").bind(search).run(tx).await.map(|_| ())
}
