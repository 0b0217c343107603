//! In which form a client accepts the response to a call.

use http::HeaderMap;
use http::header::ACCEPT;

/// The forms of a response that a client accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Accepts {
    /// Only one JSON body, so no progress can be sent.
    Whole,
    /// Also a stream of events.
    Stream,
}

impl Accepts {
    /// Reads the `Accept` headers; without any, a client accepts everything.
    pub(super) fn of(headers: &HeaderMap) -> Accepts {
        let mut kinds = headers.get_all(ACCEPT).iter().filter_map(|value| value.to_str().ok()).peekable();
        let anything = kinds.peek().is_none();
        let streams = |kind: &str| ["text/event-stream", "text/*", "*/*"].iter().any(|one| kind.contains(one));
        if anything || kinds.any(streams) { Accepts::Stream } else { Accepts::Whole }
    }
}
