//! Turns a request into a search that can run, or says what to change.

use places::{NotFound, UnknownIndustry};

use super::{REQUESTED_DEFAULT, REQUESTED_MAX, StartRequest, notes};
use crate::db::DbError;
use crate::idempotency::TakenOver;
use crate::listing::{Listings, Query, Spot, Words};
use crate::plan::{Plan, Scope, Tier};

/// Miles up to which a circle counts as a city.
const CITY_MILES_MAX: f64 = 15.0;
/// Miles up to which it counts as a county.
const COUNTY_MILES_MAX: f64 = 50.0;

/// A search that can run.
#[derive(Clone, Debug)]
pub struct SearchSpec {
    /// What was asked for.
    pub request: StartRequest,
    /// How wide it reaches.
    pub scope: Scope,
    /// What to ask the source for.
    pub query: Query,
    /// What the location was read as.
    pub area_name: String,
    /// Plain sentences on how it was read, where it could have been read otherwise; see [`super::notes`].
    pub notes: Vec<String>,
    /// Leads asked for, no more than the plan's cap.
    pub requested: i64,
}

/// The search cannot start. Each says what to change.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// No such kind of business.
    #[error(transparent)]
    Industry(#[from] UnknownIndustry),
    /// No such place.
    #[error(transparent)]
    Location(#[from] NotFound),
    /// The plan does not reach that far.
    #[error("{asked} searches are wider than the {tier} plan allows, which is {widest}; {}", advice(*widest))]
    ScopeTooWide {
        /// How wide it would be.
        asked: Scope,
        /// How wide it may be.
        widest: Scope,
        /// The plan.
        tier: Tier,
    },
    /// The place is wider than what was asked for.
    #[error(
        "{name} is a {width}, which is wider than the scope {scope}; send scope {width}, or name a place within it"
    )]
    PlaceTooWide {
        /// What it was read as.
        name: String,
        /// How wide that is.
        width: Scope,
        /// What was asked for.
        scope: Scope,
    },
    /// A circle needs a point to measure from.
    #[error(
        "radius_miles measures from a street address, ZIP code or town, and {name} is a {width}; name one of these, or \
         leave radius_miles out"
    )]
    NoCentre {
        /// What it was read as.
        name: String,
        /// How wide that is.
        width: Scope,
    },
    /// The source knows no ratings.
    #[error("the listings here come without ratings, so they cannot be filtered by rating or reviews; leave these out")]
    NoRatings,
    /// Nothing to pay with.
    #[error("there are no credits left, and each lead costs one; they come again with the next month, or by a grant")]
    NoCredits,
    /// Enough are under way.
    #[error("{running} searches are running, which is as many as an account may have at once; wait for one to end")]
    TooMany {
        /// How many.
        running: i64,
    },
    /// Another request with the same Idempotency-Key is at it.
    #[error(transparent)]
    TakenOver(#[from] TakenOver),
    /// The database failed.
    #[error(transparent)]
    Db(#[from] DbError),
}

fn advice(widest: Scope) -> String {
    match widest {
        Scope::City => "name a town, or a radius_miles of at most 15".into(),
        Scope::County => "name a town or a county, or a radius_miles of at most 50".into(),
        Scope::State | Scope::Country => format!("choose {widest} or narrower"),
    }
}

/// Turns a request into a search, within what the plan allows.
pub fn parse(request: StartRequest, plan: &Plan, listings: &dyn Listings) -> Result<SearchSpec, StartError> {
    let spec = understand(request, listings)?;
    if spec.scope > plan.scope {
        return Err(StartError::ScopeTooWide { asked: spec.scope, widest: plan.scope, tier: plan.tier });
    }
    if spec.request.filters.asks_rating() && !listings.about().has_ratings {
        return Err(StartError::NoRatings);
    }
    Ok(SearchSpec { requested: spec.requested.min(plan.per_search_cap), ..spec })
}

/// What a request means, whoever asks: the same words always mean the same.
pub(super) fn understand(request: StartRequest, listings: &dyn Listings) -> Result<SearchSpec, StartError> {
    let industry = listings.industry(&request.industry)?;
    let spot = listings.locate(&request.location)?;
    let (scope, area) = match request.radius_miles {
        Some(miles) => circle(&spot, miles)?,
        None => within(&spot, request.scope)?,
    };
    let notes = notes::reading(&request, industry, (&spot, scope));
    let words = Words { industry: request.industry.clone(), location: request.location.clone() };
    Ok(SearchSpec {
        requested: request.requested_count.unwrap_or(REQUESTED_DEFAULT).clamp(1, REQUESTED_MAX),
        area_name: area.name().to_owned(),
        notes,
        query: Query { category: industry.category, area, words },
        scope,
        request,
    })
}

fn circle(spot: &Spot, miles: f64) -> Result<(Scope, places::Area), StartError> {
    if spot.width > Scope::City {
        return Err(StartError::NoCentre { name: spot.name.clone(), width: spot.width });
    }
    Ok((circle_scope(miles), spot.circle(miles)))
}

/// How wide a circle counts as.
fn circle_scope(miles: f64) -> Scope {
    match miles {
        miles if miles <= CITY_MILES_MAX => Scope::City,
        miles if miles <= COUNTY_MILES_MAX => Scope::County,
        _ => Scope::State,
    }
}

/// The area around a place. Not said, the scope is a city, or the place itself when that is wider.
fn within(spot: &Spot, scope: Option<Scope>) -> Result<(Scope, places::Area), StartError> {
    match scope {
        Some(scope) if spot.width > scope => {
            Err(StartError::PlaceTooWide { name: spot.name.clone(), width: spot.width, scope })
        }
        scope => {
            let scope = scope.unwrap_or(Scope::City).max(spot.width);
            Ok((scope, spot.area(scope)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_circle_counts_by_its_size() {
        let cases = [(1.0, Scope::City), (15.0, Scope::City), (15.01, Scope::County), (50.0, Scope::County)];
        for (miles, scope) in cases.into_iter().chain([(50.01, Scope::State), (500.0, Scope::State)]) {
            assert_eq!(circle_scope(miles), scope, "{miles} miles");
        }
    }
}
