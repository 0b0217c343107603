//! Reports that are handed out with their pages open count until they are let go of. A report waits
//! for room before its pages are opened, so that slow callers hold up reading and not fill the memory.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

/// Bytes one permit stands for.
const PERMIT_BYTES: usize = 1024;

/// Longest a report waits for others to be let go of. A caller that keeps more reports than there is
/// room for, and waits for the next, would otherwise wait for itself.
const WAIT_MAX: Duration = Duration::from_secs(30);

/// The bytes that may be lent at once.
#[derive(Debug)]
pub(crate) struct Lending {
    permits: Arc<Semaphore>,
    total_permits: usize,
}

/// What one report has been lent. Given back with its last clone.
#[derive(Debug, Clone, Default)]
pub(crate) struct Lent {
    parts: Vec<Arc<OwnedSemaphorePermit>>,
}

impl Lending {
    pub(crate) fn new(bytes: usize) -> Self {
        let total_permits = (bytes / PERMIT_BYTES).clamp(1, Semaphore::MAX_PERMITS);
        Self { permits: Arc::new(Semaphore::new(total_permits)), total_permits }
    }

    /// Waits until this many bytes can be lent.
    pub(crate) async fn reserve(&self, bytes: usize) -> Option<OwnedSemaphorePermit> {
        let wanted = bytes.div_ceil(PERMIT_BYTES).min(self.total_permits);
        let permits = Arc::clone(&self.permits).acquire_many_owned(u32::try_from(wanted).ok()?);
        timeout(WAIT_MAX, permits).await.ok()?.ok()
    }
}

impl Lent {
    /// Adds what was reserved, and gives back what turned out not to be needed.
    pub(crate) fn add(&mut self, reserved: Option<OwnedSemaphorePermit>, needed_bytes: usize) {
        let Some(mut permit) = reserved else { return };
        let spare = permit.num_permits().saturating_sub(needed_bytes.div_ceil(PERMIT_BYTES));
        drop(permit.split(spare));
        self.parts.push(Arc::new(permit));
    }
}

/// Reports are the same when they say the same.
impl PartialEq for Lent {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Lent {}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn what_is_lent_comes_back_with_the_last_clone() {
        let lending = Lending::new(10 * PERMIT_BYTES);
        let mut lent = Lent::default();
        lent.add(lending.reserve(8 * PERMIT_BYTES).await, 3 * PERMIT_BYTES);
        assert_eq!(lending.permits.available_permits(), 7);
        let copy = lent.clone();
        drop(lent);
        assert_eq!(lending.permits.available_permits(), 7);
        drop(copy);
        assert_eq!(lending.permits.available_permits(), 10);
    }

    #[tokio::test(start_paused = true)]
    async fn who_keeps_everything_waits_a_while_and_not_for_ever() {
        let lending = Lending::new(10 * PERMIT_BYTES);
        let kept = lending.reserve(usize::MAX).await;
        assert_eq!(kept.as_ref().map(OwnedSemaphorePermit::num_permits), Some(10));
        assert!(lending.reserve(1).await.is_none());
        drop(kept);
        assert!(lending.reserve(1).await.is_some());
    }
}
