//! The area that a search would cover, to be shown on a map.

use places::Area;

use super::location::Precision;
use super::parse::covered;
use super::{StartError, location};
use crate::app::App;
use crate::plan::Scope;

/// Words for an area, as a start request has them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AreaRequest {
    /// The place, as typed.
    pub location: String,
    /// How wide to search around it.
    pub scope: Option<Scope>,
    /// The radius of a circle instead.
    pub radius_miles: Option<f64>,
}

/// The area that these words mean. The same for every caller, whatever its plan allows.
pub async fn area(app: &App, request: &AreaRequest) -> Result<Area, StartError> {
    let precision = if request.radius_miles.is_some() { Precision::Door } else { Precision::Town };
    let location = location::locate(app, &request.location, precision).await?;
    covered(&location, request.scope, request.radius_miles).map(|(_, area)| area)
}
