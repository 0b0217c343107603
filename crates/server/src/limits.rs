//! What clients may cost this server: connections, time and memory. Tests shorten them.

use std::time::Duration;

use canvass::config::Settings;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Mebibytes a request body may have.
pub const BODY_MIB_MAX: usize = 1;
/// The same in bytes.
pub const BODY_BYTES_MAX: usize = BODY_MIB_MAX * 1024 * 1024;

/// Connections at once, when the limit of file descriptors allows as many.
const CONNECTIONS_MAX: usize = 20_000;
/// Connections that are served even when the limit of file descriptors is tiny.
const CONNECTIONS_MIN: usize = 16;
/// Of the descriptors, one in so many is kept for the database, websites being read, mail and files.
const RESERVE_SHARE: u64 = 3;
/// The least and the most descriptors kept for those.
const RESERVE_MIN: u64 = 96;
const RESERVE_MAX: u64 = 8_192;

/// The limits of one server.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Connections open at once. Beyond them the longest idle one makes room for a new one.
    pub connections: usize,
    /// Connections from one client address, not counting this machine's own; `None` for no limit.
    pub connections_per_address: Option<usize>,
    /// How long a connection may stay without a request while no key has been accepted on it: to send a first byte, a
    /// whole head, or the next request.
    pub keyless_idle: Duration,
    /// How long a connection may stay without a request after a key has been accepted on it.
    pub idle: Duration,
    /// How long requests on a connection without an accepted key may take while none begins or ends.
    pub keyless_stall: Duration,
    /// Requests in flight on one connection until a key has been accepted on it.
    pub keyless_streams: usize,
    /// How long a request body may take before its pace counts.
    pub body_grace: Duration,
    /// The pace a request body must keep up after that.
    pub body_bytes_per_second: u64,
    /// The longest a request body may take at any pace.
    pub body_time: Duration,
    /// Bytes of unfinished request bodies that the whole process holds.
    pub unfinished_bodies_bytes: usize,
    /// Refused HTTP/1 requests whose bodies are read to their end at the same time, so that the client sees the answer.
    pub drains: usize,
    /// How often a quiet event stream shows a sign of life, and its key is checked again.
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
    /// What these settings and this process's limit of file descriptors allow.
    pub fn of(settings: &Settings) -> Limits {
        let descriptors = getrlimit(Resource::Nofile).current;
        Limits {
            connections: connections_within(descriptors),
            connections_per_address: settings.connections_per_address,
            ..Limits::default()
        }
    }
}

/// Raises this process's limit of file descriptors as far as the system lets it, and gives what it is then; `None`
/// when there is none.
pub fn raise_descriptor_limit() -> Option<u64> {
    let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
    if let Err(error) = setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum }) {
        tracing::warn!(error = &error as &dyn std::error::Error, "the limit of open files could not be raised");
    }
    getrlimit(Resource::Nofile).current
}

/// How many connections so many descriptors are enough for.
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
