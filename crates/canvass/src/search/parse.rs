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
    /// Plain sentences on how it was read, where it could have been read otherwise.
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
    #[error(
        "searching {area} takes the scope {asked}, and the {tier} plan allows {widest} at most; {}",
        advice(*widest)
    )]
    ScopeTooWide {
        /// What would be searched.
        area: String,
        /// How wide it would be.
        asked: Scope,
        /// How wide it may be.
        widest: Scope,
        /// The plan.
        tier: Tier,
    },
    /// The place is wider than what was asked for.
    #[error("{name} is a {width}, which is wider than the scope {scope}; {}", narrower(name, *width, *scope, *plan))]
    PlaceTooWide {
        /// What it was read as.
        name: String,
        /// How wide that is.
        width: Scope,
        /// What was asked for.
        scope: Scope,
        /// The plan and the widest scope it allows, where a plan is asked at all.
        plan: Option<(Tier, Scope)>,
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
    #[error(
        "the listing source has no ratings, so businesses cannot be filtered by rating or reviews; leave these filters out"
    )]
    NoRatings,
    /// Nothing to pay with.
    #[error(
        "the account has no credits left, and each lead costs one; wait for the monthly refill, or ask the operator for more"
    )]
    NoCredits,
    /// Enough are under way.
    #[error(
        "{running} searches are running, which is as many as an account may have at once; wait for one to end, or stop one"
    )]
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
        Scope::City => "name a city, or use a radius_miles of at most 15".into(),
        Scope::County => "name a city or a county, or use a radius_miles of at most 50".into(),
        Scope::State | Scope::Country => format!("use the scope {widest} or a narrower one"),
    }
}

/// What to do about a place that is too wide: name one inside it, or ask for more where the plan allows that.
fn narrower(name: &str, width: Scope, scope: Scope, plan: Option<(Tier, Scope)>) -> String {
    let inside = format!("name a {scope} in {name}");
    match plan {
        Some((tier, widest)) if width > widest => {
            format!("{inside}; the {tier} plan allows the scope {widest} at most")
        }
        _ => format!("{inside}, or send scope {width}"),
    }
}

/// Turns a request into a search, within what the plan allows.
pub fn parse(request: StartRequest, plan: &Plan, listings: &dyn Listings) -> Result<SearchSpec, StartError> {
    let spec = understand(request, listings).map_err(|error| match error {
        StartError::PlaceTooWide { name, width, scope, .. } => {
            StartError::PlaceTooWide { name, width, scope, plan: Some((plan.tier, plan.scope)) }
        }
        other => other,
    })?;
    if spec.scope > plan.scope {
        let (area, asked) = (spec.area_name, spec.scope);
        return Err(StartError::ScopeTooWide { area, asked, widest: plan.scope, tier: plan.tier });
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
            Err(StartError::PlaceTooWide { name: spot.name.clone(), width: spot.width, scope, plan: None })
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
