//! Lists the leads of a search, a few at a time.

use super::query::{LeadOrder, LeadQuery};
use super::{Lock, StoredLead, store};
use crate::db::{Db, DbError};
use crate::ids::SearchId;

/// Leads read by one statement.
const CHUNK_LEADS: usize = 200;

/// Leads that are read as they are needed, so that few are in memory however long the list is.
#[derive(Debug)]
pub struct LeadList {
    db: Db,
    search: SearchId,
    lock: Lock,
    /// Leads that pass the filter, on all pages.
    pub total: usize,
    numbers: std::vec::IntoIter<i64>,
}

/// Lists the leads of a search. The caller has checked that the search belongs to the account.
pub async fn list(db: &Db, search: SearchId, wanted: &LeadQuery, lock: Lock) -> Result<LeadList, DbError> {
    // A locked account sees no scores, so it cannot see their order either.
    let order = if lock == Lock::Open { wanted.order } else { LeadOrder::Delivered };
    let all = store::numbers(db, search, &wanted.filter, order).await?;
    let total = all.len();
    let page: Vec<i64> =
        all.into_iter().skip(wanted.page.offset).take(wanted.page.limit.unwrap_or(usize::MAX)).collect();
    Ok(LeadList { db: db.clone(), search, lock, total, numbers: page.into_iter() })
}

impl LeadList {
    /// Leads not read yet.
    pub fn len(&self) -> usize {
        self.numbers.len()
    }

    /// Whether all leads have been read.
    pub fn is_empty(&self) -> bool {
        self.numbers.len() == 0
    }

    /// The next leads as JSON; empty at the end.
    pub async fn next(&mut self) -> Result<Vec<String>, DbError> {
        let rows = self.next_rows().await?;
        Ok(rows.iter().map(|lead| lead.json(self.lock)).collect())
    }

    /// The next leads; empty at the end.
    pub async fn next_rows(&mut self) -> Result<Vec<StoredLead>, DbError> {
        let numbers: Vec<i64> = self.numbers.by_ref().take(CHUNK_LEADS).collect();
        if numbers.is_empty() {
            return Ok(Vec::new());
        }
        let mut rows = store::numbered(&self.db, self.search, &numbers).await?;
        if !numbers.is_sorted() {
            let place = |number: i64| numbers.iter().position(|wanted| *wanted == number);
            rows.sort_by_cached_key(|lead| place(lead.number));
        }
        Ok(rows)
    }
}
