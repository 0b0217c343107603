//! A customer's own AI key as it is stored: sealed, with where it leads and who chose that.

/// Who chose where a key leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetBy {
    /// The operator of this server, who may choose any address.
    Operator,
    /// The customer: only the public internet is.
    Customer,
}

impl SetBy {
    /// Its name in the database.
    pub(super) fn name(self) -> &'static str {
        match self {
            SetBy::Operator => "operator",
            SetBy::Customer => "customer",
        }
    }
}

/// A key as it is stored.
#[derive(Clone, Debug)]
pub(super) struct SealedKey {
    pub(super) sealed: String,
    pub(super) base_url: String,
    pub(super) model: String,
    pub(super) set_by: SetBy,
}
