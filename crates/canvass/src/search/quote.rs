//! What a search would cost, without starting it.

use super::resolved::resolve;
use super::{StartError, StartRequest, notes, parse};
use crate::account::Account;
use crate::app::App;
use crate::plan::Scope;

/// What a search would look for and cost.
#[derive(Clone, Debug, PartialEq)]
pub struct Quote {
    /// The name of the category that the industry was read as.
    pub industry: &'static str,
    /// The name of the area that the location was read as.
    pub area: String,
    /// How wide the area is.
    pub scope: Scope,
    /// Leads it would deliver at most: the count asked for, lowered to cap and balance.
    pub requested: i64,
    /// About how many businesses there are, when the source says.
    pub candidates: Option<u64>,
    /// Credits it could cost at most.
    pub cost_max: i64,
    /// The account's balance.
    pub credits: i64,
    /// Sentences on how the request was interpreted and limited; empty when it is taken exactly as asked.
    pub notes: Vec<String>,
}

/// Quotes a search. Requests that could not start are refused, except for lack of credits.
pub async fn quote(app: &App, account: &Account, request: StartRequest) -> Result<Quote, StartError> {
    let plan = app.settings.plans.of(account.tier);
    let mut spec = parse(app, plan, request).await?;
    spec.notes.extend(notes::limits(&spec, plan, account.credits));
    spec.notes.extend(notes::mail(app, &spec.request));
    let resolution = resolve(app.sources.current(), &spec).await?.1;
    let candidates = resolution.count;
    spec.notes.extend(resolution.notes);
    let requested = spec.requested.min(account.credits);
    let there = candidates.and_then(|count| i64::try_from(count).ok()).unwrap_or(i64::MAX);
    Ok(Quote {
        industry: spec.query.category.name,
        area: spec.area_name,
        scope: spec.scope,
        requested,
        candidates,
        cost_max: requested.min(there),
        credits: account.credits,
        notes: spec.notes,
    })
}
