//! The streets of the sandbox: the houses of its businesses, and numbers between them.

use std::sync::Arc;

use futures::FutureExt;
use futures::future::BoxFuture;
use map_providers::geocode::street::Street;
use map_providers::geocode::{AddressQuery, Door, Geocoder, door_among};
use map_providers::{Gateway, ProviderError};
use place_data::AddressPoint;
use places::{Area, Point, StreetText};

use crate::cpu_pool;
use crate::fair_line::Sharer;
use crate::sandbox::Sandbox;

/// Locates addresses in the embedded world.
#[derive(Debug)]
pub(super) struct SandboxStreets(pub(super) Arc<Sandbox>);

impl Geocoder for SandboxStreets {
    fn name(&self) -> &'static str {
        "sandbox"
    }

    fn find<'a>(
        &'a self,
        _: &'a dyn Gateway,
        query: &'a AddressQuery,
    ) -> BoxFuture<'a, Result<Option<Door>, ProviderError>> {
        let (world, query) = (self.0.world.clone(), query.clone());
        async move { Ok(cpu_pool::run(Sharer::REQUESTS, move || locate(&world, &query)).await) }.boxed()
    }

    fn check<'a>(&'a self, _: &'a dyn Gateway) -> BoxFuture<'a, Result<String, ProviderError>> {
        futures::future::ready(Ok("the streets of the sandbox are part of it".to_owned())).boxed()
    }
}

fn locate(world: &sandbox::World, query: &AddressQuery) -> Option<Door> {
    let street = Street::of(&query.street)?;
    let businesses = places::categories().iter().flat_map(|category| world.businesses(&town(query), category));
    let known: Vec<AddressPoint> = businesses
        .filter_map(|business| {
            let StreetText { number, street: own, .. } = StreetText::parse(&business.street, business.country)?;
            street.likeness(&Street::of(&own)?)?;
            Some(AddressPoint {
                id: business.id,
                point: business.point,
                street: own,
                number,
                unit: None,
                city: Some(business.city),
                postcode: business.postal_code,
            })
        })
        .collect();
    door_among(query, &known)
}

/// The middle of the query's box, as far as the town reaches.
fn town(query: &AddressQuery) -> Area {
    let named = [query.city.as_deref(), query.state.as_deref()];
    let named = named.into_iter().flatten().collect::<Vec<&str>>().join(", ");
    let known = places::locate(&named).ok().map(|located| located.place.area(places::Scope::City));
    known.unwrap_or_else(|| {
        let within = &query.within;
        let latitude = f64::midpoint(within.south, within.north);
        let centre = Point { latitude, longitude: f64::midpoint(within.west, within.east) };
        Area::circle(named, query.country, centre, 5.0)
    })
}
