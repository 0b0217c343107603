//! `GET /usage`: what was used, day by day.

use axum::extract::State;
use canvass::App;
use canvass::usage::{self, Allowances, DAYS_MAX, Used};
use serde::Serialize;
use utoipa::ToSchema;

use crate::edge::Problem;
use crate::edge::body::Json;
use crate::edge::caller::{Api, Authorized};
use crate::edge::fields::Fields;

/// Days when the client does not say.
const DAYS_DEFAULT: i64 = 30;

/// What an account has used.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Usage)]
pub struct UsageView {
    /// The last days in UTC, today last, also those on which nothing was used.
    pub days: Vec<DayView>,
    /// What is left of the allowances.
    pub allowances: AllowancesView,
}

/// What was used on one day.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = UsageDay)]
pub struct DayView {
    /// The date in UTC.
    #[schema(format = Date, example = "2026-11-15")]
    pub day: String,
    /// Credits spent.
    #[schema(minimum = 0)]
    pub credits: i64,
    /// Leads delivered.
    #[schema(minimum = 0)]
    pub leads: i64,
    /// Searches started.
    #[schema(minimum = 0)]
    pub searches: i64,
}

/// What the plan includes, and what was used of it.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Allowances)]
pub struct AllowancesView {
    /// The balance is filled up to this each month.
    #[schema(minimum = 0, example = 2500)]
    pub monthly_credits: i64,
    /// When that happens next.
    #[schema(format = DateTime)]
    pub refills_at: String,
    /// AI enrichments this calendar month, in UTC.
    pub enrichments: UsedView,
    /// AI email openings this calendar month, in UTC.
    pub intros: UsedView,
    /// AI uses left of granted packs, for both.
    #[schema(minimum = 0)]
    pub packs: i64,
    /// Whether what goes beyond is paid by a key of the account's own.
    pub has_own_ai_key: bool,
    /// Businesses watched now. None are included without the Radar add-on.
    pub watches: UsedView,
}

/// What was used of something limited.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Used)]
pub struct UsedView {
    /// Used so far.
    #[schema(minimum = 0, example = 12)]
    pub used: i64,
    /// Included in the plan.
    #[schema(minimum = 0, example = 500)]
    pub included: i64,
}

impl From<Used> for UsedView {
    fn from(used: Used) -> UsedView {
        UsedView { used: used.used, included: used.included }
    }
}

impl From<Allowances> for AllowancesView {
    fn from(of: Allowances) -> AllowancesView {
        AllowancesView {
            monthly_credits: of.monthly_credits,
            refills_at: of.refills_at.to_string(),
            enrichments: of.enrichments.into(),
            intros: of.intros.into(),
            packs: of.packs,
            has_own_ai_key: of.has_own_key,
            watches: of.watches.into(),
        }
    }
}

/// Show usage
///
/// Credits, leads and searches by day, and what is left of the month's allowances.
#[utoipa::path(get, path = "/usage", operation_id = "showUsage", tag = "Account",
    params(("days" = Option<i64>, Query, description = "How many days, today included.", minimum = 1, maximum = 366, example = 30)),
    responses((status = 200, description = "What was used.", body = UsageView)))]
pub async fn show(
    State(app): State<App>,
    caller: Authorized<Api>,
    mut query: Fields,
) -> Result<Json<UsageView>, Problem> {
    let days = query.integer("days", 1..=DAYS_MAX).unwrap_or(DAYS_DEFAULT);
    query.finish()?;
    let days = usage::by_day(&app, caller.account(), days).await?;
    let view = |day: usage::DayOfUse| DayView {
        day: day.date(),
        credits: day.credits,
        leads: day.leads,
        searches: day.searches,
    };
    let allowances = usage::allowances(&app, caller.account()).await?.into();
    Ok(Json(UsageView { days: days.into_iter().map(view).collect(), allowances }))
}
