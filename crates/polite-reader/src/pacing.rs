//! Rate limiting per registrable domain: one visit and one connection at a time, with a gap between requests that a crawl
//! delay extends and back-off doubles.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::OwnedMutexGuard;
use tokio::time::{Instant, sleep_until};

use crate::address_guard::is_under_localhost;
use crate::limits::{BACKED_OFF_GAP_MAX, HOSTS_SWEPT_AT, REST_DIVISOR, RETRY_PAUSE};

/// Tracks the last request to every host.
#[derive(Debug)]
pub(crate) struct Pacing {
    gap: Duration,
    /// A host with a gap of its own.
    exception: Option<(String, Duration)>,
    /// The gap of names under `.localhost`, when it is not the general one.
    localhost_gap: Option<Duration>,
    hosts: Mutex<HashMap<String, Host>>,
}

/// The state of one host.
#[derive(Debug, Clone)]
struct Host {
    /// Held by the one visit that is next.
    line: Arc<tokio::sync::Mutex<()>>,
    pace: Arc<tokio::sync::Mutex<Pace>>,
}

/// The timing of one host.
#[derive(Debug)]
struct Pace {
    /// When the last request began.
    begun: Instant,
    /// Earliest time of the next request.
    next: Instant,
    /// The current gap, including back-off.
    gap: Duration,
    /// The gap without back-off.
    base: Duration,
}

/// Exclusive access to one host, held as long as a connection to it may be open.
#[derive(Debug)]
pub(crate) struct HostSlot {
    host: String,
    pace: OwnedMutexGuard<Pace>,
    crawl_delay: Duration,
}

impl Pacing {
    pub(crate) fn new(gap: Duration) -> Self {
        Self { gap, exception: None, localhost_gap: None, hosts: Mutex::default() }
    }

    /// Gives names under `.localhost` their own gap. The crawl delay in their robots.txt still applies.
    pub(crate) fn with_localhost_gap(self, gap: Duration) -> Self {
        Self { localhost_gap: Some(gap), ..self }
    }

    /// Gives one host its own gap, if it is shorter than the general one.
    pub(crate) fn with_exception(self, host: &str, gap: Duration) -> Self {
        Self { exception: Some((host.to_owned(), gap.min(self.gap))), ..self }
    }

    fn gap_of(&self, host: &str) -> Duration {
        if let Some(gap) = self.localhost_gap.filter(|_| is_under_localhost(host)) {
            return gap;
        }
        self.exception.as_ref().filter(|(name, _)| name == host).map_or(self.gap, |(_, gap)| *gap)
    }

    /// Waits until no one else accesses this host.
    pub(crate) async fn slot(&self, host: &str) -> HostSlot {
        let pace = self.host(host).pace;
        HostSlot { host: host.to_owned(), pace: pace.lock_owned().await, crawl_delay: Duration::ZERO }
    }

    /// Waits until no other visit to this host is waiting or in progress.
    pub(crate) async fn queue(&self, host: &str) -> OwnedMutexGuard<()> {
        self.host(host).line.lock_owned().await
    }

    fn host(&self, host: &str) -> Host {
        let mut hosts = self.hosts.lock().unwrap_or_else(PoisonError::into_inner);
        if hosts.len() >= HOSTS_SWEPT_AT {
            let now = Instant::now();
            hosts.retain(|_, host| host.is_in_use() || host.pace.try_lock().is_ok_and(|pace| pace.next > now));
        }
        let fresh =
            || Host { line: Arc::default(), pace: Arc::new(tokio::sync::Mutex::new(Pace::new(self.gap_of(host)))) };
        hosts.entry(host.to_owned()).or_insert_with(fresh).clone()
    }
}

impl Pace {
    fn new(base: Duration) -> Self {
        let now = Instant::now();
        Self { begun: now, next: now, gap: base, base }
    }
}

impl Host {
    fn is_in_use(&self) -> bool {
        Arc::strong_count(&self.line) > 1 || Arc::strong_count(&self.pace) > 1
    }
}

impl HostSlot {
    pub(crate) fn is_of(&self, host: &str) -> bool {
        self.host == host
    }

    /// Applies the crawl delay of the host's robots.txt.
    pub(crate) fn obey_crawl_delay(&mut self, delay: Duration) {
        self.crawl_delay = delay;
    }

    pub(crate) fn crawl_delay(&self) -> Duration {
        self.crawl_delay
    }

    /// The gap currently in force.
    fn gap(&self) -> Duration {
        self.pace.gap.max(self.crawl_delay)
    }

    /// How long to wait before retrying after an error without a stated cause: two gaps, so that our own sandbox, which has
    /// none, is retried immediately.
    pub(crate) fn retry_pause(&self) -> Duration {
        (2 * self.pace.base).min(RETRY_PAUSE)
    }

    /// Waits for the gap to pass.
    pub(crate) async fn wait(&self) {
        if self.pace.next > Instant::now() {
            sleep_until(self.pace.next).await;
        }
    }

    /// Records that a request is sent now: its connection is open.
    pub(crate) fn request_begins(&mut self) {
        self.pace.begun = Instant::now();
    }

    /// Records that a request has just finished. A gap extended by back-off shrinks slowly.
    ///
    /// The gap is between the beginnings of two requests, so that a host is asked once a second however fast it answers; one that
    /// takes longer has a rest in between. What the host asked for itself, by a crawl delay or by being overloaded, begins when
    /// it has answered.
    pub(crate) fn request_done(&mut self) {
        let own = if self.pace.gap > self.pace.base { self.gap() } else { self.crawl_delay };
        let rest = own.max(self.pace.base / REST_DIVISOR);
        self.pace.next = (self.pace.begun + self.gap()).max(Instant::now() + rest);
        self.pace.gap = (self.pace.gap * 7 / 8).max(self.pace.base);
    }

    /// Backs off: no request for at least `pause`, and a longer gap from then on.
    pub(crate) fn back_off(&mut self, pause: Duration) {
        self.pace.gap = (self.pace.gap * 2).min(BACKED_OFF_GAP_MAX.max(self.pace.gap));
        self.pace.next = Instant::now() + pause.max(self.gap());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAP: Duration = Duration::from_secs(1);

    /// When each of `count` requests may start, in milliseconds.
    async fn starts(slot: &mut HostSlot, count: usize) -> Vec<u128> {
        let begin = Instant::now();
        let mut starts = Vec::new();
        for _ in 0..count {
            slot.wait().await;
            slot.request_begins();
            starts.push(begin.elapsed().as_millis());
            slot.request_done();
        }
        starts
    }

    #[tokio::test(start_paused = true)]
    async fn requests_to_one_host_are_spaced() {
        let pacing = Pacing::new(GAP);
        let mut slot = pacing.slot("a.com").await;
        assert_eq!(starts(&mut slot, 3).await, [0, 1_000, 2_000]);
    }

    #[tokio::test(start_paused = true)]
    async fn the_gap_is_between_beginnings_and_a_slow_host_has_a_rest() {
        let pacing = Pacing::new(GAP);
        let mut slot = pacing.slot("a.com").await;
        let until_next = async |slot: &mut HostSlot, took: u64| {
            slot.wait().await;
            slot.request_begins();
            tokio::time::advance(Duration::from_millis(took)).await;
            slot.request_done();
            (slot.pace.next - Instant::now()).as_millis()
        };
        assert_eq!(until_next(&mut slot, 200).await, 800);
        assert_eq!(until_next(&mut slot, 3_000).await, 250);
        slot.obey_crawl_delay(2 * GAP);
        assert_eq!(until_next(&mut slot, 3_000).await, 2_000, "what the host asks for begins when it has answered");
        slot.obey_crawl_delay(Duration::ZERO);
        slot.back_off(Duration::ZERO);
        assert_eq!(until_next(&mut slot, 3_000).await, 2_000, "and so does the gap of a host that was overloaded");
    }

    #[tokio::test(start_paused = true)]
    async fn the_gap_applies_across_visits() {
        let pacing = Pacing::new(GAP);
        starts(&mut pacing.slot("a.com").await, 1).await;
        assert_eq!(starts(&mut pacing.slot("a.com").await, 1).await, [1_000]);
        assert_eq!(starts(&mut pacing.slot("b.com").await, 1).await, [0]);
    }

    #[tokio::test(start_paused = true)]
    async fn crawl_delay_extends_the_gap_and_never_shortens_it() {
        let pacing = Pacing::new(GAP);
        let mut slot = pacing.slot("a.com").await;
        slot.obey_crawl_delay(Duration::from_secs(5));
        assert_eq!(starts(&mut slot, 2).await, [0, 5_000]);
        let mut slot = pacing.slot("b.com").await;
        slot.obey_crawl_delay(Duration::from_millis(10));
        assert_eq!(starts(&mut slot, 2).await, [0, 1_000]);
    }

    #[tokio::test(start_paused = true)]
    async fn back_off_doubles_the_gap_up_to_a_limit() {
        let pacing = Pacing::new(GAP);
        let mut slot = pacing.slot("a.com").await;
        slot.back_off(Duration::from_secs(7));
        assert_eq!(starts(&mut slot, 3).await, [7_000, 9_000, 10_750]);
        for _ in 0..10 {
            slot.back_off(Duration::ZERO);
        }
        assert_eq!(slot.gap(), BACKED_OFF_GAP_MAX);
        starts(&mut slot, 40).await;
        assert_eq!(slot.gap(), GAP);
    }

    #[tokio::test(start_paused = true)]
    async fn one_visit_at_a_time() {
        let pacing = Arc::new(Pacing::new(GAP));
        let first = pacing.slot("a.com").await;
        let second = tokio::spawn({
            let pacing = Arc::clone(&pacing);
            async move { pacing.slot("a.com").await.is_of("a.com") }
        });
        tokio::task::yield_now().await;
        assert!(!second.is_finished());
        drop(first);
        assert!(second.await.unwrap());
    }

    #[tokio::test(start_paused = true)]
    async fn idle_hosts_are_removed_and_waiting_ones_are_not() {
        let pacing = Pacing::new(GAP);
        let held = pacing.slot("held.com").await;
        for host in 0..HOSTS_SWEPT_AT {
            pacing.slot(&format!("{host}.com")).await.request_done();
        }
        tokio::time::advance(2 * GAP).await;
        drop(pacing.slot("new.com").await);
        assert_eq!(pacing.hosts.lock().unwrap().len(), 2);
        drop(held);
    }

    #[tokio::test(start_paused = true)]
    async fn one_host_can_have_its_own_gap() {
        let pacing = Pacing::new(GAP).with_exception("cdn.com", Duration::from_millis(50));
        assert_eq!(starts(&mut pacing.slot("cdn.com").await, 2).await, [0, 50]);
        assert_eq!(starts(&mut pacing.slot("a.com").await, 2).await, [0, 1_000]);
    }

    #[tokio::test(start_paused = true)]
    async fn localhost_names_have_only_the_gap_of_their_crawl_delay() {
        let pacing = Pacing::new(GAP).with_localhost_gap(Duration::ZERO);
        assert_eq!(starts(&mut pacing.slot("joe.localhost").await, 2).await, [0, 0]);
        let mut slot = pacing.slot("slow.localhost").await;
        slot.obey_crawl_delay(Duration::from_secs(2));
        assert_eq!(starts(&mut slot, 2).await, [0, 2_000]);
        for host in ["localhost", "joelocalhost", "localhost.com"] {
            assert_eq!(starts(&mut pacing.slot(host).await, 2).await, [0, 1_000], "{host}");
        }
        assert_eq!(starts(&mut Pacing::new(GAP).slot("joe.localhost").await, 2).await, [0, 1_000]);
    }
}
