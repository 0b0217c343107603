//! One memory budget for the bytes of all sites being read. A site reserves the usual size before it starts, and waits when
//! there is no room; larger ones grow into a part that is kept for this. A page that exceeds what is left of it is truncated,
//! and its site is read again with a larger share. A holder never waits for more, so the budget cannot deadlock.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::limits::{SITE_BYTES_MAX, SITE_OVERHEAD_BYTES, SITE_RESERVE_BYTES_MAX, SITE_RESERVE_BYTES_MIN};

/// Bytes per permit.
const PERMIT_BYTES: usize = 1024;
/// Divisor of the budget for what sites need beyond their reservations: a third. Shared with those who wait to start, it would
/// be gone as soon as someone waits, and every site that is larger than usual would have to be read twice. A site also reserves
/// a third less than sites usually hold in the end, since it holds little for most of its visit; even if all came to their ends
/// at once, this part would have room for the rest.
const GROWTH_DIVISOR: usize = 3;
/// Sites at once that have all the memory that one may have.
const WHOLE_SHARES_MAX: usize = 2;

/// The memory budget of a reader.
#[derive(Debug, Clone)]
pub(crate) struct MemoryBudget {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    /// For reservations.
    permits: Arc<Semaphore>,
    /// For what exceeds them.
    growth: Arc<Semaphore>,
    whole_shares: Arc<Semaphore>,
    reservable_permits: usize,
    growth_permits: usize,
    /// What a site is to reserve, as a moving average.
    usual_bytes: AtomicUsize,
}

/// How much is reserved for a site before it is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SiteShare {
    /// What sites have used lately.
    Usual,
    /// Enough for nearly every site.
    Large,
    /// As much as a site may have: it is not truncated for want of memory.
    Whole,
}

/// The memory of one site. Released on drop.
#[derive(Debug)]
pub(crate) struct MemoryReservation {
    shared: Arc<Shared>,
    reserved: OwnedSemaphorePermit,
    grown: Option<OwnedSemaphorePermit>,
    _whole_share: Option<OwnedSemaphorePermit>,
    used_bytes: usize,
    peak_bytes: usize,
    share: SiteShare,
    fell_short: bool,
}

impl SiteShare {
    /// What a site is read again with that fell short. Few can have the whole at a time, and it takes long to be free: most
    /// have enough with less.
    pub(crate) fn larger(self) -> SiteShare {
        match self {
            SiteShare::Usual => SiteShare::Large,
            SiteShare::Large | SiteShare::Whole => SiteShare::Whole,
        }
    }
}

impl MemoryBudget {
    pub(crate) fn new(bytes: usize) -> Self {
        let total_permits = (bytes / PERMIT_BYTES).min(Semaphore::MAX_PERMITS);
        // Less than one site's reservation would never admit anyone.
        let reservable_permits =
            (total_permits - total_permits / GROWTH_DIVISOR).max(SITE_RESERVE_BYTES_MAX / PERMIT_BYTES);
        let growth_permits = total_permits.saturating_sub(reservable_permits);
        Self {
            shared: Arc::new(Shared {
                permits: Arc::new(Semaphore::new(reservable_permits)),
                growth: Arc::new(Semaphore::new(growth_permits)),
                whole_shares: Arc::new(Semaphore::new(WHOLE_SHARES_MAX)),
                reservable_permits,
                growth_permits,
                usual_bytes: AtomicUsize::new(0),
            }),
        }
    }

    /// Waits until one more site fits.
    pub(crate) async fn reserve(&self, share: SiteShare) -> Option<MemoryReservation> {
        let usual = self.shared.usual_bytes.load(Ordering::Relaxed) + SITE_OVERHEAD_BYTES;
        let (bytes, whole_share) = match share {
            SiteShare::Usual => (usual.clamp(SITE_RESERVE_BYTES_MIN, SITE_RESERVE_BYTES_MAX), None),
            SiteShare::Large => (SITE_RESERVE_BYTES_MAX, None),
            SiteShare::Whole => {
                let whole_share = Arc::clone(&self.shared.whole_shares).acquire_owned().await.ok()?;
                (SITE_BYTES_MAX + SITE_OVERHEAD_BYTES, Some(whole_share))
            }
        };
        let wanted = u32::try_from((bytes / PERMIT_BYTES).min(self.shared.reservable_permits)).ok()?;
        let reserved = Arc::clone(&self.shared.permits).acquire_many_owned(wanted).await.ok()?;
        Some(MemoryReservation {
            shared: Arc::clone(&self.shared),
            reserved,
            grown: None,
            _whole_share: whole_share,
            used_bytes: 0,
            peak_bytes: 0,
            share,
            fell_short: false,
        })
    }
}

impl MemoryReservation {
    /// Takes up to `wanted` bytes and returns how many were available.
    pub(crate) fn take_bytes(&mut self, wanted: usize) -> usize {
        let wanted = wanted.min(SITE_BYTES_MAX.saturating_sub(self.used_bytes));
        if wanted > self.room_bytes() {
            self.grow((wanted - self.room_bytes()).div_ceil(PERMIT_BYTES));
        }
        let taken = wanted.min(self.room_bytes());
        self.used_bytes += taken;
        self.peak_bytes = self.peak_bytes.max(self.used_bytes);
        taken
    }

    /// Records that something was truncated for want of memory, unless the site has all that one may have.
    pub(crate) fn record_shortage(&mut self) {
        self.fell_short |= self.share != SiteShare::Whole && self.used_bytes < SITE_BYTES_MAX;
    }

    /// Whether something was truncated that another read would get in full.
    pub(crate) fn fell_short(&self) -> bool {
        self.fell_short
    }

    /// What is reserved and not used yet, without the site's own overhead.
    fn room_bytes(&self) -> usize {
        (self.held_permits() * PERMIT_BYTES).saturating_sub(SITE_OVERHEAD_BYTES + self.used_bytes)
    }

    fn held_permits(&self) -> usize {
        self.reserved.num_permits() + self.grown.as_ref().map_or(0, OwnedSemaphorePermit::num_permits)
    }

    /// Takes bytes that are returned before anything is waited for. Later sites do not reserve as much for their whole visit.
    pub(crate) fn take_briefly(&mut self, wanted: usize) -> usize {
        let peak = self.peak_bytes;
        let taken = self.take_bytes(wanted);
        self.peak_bytes = peak;
        taken
    }

    /// Takes bytes for an optimisation, and only while sites have plenty of room to grow.
    pub(crate) fn try_take_spare(&mut self, bytes: usize) -> bool {
        if self.shared.growth.available_permits() * 2 < self.shared.growth_permits {
            return false;
        }
        let taken = self.take_briefly(bytes);
        if taken < bytes {
            self.return_bytes(taken);
        }
        taken == bytes
    }

    /// Acquires as many more permits as are free, up to `wanted`.
    fn grow(&mut self, wanted: usize) {
        let growth = &self.shared.growth;
        for wanted in [wanted, growth.available_permits().min(wanted)] {
            let Ok(wanted) = u32::try_from(wanted) else { continue };
            if let Ok(more) = Arc::clone(growth).try_acquire_many_owned(wanted) {
                match &mut self.grown {
                    Some(grown) => grown.merge(more),
                    None => self.grown = Some(more),
                }
                return;
            }
        }
    }

    /// Returns bytes taken earlier.
    pub(crate) fn return_bytes(&mut self, bytes: usize) {
        self.used_bytes = self.used_bytes.saturating_sub(bytes);
        let needed = (self.used_bytes + SITE_OVERHEAD_BYTES).div_ceil(PERMIT_BYTES);
        let spare = self.held_permits().saturating_sub(needed);
        if let Some(grown) = &mut self.grown {
            drop(grown.split(spare.min(grown.num_permits())));
        }
    }
}

impl Drop for MemoryReservation {
    fn drop(&mut self) {
        // Large sites make later ones reserve more, so that fewer start at once and none is truncated.
        let usual = self.shared.usual_bytes.load(Ordering::Relaxed);
        let usual = usual - usual / 8 + (self.peak_bytes - self.peak_bytes / GROWTH_DIVISOR) / 8;
        self.shared.usual_bytes.store(usual, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt;

    use super::*;

    const MIN: usize = SITE_RESERVE_BYTES_MIN;

    #[tokio::test]
    async fn what_is_taken_for_a_moment_is_not_reserved_for_later_sites() {
        let budget = MemoryBudget::new(10 * SITE_BYTES_MAX);
        for _ in 0..20 {
            let mut site = budget.reserve(SiteShare::Usual).await.unwrap();
            assert_eq!(site.take_briefly(10 * MIN), 10 * MIN);
            site.return_bytes(10 * MIN);
        }
        let site = budget.reserve(SiteShare::Usual).await.unwrap();
        assert_eq!(site.held_permits() * PERMIT_BYTES, MIN);
    }

    #[tokio::test]
    async fn a_page_that_exceeds_the_budget_gets_what_is_left() {
        let budget = MemoryBudget::new(3 * SITE_RESERVE_BYTES_MAX);
        let mut first = budget.reserve(SiteShare::Usual).await.unwrap();
        let mut second = budget.reserve(SiteShare::Usual).await.unwrap();
        let growth = SITE_RESERVE_BYTES_MAX;
        assert_eq!(first.take_bytes(2 * growth), MIN - SITE_OVERHEAD_BYTES + growth);
        assert_eq!(second.take_bytes(2 * MIN), MIN - SITE_OVERHEAD_BYTES);
        first.return_bytes(MIN);
        assert_eq!(second.take_bytes(2 * MIN), MIN);
    }

    #[tokio::test]
    async fn a_new_site_waits_for_room_and_takes_nothing_from_those_that_grow() {
        let budget = MemoryBudget::new(3 * SITE_RESERVE_BYTES_MAX);
        let mut sites = Vec::new();
        for _ in 0..2 * SITE_RESERVE_BYTES_MAX / MIN {
            sites.push(budget.reserve(SiteShare::Usual).await.unwrap());
        }
        let waiting = tokio::spawn({
            let budget = budget.clone();
            async move { budget.reserve(SiteShare::Usual).await.is_some() }
        });
        tokio::task::yield_now().await;
        for site in &mut sites[..2] {
            assert_eq!(site.take_bytes(4 * MIN), 4 * MIN);
            site.return_bytes(4 * MIN);
        }
        assert!(!waiting.is_finished());
        sites.pop();
        assert!(waiting.await.unwrap());
    }

    #[tokio::test]
    async fn one_site_never_holds_more_than_the_site_limit() {
        let mut reservation = MemoryBudget::new(100 * 1024 * 1024).reserve(SiteShare::Usual).await.unwrap();
        assert_eq!(reservation.take_bytes(usize::MAX), SITE_BYTES_MAX);
        assert_eq!(reservation.take_bytes(1), 0);
    }

    #[tokio::test]
    async fn a_site_with_a_whole_share_never_falls_short_and_any_other_is_worth_another_read() {
        let budget = MemoryBudget::new(2 * SITE_BYTES_MAX);
        let mut whole = budget.reserve(SiteShare::Whole).await.unwrap();
        let mut large = budget.reserve(SiteShare::Usual.larger()).await.unwrap();
        let mut usual = budget.reserve(SiteShare::Usual).await.unwrap();
        assert!(usual.take_bytes(SITE_BYTES_MAX) < SITE_BYTES_MAX);
        let large_bytes = SITE_RESERVE_BYTES_MAX - SITE_OVERHEAD_BYTES;
        assert_eq!(large.take_bytes(SITE_BYTES_MAX), large_bytes, "the room to grow is gone, but not what is reserved");
        assert_eq!(whole.take_bytes(SITE_BYTES_MAX), SITE_BYTES_MAX);
        for reservation in [&mut usual, &mut large, &mut whole] {
            reservation.record_shortage();
        }
        assert!(usual.fell_short() && large.fell_short() && !whole.fell_short());
        assert_eq!(SiteShare::Large.larger(), SiteShare::Whole);
    }

    #[tokio::test]
    async fn many_sites_that_fell_short_are_read_again_at_once() {
        let budget = MemoryBudget::new(12 * SITE_RESERVE_BYTES_MAX);
        let again: Vec<_> = (0..8).map(|_| budget.reserve(SiteShare::Usual.larger()).now_or_never()).collect();
        assert!(again.iter().all(Option::is_some), "none waits for another");
    }

    #[tokio::test]
    async fn large_sites_make_later_ones_reserve_more() {
        let budget = MemoryBudget::new(100 * 1024 * 1024);
        for _ in 0..40 {
            budget.reserve(SiteShare::Usual).await.unwrap().take_bytes(600 * 1024);
        }
        let reserved = budget.reserve(SiteShare::Usual).await.unwrap().held_permits();
        assert!((400..500).contains(&reserved), "{reserved} KiB");
        for _ in 0..80 {
            budget.reserve(SiteShare::Usual).await.unwrap().take_bytes(1024);
        }
        assert_eq!(budget.reserve(SiteShare::Usual).await.unwrap().held_permits(), MIN / PERMIT_BYTES);
    }

    #[tokio::test]
    async fn sites_that_all_hold_their_most_at_once_have_enough() {
        const USUAL: usize = 600 * 1024;
        let budget = MemoryBudget::new(30 * USUAL);
        for _ in 0..80 {
            budget.reserve(SiteShare::Usual).await.unwrap().take_bytes(USUAL);
        }
        let mut sites = Vec::new();
        while let Some(site) = budget.reserve(SiteShare::Usual).now_or_never() {
            sites.push(site.unwrap());
        }
        assert!(sites.len() > 25, "{} read at once", sites.len());
        assert!(sites.iter_mut().all(|site| site.take_bytes(USUAL) == USUAL));
    }

    #[tokio::test]
    async fn optimisations_get_memory_only_when_there_is_plenty() {
        let budget = MemoryBudget::new(9 * 1024 * 1024);
        let mut first = budget.reserve(SiteShare::Usual).await.unwrap();
        assert!(first.try_take_spare(500_000));
        let mut second = budget.reserve(SiteShare::Usual).await.unwrap();
        second.take_bytes(2 * 1024 * 1024);
        assert!(!first.try_take_spare(1));
    }
}
