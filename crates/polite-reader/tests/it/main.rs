//! The reader against real sockets: a kind site, and every unkind one we could think of.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod child;
mod hostile;
mod hostile_sites;
mod manners;
mod memory;
mod misbehaviours;
mod names;
mod reading;
mod secure;
mod stalls;
