//! The reader against real sockets: a well-behaved site, and every misbehaviour we could think of.

#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

mod child;
mod dns;
mod hostile;
mod hostile_sites;
mod http2;
mod memory;
mod misbehaviours;
mod politeness;
mod reading;
mod secure;
mod stalls;
