//! Where a typed street address lies: the operator's geocoders are asked in turn, and what they say is remembered.

mod find;
mod forget;
mod sandbox;
mod set_up;
mod store;

pub use forget::forget_old;
pub(crate) use set_up::each;

use std::fmt;
use std::sync::Arc;

use map_providers::geocode::{Door, Exactness, Geocoder};
use serde::{Deserialize, Serialize};

use crate::clock::Clock;
use crate::db::Db;
use crate::provider::ProviderGateway;

/// A street address that was found, and by whom.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LocatedDoor {
    /// The address.
    pub door: Door,
    /// The name of the geocoder.
    pub by: String,
}

impl LocatedDoor {
    /// How exactly it is known, in words.
    pub fn in_words(&self) -> &'static str {
        match self.door.exactness {
            Exactness::Rooftop => "to the house",
            Exactness::Interpolated => "between two known house numbers",
            Exactness::Street => "to the street, not the house",
            Exactness::PostalCode => "to its postal code only",
            Exactness::Town => "to its town only",
        }
    }

    /// The name of that, for programs.
    pub fn exactness(&self) -> &'static str {
        match self.door.exactness {
            Exactness::Rooftop => "rooftop",
            Exactness::Interpolated => "interpolated",
            Exactness::Street => "street",
            Exactness::PostalCode => "postal_code",
            Exactness::Town => "town",
        }
    }
}

/// What the geocoders say of an address.
#[derive(Clone, Debug, PartialEq)]
pub enum Finding {
    /// One of them knows it.
    Found(LocatedDoor),
    /// None of those that answered knows it; these did not answer, each with a sentence that says why.
    Unknown(Vec<String>),
}

/// The geocoders of this server, in the order in which they are asked. Cheap to clone.
#[derive(Clone)]
pub struct Geocoders(Arc<Parts>);

struct Parts {
    geocoders: Vec<Arc<dyn Geocoder>>,
    gateway: Option<ProviderGateway>,
    db: Db,
    clock: Arc<dyn Clock>,
}

impl Geocoders {
    /// Asks these, in this order.
    pub fn new(
        geocoders: Vec<Arc<dyn Geocoder>>,
        gateway: Option<ProviderGateway>,
        db: Db,
        clock: Arc<dyn Clock>,
    ) -> Geocoders {
        Geocoders(Arc::new(Parts { geocoders, gateway, db, clock }))
    }

    /// Whether there is anybody to ask.
    pub fn is_empty(&self) -> bool {
        self.0.geocoders.is_empty() || self.0.gateway.is_none()
    }

    /// Their names.
    pub fn names(&self) -> Vec<&'static str> {
        self.0.geocoders.iter().map(|geocoder| geocoder.name()).collect()
    }

    /// Tries each of them: its name, and what was found or what is wrong.
    pub async fn check(&self) -> Vec<(&'static str, Result<String, String>)> {
        let Some(gateway) = &self.0.gateway else { return Vec::new() };
        let mut checked = Vec::new();
        for geocoder in &self.0.geocoders {
            checked.push((geocoder.name(), geocoder.check(gateway).await.map_err(|error| error.to_string())));
        }
        checked
    }
}

impl fmt::Debug for Geocoders {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Geocoders").field(&self.names()).finish()
    }
}
