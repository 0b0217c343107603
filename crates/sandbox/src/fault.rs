//! Scripted faults: what goes wrong in a test place or with a test trade.

use std::time::Duration;

/// A scripted fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Fault {
    /// No fault.
    None,
    /// There are no businesses at all.
    Empty,
    /// The listing provider refuses the region permanently.
    Blocked,
    /// The listing provider fails this many times, once at each of the first positions divisible by [`FLAKY_EVERY`];
    /// retrying helps. See [`Fault::fails_at`].
    Flaky {
        /// Number of failures.
        failures: u32,
    },
    /// The listing provider fails after [`FLAKY_EVERY`] businesses, and retrying does not help.
    FlakyForever,
    /// The listing provider takes [`SLOW_PAUSE`] before each of its pages.
    Slow,
    /// No website responds.
    DeadSites,
    /// Websites take seconds, or never end.
    SlowSites,
    /// Websites misbehave in every known way.
    HostileSites,
    /// More businesses than a search may request.
    Crowded,
    /// An advertising pixel is missing on every second fetch.
    Flicker,
    /// Every website changes something at every age.
    Restless,
}

/// Businesses between two failures of a flaky provider.
pub const FLAKY_EVERY: u32 = 7;

/// How long a slow provider takes before each of its pages.
pub const SLOW_PAUSE: Duration = Duration::from_secs(2);

impl Fault {
    /// Whether the provider fails at the business at `position`; `attempt` is the number of earlier attempts at it.
    pub fn fails_at(self, position: u64, attempt: u32) -> bool {
        let every = u64::from(FLAKY_EVERY);
        match self {
            Fault::Flaky { failures } => {
                attempt == 0 && position.is_multiple_of(every) && position / every < u64::from(failures)
            }
            Fault::FlakyForever => position >= every,
            _ => false,
        }
    }
}
