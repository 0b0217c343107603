//! Turns a request into a search that can run, or says what to change.

use std::fmt;

use places::{CITY_RADIUS_MAX_MILES, COUNTY_RADIUS_MAX_MILES, NotFound, UnknownIndustry};

use super::location::{self, Location, LocationError, Precision};
use super::spec::SearchSpec;
use super::{Filters, REQUESTED_DEFAULT, REQUESTED_MAX, StartRequest, notes};
use crate::app::App;
use crate::db::DbError;
use crate::idempotency::TakenOver;
use crate::listing::{Has, Query, SourceError};
use crate::plan::{Plan, Scope, Tier};

/// Why a search cannot start. Each message says what to change.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The industry is not known.
    #[error(transparent)]
    Industry(#[from] UnknownIndustry),
    /// The location is not known.
    #[error(transparent)]
    Location(#[from] NotFound),
    /// Nobody knows the street address, and the operator wants no circle around anything else.
    #[error(
        "the street address {address} was not found; check its spelling, or name a ZIP code or a town{}",
        because(failures)
    )]
    AddressNotFound {
        /// As it was typed.
        address: String,
        /// Why geocoders did not answer.
        failures: Vec<String>,
    },
    /// The plan does not allow so wide an area.
    #[error(
        "searching {area} takes the scope {asked}, and the {tier} plan allows {widest} at most; {}",
        advice(*widest)
    )]
    ScopeTooWide {
        /// The name of the area.
        area: String,
        /// Its scope.
        asked: Scope,
        /// The widest scope that the plan allows.
        widest: Scope,
        /// The name of the plan.
        tier: Tier,
    },
    /// The place is wider than the scope asked for.
    #[error("{name} is a {width}, which is wider than the scope {scope}; {}", narrower(name, *width, *scope, *plan))]
    PlaceTooWide {
        /// The name of the place.
        name: String,
        /// Its own scope.
        width: Scope,
        /// The request.
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
        /// The name of the place.
        name: String,
        /// Its own scope.
        width: Scope,
    },
    /// The source's listings do not have what a filter asks for.
    #[error(
        "the listing source {source_name} has no {missing}, so businesses cannot be filtered by them; leave these filters out, or \
         use a source that has them: {}", instead.join(", ")
    )]
    NotListed {
        /// What it does not have.
        missing: NotListed,
        /// The source.
        source_name: String,
        /// Sources that have it.
        instead: Vec<String>,
    },
    /// The source of listings cannot answer.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// The balance is zero.
    #[error(
        "the account has no credits left, and each lead costs one; wait for the monthly refill, or ask the operator for more"
    )]
    NoCredits,
    /// As many searches are running as an account may have.
    #[error(
        "{running} searches are running, which is as many as an account may have at once; wait for one to end, or stop one"
    )]
    TooMany {
        /// How many are running.
        running: i64,
    },
    /// Another request with the same Idempotency-Key has taken over.
    #[error(transparent)]
    TakenOver(#[from] TakenOver),
    /// The database failed.
    #[error(transparent)]
    Db(#[from] DbError),
}

/// What a source's listings may be without.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotListed {
    /// Average ratings.
    Ratings,
    /// Numbers of reviews.
    Reviews,
    /// Phone numbers.
    Phones,
}

impl fmt::Display for NotListed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NotListed::Ratings => "ratings",
            NotListed::Reviews => "reviews",
            NotListed::Phones => "phone numbers",
        })
    }
}

impl From<LocationError> for StartError {
    fn from(error: LocationError) -> StartError {
        match error {
            LocationError::NotFound(error) => StartError::Location(error),
            LocationError::AddressNotFound { address, failures } => StartError::AddressNotFound { address, failures },
            LocationError::Db(error) => StartError::Db(error),
        }
    }
}

fn because(failures: &[String]) -> String {
    failures.iter().map(|failure| format!(". {}", failure.trim_end_matches('.'))).collect()
}

fn advice(widest: Scope) -> String {
    match widest {
        Scope::City => format!("name a city, or use a radius_miles of at most {CITY_RADIUS_MAX_MILES}"),
        Scope::County => {
            format!("name a city or a county, or use a radius_miles of at most {COUNTY_RADIUS_MAX_MILES}")
        }
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

/// Turns a request into a search, within what the plan allows and the source can tell.
pub async fn parse(app: &App, plan: &Plan, request: StartRequest) -> Result<SearchSpec, StartError> {
    let spec = understand(app, request).await.map_err(|error| match error {
        StartError::PlaceTooWide { name, width, scope, .. } => {
            StartError::PlaceTooWide { name, width, scope, plan: Some((plan.tier, plan.scope)) }
        }
        other => other,
    })?;
    if spec.scope > plan.scope {
        let (area, asked) = (spec.area_name, spec.scope);
        return Err(StartError::ScopeTooWide { area, asked, widest: plan.scope, tier: plan.tier });
    }
    let about = app.sources.current().about();
    if let Some(missing) = not_listed(&spec.request.filters, about.has) {
        let instead = app.sources.with(|has| not_listed(&spec.request.filters, *has).is_none());
        return Err(StartError::NotListed { missing, source_name: about.name.clone(), instead });
    }
    Ok(SearchSpec { requested: spec.requested.min(plan.per_search_cap), ..spec })
}

/// What a filter asks for and no listing of the source has.
fn not_listed(filters: &Filters, has: Has) -> Option<NotListed> {
    if filters.asks_rating() && !has.ratings {
        Some(NotListed::Ratings)
    } else if filters.asks_reviews() && !has.reviews {
        Some(NotListed::Reviews)
    } else if filters.has_phone == Some(true) && !has.phones {
        Some(NotListed::Phones)
    } else {
        None
    }
}

/// What a request means. The same words always mean the same, for every caller.
pub(super) async fn understand(app: &App, request: StartRequest) -> Result<SearchSpec, StartError> {
    let industry = location::industry(app, &request.industry)?;
    let (mut areas, mut notes) = (Vec::new(), notes::words(&request, industry));
    let precision = if request.radius_miles.is_some() { Precision::Door } else { Precision::Town };
    for place in request.places() {
        let location = location::locate(app, place, precision).await?;
        let (scope, area) = covered(&location, request.scope, request.radius_miles)?;
        notes.extend(notes::place(&request, &location, scope));
        areas.push((scope, area));
    }
    notes.extend(notes::idle_filters(&request.filters));
    let scope = areas.iter().map(|(scope, _)| *scope).max().unwrap_or(Scope::City);
    let areas = areas.into_iter().map(|(_, area)| area).collect();
    let area = places::Area::several(areas).expect("a request names a place");
    Ok(SearchSpec {
        requested: request.requested_count.unwrap_or(REQUESTED_DEFAULT).clamp(1, REQUESTED_MAX),
        area_name: area.name().to_owned(),
        notes,
        query: Query { category: industry.category, area },
        scope,
        request,
    })
}

/// The area around a location, and how wide it is.
pub(super) fn covered(
    location: &Location,
    scope: Option<Scope>,
    radius_miles: Option<f64>,
) -> Result<(Scope, places::Area), StartError> {
    match radius_miles {
        Some(miles) => circle(location, miles),
        None => within(location, scope),
    }
}

fn circle(location: &Location, miles: f64) -> Result<(Scope, places::Area), StartError> {
    if location.width > Scope::City {
        return Err(StartError::NoCentre { name: location.name.clone(), width: location.width });
    }
    let area = location.circle(miles);
    Ok((area.width(), area))
}

/// The area around a place. Without a scope it is a city, or the place itself when that is wider.
fn within(location: &Location, scope: Option<Scope>) -> Result<(Scope, places::Area), StartError> {
    match scope {
        Some(scope) if location.width > scope => {
            Err(StartError::PlaceTooWide { name: location.name.clone(), width: location.width, scope, plan: None })
        }
        scope => {
            let scope = scope.unwrap_or(Scope::City).max(location.width);
            Ok((scope, location.area(scope)))
        }
    }
}
