//! Looks through the leads an account has: by name, industry, place, email or phone.

use super::{History, history};
use crate::db::{Db, DbError};
use crate::ids::AccountId;
use crate::lead::{self, Lead, Shown};

/// Leads looked through, the newest first: more would keep the database busy for one question.
const LOOKED_THROUGH_LEADS_MAX: i64 = 20_000;
/// Leads of one search that are looked at closely.
const CANDIDATES_MAX: i64 = 200;
/// Words of a question that count.
const WORDS_MAX: usize = 8;
/// Digits from which on a question is a phone number.
const PHONE_DIGITS_MIN: usize = 7;

/// A lead that fits.
#[derive(Clone, Debug)]
pub struct Hit {
    /// As it is stored.
    pub shown: Shown,
    /// As it is read.
    pub lead: Lead,
}

/// The leads that hold every word of the question, those with most of them in their name first, then the newest.
pub async fn look_up(db: &Db, account: AccountId, question: &str, limit: usize) -> Result<Vec<Hit>, DbError> {
    let words = words(question);
    if words.is_empty() {
        return Ok(Vec::new());
    }
    let wanted = History { limit: Some(History::SEARCHES_MAX), ..History::default() };
    let mut hits: Vec<(usize, Hit)> = Vec::new();
    let mut left = LOOKED_THROUGH_LEADS_MAX;
    for search in history(db, account, wanted).await? {
        if left <= 0 {
            break;
        }
        left -= search.leads_found;
        let found = lead::store::holding(db, search.id, &patterns(&words), CANDIDATES_MAX).await?;
        hits.extend(found.into_iter().filter_map(|shown| fits(shown, &words)));
    }
    // Stable: among equals the newest search stays first.
    hits.sort_by_key(|(in_name, _)| std::cmp::Reverse(*in_name));
    Ok(hits.into_iter().take(limit).map(|(_, hit)| hit).collect())
}

/// The words of a question in lower case; a phone number is one word however it is written.
fn words(question: &str) -> Vec<String> {
    let digits: String = question.chars().filter(char::is_ascii_digit).collect();
    let is_phone = digits.len() >= PHONE_DIGITS_MIN && !question.chars().any(char::is_alphabetic);
    if is_phone {
        return vec![digits];
    }
    let bare = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    question.split_whitespace().map(bare).filter(|word| !word.is_empty()).take(WORDS_MAX).collect()
}

/// What the database looks for: the three longest words, in which it need not know every alphabet's small letters.
fn patterns(words: &[String]) -> [String; 3] {
    let mut longest: Vec<&String> = words.iter().collect();
    longest.sort_by_key(|word| std::cmp::Reverse(word.len()));
    [0, 1, 2].map(|place| {
        let word = longest.get(place).map_or("", |word| word.as_str());
        let plain = |c: char| if c.is_ascii_alphanumeric() || "@.-".contains(c) { c } else { '_' };
        format!("%{}%", word.chars().map(plain).collect::<String>())
    })
}

/// The lead, when it holds every word in what people look for, and how many of them stand in its name.
fn fits(shown: Shown, words: &[String]) -> Option<(usize, Hit)> {
    let lead = lead::parse(&shown.body).ok()?;
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
        assert_eq!(words(question), expected, "{question}");
    }

    #[test]
    fn a_question_is_read_word_by_word() {
        check("  Joe's Plumbing, Austin ", &["joe's", "plumbing", "austin"]);
        check("(512) 555-0100", &["5125550100"]);
        check("info@joes.example", &["info@joes.example"]);
        check("24 Hour", &["24", "hour"]);
        check("% _ ,", &[]);
        check("ÉCOLE", &["école"]);
        assert_eq!(words(&"a ".repeat(100)).len(), WORDS_MAX);
    }

    #[test]
    fn patterns_match_more_rather_than_less() {
        assert_eq!(patterns(&["école".into(), "a%b".into()]), ["%_cole%", "%a_b%", "%%"]);
    }
}
