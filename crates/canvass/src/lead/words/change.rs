//! Keeps the words of a lead in step with what it says.

use super::{store, words_of};
use crate::db::{DbError, Tx};
use crate::ids::LeadId;
use crate::lead::Lead;
use crate::lead::json::{DocumentColumns, LeadDocument};
use crate::lead::place::Belongs;

/// A lead whose words are to change. Not unpacked yet: one that is damaged must not keep others from being deleted.
#[derive(Debug, from_row::FromRow)]
pub(crate) struct WordedLead {
    #[row(try_from = "String")]
    pub(crate) id: LeadId,
    number: i64,
    #[row(flatten)]
    document: DocumentColumns,
}

impl WordedLead {
    /// What it says; nothing when it is damaged.
    fn lead(&self) -> Option<Lead> {
        LeadDocument::try_from(self.document.clone()).ok()?.lead().ok()
    }
}

/// Forgets the words of leads that are deleted.
pub(crate) async fn forget_words(tx: &mut Tx, of: Belongs, leads: &[WordedLead]) -> Result<(), DbError> {
    for lead in leads {
        forget(tx, of, lead.number, lead.lead().as_ref()).await?;
    }
    Ok(())
}

/// Forgets the words of a lead that says this; of a damaged one, whatever they are.
pub(in crate::lead) async fn forget(tx: &mut Tx, of: Belongs, number: i64, says: Option<&Lead>) -> Result<(), DbError> {
    match says {
        Some(says) => store::forget(tx, of, number, words_of(says)).await,
        None => store::forget_all(tx, of, number).await,
    }
}

/// Forgets the words that a stored lead has and the one that takes its place has not, and adds those that are new.
pub(in crate::lead) async fn change(tx: &mut Tx, of: Belongs, stored: &WordedLead, lead: &Lead) -> Result<(), DbError> {
    let words = words_of(lead);
    match stored.lead() {
        Some(says) => {
            let gone = words_of(&says).difference(&words).cloned().collect();
            store::forget(tx, of, stored.number, gone).await?;
        }
        None => store::forget_all(tx, of, stored.number).await?,
    }
    store::insert(tx, of, words.into_iter().map(|word| (stored.number, word))).await
}
