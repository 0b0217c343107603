//! Lists the leads of a search, a few at a time.

use std::collections::HashMap;

use super::query::{LeadOrder, LeadQuery};
use super::{LeadDocument, Lock, store};
use crate::db::{Db, DbError};
use crate::ids::{LeadId, SearchId};
use crate::owned::Owned;

/// Leads read by one statement.
const CHUNK_LEADS: usize = 200;
/// Ranks that a range read may skip for each lead that is wanted.
const RANKS_SKIPPED_MAX: i64 = 4;

/// Leads that are read as they are needed, so that few are in memory however long the list is.
#[derive(Debug)]
pub struct LeadList {
    db: Db,
    search: SearchId,
    lock: Lock,
    /// Leads that pass the filter, on all pages.
    pub total: usize,
    ranks: std::vec::IntoIter<i64>,
}

/// Lists the leads of a search of the caller's account.
pub async fn list(db: &Db, search: Owned<SearchId>, wanted: &LeadQuery, lock: Lock) -> Result<LeadList, DbError> {
    // A locked account sees no scores, so it cannot see their order either.
    let order = if wanted.order == LeadOrder::Score && lock != Lock::Open { LeadOrder::Rank } else { wanted.order };
    let all = store::ranks(db, *search, &wanted.filter, order).await?;
    let total = all.len();
    let page: Vec<i64> =
        all.into_iter().skip(wanted.page.offset).take(wanted.page.limit.unwrap_or(usize::MAX)).collect();
    Ok(LeadList { db: db.clone(), search: *search, lock, total, ranks: page.into_iter() })
}

/// Lists chosen leads of a search of the caller's account, in the order of the source. Ids of other leads are ignored: compare the
/// total.
pub async fn list_chosen(db: &Db, search: Owned<SearchId>, chosen: &[LeadId], lock: Lock) -> Result<LeadList, DbError> {
    let ranks = store::ranks_of(db, *search, chosen).await?;
    Ok(LeadList { db: db.clone(), search: *search, lock, total: ranks.len(), ranks: ranks.into_iter() })
}

impl LeadList {
    /// Leads not read yet.
    pub fn len(&self) -> usize {
        self.ranks.len()
    }

    /// Whether all leads have been read.
    pub fn is_empty(&self) -> bool {
        self.ranks.len() == 0
    }

    /// The next leads as JSON; empty at the end.
    pub async fn next(&mut self) -> Result<Vec<String>, DbError> {
        let rows = self.next_rows().await?;
        Ok(rows.iter().map(|lead| lead.json(self.lock)).collect())
    }

    /// The next leads; empty at the end.
    pub async fn next_rows(&mut self) -> Result<Vec<LeadDocument>, DbError> {
        let ranks: Vec<i64> = self.ranks.by_ref().take(CHUNK_LEADS).collect();
        let (Some(first), Some(last)) = (ranks.first(), ranks.last()) else { return Ok(Vec::new()) };
        if ranks.is_sorted() && dense(&ranks) {
            let mut rows = store::between(&self.db, self.search, *first, *last).await?;
            // Drops what the filter left out, and what was delivered after the list was made.
            rows.retain(|lead| ranks.binary_search(&lead.rank).is_ok());
            return Ok(rows.into_iter().map(|lead| lead.document).collect());
        }
        let mut rows = store::ranked(&self.db, self.search, &ranks).await?;
        let places: HashMap<i64, usize> = ranks.iter().copied().zip(0..).collect();
        rows.sort_by_key(|lead| places.get(&lead.rank).copied());
        Ok(rows.into_iter().map(|lead| lead.document).collect())
    }
}

/// Whether the range from the first to the last of these ranks holds few others.
fn dense(ranks: &[i64]) -> bool {
    let (Some(first), Some(last)) = (ranks.first(), ranks.last()) else { return false };
    last - first < i64::try_from(ranks.len()).unwrap_or(i64::MAX).saturating_mul(RANKS_SKIPPED_MAX)
}
