//! All SQL about marks.

use super::{Mark, MarkedLead};
use crate::clock::Moment;
use crate::db::{Db, DbError, Tx, sql};
use crate::ids::{AccountId, LeadId, SearchId};
use crate::lead::StoredLead;
use crate::owned::Owned;

/// Tags that are listed.
const TAGS_LISTED_MAX: usize = 200;

#[derive(Debug, from_row::FromRow)]
struct MarkRow {
    lead_id: String,
    starred: bool,
    note: Option<String>,
    tags: String,
}

impl MarkRow {
    fn mark(self) -> Mark {
        let tags = serde_json::from_str(&self.tags).unwrap_or_default();
        Mark { starred: self.starred, note: self.note, tags }
    }
}

/// The mark of a lead, for a change; until the transaction ends no other can change it.
pub(super) async fn lock(tx: &mut Tx, account: AccountId, lead: LeadId) -> Result<Mark, DbError> {
    let found: Option<MarkRow> = sql("update lead_mark set starred = starred where account_id = $1 and lead_id = $2
         returning lead_id, starred, note, tags")
    .bind(account)
    .bind(lead)
    .optional(tx)
    .await?;
    Ok(found.map(MarkRow::mark).unwrap_or_default())
}

/// Stores a mark; an empty one is removed.
pub(super) async fn save(tx: &mut Tx, lead: &Owned<StoredLead>, mark: &Mark, now: Moment) -> Result<(), DbError> {
    if mark.is_empty() {
        let removed = sql("delete from lead_mark where account_id = $1 and lead_id = $2");
        return removed.bind(lead.account()).bind(lead.id).run(tx).await.map(|_| ());
    }
    sql("insert into lead_mark (account_id, lead_id, starred, note, tags, updated_at) values ($1, $2, $3, $4, $5, $6)
         on conflict (account_id, lead_id) do update
         set starred = excluded.starred, note = excluded.note, tags = excluded.tags, updated_at = excluded.updated_at")
    .bind(lead.account())
    .bind(lead.id)
    .bind(mark.starred)
    .bind(mark.note.clone())
    .bind(serde_json::to_string(&mark.tags).unwrap_or_default())
    .bind(now)
    .run(tx)
    .await
    .map(|_| ())
}

/// The marks of an account's leads, those changed last first: of one search, or of all.
pub async fn list(db: &Db, account: AccountId, search: Option<Owned<SearchId>>) -> Result<Vec<MarkedLead>, DbError> {
    let search = search.map(|search| search.to_string());
    let rows: Vec<MarkRow> = sql("select m.lead_id, m.starred, m.note, m.tags from lead_mark m
         where m.account_id = $1 and ($2 is null or m.lead_id in (select id from lead where search_id = $2))
         order by m.updated_at desc, m.lead_id")
    .bind(account)
    .bind(search)
    .all(db)
    .await?;
    let marked = |row: MarkRow| Some(MarkedLead { lead: LeadId::parse(&row.lead_id)?, mark: row.mark() });
    Ok(rows.into_iter().filter_map(marked).collect())
}

/// The tags in use, with how many leads have each, the most used first.
pub async fn count_tags(db: &Db, account: AccountId) -> Result<Vec<(String, u64)>, DbError> {
    let mut counts = std::collections::BTreeMap::<String, u64>::new();
    for marked in list(db, account, None).await? {
        marked.mark.tags.into_iter().for_each(|tag| *counts.entry(tag).or_default() += 1);
    }
    let mut tags: Vec<(String, u64)> = counts.into_iter().collect();
    tags.sort_by(|one, two| two.1.cmp(&one.1).then(one.0.cmp(&two.0)));
    tags.truncate(TAGS_LISTED_MAX);
    Ok(tags)
}
