//! A made-up world for trying everything without leaving the machine: businesses of any town, and their websites.
mod business;
mod chance;
mod code;
mod lang;
mod listings;
mod names;
mod people;
mod phones;
mod reviews;
mod serve;
mod site;
mod streets;
mod town;
mod trouble;
mod words;
mod world;

pub use business::{Business, Website};
pub use listings::Businesses;
pub use reviews::Review;
pub use serve::{Age, Body, Broken, Reset, respond, serve};
pub use site::answer::{Answer, Behaviour};
pub use site::emails::{EmailKind, HiddenBy};
pub use site::truth::{Change, TrueEmail, Truth};
pub use trouble::{
    FLAKY_EVERY, SLOW_PAUSE, TestPlace, TestTrade, Trouble, test_place, test_places, test_trade, test_trades,
};
pub use world::World;
