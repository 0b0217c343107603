//! Whose turn it is: one reader and one connection at a time per registrable domain, with a gap
//! between requests that crawl-delay widens and trouble doubles.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::OwnedMutexGuard;
use tokio::time::{Instant, sleep_until};

use crate::address_guard::is_under_localhost;
use crate::limits::{BACKED_OFF_GAP_MAX, HOSTS_SWEPT_AT, RETRY_PAUSE};

/// Remembers every host's last request.
#[derive(Debug)]
pub(crate) struct Pacing {
    gap: Duration,
    /// A host with a gap of its own.
    exception: Option<(String, Duration)>,
    localhost: Localhost,
    hosts: Mutex<HashMap<String, Host>>,
}

/// Whose machine the names under `.localhost` are on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Localhost {
    /// Paced like any other.
    Strangers,
    /// Our own sandbox, which no gap has to protect.
    Ours,
}

/// What is remembered of one host.
#[derive(Debug, Clone)]
struct Host {
    /// Held by the one visit that is next.
    line: Arc<tokio::sync::Mutex<()>>,
    pace: Arc<tokio::sync::Mutex<Pace>>,
}

/// The pace of one host.
#[derive(Debug)]
struct Pace {
    /// No request before this.
    next: Instant,
    /// What trouble has widened the gap to.
    gap: Duration,
    /// What it is without trouble.
    base: Duration,
}

/// The right to talk to one host, held as long as a connection to it may be open.
#[derive(Debug)]
pub(crate) struct Turn {
    host: String,
    pace: OwnedMutexGuard<Pace>,
    crawl_delay: Duration,
}

impl Pacing {
    pub(crate) fn new(gap: Duration) -> Self {
        Self { gap, exception: None, localhost: Localhost::Strangers, hosts: Mutex::default() }
    }

    /// Asks names under `.localhost` without a gap of ours. What their robots rules ask for is still kept.
    pub(crate) fn with_own_localhost(self) -> Self {
        Self { localhost: Localhost::Ours, ..self }
    }

    /// Gives one host a gap of its own, where that is shorter.
    pub(crate) fn with_exception(self, host: &str, gap: Duration) -> Self {
        Self { exception: Some((host.to_owned(), gap.min(self.gap))), ..self }
    }

    fn gap_of(&self, host: &str) -> Duration {
        if self.localhost == Localhost::Ours && is_under_localhost(host) {
            return Duration::ZERO;
        }
        self.exception.as_ref().filter(|(name, _)| name == host).map_or(self.gap, |(_, gap)| *gap)
    }

    /// Waits until nobody else talks to this host.
    pub(crate) async fn turn(&self, host: &str) -> Turn {
        let pace = self.host(host).pace;
        Turn { host: host.to_owned(), pace: pace.lock_owned().await, crawl_delay: Duration::ZERO }
    }

    /// Waits until no other visit to this host is about to start or under way.
    pub(crate) async fn line_up(&self, host: &str) -> OwnedMutexGuard<()> {
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
        Self { next: Instant::now(), gap: base, base }
    }
}

impl Host {
    fn is_in_use(&self) -> bool {
        Arc::strong_count(&self.line) > 1 || Arc::strong_count(&self.pace) > 1
    }
}

impl Turn {
    /// Whether this is the turn of that host.
    pub(crate) fn is_of(&self, host: &str) -> bool {
        self.host == host
    }

    /// Takes over what the host's robots rules ask for.
    pub(crate) fn obey_crawl_delay(&mut self, delay: Duration) {
        self.crawl_delay = delay;
    }

    /// What the host's robots rules ask for.
    pub(crate) fn crawl_delay(&self) -> Duration {
        self.crawl_delay
    }

    /// The gap now in force.
    fn gap(&self) -> Duration {
        self.pace.gap.max(self.crawl_delay)
    }

    /// How long to wait before something is tried again that failed by itself: two gaps, so that our own sandbox, which
    /// has none, is asked again at once.
    pub(crate) fn retry_pause(&self) -> Duration {
        (2 * self.pace.base).min(RETRY_PAUSE)
    }

    /// Waits for the gap to pass.
    pub(crate) async fn wait(&self) {
        if self.pace.next > Instant::now() {
            sleep_until(self.pace.next).await;
        }
    }

    /// Notes that a request has just been answered. A gap that trouble has widened closes slowly.
    pub(crate) fn asked(&mut self) {
        self.pace.next = Instant::now() + self.gap();
        self.pace.gap = (self.pace.gap * 7 / 8).max(self.pace.base);
    }

    /// Notes that the host wants to be left alone: for at least `pause`, and with a wider gap from then on.
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
    async fn starts(turn: &mut Turn, count: usize) -> Vec<u128> {
        let begin = Instant::now();
        let mut starts = Vec::new();
        for _ in 0..count {
            turn.wait().await;
            starts.push(begin.elapsed().as_millis());
            turn.asked();
        }
        starts
    }

    #[tokio::test(start_paused = true)]
    async fn requests_to_one_host_keep_their_distance() {
        let pacing = Pacing::new(GAP);
        let mut turn = pacing.turn("a.com").await;
        assert_eq!(starts(&mut turn, 3).await, [0, 1_000, 2_000]);
    }

    #[tokio::test(start_paused = true)]
    async fn the_gap_outlives_the_visit() {
        let pacing = Pacing::new(GAP);
        starts(&mut pacing.turn("a.com").await, 1).await;
        assert_eq!(starts(&mut pacing.turn("a.com").await, 1).await, [1_000]);
        assert_eq!(starts(&mut pacing.turn("b.com").await, 1).await, [0]);
    }

    #[tokio::test(start_paused = true)]
    async fn crawl_delay_widens_the_gap_and_never_narrows_it() {
        let pacing = Pacing::new(GAP);
        let mut turn = pacing.turn("a.com").await;
        turn.obey_crawl_delay(Duration::from_secs(5));
        assert_eq!(starts(&mut turn, 2).await, [0, 5_000]);
        let mut turn = pacing.turn("b.com").await;
        turn.obey_crawl_delay(Duration::from_millis(10));
        assert_eq!(starts(&mut turn, 2).await, [0, 1_000]);
    }

    #[tokio::test(start_paused = true)]
    async fn a_host_in_trouble_gets_twice_the_gap_up_to_a_limit() {
        let pacing = Pacing::new(GAP);
        let mut turn = pacing.turn("a.com").await;
        turn.back_off(Duration::from_secs(7));
        assert_eq!(starts(&mut turn, 3).await, [7_000, 9_000, 10_750]);
        for _ in 0..10 {
            turn.back_off(Duration::ZERO);
        }
        assert_eq!(turn.gap(), BACKED_OFF_GAP_MAX);
        starts(&mut turn, 40).await;
        assert_eq!(turn.gap(), GAP);
    }

    #[tokio::test(start_paused = true)]
    async fn one_visitor_at_a_time() {
        let pacing = Arc::new(Pacing::new(GAP));
        let first = pacing.turn("a.com").await;
        let second = tokio::spawn({
            let pacing = Arc::clone(&pacing);
            async move { pacing.turn("a.com").await.is_of("a.com") }
        });
        tokio::task::yield_now().await;
        assert!(!second.is_finished());
        drop(first);
        assert!(second.await.unwrap());
    }

    #[tokio::test(start_paused = true)]
    async fn idle_hosts_are_forgotten_and_waiting_ones_are_not() {
        let pacing = Pacing::new(GAP);
        let held = pacing.turn("held.com").await;
        for host in 0..HOSTS_SWEPT_AT {
            pacing.turn(&format!("{host}.com")).await.asked();
        }
        tokio::time::advance(2 * GAP).await;
        drop(pacing.turn("new.com").await);
        assert_eq!(pacing.hosts.lock().unwrap().len(), 2);
        drop(held);
    }

    #[tokio::test(start_paused = true)]
    async fn one_host_may_have_its_own_gap() {
        let pacing = Pacing::new(GAP).with_exception("cdn.com", Duration::from_millis(50));
        assert_eq!(starts(&mut pacing.turn("cdn.com").await, 2).await, [0, 50]);
        assert_eq!(starts(&mut pacing.turn("a.com").await, 2).await, [0, 1_000]);
    }

    #[tokio::test(start_paused = true)]
    async fn our_own_names_have_no_gap_but_the_one_their_rules_ask_for() {
        let pacing = Pacing::new(GAP).with_own_localhost();
        assert_eq!(starts(&mut pacing.turn("joe.localhost").await, 2).await, [0, 0]);
        let mut turn = pacing.turn("slow.localhost").await;
        turn.obey_crawl_delay(Duration::from_secs(2));
        assert_eq!(starts(&mut turn, 2).await, [0, 2_000]);
        for host in ["localhost", "joelocalhost", "localhost.com"] {
            assert_eq!(starts(&mut pacing.turn(host).await, 2).await, [0, 1_000], "{host}");
        }
        assert_eq!(starts(&mut Pacing::new(GAP).turn("joe.localhost").await, 2).await, [0, 1_000]);
    }
}
