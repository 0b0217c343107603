//! All SQL about usage.

use crate::clock::Moment;
use crate::db::{Db, DbError, sql};
use crate::ids::AccountId;

/// What was used on one day, in UTC.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, from_row::FromRow)]
pub struct DayOfUse {
    /// Days since 1970.
    pub day: i64,
    /// Credits spent.
    pub credits: i64,
    /// Leads delivered.
    pub leads: i64,
    /// Searches started.
    pub searches: i64,
}

/// What is used of the allowances so far.
#[derive(Clone, Copy, Debug, from_row::FromRow)]
pub(super) struct SoFar {
    pub(super) enrichments: i64,
    pub(super) intros: i64,
    pub(super) packs: i64,
    pub(super) has_own_key: bool,
    pub(super) watches: i64,
}

/// One statement, because the web app and programs ask for it often.
pub(super) async fn so_far(db: &Db, account: AccountId, month: &str) -> Result<SoFar, DbError> {
    sql("select
            coalesce((select used from ai_month where account_id = $1 and feature = 'enrich' and month = $2), 0) as enrichments,
            coalesce((select used from ai_month where account_id = $1 and feature = 'intro' and month = $2), 0) as intros,
            coalesce((select pack from ai_account where account_id = $1), 0) as packs,
            exists (select 1 from ai_account where account_id = $1 and own_key is not null) as has_own_key,
            (select count(*) from watch where account_id = $1) as watches")
    .bind(account)
    .bind(month)
    .one(db)
    .await
}

/// The days on which something was used, since a moment.
pub(super) async fn by_day(db: &Db, account: AccountId, since: Moment) -> Result<Vec<DayOfUse>, DbError> {
    sql("select day, cast(sum(credits) as bigint) as credits, cast(sum(leads) as bigint) as leads,
                cast(sum(searches) as bigint) as searches
         from (
            select day, credits, leads, 0 as searches from usage_day where account_id = $1 and day >= $2 / 86400000000
            union all
            select created_at / 86400000000, 0, 0, 1 from search where account_id = $1 and created_at >= $2
         ) as used
         group by day order by day")
    .bind(account)
    .bind(since)
    .all(db)
    .await
}
