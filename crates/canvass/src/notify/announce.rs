//! Puts the end of a search into the outbox, as part of the transaction that ends it.

use super::{Ending, store};
use crate::clock::Moment;
use crate::db::{DbError, Tx};

/// Queues the e-mail about the end of a search. Announcing it again changes nothing.
pub async fn announce(tx: &mut Tx, ending: &Ending, now: Moment) -> Result<(), DbError> {
    store::insert(tx, ending, now).await
}
