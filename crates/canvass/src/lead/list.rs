//! Lists the leads of a search: which of them, in which order, page by page.

use std::collections::HashMap;

use super::{Lock, StoredLead, store};
use crate::db::{Db, DbError};
use crate::ids::SearchId;
use crate::owned::Owned;

/// Leads read from the database in one go.
const CHUNK_LEADS: usize = 200;
/// Ranks that may be walked over for each lead that is wanted.
const RANKS_SKIPPED_MAX: i64 = 4;

/// Which leads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// Scoring at least this.
    pub min_score: Option<i64>,
    /// With or without an advertising pixel.
    pub has_ad_pixel: Option<bool>,
    /// With this network's pixel; a slug.
    pub ad_network: Option<String>,
    /// With or without analytics.
    pub has_analytics: Option<bool>,
    /// Built with this; a slug.
    pub platform: Option<String>,
}

/// In which order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// As their source lists them: the same for every search that looks for the same.
    #[default]
    Rank,
    /// As they were delivered: later leads come last, so that the pages of a running search fit together.
    Delivered,
    /// The highest score first.
    Score,
}

impl Order {
    /// Every order.
    pub const ALL: [Order; 3] = [Order::Rank, Order::Delivered, Order::Score];

    /// Its name in requests.
    pub fn name(self) -> &'static str {
        match self {
            Order::Rank => "rank",
            Order::Delivered => "delivered",
            Order::Score => "score",
        }
    }

    /// The order when none is asked for.
    pub fn of_list(is_running: bool) -> Order {
        if is_running { Order::Delivered } else { Order::Rank }
    }
}

/// Which part of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Page {
    /// Leads left out at the beginning.
    pub offset: usize,
    /// Leads at most; all when not said.
    pub limit: Option<usize>,
}

/// What is wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// Which leads.
    pub filter: Filter,
    /// In which order.
    pub order: Order,
    /// Which part.
    pub page: Page,
}

/// Leads on their way, read a few at a time: however many there are, few are held at once.
#[derive(Debug)]
pub struct Listed {
    db: Db,
    search: SearchId,
    lock: Lock,
    /// How many pass the filter, on all pages.
    pub total: usize,
    ranks: std::vec::IntoIter<i64>,
}

/// Lists the leads of a search of the caller's account.
pub async fn list(db: &Db, search: Owned<SearchId>, wanted: &Wanted, lock: Lock) -> Result<Listed, DbError> {
    // A locked account sees no scores, so it cannot see their order either.
    let order = if wanted.order == Order::Score && lock != Lock::Open { Order::Rank } else { wanted.order };
    let all = store::ranks(db, *search, &wanted.filter, order).await?;
    let total = all.len();
    let page: Vec<i64> =
        all.into_iter().skip(wanted.page.offset).take(wanted.page.limit.unwrap_or(usize::MAX)).collect();
    Ok(Listed { db: db.clone(), search: *search, lock, total, ranks: page.into_iter() })
}

impl Listed {
    /// How many are left.
    pub fn len(&self) -> usize {
        self.ranks.len()
    }

    /// Whether none are left.
    pub fn is_empty(&self) -> bool {
        self.ranks.len() == 0
    }

    /// The next few, as JSON. Empty when there are no more.
    pub async fn next(&mut self) -> Result<Vec<String>, DbError> {
        let rows = self.next_rows().await?;
        Ok(rows.iter().map(|lead| lead.json(self.lock)).collect())
    }

    /// The next few, as they are stored.
    pub async fn next_rows(&mut self) -> Result<Vec<StoredLead>, DbError> {
        let ranks: Vec<i64> = self.ranks.by_ref().take(CHUNK_LEADS).collect();
        let (Some(first), Some(last)) = (ranks.first(), ranks.last()) else { return Ok(Vec::new()) };
        if ranks.is_sorted() && dense(&ranks) {
            let mut rows = store::between(&self.db, self.search, *first, *last).await?;
            // What a filter leaves out, or what was delivered since the list was made.
            rows.retain(|lead| ranks.binary_search(&lead.rank).is_ok());
            return Ok(rows);
        }
        let mut rows = store::ranked(&self.db, self.search, &ranks).await?;
        let places: HashMap<i64, usize> = ranks.iter().copied().zip(0..).collect();
        rows.sort_by_key(|lead| places.get(&lead.rank).copied());
        Ok(rows)
    }
}

/// Whether reading everything between the first and the last of these ranks reads little more than these.
fn dense(ranks: &[i64]) -> bool {
    let (Some(first), Some(last)) = (ranks.first(), ranks.last()) else { return false };
    last - first < i64::try_from(ranks.len()).unwrap_or(i64::MAX).saturating_mul(RANKS_SKIPPED_MAX)
}
