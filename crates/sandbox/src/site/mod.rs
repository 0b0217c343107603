//! Websites: planned from the seed, changed by age, written when asked for.

pub(crate) mod age;
pub(crate) mod answer;
mod content;
pub(crate) mod emails;
mod filler;
mod manner;
mod owner;
mod pages;
pub(crate) mod plan;
mod platform;
mod render;
mod structured;
mod style;
mod text;
mod tools;
pub(crate) mod truth;
