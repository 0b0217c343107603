//! A made-up world for trying everything without leaving the machine: businesses of any town, and their websites.
//!
//! A [`World`] follows from its seed alone. [`World::businesses`] lists businesses of a trade in an area, lazily and in
//! a fixed order; [`World::truth`] says what the website of one really says at an age, [`World::changes`] what changes,
//! and [`serve`] really serves the websites. [`test_place`] and [`test_trade`] know the places and trades that
//! produce one trouble each. Pure, but for the server and the one pixel that flickers.
//!
//! ```
//! use sandbox::World;
//!
//! let world = World::new(1);
//! let austin = places::locate("Austin, TX").expect("a town").place.area(places::Scope::City);
//! let dentist = places::category("dentist").expect("a trade");
//! let first = world.businesses(&austin, dentist).next().expect("Austin has dentists");
//! assert_eq!(world.business(&first.id).expect("made anew").name, first.name);
//! ```

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
