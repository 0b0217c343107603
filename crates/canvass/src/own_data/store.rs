//! All SQL about what is stored of an account as a whole.

use crate::db::{Db, DbError, Tx, sql};
use crate::ids::AccountId;
use crate::lead::StoredLead;

/// What belongs to an account, in an order in which nothing refers to what is gone. Leads and what hangs on them are found by
/// their searches, which have an index of the account.
const DELETIONS: [&str; 31] = [
    "delete from letter where link_id in (select id from access_link where account_id = $1)",
    "delete from access_link where account_id = $1",
    "delete from session where account_id = $1",
    "delete from person where account_id = $1",
    "delete from activity where account_id = $1",
    "delete from api_key where account_id = $1",
    "delete from saved_view where account_id = $1",
    "delete from lead_mark where account_id = $1",
    "delete from lead_word where account = (select number from account_number where account_id = $1)",
    "delete from owned_business where account = (select number from account_number where account_id = $1)",
    "delete from account_number where account_id = $1",
    "delete from watch_check where watch_id in (select id from watch where account_id = $1)",
    "delete from watch where account_id = $1",
    "delete from radar_alert where account_id = $1",
    "delete from radar_account where account_id = $1",
    "delete from enrichment_lead where enrichment_id in
     (select e.id from enrichment e join search s on s.id = e.search_id where s.account_id = $1)",
    "delete from enrichment where search_id in (select id from search where account_id = $1)",
    "delete from ai_use where account_id = $1",
    "delete from ai_month where account_id = $1",
    "delete from ai_account where account_id = $1",
    "delete from idempotency where account_id = $1",
    "delete from outbox where search_id in (select id from search where account_id = $1)",
    "delete from search_page where search_id in (select id from search where account_id = $1)",
    "delete from search_rejection where search_id in (select id from search where account_id = $1)",
    "delete from lead_retention where lead_id in
     (select l.id from lead l join search s on s.id = l.search_id where s.account_id = $1)",
    "delete from lead where search_id in (select id from search where account_id = $1)",
    "delete from search_number where search_id in (select id from search where account_id = $1)",
    "delete from usage_day where account_id = $1",
    "delete from search where account_id = $1",
    // The ledger is append-only, and holds no more than amounts and ids; its account stays with it, without a name.
    "update account set email = 'deleted-' || id || '@deleted.invalid', tier = 'free', signals_plus = false, radar = false
     where id = $1",
    "insert into deleted_account (account_id) values ($1)",
];

/// Deletes what is stored of an account, but for its ledger.
pub(super) async fn delete(tx: &mut Tx, account: AccountId) -> Result<(), DbError> {
    // Locked first: whoever else writes for this account waits, and then finds it gone.
    sql("update account set credits = credits where id = $1").bind(account).run(tx).await?;
    for deletion in DELETIONS {
        sql(deletion).bind(account).run(tx).await?;
    }
    Ok(())
}

/// The leads of an account behind one of them, by search; from the first if `after` is empty.
pub(super) async fn leads(db: &Db, account: AccountId, after: &str, limit: i64) -> Result<Vec<StoredLead>, DbError> {
    sql("select l.id, l.number, l.document, l.body, l.premium, l.version
         from search s join lead l on l.search_id = s.id
         where s.account_id = $1 and s.id >= coalesce((select search_id from lead where id = $2), '')
           and (s.id > coalesce((select search_id from lead where id = $2), '')
                or l.number > (select number from lead where id = $2))
         order by s.id, l.number limit $3")
    .bind(account)
    .bind(after)
    .bind(limit)
    .all(db)
    .await
}

/// A search, as it is exported.
#[derive(Debug, from_row::FromRow)]
pub(super) struct SearchRow {
    pub(super) id: String,
    pub(super) request: String,
    pub(super) status: String,
    pub(super) leads_found: i64,
    pub(super) created_at: crate::clock::Moment,
}

/// The searches of an account, oldest first.
pub(super) async fn searches(db: &Db, account: AccountId) -> Result<Vec<SearchRow>, DbError> {
    sql("select id, request, status, leads_found, created_at from search where account_id = $1 order by id")
        .bind(account)
        .all(db)
        .await
}
