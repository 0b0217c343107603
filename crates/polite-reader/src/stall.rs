//! Detects that this process did not run for a while: stopped by a signal, suspended with its machine, or starved of CPU time.
//! Deadlines that passed meanwhile say nothing about the sites they were set for.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use tokio::task::JoinHandle;
use tokio::time::sleep;

/// Ticks within the shortest pause that counts as a stall.
const TICKS_PER_STALL: u32 = 4;

/// Watches the clocks while a read is in progress.
#[derive(Debug)]
pub(crate) struct StallDetector {
    shared: Arc<Shared>,
    ticker: Mutex<Option<JoinHandle<()>>>,
}

#[derive(Debug)]
struct Shared {
    stall_min: Duration,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    last_tick: Clocks,
    /// Stalls detected so far.
    stalls: u64,
    /// Reads in progress; the ticker ends when there are none.
    watchers: usize,
}

/// One moment by two clocks. A stopped process misses both; on a suspended machine the monotonic clock stands still.
#[derive(Debug, Clone, Copy)]
struct Clocks {
    monotonic: Instant,
    wall: SystemTime,
}

/// Tells whether this process was stalled (stopped, suspended, starved) since the watch began, which makes deadlines that
/// passed meanwhile meaningless.
#[derive(Debug)]
pub struct StallWatch {
    shared: Arc<Shared>,
    stalls_before: u64,
}

impl Clocks {
    fn now() -> Self {
        #[expect(clippy::disallowed_methods, reason = "compares two clocks of the machine; no time is stored")]
        let wall = SystemTime::now();
        Self { monotonic: Instant::now(), wall }
    }

    /// The longer of the two elapsed times. A wall clock that was set forward looks like a suspended machine, which costs a
    /// second read and no wrong result.
    fn elapsed_until(&self, later: &Self) -> Duration {
        let by_wall = later.wall.duration_since(self.wall).unwrap_or_default();
        later.monotonic.saturating_duration_since(self.monotonic).max(by_wall)
    }
}

impl StallDetector {
    /// Counts pauses of at least `stall_min`.
    pub(crate) fn new(stall_min: Duration) -> Self {
        let state = State { last_tick: Clocks::now(), stalls: 0, watchers: 0 };
        Self { shared: Arc::new(Shared { stall_min, state: Mutex::new(state) }), ticker: Mutex::default() }
    }

    /// Starts watching on behalf of one read.
    pub(crate) fn watch(&self) -> StallWatch {
        let mut ticker = self.ticker.lock().unwrap_or_else(PoisonError::into_inner);
        let mut state = self.shared.lock();
        if ticker.as_ref().is_none_or(JoinHandle::is_finished) {
            state.last_tick = Clocks::now();
            *ticker = Some(tokio::spawn(tick(Arc::clone(&self.shared))));
        }
        state.watchers += 1;
        StallWatch { shared: Arc::clone(&self.shared), stalls_before: state.stalls }
    }
}

/// Ticks as long as anyone watches.
async fn tick(shared: Arc<Shared>) {
    loop {
        sleep(shared.stall_min / TICKS_PER_STALL).await;
        let mut state = shared.lock();
        state.notice(shared.stall_min);
        state.last_tick = Clocks::now();
        if state.watchers == 0 {
            return;
        }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Counts a stall when the last tick is too long ago.
    fn notice(&mut self, stall_min: Duration) {
        let now = Clocks::now();
        if self.last_tick.elapsed_until(&now) > stall_min {
            self.stalls += 1;
            self.last_tick = now;
        }
    }
}

impl StallWatch {
    /// Whether there was a stall since this watch began. Does not depend on the ticker having run: after a suspension the
    /// deadlines of reads may fire before it.
    #[must_use]
    pub fn has_stalled(&self) -> bool {
        let mut state = self.shared.lock();
        state.notice(self.shared.stall_min);
        state.stalls != self.stalls_before
    }
}

impl Drop for StallWatch {
    fn drop(&mut self) {
        self.shared.lock().watchers -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STALL_MIN: Duration = Duration::from_secs(2);

    /// Pretends that the last tick was this long ago by each clock.
    fn rewind(detector: &StallDetector, monotonic: Duration, wall: Duration) {
        let mut state = detector.shared.lock();
        state.last_tick.monotonic -= monotonic;
        state.last_tick.wall -= wall;
    }

    #[tokio::test]
    async fn a_stopped_process_and_a_suspended_machine_are_stalls_and_a_short_pause_is_not() {
        let (short, long) = (STALL_MIN / 2, STALL_MIN * 3);
        let cases = [
            (Duration::ZERO, Duration::ZERO, false),
            (short, short, false),
            (long, long, true),
            (Duration::ZERO, long, true),
            (long, Duration::ZERO, true),
        ];
        for (monotonic, wall, expected) in cases {
            let detector = StallDetector::new(STALL_MIN);
            let watch = detector.watch();
            rewind(&detector, monotonic, wall);
            assert_eq!(watch.has_stalled(), expected, "{monotonic:?} {wall:?}");
            assert_eq!(watch.has_stalled(), expected, "the result is stable");
            assert!(!detector.watch().has_stalled(), "a later watch is not affected");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn the_ticker_detects_a_stall_for_all_and_ends_with_the_last_watch() {
        let detector = StallDetector::new(STALL_MIN);
        let (first, second) = (detector.watch(), detector.watch());
        rewind(&detector, STALL_MIN * 2, STALL_MIN * 2);
        sleep(STALL_MIN).await;
        assert!(first.has_stalled() && second.has_stalled());
        drop((first, second));
        sleep(STALL_MIN).await;
        assert!(detector.ticker.lock().unwrap().as_ref().unwrap().is_finished());
        assert!(!detector.watch().has_stalled());
    }
}
