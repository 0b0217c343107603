//! How often a caller may ask. Counted in this process; several servers each count for themselves.

use std::num::NonZeroU32;
use std::time::Duration;

use governor::clock::{Clock, DefaultClock};
use governor::middleware::StateInformationMiddleware;
use governor::state::keyed::DashMapStateStore;
use governor::{Quota, RateLimiter};
use http::{HeaderMap, HeaderName, HeaderValue};

use super::Problem;
use super::via::Via;

type Limiter = RateLimiter<Via, DashMapStateStore<Via>, DefaultClock, StateInformationMiddleware>;

/// The window a rate is stated for.
const WINDOW_SECONDS: u64 = 60;

/// How often each key, and each session, may ask.
pub struct RateLimits {
    limiter: Limiter,
    per_window: u64,
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
        let limiter = RateLimiter::dashmap(Quota::per_minute(requests)).with_middleware();
        RateLimits { limiter, per_window: requests.get().into() }
    }

    /// Counts a request of this caller.
    pub fn check(&self, via: Via) -> Result<Pass, TooFast> {
        let policy = Policy { name: via.kind(), per_window: self.per_window };
        match self.limiter.check_key(&via) {
            Ok(state) => Ok(Pass { policy, remaining: state.remaining_burst_capacity().into() }),
            Err(until) => Err(TooFast { policy, wait: until.wait_time_from(DefaultClock::default().now()) }),
        }
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
