//! The opening of a cold email to one business: two or three sentences, grounded in its website and its reviews.
//!
//! The text is only given to the caller: it is neither stored nor logged.

mod check;
#[cfg(test)]
mod truth;
mod write;

pub use check::{IntroFault, check};
pub use write::{Intro, IntroError, write};
