//! All SQL about enrichments.

use super::{Enriched, Enrichment, Lease, Task};
use crate::clock::Moment;
use crate::db::{Db, DbError, Tx, insert_rows, sql};
use crate::ids::{AccountId, EnrichmentId, LeadId, SearchId};
use crate::jobs::guarded;
use crate::lead::{LeadColumns, LeadJson};

/// Leads added in one statement.
const ROWS_AT_ONCE: usize = 500;

/// The newest enrichment of a search.
pub(super) async fn newest(db: &Db, account: AccountId, search: SearchId) -> Result<Option<Enrichment>, DbError> {
    sql("select * from enrichment where search_id = $1 and account_id = $2 order by run desc limit 1")
        .bind(search)
        .bind(account)
        .optional(db)
        .await
}

/// The running enrichment of a search, locked.
pub(super) async fn running(tx: &mut Tx, search: SearchId) -> Result<Option<Enrichment>, DbError> {
    sql("update enrichment set engine = engine where search_id = $1 and status = 'running' returning *")
        .bind(search)
        .optional(tx)
        .await
}

/// Locks the search, so that two requests at once make one enrichment.
pub(super) async fn lock_search(tx: &mut Tx, search: SearchId) -> Result<(), DbError> {
    sql("update search set revision = revision where id = $1").bind(search).run(tx).await.map(|_| ())
}

pub(super) async fn insert(tx: &mut Tx, new: &Enrichment) -> Result<(), DbError> {
    sql("insert into enrichment (id, account_id, search_id, run, status, engine, rejected_ungrounded, created_at,
            lease_until, lease_epoch)
         values ($1, $2, $3, 1 + (select coalesce(max(run), 0) from enrichment where search_id = $3), 'running', $4, 0,
            $5, 0, 0)")
    .bind(new.id)
    .bind(new.account)
    .bind(new.search)
    .bind(new.engine.as_str())
    .bind(new.created_at)
    .run(tx)
    .await
    .map(|_| ())
}

/// Adds leads; those already there stay as they are.
pub(super) async fn add_leads(tx: &mut Tx, id: EnrichmentId, leads: &[(LeadId, i64)]) -> Result<(), DbError> {
    for some in leads.chunks(ROWS_AT_ONCE) {
        let rows = some.iter().map(|(lead, number)| vec![id.into(), (*lead).into(), (*number).into()]).collect();
        let head = "insert into enrichment_lead (enrichment_id, lead_id, number) values";
        insert_rows(head, rows, "on conflict do nothing").run(tx).await?;
    }
    Ok(())
}

/// Leads that still wait, in the order of their search.
pub(super) async fn waiting(db: &Db, id: EnrichmentId, limit: i64) -> Result<Vec<LeadId>, DbError> {
    let found: Vec<(String,)> = sql("select lead_id from enrichment_lead
         where enrichment_id = $1 and status is null order by number limit $2")
    .bind(id)
    .bind(limit)
    .all(db)
    .await?;
    Ok(found.into_iter().filter_map(|(id,)| LeadId::parse(&id)).collect())
}

/// Settles one lead of a job, under the job's lease. `false` when the lease is lost: then nothing may be saved.
pub(super) async fn settle(tx: &mut Tx, task: Task<'_>, done: &Enriched) -> Result<bool, DbError> {
    let held = guarded(task.lease, "rejected_ungrounded = rejected_ungrounded + $3, engine = $4", "")
        .bind(done.rejected)
        .bind(done.engine.as_str())
        .run(tx)
        .await?;
    if held == 0 {
        return Ok(false);
    }
    let settled = sql("update enrichment_lead set status = $3, reason = $4
         where enrichment_id = $1 and lead_id = $2 and status is null")
    .bind(task.lease.id)
    .bind(task.lead)
    .bind(done.verdict.name())
    .bind(done.verdict.reason().map(str::to_owned))
    .run(tx)
    .await?;
    Ok(settled > 0)
}

/// Skips every lead that still waits, with the reason.
pub(super) async fn skip_rest(tx: &mut Tx, id: EnrichmentId, why: &str) -> Result<(), DbError> {
    sql("update enrichment_lead set status = 'skipped', reason = $2 where enrichment_id = $1 and status is null")
        .bind(id)
        .bind(why)
        .run(tx)
        .await
        .map(|_| ())
}

/// Ends an enrichment that has no waiting leads. `false` when the lease is lost, or leads were added meanwhile.
pub(super) async fn end(tx: &mut Tx, lease: &Lease, because: Option<&str>, now: Moment) -> Result<bool, DbError> {
    let ended = guarded(
        lease,
        "status = 'done', stopped_because = $3, completed_at = $4, lease_until = 0, lease_owner = null",
        "and not exists (select 1 from enrichment_lead where enrichment_id = $1 and status is null)",
    )
    .bind(because.map(str::to_owned))
    .bind(now)
    .run(tx)
    .await?;
    Ok(ended > 0)
}

/// A lead of an enrichment, with the lead's body as it is now.
#[derive(Clone, Debug, from_row::FromRow)]
pub(super) struct LeadRow {
    pub(super) lead_id: String,
    pub(super) status: Option<String>,
    pub(super) reason: Option<String>,
    #[row(flatten, try_from = "LeadColumns")]
    pub(super) lead: LeadJson,
}

/// Every lead of an enrichment, in order.
pub(super) async fn rows(db: &Db, id: EnrichmentId) -> Result<Vec<LeadRow>, DbError> {
    sql("select e.lead_id, e.status, e.reason, l.document, l.body, l.version from enrichment_lead e join lead l on l.id = e.lead_id
         where e.enrichment_id = $1 order by e.number")
    .bind(id)
    .all(db)
    .await
}

/// Whether this enrichment of a search has not ended.
pub(super) async fn is_running(db: &Db, search: SearchId, id: EnrichmentId) -> Result<bool, DbError> {
    let found = sql("select status from enrichment where id = $1 and search_id = $2").bind(id).bind(search);
    let row: Option<(String,)> = found.optional(db).await?;
    Ok(row.is_some_and(|(status,)| status == super::Status::Running.name()))
}
