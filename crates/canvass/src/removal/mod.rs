//! The removal of what may not be stored any longer, of all accounts. Of suppressed businesses leads are blanked, watches with their
//! checks and alerts deleted, stored replies that may tell of them forgotten; of other leads, the content of a listing whose source
//! allows it to be kept only for a time; of searches that ended long ago, what the operator's settings say.
//!
//! Every batch commits by itself, and a lead that is blanked is not found again: whatever interrupts a removal, doing it again
//! finishes it. Charges stay: what was delivered was paid for.

mod blank;
mod catch_up;
mod expire;
mod prune;
mod store;
mod suppress;

pub use catch_up::catch_up;
pub use expire::expire;
pub use prune::{Pruned, prune};
pub use suppress::{Suppressed, suppress};

/// What was removed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Removed {
    /// Stored leads of which nothing is left but that they were delivered.
    pub leads_blanked: u64,
    /// Watches that are gone.
    pub watches_removed: u64,
}

impl Removed {
    /// Whether there was nothing to remove.
    pub fn is_nothing(&self) -> bool {
        *self == Removed::default()
    }
}
