//! The one way out to providers.

use std::fmt;
use std::time::Duration;

use bytes::Bytes;
use futures::FutureExt;
use futures::future::{BoxFuture, ready};
use http::{HeaderMap, Method};
use url::Url;

/// A request to a provider.
#[derive(Clone)]
pub struct Call {
    /// The provider's name, such as `google`.
    pub provider: &'static str,
    /// What the provider charges or counts it as, such as `text_search`; the name under which calls are reported.
    pub kind: &'static str,
    /// GET or POST.
    pub method: Method,
    /// Where it goes. Never holds a secret: those are in `secrets` or `secret_query`.
    pub url: Url,
    /// Headers without secrets.
    pub headers: HeaderMap,
    /// Headers with secrets, which are neither logged nor part of what the answer is stored under.
    pub secrets: HeaderMap,
    /// A secret query parameter, for the few providers that take none in a header: name and value.
    pub secret_query: Option<(&'static str, String)>,
    /// The body; empty for GET.
    pub body: Bytes,
    /// Bytes that an answer may have.
    pub answer_max: usize,
    /// How long the whole answer may take.
    pub timeout: Duration,
    /// How long an answer may be reused; zero for questions that must be asked anew each time.
    pub fresh_for: Duration,
    /// Whether a reply is worth storing. Providers report failures with status 200, too.
    pub is_worth_storing: fn(&Reply) -> bool,
    /// What the provider asks its clients to keep to.
    pub pace: Pace,
}

/// What a provider asks its clients to keep to, all processes together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    /// The least time between the starts of two requests.
    pub interval: Duration,
    /// Requests under way at once.
    pub concurrent_max: u32,
}

/// What came back, with any status.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The HTTP status.
    pub status: u16,
    /// How long the provider asks to wait.
    pub retry_after: Option<Duration>,
    /// The body.
    pub body: Bytes,
}

/// Why there is no reply. Never holds an address or a key.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CallError {
    /// No connection, or it broke.
    #[error("{0}")]
    Unreachable(String),
    /// It took too long.
    #[error("it did not answer within {} s", .0.as_secs())]
    TimedOut(Duration),
    /// The answer is larger than any that could be meant.
    #[error("its answer is larger than {0} bytes")]
    TooLarge(usize),
    /// The operator's budget for this provider is used up.
    #[error("{0}")]
    OverBudget(String),
    /// What keeps the answers failed.
    #[error("{0}")]
    Store(String),
}

/// Sends requests to providers within their policies.
pub trait Gateway: Send + Sync + fmt::Debug {
    /// The reply, perhaps a stored one. Waits for its turn.
    fn call<'a>(&'a self, call: &'a Call) -> BoxFuture<'a, Result<Reply, CallError>>;

    /// Whether the reply is stored and fresh, so that the call would send nothing. A provider that first asks a server whether it
    /// has time need not do so then. `false` for gateways that store nothing.
    fn is_stored<'a>(&'a self, _call: &'a Call) -> BoxFuture<'a, bool> {
        ready(false).boxed()
    }
}

impl fmt::Debug for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Call").field("provider", &self.provider).field("kind", &self.kind).finish_non_exhaustive()
    }
}
