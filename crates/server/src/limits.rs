//! Limits on what clients may use: connections, time and memory. Tests shorten them.

use std::time::Duration;

use canvass::config::Settings;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Mebibytes a request body may have.
pub const BODY_MIB_MAX: usize = 1;
/// The same in bytes.
pub const BODY_BYTES_MAX: usize = BODY_MIB_MAX * 1024 * 1024;

/// Most connections, if the limit of file descriptors allows that many.
const CONNECTIONS_MAX: usize = 20_000;
/// Connections served even if the limit of file descriptors is very low.
const CONNECTIONS_MIN: usize = 16;
/// One in this many descriptors is reserved for the database, websites being read, mail and files.
const RESERVE_SHARE: u64 = 3;
/// Fewest and most descriptors reserved for those.
const RESERVE_MIN: u64 = 96;
const RESERVE_MAX: u64 = 8_192;

/// The limits of one server.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Open connections; beyond that, a new one closes the one that has been idle longest.
    pub connections: usize,
    /// Connections per client address, except this machine's own; `None` for no limit.
    pub connections_per_address: Option<usize>,
    /// Longest time without a request before a key has been accepted on a connection: until the first byte, the complete
    /// head, or the next request.
    pub keyless_idle: Duration,
    /// Longest time without a request after a key has been accepted on a connection.
    pub idle: Duration,
    /// Longest time without progress of requests on a connection without an accepted key.
    pub keyless_stall: Duration,
    /// Requests in flight per connection until a key has been accepted on it.
    pub keyless_streams: usize,
    /// Time a request body has before its minimum rate applies.
    pub body_grace: Duration,
    /// Minimum rate of a request body after that.
    pub body_bytes_per_second: u64,
    /// Longest time for a request body at any rate.
    pub body_time: Duration,
    /// Bytes of unfinished request bodies in the whole process.
    pub unfinished_bodies_bytes: usize,
    /// Refused HTTP/1 requests whose bodies are drained at the same time, so that their clients see the response.
    pub drains: usize,
    /// Interval of keep-alive comments on an idle event stream, and of checking its key again.
    pub keep_alive: Duration,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            connections: CONNECTIONS_MAX,
            connections_per_address: None,
            keyless_idle: Duration::from_secs(15),
            idle: Duration::from_secs(75),
            keyless_stall: Duration::from_secs(120),
            keyless_streams: 8,
            body_grace: Duration::from_secs(10),
            body_bytes_per_second: 16 * 1024,
            body_time: Duration::from_secs(60),
            unfinished_bodies_bytes: 128 * 1024 * 1024,
            drains: 64,
            keep_alive: Duration::from_secs(15),
        }
    }
}

impl Limits {
    /// The limits for these settings and this process's limit of file descriptors.
    pub fn of(settings: &Settings) -> Limits {
        let descriptors = getrlimit(Resource::Nofile).current;
        Limits {
            connections: connections_within(descriptors),
            connections_per_address: settings.connections_per_address,
            ..Limits::default()
        }
    }
}

/// Raises this process's soft limit of file descriptors to the hard limit and returns it; `None` when there is no limit.
pub fn raise_descriptor_limit() -> Option<u64> {
    let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
    if let Err(error) = setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum }) {
        tracing::warn!(error = &error as &dyn std::error::Error, "cannot raise the limit of open files");
    }
    getrlimit(Resource::Nofile).current
}

/// Number of connections that this many descriptors allow.
fn connections_within(descriptors: Option<u64>) -> usize {
    let Some(descriptors) = descriptors else { return CONNECTIONS_MAX };
    let reserve = (descriptors / RESERVE_SHARE).clamp(RESERVE_MIN, RESERVE_MAX);
    let room = usize::try_from(descriptors.saturating_sub(reserve)).unwrap_or(usize::MAX);
    room.clamp(CONNECTIONS_MIN, CONNECTIONS_MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_leave_descriptors_for_the_rest_of_the_process() {
        let check = |descriptors, expected| assert_eq!(connections_within(descriptors), expected, "{descriptors:?}");
        check(None, CONNECTIONS_MAX);
        check(Some(1_048_576), CONNECTIONS_MAX);
        check(Some(1_024), 683);
        check(Some(256), 160);
        check(Some(64), CONNECTIONS_MIN);
    }
}
