//! The `[plans.*]` tables of the settings file.

use std::path::Path;

use super::{Given, Origin, SettingError};
use crate::plan::{Plan, Plans, Scope, Tier};

/// What a file may change about one plan.
#[derive(Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct PlanChange {
    scope: Option<Scope>,
    per_search_cap: Option<i64>,
    monthly_credits: Option<i64>,
    api_access: Option<bool>,
    ai_enrich: Option<i64>,
    ai_intro: Option<i64>,
    radar_cap: Option<i64>,
}

/// The largest number a plan may promise.
const AMOUNT_MAX: i64 = 1_000_000_000;

pub(super) fn plans(given: &Given) -> Result<Plans, SettingError> {
    let mut plans = Plans::default();
    let Some((value, path)) = given.plans() else { return Ok(plans) };
    let tables = value.as_table().ok_or_else(|| bad(path, "needs a table for each tier".into()))?;
    for (name, table) in tables {
        let tier: Tier = name.parse().map_err(|error| bad(path, format!("cannot be used: {error}")))?;
        let change: PlanChange =
            table.clone().try_into().map_err(|error| bad(path, format!("has a fault under {name}: {error}")))?;
        apply(change, plans.of_mut(tier)).map_err(|field| {
            bad(path, format!("has a fault under {name}: {field} must be between 0 and {AMOUNT_MAX}"))
        })?;
    }
    Ok(plans)
}

fn apply(change: PlanChange, plan: &mut Plan) -> Result<(), &'static str> {
    plan.scope = change.scope.unwrap_or(plan.scope);
    plan.api_access = change.api_access.unwrap_or(plan.api_access);
    let amounts = [
        ("per_search_cap", change.per_search_cap, &mut plan.per_search_cap),
        ("monthly_credits", change.monthly_credits, &mut plan.monthly_credits),
        ("ai_enrich", change.ai_enrich, &mut plan.ai_enrich),
        ("ai_intro", change.ai_intro, &mut plan.ai_intro),
        ("radar_cap", change.radar_cap, &mut plan.radar_cap),
    ];
    for (field, amount, place) in amounts {
        *place = amount.unwrap_or(*place);
        if !(0..=AMOUNT_MAX).contains(place) {
            return Err(field);
        }
    }
    Ok(())
}

fn bad(path: &Path, why: String) -> SettingError {
    SettingError::Bad { name: "plans", origin: Origin::File(path.into()), why }
}
