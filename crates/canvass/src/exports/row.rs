//! A lead as the columns of a file read it.

use crate::lead::{Lead, LeadDocument, Lock, Premium};

/// A lead with its score, from which one row is written.
#[derive(Clone, Debug, PartialEq)]
pub struct ExportRow {
    /// Every field but the score.
    pub lead: Lead,
    /// Locked when the account may not see scores.
    pub premium: Premium,
}

impl ExportRow {
    /// Parses a stored lead. Fails only when the stored text was damaged.
    pub fn read(stored: &LeadDocument, lock: Lock) -> Result<ExportRow, serde_json::Error> {
        Ok(ExportRow { lead: stored.lead()?, premium: stored.premium(lock)? })
    }
}
