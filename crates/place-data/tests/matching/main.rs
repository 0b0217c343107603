//! One business in two sources is recognised, and two businesses are not confused: on a table of made-up pairs, on generated
//! pairs, and on pairs derived from real data where that is available.

mod evaluate;
mod generated;
mod merging;
mod perturb;
mod random;
mod real;
mod table;
mod world;
