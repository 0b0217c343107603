//! All SQL about content that may be kept only for a time.

use super::{Expiring, SiteSays};
use crate::clock::Moment;
use crate::db::{Db, DbError, Tx, Value, insert_rows, sql};
use crate::ids::{AccountId, LeadId, SearchId};
use crate::lead::Lead;

/// Records that these leads, delivered just now, have content that may be kept only for a time.
pub(crate) async fn insert(tx: &mut Tx, rows: Vec<Vec<Value>>) -> Result<(), DbError> {
    if rows.is_empty() {
        return Ok(());
    }
    let head = "insert into lead_retention (lead_id, source, delivered_at, site_says) values";
    insert_rows(head, rows, "").run(tx).await.map(|_| ())
}

/// What [`insert`] inserts for a lead.
pub(crate) fn row(lead: &Lead, expiring: &Expiring) -> Vec<Value> {
    let says = serde_json::to_string(&expiring.site_says).expect("what a website says is plain data");
    vec![lead.lead_id.into(), expiring.source.into(), lead.delivered_at.into(), says.into()]
}

/// Which content is due to be deleted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DueWhen<'a> {
    pub(crate) source: &'a str,
    /// What was delivered up to then, unless its search still runs.
    pub(crate) ended_before: Moment,
    /// What was delivered up to then in any case.
    pub(crate) any_before: Moment,
}

/// A lead with content that is due to be deleted, of whatever account.
#[derive(Clone, Copy, Debug, from_row::FromRow)]
pub(crate) struct DueLead {
    #[row(try_from = "String")]
    pub(crate) id: LeadId,
    #[row(try_from = "String", rename = "account_id")]
    pub(crate) account: AccountId,
    #[row(try_from = "String", rename = "search_id")]
    pub(crate) search: SearchId,
}

/// The next leads behind an id whose content is due, in order.
pub(crate) async fn due(db: &Db, when: DueWhen<'_>, after: &str, limit: i64) -> Result<Vec<DueLead>, DbError> {
    sql("select lead.id, lead.account_id, lead.search_id from lead_retention
         join lead on lead.id = lead_retention.lead_id join search on search.id = lead.search_id
         where lead_retention.source = $1 and lead_retention.delivered_at <= $2
             and (search.status <> 'running' or lead_retention.delivered_at <= $3) and lead_retention.lead_id > $4
         order by lead_retention.lead_id limit $5")
    .bind(when.source)
    .bind(when.ended_before)
    .bind(when.any_before)
    .bind(after)
    .bind(limit)
    .all(db)
    .await
}

/// Takes the record of a lead's content away, to delete that content in the same transaction. `None` when another process did.
pub(crate) async fn take(tx: &mut Tx, lead: LeadId) -> Result<Option<SiteSays>, DbError> {
    let taken: Option<(String,)> =
        sql("delete from lead_retention where lead_id = $1 returning site_says").bind(lead).optional(tx).await?;
    Ok(taken.map(|(says,)| serde_json::from_str(&says).unwrap_or_default()))
}
