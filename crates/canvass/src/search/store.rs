//! All SQL about searches.

use super::batch::{Batch, Rejection};
use super::end::End;
use super::{Coverage, History, LeadsDeleted, Lease, Search};
use crate::clock::Moment;
use crate::db::{Db, DbError, Tx, insert_rows, sql};
use crate::ids::{AccountId, SearchId};
use crate::jobs::guarded;
use crate::listing::Cursor;
use crate::owned::Owned;

/// How far a search is.
#[derive(Clone, Debug, from_row::FromRow)]
pub(super) struct Progress {
    pub(super) requested: i64,
    pub(super) leads_found: i64,
    pub(super) emails_found: i64,
    #[row(try_from = "String")]
    pub(super) coverage: Coverage,
}

/// Locks the account, so that its searches start one after the other, and returns its balance.
pub(super) async fn lock_account(tx: &mut Tx, account: AccountId) -> Result<i64, DbError> {
    let row = sql("update account set credits = credits where id = $1 returning credits").bind(account);
    let (credits,) = row.one(tx).await?;
    Ok(credits)
}

pub(super) async fn count_running(tx: &mut Tx, account: AccountId) -> Result<i64, DbError> {
    let row = sql("select count(*) from search where account_id = $1 and status = 'running'").bind(account);
    let (running,) = row.one(tx).await?;
    Ok(running)
}

pub(super) async fn insert(tx: &mut Tx, search: Search) -> Result<Owned<Search>, DbError> {
    sql("insert into search (id, account_id, industry, location, request, scope, requested, notify, status, created_at,
            position, leads_found, emails_found, coverage, revision, lease_until, lease_epoch, troubles, try_at, resolved,
            cursor, listed)
         values ($1, $2, $3, $4, $5, $6, $7, $8, 'running', $9, 0, 0, 0, $10, 0, 0, 0, 0, $9, $11, $12, 0)")
    .bind(search.id)
    .bind(search.account)
    .bind(search.request.industry.as_str())
    .bind(search.request.location.as_str())
    .bind(serde_json::to_string(&search.request).expect("a request is plain data"))
    .bind(search.scope.name())
    .bind(search.requested)
    .bind(search.request.notify)
    .bind(search.created_at)
    .bind(json(&search.coverage))
    .bind(search.resolved.clone())
    .bind(search.cursor.clone())
    .run(tx)
    .await?;
    Ok(Owned::new(search.account, search))
}

fn json(coverage: &Coverage) -> String {
    serde_json::to_string(coverage).expect("a coverage is plain data")
}

impl Owned<Search> {
    /// The id with its proof of ownership, for nouns that do not know searches; an error once its leads are deleted.
    pub fn owned_id(&self) -> Result<Owned<SearchId>, LeadsDeleted> {
        self.still_has_leads()?;
        Ok(Owned::new(self.account(), self.id))
    }
}

/// A search of the account.
pub async fn find(db: &Db, account: AccountId, search: SearchId) -> Result<Option<Owned<Search>>, DbError> {
    let found = sql("select * from search where id = $1 and account_id = $2").bind(search).bind(account);
    Ok(found.optional(db).await?.map(|search| Owned::new(account, search)))
}

/// The same, within a transaction.
pub(super) async fn find_in(
    tx: &mut Tx,
    account: AccountId,
    search: SearchId,
) -> Result<Option<Owned<Search>>, DbError> {
    let found = sql("select * from search where id = $1 and account_id = $2").bind(search).bind(account);
    Ok(found.optional(tx).await?.map(|search| Owned::new(account, search)))
}

/// A search of any account: for workers, who hold its lease.
pub(super) async fn read(db: &Db, search: SearchId) -> Result<Option<Search>, DbError> {
    sql("select * from search where id = $1").bind(search).optional(db).await
}

pub(super) async fn history(db: &Db, account: AccountId, wanted: History) -> Result<Vec<Search>, DbError> {
    // Ids grow with time: newest first without a further index.
    sql("select * from search where account_id = $1 and ($2 is null or status = $2) and created_at > $3
         order by id desc limit $4")
    .bind(account)
    .bind(wanted.status.map(|status| status.name().to_owned()))
    .bind(wanted.since.map_or(i64::MIN, Moment::micros))
    .bind(wanted.limit.unwrap_or(History::SEARCHES_MAX))
    .all(db)
    .await
}

/// Notes attempts in a row that brought nothing, and where the source goes on when that is not where it stopped.
pub(super) async fn note_failures(
    tx: &mut Tx,
    lease: &Lease,
    failures: i64,
    resume_at: Option<&Cursor>,
) -> Result<(), DbError> {
    guarded(lease, "troubles = $3, cursor = coalesce($4, cursor)", "")
        .bind(failures)
        .bind(resume_at.map(|cursor| cursor.0.clone()))
        .run(tx)
        .await
        .map(|_| ())
}

/// Locks a search for a delivery. `None` when it does not run any more, or not under this lease.
pub(super) async fn lock(tx: &mut Tx, lease: &Lease) -> Result<Option<Progress>, DbError> {
    let returned = "returning requested, leads_found, emails_found, coverage";
    guarded(lease, "revision = revision + 1", returned).optional(tx).await
}

/// Saves how far a search is that [`lock`] has locked.
pub(super) async fn save(tx: &mut Tx, lease: &Lease, batch: &Batch, progress: &Progress) -> Result<(), DbError> {
    if let Some(page) = &batch.page {
        sql("insert into search_page (search_id, first_rank, entries) values ($1, $2, $3)")
            .bind(lease.id)
            .bind(page.first_rank)
            .bind(page.json())
            .run(tx)
            .await?;
    }
    if !batch.rejections.is_empty() {
        let row = |rejection: &Rejection| {
            let Rejection { rank, reason, site } = *rejection;
            vec![lease.id.into(), rank.into(), reason.name().into(), site.name().into()]
        };
        let head = "insert into search_rejection (search_id, rank, reason, site) values";
        insert_rows(head, batch.rejections.iter().map(row).collect(), "").run(tx).await?;
    }
    sql("update search set position = $2, listed = $3, cursor = coalesce($4, cursor), leads_found = $5, emails_found = $6,
            coverage = $7, troubles = 0
         where id = $1")
    .bind(lease.id)
    .bind(batch.settled_to)
    .bind(batch.listed)
    .bind(batch.cursor.as_ref().map(|cursor| cursor.0.clone()))
    .bind(progress.leads_found)
    .bind(progress.emails_found)
    .bind(json(&progress.coverage))
    .run(tx)
    .await
    .map(|_| ())
}

/// Saves what a search looked at.
pub(super) async fn save_coverage(tx: &mut Tx, search: SearchId, coverage: &Coverage) -> Result<(), DbError> {
    sql("update search set coverage = $2 where id = $1").bind(search).bind(json(coverage)).run(tx).await.map(|_| ())
}

/// The listings a search has taken, as first rank and entries, in order.
pub(super) async fn pages(db: &Db, search: SearchId) -> Result<Vec<(i64, String)>, DbError> {
    sql("select first_rank, entries from search_page where search_id = $1 order by first_rank")
        .bind(search)
        .all(db)
        .await
}

/// The candidates that were left out after their websites were read, as rank, reason and what became of the website.
pub(super) async fn rejections(db: &Db, search: SearchId) -> Result<Vec<(i64, String, String)>, DbError> {
    sql("select rank, reason, site from search_rejection where search_id = $1").bind(search).all(db).await
}

/// Forgets what only a running search needs.
pub(super) async fn forget_listings(tx: &mut Tx, search: SearchId) -> Result<(), DbError> {
    sql("delete from search_page where search_id = $1").bind(search).run(tx).await?;
    sql("delete from search_rejection where search_id = $1").bind(search).run(tx).await.map(|_| ())
}

/// Ends a running search, under this epoch when one is given. `None` when it had already ended, or the epoch is past.
pub(super) async fn end(
    tx: &mut Tx,
    search: SearchId,
    epoch: Option<i64>,
    end: &End,
) -> Result<Option<Search>, DbError> {
    sql("update search set status = $2, stopped_because = $3, failure_reason = $4, completed_at = $5,
            revision = revision + 1, lease_until = 0, lease_owner = null
         where id = $1 and status = 'running' and ($6 is null or lease_epoch = $6) returning *")
    .bind(search)
    .bind(end.status.name())
    .bind(end.because.name())
    .bind(end.failure_reason.clone())
    .bind(end.at)
    .bind(epoch)
    .optional(tx)
    .await
}

/// Records that leads of a search were changed, and how many of them have their first email now.
pub(crate) async fn leads_changed(tx: &mut Tx, search: SearchId, more_emails: i64) -> Result<(), DbError> {
    sql("update search set revision = revision + 1, emails_found = emails_found + $2 where id = $1")
        .bind(search)
        .bind(more_emails)
        .run(tx)
        .await
        .map(|_| ())
}

/// How often each of these searches has changed.
pub(super) async fn revisions(db: &Db, searches: &[SearchId]) -> Result<Vec<(SearchId, i64)>, DbError> {
    if searches.is_empty() {
        return Ok(Vec::new());
    }
    let ids = searches.iter().map(|search| (*search).into());
    let found: Vec<(String, i64)> = sql("select id, revision from search where id in").among(ids).all(db).await?;
    Ok(found.into_iter().filter_map(|(id, revision)| Some((SearchId::parse(&id)?, revision))).collect())
}
