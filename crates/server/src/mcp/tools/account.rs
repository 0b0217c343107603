//! `get_account`: who asks, and what they may do.

use super::{Answer, Call};
use crate::api::account::AccountView;
use crate::edge::Problem;
use crate::edge::caller::ShowAccount;

pub(super) fn show(mut call: Call) -> Result<Answer, Problem> {
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
    Answer::new(&AccountView::new(account, plan), next)
}
