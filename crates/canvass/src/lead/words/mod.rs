//! The words under which a lead is found: those of its name, trade, place, owner, website, emails and phone.

mod change;
mod look_up;
pub(super) mod store;

pub(crate) use change::{WordedLead, forget_words};
pub(super) use change::{change, forget};
pub use look_up::{Hit, LookedUp, look_up};

use std::collections::BTreeSet;

use super::Lead;

/// Words of one lead that are kept. Few have a third of it.
const WORDS_MAX: usize = 60;
/// Characters of a word that are kept.
const WORD_CHARS_MAX: usize = 40;
/// Digits that make a question a phone number.
const PHONE_DIGITS_MIN: usize = 7;
/// Digits of a phone number without its country, in North America.
const NATIONAL_DIGITS: usize = 10;

/// The words of a lead.
pub(super) fn words_of(lead: &Lead) -> BTreeSet<String> {
    let texts = [&lead.owner_name, &lead.city, &lead.street, &lead.postal_code, &lead.state, &lead.address];
    let texts = [lead.business_name.as_str(), &lead.industry]
        .into_iter()
        .chain(texts.into_iter().filter_map(|text| text.as_deref()));
    let website = lead.website.as_deref().map(host);
    let emails = lead.emails.iter().map(|email| email.email.as_str());
    let mut found: BTreeSet<String> = BTreeSet::new();
    for word in texts.chain(website).chain(emails).flat_map(split) {
        if found.len() == WORDS_MAX {
            break;
        }
        found.insert(word);
    }
    found.extend(lead.phone.as_deref().map(phone_words).unwrap_or_default());
    found
}

/// The words of a question; a phone number is one word however it is written.
pub(super) fn words_in(question: &str) -> Vec<String> {
    let digits: String = question.chars().filter(char::is_ascii_digit).collect();
    if digits.len() >= PHONE_DIGITS_MIN && !question.chars().any(char::is_alphabetic) {
        return vec![digits];
    }
    let question = if question.contains("://") { host(question.trim()) } else { question };
    split(question).collect()
}

fn split(text: &str) -> impl Iterator<Item = String> {
    let folded = places::fold_words(text).into_iter();
    folded.map(|word| word.chars().take(WORD_CHARS_MAX).collect::<String>()).filter(|word| !word.is_empty())
}

/// With the country's code and without, so that both are found.
fn phone_words(phone: &str) -> Vec<String> {
    let digits: String = phone.chars().filter(char::is_ascii_digit).collect();
    let national = digits.strip_prefix('1').filter(|rest| rest.len() == NATIONAL_DIGITS).map(str::to_owned);
    [digits].into_iter().chain(national).filter(|word| !word.is_empty()).collect()
}

fn host(website: &str) -> &str {
    let rest = website.split_once("://").map_or(website, |(_, rest)| rest);
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    host.strip_prefix("www.").unwrap_or(host)
}

#[cfg(test)]
mod tests {
    use super::super::sample_lead;
    use super::*;

    #[test]
    fn a_lead_is_found_by_every_part_of_what_is_known() {
        let mut lead = sample_lead();
        lead.business_name = "Café Zürich & Söhne".to_owned();
        lead.website = Some("https://www.cafe-zurich.example/menu?x=1".to_owned());
        lead.phone = Some("+15125550100".to_owned());
        lead.city = Some("Round Rock".to_owned());
        let words = words_of(&lead);
        for question in [
            "cafe",
            "ZÜRICH",
            "sohne",
            "cafe-zurich.example",
            "(512) 555-0100",
            "+1 512 555 0100",
            "round rock",
            "plumber",
        ] {
            let asked = words_in(question);
            assert!(!asked.is_empty() && asked.iter().all(|word| words.contains(word)), "{question}: {words:?}");
        }
        assert!(!words.contains("menu") && words_in(" % _ , ").is_empty());
    }

    #[test]
    fn the_words_of_a_hostile_lead_are_bounded() {
        let mut lead = sample_lead();
        lead.business_name = (0..10_000).map(|number| format!("word{number} ")).collect();
        lead.owner_name = Some("x".repeat(100_000));
        let words = words_of(&lead);
        assert!(words.len() <= WORDS_MAX + 2 && words.iter().all(|word| word.chars().count() <= WORD_CHARS_MAX));
    }
}
