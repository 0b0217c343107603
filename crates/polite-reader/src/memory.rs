//! One budget for the bytes of all sites being read. A site reserves room before it starts and
//! waits when there is none; a page that outgrows what is left is cut. So nobody who holds
//! memory ever waits for more, and the budget cannot lock up.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::limits::{SITE_BYTES_MAX, SITE_RESERVE_BYTES};

/// Bytes one permit stands for.
const PERMIT_BYTES: usize = 1024;

/// The budget of a reader.
#[derive(Debug, Clone)]
pub(crate) struct Budget {
    permits: Arc<Semaphore>,
}

/// What one site may hold. Given back when dropped.
#[derive(Debug)]
pub(crate) struct Hold {
    permits: Arc<Semaphore>,
    held: OwnedSemaphorePermit,
    used_bytes: usize,
}

impl Budget {
    pub(crate) fn new(bytes: usize) -> Self {
        // A budget below one site's reserve would never let anybody start.
        let permits = bytes.max(SITE_RESERVE_BYTES) / PERMIT_BYTES;
        Self { permits: Arc::new(Semaphore::new(permits.min(Semaphore::MAX_PERMITS))) }
    }

    /// Waits until one more site fits.
    pub(crate) async fn reserve(&self) -> Option<Hold> {
        let reserve = u32::try_from(SITE_RESERVE_BYTES / PERMIT_BYTES).ok()?;
        let held = Arc::clone(&self.permits).acquire_many_owned(reserve).await.ok()?;
        Some(Hold { permits: Arc::clone(&self.permits), held, used_bytes: 0 })
    }
}

impl Hold {
    /// Takes up to `wanted` bytes and says how many there were.
    pub(crate) fn take_bytes(&mut self, wanted: usize) -> usize {
        let wanted = wanted.min(SITE_BYTES_MAX.saturating_sub(self.used_bytes));
        let room = self.held.num_permits() * PERMIT_BYTES - self.used_bytes;
        if wanted > room {
            self.grow((wanted - room).div_ceil(PERMIT_BYTES));
        }
        let taken = wanted.min(self.held.num_permits() * PERMIT_BYTES - self.used_bytes);
        self.used_bytes += taken;
        taken
    }

    /// Gets as many more permits as there are, up to `wanted`.
    fn grow(&mut self, wanted: usize) {
        for permits in [wanted, self.permits.available_permits().min(wanted)] {
            let Ok(permits) = u32::try_from(permits) else { continue };
            if let Ok(more) = Arc::clone(&self.permits).try_acquire_many_owned(permits) {
                self.held.merge(more);
                return;
            }
        }
    }

    /// Gives back bytes taken before.
    pub(crate) fn return_bytes(&mut self, bytes: usize) {
        self.used_bytes = self.used_bytes.saturating_sub(bytes);
        let floor = self.used_bytes.max(SITE_RESERVE_BYTES).div_ceil(PERMIT_BYTES);
        let spare = self.held.num_permits().saturating_sub(floor);
        drop(self.held.split(spare));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_page_that_outgrows_the_budget_gets_what_is_left() {
        let budget = Budget::new(2 * SITE_RESERVE_BYTES);
        let mut first = budget.reserve().await.unwrap();
        let mut second = budget.reserve().await.unwrap();
        assert_eq!(first.take_bytes(SITE_RESERVE_BYTES + 1), SITE_RESERVE_BYTES);
        assert_eq!(second.take_bytes(10), 10);
        drop(second);
        assert_eq!(first.take_bytes(SITE_RESERVE_BYTES), SITE_RESERVE_BYTES);
    }

    #[tokio::test]
    async fn a_new_site_waits_for_room_and_returned_bytes_make_some() {
        let budget = Budget::new(2 * SITE_RESERVE_BYTES);
        let mut first = budget.reserve().await.unwrap();
        let taken = first.take_bytes(2 * SITE_RESERVE_BYTES);
        assert_eq!(taken, 2 * SITE_RESERVE_BYTES);
        let waiting = tokio::spawn({
            let budget = budget.clone();
            async move { budget.reserve().await.is_some() }
        });
        tokio::task::yield_now().await;
        assert!(!waiting.is_finished());
        first.return_bytes(taken);
        assert!(waiting.await.unwrap());
    }

    #[tokio::test]
    async fn one_site_never_holds_more_than_its_own_limit() {
        let budget = Budget::new(100 * 1024 * 1024);
        let mut hold = budget.reserve().await.unwrap();
        assert_eq!(hold.take_bytes(usize::MAX), SITE_BYTES_MAX);
        assert_eq!(hold.take_bytes(1), 0);
    }
}
