//! A generated world for trying everything without leaving the machine: businesses of any town, and their websites.
//!
//! A [`World`] is determined by its seed. [`World::businesses`] lists businesses of a trade in an area, lazily and in a fixed
//! order; [`World::truth`] gives the ground truth of a website at an age, [`World::changes`] what changes, and [`serve`]
//! serves the websites over HTTP. In [`Weather::Web`] they take as long as on the web, and [`SecureSites`] serves them over HTTPS. [`test_place`] and [`test_trade`] give the places and trades that trigger one fault each.
//! Pure, except for the server and the one pixel that flickers.
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

mod authority;
mod business;
mod code;
mod fault;
mod lang;
mod listings;
mod names;
mod people;
mod phones;
mod random;
mod reviews;
mod secure;
mod serve;
mod site;
mod streets;
mod test_places;
mod town;
mod weather;
mod words;
mod world;

pub use authority::{Authority, AuthorityError};
pub use business::{Business, Website};
pub use fault::{FLAKY_EVERY, Fault, SLOW_PAUSE};
pub use listings::Businesses;
pub use reviews::Review;
pub use secure::{Observer, SecureSites, ServedRequest};
pub use serve::{Age, Body, Broken, Reset, respond, serve};
pub use site::emails::{EmailKind, HiddenBy};
pub use site::response::{Behaviour, SiteResponse};
pub use site::truth::{Change, TrueEmail, Truth};
pub use test_places::{TestPlace, TestTrade, test_place, test_places, test_trade, test_trades};
pub use weather::{Forecast, Reach, Weather};
pub use world::World;
