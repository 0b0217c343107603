//! How often a key may ask. Counted in this process; several servers each count for themselves.

use std::num::NonZeroU32;
use std::time::Duration;

use canvass::ids::KeyId;
use governor::clock::{Clock, DefaultClock};
use governor::middleware::StateInformationMiddleware;
use governor::state::keyed::DashMapStateStore;
use governor::{Quota, RateLimiter};
use http::{HeaderMap, HeaderName, HeaderValue};

use super::Problem;

type Limiter = RateLimiter<KeyId, DashMapStateStore<KeyId>, DefaultClock, StateInformationMiddleware>;

/// The window a rate is stated for.
const WINDOW_SECONDS: u64 = 60;

/// How often each key may ask.
pub struct RateLimits {
    limiter: Limiter,
    policy: Policy,
}

/// What the limit is.
#[derive(Clone, Copy)]
struct Policy {
    per_window: u64,
}

/// A request that was let through, and what is left.
pub struct Pass {
    policy: Policy,
    remaining: u64,
}

/// A request that came too early.
pub struct Refusal {
    policy: Policy,
    wait: Duration,
}

impl RateLimits {
    /// So many requests a minute for each key, evenly refilled, all at once if they like.
    pub fn per_minute(requests: NonZeroU32) -> RateLimits {
        let limiter = RateLimiter::dashmap(Quota::per_minute(requests)).with_middleware();
        RateLimits { limiter, policy: Policy { per_window: requests.get().into() } }
    }

    /// Counts a request of this key.
    pub fn check(&self, key: KeyId) -> Result<Pass, Refusal> {
        match self.limiter.check_key(&key) {
            Ok(state) => Ok(Pass { policy: self.policy, remaining: state.remaining_burst_capacity().into() }),
            Err(until) => {
                Err(Refusal { policy: self.policy, wait: until.wait_time_from(DefaultClock::default().now()) })
            }
        }
    }
}

impl Pass {
    /// Tells the client where it stands.
    pub fn tell(&self, headers: &mut HeaderMap) {
        // A full window's worth is back after this long.
        let used = self.policy.per_window.saturating_sub(self.remaining);
        let reset = (used * WINDOW_SECONDS).div_ceil(self.policy.per_window);
        self.policy.tell(headers, self.remaining, reset);
    }
}

impl Refusal {
    /// 429, with when to come back.
    pub fn into_response(self) -> axum::response::Response {
        let wait = self.wait.as_secs() + u64::from(self.wait.subsec_nanos() > 0);
        let wait = wait.max(1);
        let detail = format!(
            "this key may make {} requests a minute; wait {wait} seconds and try again",
            self.policy.per_window
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
            ("ratelimit-policy", format!("\"key\";q={};w={WINDOW_SECONDS}", self.per_window)),
            ("ratelimit", format!("\"key\";r={remaining};t={reset}")),
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
