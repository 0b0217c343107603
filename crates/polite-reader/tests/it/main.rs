//! The reader against real sockets: a kind site, and every unkind one we could think of.

mod hostile;
mod hostile_sites;
mod manners;
mod misbehaviours;
mod reading;
