//! How often a caller may ask. Counted in this process, so that no request waits for the database; `share_rates` adds what
//! callers use on the other servers of the same database.

use std::num::NonZeroU32;
use std::time::{Duration, Instant};

use dashmap::DashMap;
use http::{HeaderMap, HeaderName, HeaderValue};

use super::Problem;
use super::via::Via;

/// The window a rate is stated for.
const WINDOW: Duration = Duration::from_secs(60);
const WINDOW_SECONDS: u64 = WINDOW.as_secs();

/// How often each key, and each session, may ask.
pub struct RateLimits {
    callers: DashMap<Via, Usage>,
    per_window: u64,
    /// How long it takes until one used request is available again.
    cost: Duration,
}

/// What a caller has used of its quota.
#[derive(Clone, Copy)]
struct Usage {
    /// When the whole quota is available again.
    full_at: Instant,
    /// Requests that the other servers do not know of.
    unshared: u32,
}

/// The limit as it is told to clients.
#[derive(Clone, Copy)]
struct Policy {
    /// `key` or `session`.
    name: &'static str,
    per_window: u64,
}

/// A request within the limit, and what is left of it.
pub struct Pass {
    policy: Policy,
    remaining: u64,
}

/// A request beyond the limit.
pub struct TooFast {
    policy: Policy,
    wait: Duration,
}

impl RateLimits {
    /// So many requests a minute for each caller, refilled evenly; a burst may use them all at once.
    pub fn per_minute(requests: NonZeroU32) -> RateLimits {
        RateLimits { callers: DashMap::new(), per_window: requests.get().into(), cost: WINDOW / requests.get() }
    }

    /// Counts a request of this caller.
    pub fn check(&self, via: Via) -> Result<Pass, TooFast> {
        self.check_at(via, Instant::now())
    }

    fn check_at(&self, via: Via, now: Instant) -> Result<Pass, TooFast> {
        let policy = Policy { name: via.kind(), per_window: self.per_window };
        let mut usage = self.callers.entry(via).or_insert(Usage { full_at: now, unshared: 0 });
        let full_at = usage.full_at.max(now) + self.cost;
        let room = (now + WINDOW).checked_duration_since(full_at);
        let Some(room) = room else { return Err(TooFast { policy, wait: full_at - (now + WINDOW) }) };
        *usage = Usage { full_at, unshared: usage.unshared.saturating_add(1) };
        let remaining = room.as_nanos() / self.cost.as_nanos().max(1);
        Ok(Pass { policy, remaining: u64::try_from(remaining).unwrap_or(u64::MAX) })
    }

    /// Takes the requests that the other servers do not know of, as the time they use up.
    pub(crate) fn take_unshared(&self) -> Vec<(Via, Duration)> {
        let mut taken = Vec::new();
        for mut usage in self.callers.iter_mut().filter(|usage| usage.unshared > 0) {
            taken.push((*usage.key(), self.cost * usage.unshared));
            usage.unshared = 0;
        }
        taken
    }

    /// Returns what could not be shared; it is shared the next time.
    pub(crate) fn put_back(&self, taken: Vec<(Via, Duration)>) {
        for (via, used) in taken {
            if let Some(mut usage) = self.callers.get_mut(&via) {
                let requests = used.as_nanos() / self.cost.as_nanos().max(1);
                usage.unshared = usage.unshared.saturating_add(u32::try_from(requests).unwrap_or(u32::MAX));
            }
        }
    }

    /// Learns when a caller's quota is whole again, by what all servers have shared.
    pub(crate) fn learn(&self, via: Via, full_in: Duration) {
        if let Some(mut usage) = self.callers.get_mut(&via) {
            usage.full_at = Instant::now() + full_in + self.cost * usage.unshared;
        }
    }

    /// Forgets callers whose quota is whole.
    pub(crate) fn forget_idle(&self) {
        let now = Instant::now();
        self.callers.retain(|_, usage| usage.unshared > 0 || usage.full_at > now);
    }
}

impl Pass {
    /// Adds the headers that tell the client what is left.
    pub fn tell(&self, headers: &mut HeaderMap) {
        // After this many seconds the full quota is available again.
        let used = self.policy.per_window.saturating_sub(self.remaining);
        let reset = (used * WINDOW_SECONDS).div_ceil(self.policy.per_window);
        self.policy.tell(headers, self.remaining, reset);
    }
}

impl TooFast {
    /// 429 with `Retry-After`.
    pub fn into_response(self) -> axum::response::Response {
        let wait = self.wait.as_secs() + u64::from(self.wait.subsec_nanos() > 0);
        let wait = wait.max(1);
        let detail = format!(
            "this {} may make {} requests a minute; wait {wait} seconds and try again",
            self.policy.name, self.policy.per_window
        );
        let problem = Problem::too_many_requests(detail, wait);
        let mut response = axum::response::IntoResponse::into_response(problem);
        self.policy.tell(response.headers_mut(), 0, wait);
        response
    }
}

impl Policy {
    /// Writes the headers of draft-ietf-httpapi-ratelimit-headers-11, and the older ones most clients know.
    fn tell(self, headers: &mut HeaderMap, remaining: u64, reset: u64) {
        let structured = [
            ("ratelimit-policy", format!("\"{}\";q={};w={WINDOW_SECONDS}", self.name, self.per_window)),
            ("ratelimit", format!("\"{}\";r={remaining};t={reset}", self.name)),
        ];
        for (name, value) in structured {
            if let Ok(value) = HeaderValue::try_from(value) {
                headers.insert(HeaderName::from_static(name), value);
            }
        }
        let plain = [
            ("x-ratelimit-limit", self.per_window),
            ("x-ratelimit-remaining", remaining),
            ("x-ratelimit-reset", reset),
        ];
        for (name, value) in plain {
            headers.insert(HeaderName::from_static(name), HeaderValue::from(value));
        }
    }
}

#[cfg(test)]
mod tests {
    use canvass::ids::KeyId;

    use super::*;

    fn key() -> Via {
        Via::Key(KeyId::parse("019a8546-6d1b-7cc0-b6dd-8f3b5f0c9d11").unwrap())
    }

    fn limits(per_minute: u32) -> RateLimits {
        RateLimits::per_minute(NonZeroU32::new(per_minute).unwrap())
    }

    /// How many requests pass at this moment.
    fn passing(limits: &RateLimits, now: Instant) -> usize {
        std::iter::from_fn(|| limits.check_at(key(), now).ok()).count()
    }

    #[test]
    fn a_burst_uses_the_quota_which_refills_evenly() {
        let (limits, begin) = (limits(120), Instant::now());
        assert_eq!(passing(&limits, begin), 120);
        assert_eq!(passing(&limits, begin + Duration::from_secs(1)), 2);
        let refused = limits.check_at(key(), begin + Duration::from_secs(1)).err().unwrap();
        assert_eq!(refused.wait, Duration::from_millis(500));
        assert_eq!(passing(&limits, begin + Duration::from_secs(3600)), 120, "no more than the quota is saved up");
    }

    #[test]
    fn what_is_used_elsewhere_is_used_up_here_and_paid_back() {
        let (limits, begin) = (limits(60), Instant::now());
        assert_eq!(passing(&limits, begin), 60);
        let taken = limits.take_unshared();
        assert_eq!(taken, [(key(), WINDOW)]);
        assert_eq!(limits.take_unshared(), [], "each request is shared once");
        // Another server let 60 pass at the same time.
        limits.learn(key(), 2 * WINDOW);
        assert_eq!(passing(&limits, begin + WINDOW - Duration::from_secs(1)), 0);
        let later = begin + WINDOW + Duration::from_secs(10);
        assert!((9..=10).contains(&passing(&limits, later)), "one a second once the excess is paid back");
    }

    #[test]
    fn what_could_not_be_shared_is_shared_the_next_time() {
        let limits = limits(60);
        assert!(limits.check(key()).is_ok());
        limits.put_back(limits.take_unshared());
        assert_eq!(limits.take_unshared(), [(key(), Duration::from_secs(1))]);
        limits.forget_idle();
        assert_eq!(limits.callers.len(), 1, "its quota is not whole yet");
        limits.learn(key(), Duration::ZERO);
        limits.forget_idle();
        assert!(limits.callers.is_empty());
    }
}
