//! Looks through the leads an account has: by name, industry, place, owner, website, email or phone.

use super::{store, words_in, words_of};
use crate::app::App;
use crate::db::{Db, DbError};
use crate::ids::AccountId;
use crate::lead::outdated::store as outdated;
use crate::lead::{Lead, StoredLead};

/// Leads looked at closely, the newest first. A word that more leads have does not find any: it only tells which of those that the
/// others found are meant. So a question takes as long for a million leads as for a thousand.
const CANDIDATES_MAX: i64 = 1_000;
/// Words of a question; further ones are ignored.
const WORDS_MAX: usize = 8;

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
    if outdated::backlog(&app.db).await?.is_some() {
        notes.push("Leads of an earlier version are still being indexed; some may be missing.".to_owned());
    }
    let Candidates { leads, are_all } = candidates(&app.db, account, &words).await?;
    let mut hits: Vec<(usize, Hit)> = leads.into_iter().filter_map(|shown| ranked(shown, &words)).collect();
    if hits.len() > limit {
        notes.push(format!("More than {limit} leads match; add a word to narrow it down."));
    } else if !are_all {
        notes.push(format!(
            "Only the newest {CANDIDATES_MAX} leads with the rarest of these words were looked at; add a word to narrow it down."
        ));
    }
    // Stable: among equals the newest stays first.
    hits.sort_by_key(|(in_name, _)| std::cmp::Reverse(*in_name));
    Ok(LookedUp { hits: hits.into_iter().take(limit).map(|(_, hit)| hit).collect(), notes })
}

/// Leads that may match.
struct Candidates {
    leads: Vec<StoredLead>,
    /// Whether no other lead can match.
    are_all: bool,
}

/// The leads that may match: those that have all rare words, or else the newest with a frequent one.
async fn candidates(db: &Db, account: AccountId, words: &[String]) -> Result<Candidates, DbError> {
    let mut rare: Vec<&str> = Vec::new();
    for word in words {
        match store::count(db, account, word, CANDIDATES_MAX).await? {
            0 => return Ok(Candidates { leads: Vec::new(), are_all: true }),
            count if count < CANDIDATES_MAX => rare.push(word),
            _ => {}
        }
    }
    if !rare.is_empty() {
        let leads = store::with_words(db, account, &rare, CANDIDATES_MAX).await?;
        let are_all = i64::try_from(leads.len()).is_ok_and(|found| found < CANDIDATES_MAX);
        return Ok(Candidates { leads, are_all });
    }
    // The longest is the likeliest to narrow it down. Words that merely begin so have no common order of age.
    let mut by_length: Vec<&str> = words.iter().map(String::as_str).collect();
    by_length.sort_by_key(|word| std::cmp::Reverse(word.len()));
    let longest = by_length.first().copied().unwrap_or_default();
    // Leads with the exact words come before those with longer ones, and the index alone finds them.
    for exact in [by_length.as_slice(), &[longest]] {
        let leads = store::with_exact_words(db, account, exact, CANDIDATES_MAX).await?;
        if !leads.is_empty() {
            return Ok(Candidates { leads, are_all: false });
        }
    }
    let leads = store::beginning_with(db, account, longest, CANDIDATES_MAX).await?;
    Ok(Candidates { leads, are_all: false })
}

/// The lead, and how many of the words are in its name. Nothing when it does not have all of them.
fn ranked(shown: StoredLead, words: &[String]) -> Option<(usize, Hit)> {
    let lead = shown.lead().ok()?;
    let own = words_of(&lead);
    if !words.iter().all(|word| own.range(word.clone()..).next().is_some_and(|one| one.starts_with(word))) {
        return None;
    }
    let name = words_in(&lead.business_name);
    let in_name = words.iter().filter(|word| name.iter().any(|own| own.starts_with(word.as_str()))).count();
    Some((in_name, Hit { shown, lead }))
}
