//! Websites: planned from the seed, changed by age, written on request.

pub(crate) mod age;
mod condition;
mod content;
pub(crate) mod emails;
mod filler;
mod owner;
mod pages;
pub(crate) mod plan;
mod platform;
mod render;
mod renderer;
pub(crate) mod response;
mod structured;
mod style;
mod text;
mod tools;
pub(crate) mod truth;
