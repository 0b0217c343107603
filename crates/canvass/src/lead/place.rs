//! Whose a lead is, and which of its search.

use crate::ids::{AccountId, SearchId};

/// The owner of a lead.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Belongs {
    pub(crate) account: AccountId,
    pub(crate) search: SearchId,
}

/// Whose lead it is, and which of its search.
#[derive(Clone, Copy, Debug, from_row::FromRow)]
pub(crate) struct LeadPlace {
    #[row(try_from = "String", rename = "account_id")]
    pub(super) account: AccountId,
    #[row(try_from = "String", rename = "search_id")]
    pub(super) search: SearchId,
    pub(super) number: i64,
}

impl LeadPlace {
    pub(crate) fn belongs(&self) -> Belongs {
        Belongs { account: self.account, search: self.search }
    }
}
