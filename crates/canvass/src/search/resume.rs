//! Picks a search up where it was left: what earlier workers settled is neither read again nor skipped.

use std::collections::{HashMap, HashSet};

use super::Search;
use super::coverage::LeftOut;
use super::frontier::{Frontier, ListingState};
use super::halt::Halt;
use super::listing_filter::ListingFilter;
use super::page::{Page, Screening};
use super::read::{Candidate, ReadyLead, SiteSeen};
use super::store;
use crate::db::Db;
use crate::lead;
use crate::listing::SourceError;

/// What earlier workers left behind.
pub(super) struct Resumed {
    pub(super) filter: ListingFilter,
    pub(super) frontier: Frontier<Box<ReadyLead>>,
    /// Listings that were taken and not settled.
    pub(super) candidates: Vec<Candidate>,
}

/// Reads what earlier workers left behind.
pub(super) async fn resume(db: &Db, search: &Search) -> Result<Resumed, Halt> {
    let delivered = lead::store::ranks_after(db, search.id, search.position).await.map_err(Halt::Db)?;
    let delivered: HashSet<i64> = delivered.into_iter().collect();
    let rejected = rejected(db, search).await?;
    let requested = usize::try_from(search.requested).unwrap_or(0);
    let delivered_before = usize::try_from(search.leads_found).unwrap_or(0).saturating_sub(delivered.len());
    let may_reject = search.request.filters.wants_email();
    let mut resumed = Resumed {
        filter: ListingFilter::new(search.request.filters),
        frontier: Frontier::new(requested, may_reject, search.position, delivered_before),
        candidates: Vec::new(),
    };
    for (first_rank, entries) in store::pages(db, search.id).await.map_err(Halt::Db)? {
        let page = Page::parse(first_rank, &entries).map_err(|_| unreadable())?;
        for (rank, entry) in page.ranked() {
            resumed.filter.remember(entry.dedup_keys.iter().copied());
            if rank <= search.position {
                continue;
            }
            let standing = match (entry.verdict, rejected.get(&rank)) {
                _ if delivered.contains(&rank) => ListingState::Delivered,
                (_, Some((reason, site))) => ListingState::Rejected(*reason, *site),
                (Screening::LeftOut(reason), _) => ListingState::LeftOut(reason),
                (Screening::Candidate(listing), _) => {
                    let dedup_keys = entry.dedup_keys;
                    resumed.candidates.push(Candidate { rank, listing: *listing, dedup_keys });
                    ListingState::Reading
                }
            };
            resumed.frontier.set(rank, standing);
        }
    }
    Ok(resumed)
}

async fn rejected(db: &Db, search: &Search) -> Result<HashMap<i64, (LeftOut, SiteSeen)>, Halt> {
    let rows = store::rejections(db, search.id).await.map_err(Halt::Db)?;
    let known =
        |(rank, reason, site): (i64, String, String)| Some((rank, (LeftOut::named(&reason)?, SiteSeen::named(&site)?)));
    rows.into_iter().map(|row| known(row).ok_or_else(unreadable)).collect()
}

fn unreadable() -> Halt {
    Halt::Source(SourceError::permanent("what was stored of this search was written by another version"))
}
