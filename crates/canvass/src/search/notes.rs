//! Notes on how a request was interpreted where it was not taken exactly as asked, so that no credits are spent on something
//! else than was meant.

use places::Industry;

use super::location::Location;
use super::{Filters, REQUESTED_DEFAULT, SearchSpec, StartRequest};
use crate::app::App;
use crate::plan::{Plan, Scope};

/// How the kind of business was interpreted.
pub(super) fn words(request: &StartRequest, industry: Industry) -> Vec<String> {
    if industry.exact {
        return Vec::new();
    }
    vec![format!("The industry \"{}\" was read as {}.", request.industry.trim(), industry.category.name)]
}

/// How a place and the area around it were interpreted.
pub(super) fn place(request: &StartRequest, location: &Location, scope: Scope) -> Vec<String> {
    let mut notes = location.notes.clone();
    match request.radius_miles {
        Some(miles) => {
            notes.extend(location.circle_notes(miles));
            notes.extend(request.scope.map(|scope| ignored_scope(scope, location, miles)));
        }
        None => notes.extend(location.area_notes(scope)),
    }
    notes
}

fn ignored_scope(scope: Scope, location: &Location, miles: f64) -> String {
    let (unit, name) = (if miles == 1.0 { "mile" } else { "miles" }, &location.name);
    format!("The scope {scope} was ignored, as a radius was given too: the search covers {miles} {unit} around {name}.")
}

/// Filters that leave nothing out.
pub(super) fn idle_filters(filters: &Filters) -> Option<String> {
    let idle: Vec<&str> = [
        ("has_phone=false", filters.has_phone == Some(false)),
        ("has_email=false", filters.has_email == Some(false)),
        ("skip_owned=false", filters.skip_owned == Some(false)),
        ("min_reviews=0", filters.min_reviews == Some(0.0)),
    ]
    .into_iter()
    .filter_map(|(name, is_idle)| is_idle.then_some(name))
    .collect();
    match idle.as_slice() {
        [] => None,
        [one] => Some(format!("The filter {one} leaves nothing out.")),
        some => Some(format!("The filters {} leave nothing out.", some.join(", "))),
    }
}

/// Why fewer leads can be delivered than were asked for.
pub(super) fn limits(spec: &SearchSpec, plan: &Plan, credits: i64) -> Option<String> {
    let asked = spec.request.requested_count.unwrap_or(REQUESTED_DEFAULT);
    let (cap, tier) = (plan.per_search_cap, plan.tier);
    if credits == 0 {
        Some("There are no credits left, so this search could not start now.".to_owned())
    } else if credits < asked.min(cap) {
        let left = if credits == 1 { "the one credit that is left" } else { "the credits that are left" };
        Some(format!("The count was lowered from {asked} to {credits}, {left}."))
    } else if cap < asked {
        Some(format!("The count was lowered from {asked} to {cap}, the most per search on the {tier} plan."))
    } else {
        None
    }
}

/// Where the e-mail that was asked for goes when no mail server is set.
pub(super) fn mail(app: &App, request: &StartRequest) -> Option<String> {
    let is_kept_here = request.notify && app.settings.smtp_url.is_none();
    is_kept_here.then(|| {
        "No mail server is set up here: the e-mail at the end is written to the server's outbox folder, not sent."
            .to_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filters_that_leave_nothing_out_are_named() {
        let filters = Filters { has_email: Some(false), min_reviews: Some(0.0), ..Filters::default() };
        assert_eq!(
            idle_filters(&filters).as_deref(),
            Some("The filters has_email=false, min_reviews=0 leave nothing out.")
        );
        let telling =
            Filters { has_email: Some(true), min_rating: Some(0.0), has_website: Some(false), ..Filters::default() };
        assert_eq!(idle_filters(&telling), None);
    }
}
