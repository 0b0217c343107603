//! Looks through the leads an account has: by name, industry, place, email or phone.

use super::{History, history};
use crate::db::{Db, DbError};
use crate::ids::AccountId;
use crate::lead::{self, Lead, StoredLead};

/// Leads looked through, the newest first: more would keep the database busy for one question.
const LOOKED_THROUGH_LEADS_MAX: i64 = 20_000;
/// Leads of one search that are looked at closely.
const CANDIDATES_MAX: i64 = 200;
/// Words of a question; further ones are ignored.
const WORDS_MAX: usize = 8;
/// Digits that make a question a phone number.
const PHONE_DIGITS_MIN: usize = 7;

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

/// The leads that hold every word of the question, those with most of them in their name first, then the newest.
pub async fn look_up(db: &Db, account: AccountId, question: &str, limit: usize) -> Result<LookedUp, DbError> {
    let (words, ignored) = words(question);
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
    let wanted = History { limit: Some(History::SEARCHES_MAX), ..History::default() };
    let searches = history(db, account, wanted).await?;
    let mut hits: Vec<(usize, Hit)> = Vec::new();
    let (mut left, mut looked_through) = (LOOKED_THROUGH_LEADS_MAX, 0);
    for search in searches.iter().take_while(|search| enough_left(&mut left, search.leads_found)) {
        looked_through += 1;
        let found = lead::store::holding(db, search.id, &patterns(&words), CANDIDATES_MAX).await?;
        hits.extend(found.into_iter().filter_map(|shown| fits(shown, &words)));
    }
    if looked_through < searches.len() || searches.len() as i64 >= History::SEARCHES_MAX {
        notes.push(format!("Only the leads of the newest {looked_through} searches were looked through."));
    }
    if hits.len() > limit {
        notes.push(format!("More than {limit} leads match; add a word to narrow it down."));
    }
    // Stable: among equals the newest search stays first.
    hits.sort_by_key(|(in_name, _)| std::cmp::Reverse(*in_name));
    Ok(LookedUp { hits: hits.into_iter().take(limit).map(|(_, hit)| hit).collect(), notes })
}

/// Whether the budget allows another search; its leads are then deducted.
fn enough_left(left: &mut i64, leads: i64) -> bool {
    let enough = *left > 0;
    *left -= leads;
    enough
}

/// The words of a question in lower case, and those too many; a phone number is one word however it is written.
fn words(question: &str) -> (Vec<String>, Vec<String>) {
    let digits: String = question.chars().filter(char::is_ascii_digit).collect();
    let is_phone = digits.len() >= PHONE_DIGITS_MIN && !question.chars().any(char::is_alphabetic);
    if is_phone {
        return (vec![digits], Vec::new());
    }
    let bare = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    let mut words: Vec<String> = question.split_whitespace().map(bare).filter(|word| !word.is_empty()).collect();
    let ignored = words.split_off(words.len().min(WORDS_MAX));
    (words, ignored)
}

/// Patterns for the database: the three longest words, with a wildcard for every character whose lower case it may not know.
fn patterns(words: &[String]) -> [String; 3] {
    let mut longest: Vec<&String> = words.iter().collect();
    longest.sort_by_key(|word| std::cmp::Reverse(word.len()));
    [0, 1, 2].map(|place| {
        let word = longest.get(place).map_or("", |word| word.as_str());
        let plain = |c: char| if c.is_ascii_alphanumeric() || "@.-".contains(c) { c } else { '_' };
        format!("%{}%", word.chars().map(plain).collect::<String>())
    })
}

/// The lead, when every word occurs in one of its searchable fields, and how many of them occur in its name.
fn fits(shown: StoredLead, words: &[String]) -> Option<(usize, Hit)> {
    let lead = shown.lead().ok()?;
    let name = lead.business_name.to_lowercase();
    let texts = [&lead.address, &lead.city, &lead.state, &lead.phone, &lead.owner_name, &lead.website];
    let emails = lead.emails.iter().map(|email| email.email.as_str());
    let texts = texts.into_iter().filter_map(|text| text.as_deref()).chain(emails).chain([lead.industry.as_str()]);
    let all = texts.map(str::to_lowercase).chain([name.clone()]).collect::<Vec<_>>().join("\n");
    if !words.iter().all(|word| all.contains(word.as_str())) {
        return None;
    }
    let in_name = words.iter().filter(|word| name.contains(word.as_str())).count();
    Some((in_name, Hit { shown, lead }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(question: &str, expected: &[&str]) {
        assert_eq!(words(question).0, expected, "{question}");
    }

    #[test]
    fn a_question_is_read_word_by_word() {
        check("  Joe's Plumbing, Austin ", &["joe's", "plumbing", "austin"]);
        check("(512) 555-0100", &["5125550100"]);
        check("info@joes.example", &["info@joes.example"]);
        check("24 Hour", &["24", "hour"]);
        check("% _ ,", &[]);
        check("ÉCOLE", &["école"]);
        let (kept, ignored) = words(&"a ".repeat(100));
        assert_eq!((kept.len(), ignored.len()), (WORDS_MAX, 100 - WORDS_MAX));
    }

    #[test]
    fn patterns_match_more_rather_than_less() {
        assert_eq!(patterns(&["école".into(), "a%b".into()]), ["%_cole%", "%a_b%", "%%"]);
    }
}
