//! `get_account`: the account of the caller, and what its plan allows.

use schemars::JsonSchema;

use super::call::{ToolCall, ToolResponse};
use super::definition::{Content, Effect, ToolDefinition};
use super::schema::{self, ApiView};
use crate::api::account::AccountView;
use crate::edge::Problem;
use crate::edge::caller::ShowAccount;

pub(super) const GET_ACCOUNT: ToolDefinition = ToolDefinition {
    name: "get_account",
    title: "Check credits and plan",
    description: "Shows the account: e-mail, plan, credit balance, what the plan allows. Call this before starting a \
                  large search.",
    content: Content::Own,
    effect: Effect::READS,
    input: schema::input::<NoArguments>,
    output: schema::output::<ApiView<AccountView>>,
    run: |call| Box::pin(show(call)),
};

#[derive(JsonSchema)]
struct NoArguments {}

async fn show(mut call: ToolCall) -> Result<ToolResponse, Problem> {
    call.finish()?;
    let caller = call.authorize::<ShowAccount>()?;
    let account = caller.account();
    let plan = call.edge.app.settings.plans.of(account.tier);
    let next = match (plan.api_access, account.credits) {
        (false, _) => {
            "This plan lets no programs in: tell the user that the other tools need a plan with integrations."
        }
        (true, 0) => {
            "There are no credits left for a search; what was found before can still be shown with list_searches."
        }
        (true, _) => "Call start_search to find businesses, or list_searches to see what was found before.",
    };
    ToolResponse::new(&AccountView::of(&call.edge.app, account).await?, next)
}
