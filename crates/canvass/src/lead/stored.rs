//! A lead as it is read from the database.

use std::ops::Deref;

use super::json::{DocumentColumns, LeadDocument};
use crate::ids::LeadId;

/// A stored lead, upgraded to the current version.
#[derive(Clone, Debug, from_row::FromRow)]
pub struct StoredLead {
    /// The `lead_id` inside its JSON.
    #[row(try_from = "String")]
    pub id: LeadId,
    /// Sequence number within its search, in order of delivery; also its event id.
    pub number: i64,
    #[row(flatten, try_from = "DocumentColumns")]
    document: LeadDocument,
}

impl Deref for StoredLead {
    type Target = LeadDocument;

    fn deref(&self) -> &LeadDocument {
        &self.document
    }
}
