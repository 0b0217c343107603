//! Tenancy by type: a value that was looked up under its owner's id.

use std::ops::Deref;

use crate::ids::AccountId;

/// A search, lead or watch together with the account it was found under. A verb that takes one needs no further check
/// that the caller may see it.
///
/// Only `store.rs` files construct it, from a row whose `account_id` they compared with the caller's or wrote themselves
/// (`tests/it/tidy.rs` holds that).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Owned<T> {
    account: AccountId,
    item: T,
}

impl<T> Owned<T> {
    /// Call it only where the statement that gave `item` names `account` as its owner.
    pub(crate) fn new(account: AccountId, item: T) -> Owned<T> {
        Owned { account, item }
    }

    /// The tenant.
    pub fn account(&self) -> AccountId {
        self.account
    }

    /// The value without its proof of ownership, for views that take it apart.
    pub fn into_inner(self) -> T {
        self.item
    }
}

impl<T> Deref for Owned<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.item
    }
}
