//! `GET /me`: the account a key belongs to.

use std::sync::Arc;

use axum::extract::State;
use canvass::App;
use canvass::account::Account;
use canvass::db::DbError;
use canvass::plan::Tier;
use canvass::usage;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa::openapi::Object;
use utoipa::openapi::schema::Ref;

use super::usage::AllowancesView;
use crate::edge::Problem;
use crate::edge::body::Json;
use crate::edge::caller::{Authorized, ShowAccount};
use crate::edge::fields::NoParameters;
use crate::edge::schema::{self, one_of};

/// An account as its owner sees it.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Account)]
pub struct AccountView {
    /// The account's e-mail address.
    #[schema(example = "owner@example.com", format = Email)]
    pub email: String,
    /// The plan's name.
    #[schema(schema_with = tier_schema)]
    pub tier: &'static str,
    /// The live credit balance.
    #[schema(minimum = 0, maximum = 1_000_000_000_000_i64, example = 480)]
    pub credits: i64,
    /// What the plan and its add-ons allow.
    pub entitlements: Entitlements,
    /// What the plan includes each month, and what was used of it.
    pub allowances: AllowancesView,
}

/// What the plan and its add-ons allow.
#[derive(Debug, Serialize, ToSchema)]
pub struct Entitlements {
    /// Whether programs may use the account. When false, this call is the only one a key can make.
    #[schema(example = true)]
    pub api_access: bool,
    /// The widest search the plan allows.
    #[schema(schema_with = scope_schema)]
    pub scope: &'static str,
    /// The most leads one search may ask for.
    #[schema(minimum = 0, example = 500)]
    pub per_search_cap: i64,
    /// Whether leads show their opportunity score and its reasons (the Signals+ add-on).
    #[schema(example = false)]
    pub signals_plus: bool,
    /// Whether businesses can be watched (the Radar add-on).
    #[schema(example = false)]
    pub radar: bool,
}

fn tier_schema() -> Object {
    one_of("The plan's name.", Tier::ALL.map(Tier::name))
}

fn scope_schema() -> Ref {
    schema::scope("The widest search the plan allows.")
}

impl AccountView {
    /// The account, what its plan allows, and what was used of it.
    pub async fn of(app: &App, account: &Account) -> Result<AccountView, Arc<DbError>> {
        let plan = app.settings.plans.of(account.tier);
        Ok(AccountView {
            email: account.email.to_string(),
            tier: account.tier.name(),
            credits: account.credits,
            entitlements: Entitlements {
                api_access: plan.api_access,
                scope: plan.scope.name(),
                per_search_cap: plan.per_search_cap,
                signals_plus: account.signals_plus,
                radar: account.radar,
            },
            allowances: usage::allowances(app, account).await?.into(),
        })
    }
}

/// Show the account
///
/// Returns the account the key belongs to, with its live balance. Use it to verify a key. Works on every plan, also on
/// those without API access.
#[utoipa::path(get, path = "/me", operation_id = "getAccount", tag = "Account",
    responses((status = 200, description = "The account.", body = AccountView)))]
pub async fn me(
    State(app): State<App>,
    caller: Authorized<ShowAccount>,
    _: NoParameters,
) -> Result<Json<AccountView>, Problem> {
    Ok(Json(AccountView::of(&app, caller.account()).await?))
}
