//! Lists the leads of a search: which of them, in which order, page by page.

use super::{Lock, StoredLead, store};
use crate::db::{Db, DbError};
use crate::ids::SearchId;
use crate::owned::Owned;

/// Leads read from the database in one go.
const CHUNK_LEADS: usize = 200;

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
    /// As they were delivered.
    #[default]
    Delivered,
    /// The highest score first.
    Score,
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
    numbers: std::vec::IntoIter<i64>,
}

/// Lists the leads of a search of the caller's account.
pub async fn list(db: &Db, search: Owned<SearchId>, wanted: &Wanted, lock: Lock) -> Result<Listed, DbError> {
    // A locked account sees no scores, so it cannot see their order either.
    let order = if lock == Lock::Open { wanted.order } else { Order::Delivered };
    let all = store::numbers(db, *search, &wanted.filter, order).await?;
    let total = all.len();
    let page: Vec<i64> =
        all.into_iter().skip(wanted.page.offset).take(wanted.page.limit.unwrap_or(usize::MAX)).collect();
    Ok(Listed { db: db.clone(), search: *search, lock, total, numbers: page.into_iter() })
}

impl Listed {
    /// How many are left.
    pub fn len(&self) -> usize {
        self.numbers.len()
    }

    /// Whether none are left.
    pub fn is_empty(&self) -> bool {
        self.numbers.len() == 0
    }

    /// The next few, as JSON. Empty when there are no more.
    pub async fn next(&mut self) -> Result<Vec<String>, DbError> {
        let rows = self.next_rows().await?;
        Ok(rows.iter().map(|lead| lead.json(self.lock)).collect())
    }

    /// The next few, as they are stored.
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
