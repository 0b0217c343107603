//! Where a street address lies: the port of geocoders, and what they are asked.

mod ask;
pub mod census;
mod choose;
pub mod google;
mod interpolate;
pub mod nominatim;
pub mod overture;
pub mod photon;
mod query;
pub mod street;

pub use interpolate::door_among;

use std::fmt;
use std::time::Duration;

use futures::future::BoxFuture;
use places::{Bounds, Point};
use serde::{Deserialize, Serialize};

use crate::{Gateway, ProviderError};

/// How long an address that was found may be reused. Replies with an address are worth storing for this long.
pub const HIT_FRESH_FOR: Duration = Duration::from_secs(90 * 24 * 60 * 60);
/// How long it may be reused that an address was not found (`Ok(None)`): maps grow, and a miss costs little to ask again. Replies
/// without any address are not worth storing by themselves; whoever keeps what [`Geocoder::find`] gave keeps misses this long.
pub const MISS_FRESH_FOR: Duration = Duration::from_secs(24 * 60 * 60);

/// A street address, in parts, in a town or postal code that is already known.
#[derive(Clone, Debug, PartialEq)]
pub struct AddressQuery {
    /// As it was typed, whole.
    pub typed: String,
    /// The house number, such as `12000` or `221B`.
    pub number: Option<String>,
    /// The street, as typed, without number and unit.
    pub street: String,
    /// The town.
    pub city: Option<String>,
    /// State or region.
    pub state: Option<String>,
    /// ZIP code in the US.
    pub postal_code: Option<String>,
    /// ISO 3166-1 alpha-2.
    pub country: &'static str,
    /// A box around the town or postal code, generous: an address outside of it is another one.
    pub within: Bounds,
}

/// How exactly an address was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Exactness {
    /// The town only.
    Town,
    /// The postal code only.
    PostalCode,
    /// The street, not the house.
    Street,
    /// Between two houses whose location is known.
    Interpolated,
    /// The house itself.
    Rooftop,
}

/// An address that was found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Door {
    /// Where it lies.
    pub point: Point,
    /// How exactly that is known.
    pub exactness: Exactness,
    /// The address as the geocoder knows it.
    pub name: String,
}

/// Finds street addresses.
pub trait Geocoder: Send + Sync + fmt::Debug {
    /// Its name, as settings and notes show it.
    fn name(&self) -> &'static str;

    /// How long what it found may be remembered.
    fn remembered_for(&self) -> Duration {
        HIT_FRESH_FOR
    }

    /// Where the address lies; `None` when the geocoder does not know it, or knows it only outside of the query's box.
    fn find<'a>(
        &'a self,
        gateway: &'a dyn Gateway,
        query: &'a AddressQuery,
    ) -> BoxFuture<'a, Result<Option<Door>, ProviderError>>;

    /// Tries the set-up with one request, and says what was found.
    fn check<'a>(&'a self, gateway: &'a dyn Gateway) -> BoxFuture<'a, Result<String, ProviderError>>;
}
