//! Looks through the leads an account has: by name, industry, place, owner, website, email or phone.

use super::{store, words_in, words_of};
use crate::app::App;
use crate::db::DbError;
use crate::ids::{AccountId, LeadId};
use crate::lead::{Lead, StoredLead};

/// Leads looked at closely, the newest first.
const CANDIDATES_MAX: i64 = 500;
/// Words of a question; further ones are ignored.
const WORDS_MAX: usize = 8;
/// Leads of earlier versions that get their words in one transaction.
const BACKLOG_LEADS: i64 = 200;

/// A lead that matches.
#[derive(Clone, Debug)]
pub struct Hit {
    /// The row, to be shown.
    pub shown: StoredLead,
    /// The same, parsed.
    pub lead: Lead,
}

/// The outcome of a lookup.
#[derive(Clone, Debug, Default)]
pub struct LookedUp {
    /// The best matches, at most as many as were asked for.
    pub hits: Vec<Hit>,
    /// Sentences on what was ignored, not searched or not shown.
    pub notes: Vec<String>,
}

/// The leads that have every word of the question, or one that begins so; those with most of them in their name first, then the
/// newest.
pub async fn look_up(app: &App, account: AccountId, question: &str, limit: usize) -> Result<LookedUp, DbError> {
    let mut words = words_in(question);
    let ignored = words.split_off(words.len().min(WORDS_MAX));
    if words.is_empty() {
        return Ok(LookedUp::default());
    }
    let mut notes = Vec::new();
    if !ignored.is_empty() {
        notes.push(format!(
            "Only the first {WORDS_MAX} words were looked for; these were ignored: {}.",
            ignored.join(" ")
        ));
    }
    if store::backlog(&app.db).await?.is_some() {
        notes.push("Leads of an earlier version are still being indexed; some may be missing.".to_owned());
    }
    let found = store::with_words(&app.db, account, &words, CANDIDATES_MAX).await?;
    let mut hits: Vec<(usize, Hit)> = found.into_iter().filter_map(|shown| ranked(shown, &words)).collect();
    if hits.len() > limit {
        notes.push(format!("More than {limit} leads match; add a word to narrow it down."));
    }
    // Stable: among equals the newest stays first.
    hits.sort_by_key(|(in_name, _)| std::cmp::Reverse(*in_name));
    Ok(LookedUp { hits: hits.into_iter().take(limit).map(|(_, hit)| hit).collect(), notes })
}

/// The lead, and how many of the words are in its name.
fn ranked(shown: StoredLead, words: &[String]) -> Option<(usize, Hit)> {
    let lead = shown.lead().ok()?;
    let name = words_in(&lead.business_name);
    let in_name = words.iter().filter(|word| name.iter().any(|own| own.starts_with(word.as_str()))).count();
    Some((in_name, Hit { shown, lead }))
}

/// Gives leads that an earlier version stored their words, a few at a time. Several servers may do it at once: they repeat some
/// work, and leave the same words.
pub(crate) async fn index_backlog(app: &App) -> Result<(), DbError> {
    while let Some(after) = store::backlog(&app.db).await? {
        let leads = store::unindexed(&app.db, &after, BACKLOG_LEADS).await?;
        let last: Option<LeadId> = leads.last().map(|lead| lead.id);
        let mut tx = app.db.begin().await?;
        for lead in &leads {
            let words = lead.lead().map(|read| words_of(&read)).unwrap_or_default();
            store::add(&mut tx, lead.account, lead.id, words).await?;
        }
        store::advance_backlog(&mut tx, last).await?;
        tx.commit().await?;
    }
    Ok(())
}
