//! The memory budget for reports in the hands of callers, which count until they are dropped. A report waits for room before
//! its pages are decompressed, so slow callers slow down reading instead of filling the memory.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

/// Bytes per permit.
const PERMIT_BYTES: usize = 1024;

/// Longest a report waits for others to be dropped. A caller that holds more reports than there is room for while waiting
/// for the next would otherwise deadlock with itself.
const WAIT_MAX: Duration = Duration::from_secs(30);

/// Limits the bytes of decompressed reports.
#[derive(Debug)]
pub(crate) struct ReportBudget {
    permits: Arc<Semaphore>,
    total_permits: usize,
}

/// The share of one report. Returned with its last clone.
#[derive(Debug, Clone, Default)]
pub(crate) struct ReportShare {
    parts: Vec<Arc<OwnedSemaphorePermit>>,
}

impl ReportBudget {
    pub(crate) fn new(bytes: usize) -> Self {
        let total_permits = (bytes / PERMIT_BYTES).clamp(1, Semaphore::MAX_PERMITS);
        Self { permits: Arc::new(Semaphore::new(total_permits)), total_permits }
    }

    /// Waits until this many bytes are free.
    pub(crate) async fn reserve(&self, bytes: usize) -> Option<OwnedSemaphorePermit> {
        let wanted = bytes.div_ceil(PERMIT_BYTES).min(self.total_permits);
        let permits = Arc::clone(&self.permits).acquire_many_owned(u32::try_from(wanted).ok()?);
        timeout(WAIT_MAX, permits).await.ok()?.ok()
    }
}

impl ReportShare {
    /// Adds a reservation and returns what turned out not to be needed.
    pub(crate) fn add(&mut self, reserved: Option<OwnedSemaphorePermit>, needed_bytes: usize) {
        let Some(mut permit) = reserved else { return };
        let spare = permit.num_permits().saturating_sub(needed_bytes.div_ceil(PERMIT_BYTES));
        drop(permit.split(spare));
        self.parts.push(Arc::new(permit));
    }
}

/// Always equal, so that reports compare by content.
impl PartialEq for ReportShare {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for ReportShare {}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn the_share_is_returned_with_the_last_clone() {
        let budget = ReportBudget::new(10 * PERMIT_BYTES);
        let mut share = ReportShare::default();
        share.add(budget.reserve(8 * PERMIT_BYTES).await, 3 * PERMIT_BYTES);
        assert_eq!(budget.permits.available_permits(), 7);
        let copy = share.clone();
        drop(share);
        assert_eq!(budget.permits.available_permits(), 7);
        drop(copy);
        assert_eq!(budget.permits.available_permits(), 10);
    }

    #[tokio::test(start_paused = true)]
    async fn a_caller_that_drops_nothing_waits_for_a_limited_time() {
        let budget = ReportBudget::new(10 * PERMIT_BYTES);
        let kept = budget.reserve(usize::MAX).await;
        assert_eq!(kept.as_ref().map(OwnedSemaphorePermit::num_permits), Some(10));
        assert!(budget.reserve(1).await.is_none());
        drop(kept);
        assert!(budget.reserve(1).await.is_some());
    }
}
