//! The place that a typed location means, and the areas around it.

use super::place_ref::{PlaceRef, point_of};
use super::region_names::County;
use super::reverse_geocode::{PointContext, reverse_geocode};
use super::{coordinates, naming};
use crate::area::{Area, AreaLabel, Region, RegionPart, country_outline};
use crate::gazetteer::{gazetteer, radius_miles};
use crate::point::Point;
use crate::postal;
use crate::scope::Scope;
use crate::shapes::{self, MapName};

/// Radius of the circle used for a ZIP code.
const POSTAL_CODE_RADIUS_MILES: f64 = 3.0;
/// Radius of the circle used for a county where neither outline nor name is known.
const UNKNOWN_COUNTY_RADIUS_MILES: f64 = 25.0;

/// The place that a typed location means.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// "Austin, TX", "Berlin, Germany", "Travis County, TX", "Texas", "78701 Austin, TX", "30.2672, -97.7431". Typing it finds
    /// this place again.
    pub name: String,
    /// The width of the place itself; ZIP codes and street addresses have the width of a city.
    pub width: Scope,
    /// ISO 3166-1 alpha-2.
    pub country: &'static str,
    /// "TX"; outside the US the name of the first-order region.
    pub state: Option<String>,
    /// Such as "Travis County"; `None` when unknown.
    pub county: Option<String>,
    /// Such as "Austin"; `None` for anything wider than a city.
    pub city: Option<String>,
    /// The ZIP code that was typed.
    pub postal_code: Option<String>,
    /// The street as typed, such as "1100 Congress Ave".
    pub street: Option<String>,
    /// The typed coordinates, or the centre of the town or ZIP code, or the middle of the area.
    pub point: Point,
    /// Inhabitants; 0 when unknown.
    pub population: u64,
    pub(super) site: PlaceRef,
    /// For coordinates: what the point lies in.
    pub(super) context: Option<Box<PointContext>>,
}

impl Place {
    /// The place with all its attributes.
    pub(super) fn of(site: PlaceRef) -> Place {
        let gazetteer = gazetteer();
        let country = &gazetteer.countries[site.country()];
        let territory = country.is_us_territory().then(|| country.code.to_owned());
        let state = site.first().map(|first| gazetteer.admin1s[first].short().to_owned());
        Place {
            name: naming::name(site),
            width: site.width(),
            country: country.code,
            state: territory.or(state).filter(|state| !state.is_empty()),
            county: site.county_name().map(str::to_owned),
            city: naming::city(site),
            postal_code: match site {
                PlaceRef::PostalCode(code) => Some(postal::codes().digits(code).to_owned()),
                _ => None,
            },
            street: None,
            point: point_of(site),
            population: naming::population(site),
            site,
            context: None,
        }
    }

    /// The place at a point; `None` when no town is within 500 miles.
    pub(super) fn at(point: Point) -> Option<Place> {
        let context = reverse_geocode(point)?;
        let town = Place::of(PlaceRef::Town(context.town));
        let region = Place::of(context.state.unwrap_or(PlaceRef::Country(context.country)));
        Some(Place {
            name: coordinates::written(point),
            country: gazetteer().countries[context.country].code,
            state: region.state,
            county: context.county.and_then(PlaceRef::county_name).map(str::to_owned),
            point,
            context: Some(Box::new(context)),
            ..town
        })
    }

    /// The area of this width around the place. City: a circle sized by population, a small one for a ZIP code. County and
    /// state: the outline in the US; elsewhere the points whose nearest town belongs to the region. Country: the outline. A
    /// scope narrower than the place itself gives the place's own area. For coordinates: the town (or the nearest one), county,
    /// state or country that contains the point.
    #[must_use]
    pub fn area(&self, scope: Scope) -> Area {
        if let Some(context) = &self.context {
            let region = context.region(scope).map(Place::of);
            return region.map_or_else(|| self.circle(UNKNOWN_COUNTY_RADIUS_MILES), |region| region.area(scope));
        }
        match scope.max(self.width) {
            Scope::City => self.circle(self.own_radius_miles()),
            Scope::County => self.county_area(),
            Scope::State => self.state_area(),
            Scope::Country => self.country_area(),
        }
    }

    /// A circle around the place.
    #[must_use]
    pub fn circle(&self, radius_miles: f64) -> Area {
        Area::circle(self.name.clone(), self.country, self.point, radius_miles)
    }

    fn own_radius_miles(&self) -> f64 {
        match self.site {
            PlaceRef::PostalCode(_) | PlaceRef::PostTown(_) => POSTAL_CODE_RADIUS_MILES,
            _ => radius_miles(self.population),
        }
    }

    fn label(&self, name: String, width: Scope) -> AreaLabel {
        AreaLabel { name, country: self.country, width }
    }

    fn county_area(&self) -> Area {
        if let Some(county) = self.site.us_county()
            && let Some(outline) = shapes::outline(MapName::Us, county.key)
        {
            let label = self.label(format!("{}, {}", county.name, county.state), Scope::County);
            return Area::outline(label, outline);
        }
        let Some(second) = self.site.second() else {
            return self.circle(UNKNOWN_COUNTY_RADIUS_MILES);
        };
        let label = self.label(naming::name(PlaceRef::County(County::Admin2(second))), Scope::County);
        Area::region(label, self.region(RegionPart::Admin2(second)), self.point)
    }

    fn state_area(&self) -> Area {
        let on_map = self.site.us_letters().and_then(|letters| shapes::us().find(letters));
        if let Some(state) = on_map
            && let Some(outline) = shapes::outline(MapName::Us, state.key)
        {
            return Area::outline(self.label(state.name.to_owned(), Scope::State), outline);
        }
        let Some(first) = self.site.first() else {
            return self.country_area();
        };
        let label = self.label(naming::name(PlaceRef::Admin1(first)), Scope::State);
        Area::region(label, self.region(RegionPart::Admin1(first)), self.point)
    }

    fn country_area(&self) -> Area {
        let country = self.site.country();
        let label = self.label(gazetteer().countries[country].name.to_owned(), Scope::Country);
        match country_outline(country) {
            Some(outline) => Area::outline(label, outline),
            None => Area::region(label, self.region(RegionPart::Whole), self.point),
        }
    }

    fn region(&self, part: RegionPart) -> Region {
        Region::new(self.site.country(), part)
    }
}
