//! One business in two sources is recognised, and two businesses are not confused: on a table of made-up pairs, on generated
//! pairs, and in whole towns.

#![expect(clippy::unwrap_used, clippy::print_stderr, reason = "tests fail loudly, and report what they measured")]

mod evaluate;
mod generated;
mod hard;
mod merging;
mod pairs;
mod perturb;
pub(crate) mod random;
mod real;
mod table;
mod world;
