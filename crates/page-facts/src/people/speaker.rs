//! Decides who is speaking in a paragraph: a customer, whose name is then shown below it, or the business.

use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind};

use crate::site::Site;

/// First-person words, used by customers and businesses alike.
const FIRST_PERSON: &[&str] = &[" we ", "We ", " our ", " my ", "My ", " I ", "I’", "I'", " us "];

/// Phrases of a business addressing its customers, which no customer uses.
const BUSINESS: &[&str] = &[
    "our customers",
    "our clients",
    "our patients",
    "our guests",
    "our team",
    "our staff",
    "our mission",
    "our goal",
    "our company",
    "our services",
    "our practice",
    "our family of",
    "we offer",
    "we serve",
    "we provide",
    "we speciali",
    "we strive",
    "we pride",
    "we believe",
    "we promise",
    "we guarantee",
    "we look forward",
    "we founded",
    "we opened",
    "we started this",
    "we have been serving",
    "i founded",
    "i opened",
    "i started this",
    "serving you",
    "your needs",
    "your home",
    "your smile",
    "your business",
    "for you ",
    "help you",
    "thank you for visiting",
];

static FIRST_PERSON_SEARCH: LazyLock<Option<AhoCorasick>> =
    LazyLock::new(|| AhoCorasick::builder().kind(Some(AhoCorasickKind::DFA)).build(FIRST_PERSON).ok());

static BUSINESS_SEARCH: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
    AhoCorasick::builder().ascii_case_insensitive(true).kind(Some(AhoCorasickKind::DFA)).build(BUSINESS).ok()
});

/// Words of customers about what they bought.
const PRAISE: &[&str] = &[
    "recommend",
    "saved us",
    "saved me",
    "game changer",
    "game-changer",
    "lifesaver",
    "life saver",
    "this product",
    "this tool",
    "this platform",
    "this software",
    "this app",
    "love this",
    "can't imagine",
    "can’t imagine",
    "great service",
    "great job",
    "amazing service",
    "they did",
    "they were",
    "they are",
    "they have",
    "working with them",
    "be happier",
    "best decision",
    "easy to use",
    "exceeded our expect",
    "exceeded my expect",
    "has helped us",
    "has helped me",
    "helped us",
    "allowed us to",
    "without it.",
    "without them.",
    "hours every week",
    "hours a week",
    "never looked back",
    "blown away",
    "life-changing",
    "worth every penny",
    "best investment",
    "look no further",
    "second to none",
    "above and beyond",
    "so easy to",
];

static PRAISE_SEARCH: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
    AhoCorasick::builder().ascii_case_insensitive(true).kind(Some(AhoCorasickKind::DFA)).build(PRAISE).ok()
});

/// Whether a quotation is the words of the business: it speaks of its customers, its team or its goal, and praises nobody.
pub(super) fn is_business(quotation: &str) -> bool {
    BUSINESS_SEARCH.as_ref().is_some_and(|words| words.is_match(quotation)) && !is_praise(quotation)
}

/// Whether a short sentence is a customer's: a business says `we`, rarely `I`.
pub(super) fn is_short_praise(line: &str) -> bool {
    let is_one = [" I ", " my ", " me ", " me.", " I've ", " I’ve "].iter().any(|word| line.contains(word))
        || line.starts_with("I ")
        || line.starts_with("My ");
    let is_switch = line.starts_with("We ") && line.contains("never looked back");
    // `They fixed our leak in an hour.`
    let is_theirs = line.starts_with("They ") && [" our ", " us ", " us."].iter().any(|word| line.contains(word));
    (is_one || is_switch || is_theirs) && line.ends_with(['.', '!', '”', '"'])
}

/// Whether a paragraph praises someone else's work in the first person.
pub(super) fn is_praise(paragraph: &str) -> bool {
    let says = |search: &LazyLock<Option<AhoCorasick>>| search.as_ref().is_some_and(|words| words.is_match(paragraph));
    let is_first_person = || {
        says(&FIRST_PERSON_SEARCH)
            || paragraph.starts_with("I ")
            || paragraph.starts_with("Our ")
            || paragraph.contains(" me ")
    };
    let is_business = || {
        [" your ", "our patients", "our clients", "our customers", "our guests", "we offer", "we provide"]
            .iter()
            .any(|words| paragraph.contains(words))
    };
    says(&PRAISE_SEARCH) && is_first_person() && !is_business()
}

/// Words at the start of a paragraph among which a business is named.
const PRAISE_WORDS_MAX: usize = 6;

/// Verbs after the name of a business in the mouth of its customers: `Acme has changed how our team works`.
const VERBS: &[&str] = &[
    "is", "has", "was", "helped", "helps", "enables", "allows", "makes", "made", "gives", "gave", "saved", "did",
    "lets",
];

/// Whether a customer wrote the paragraph.
pub(super) fn is_customer(paragraph: &str, site: &Site) -> bool {
    let says = |search: &LazyLock<Option<AhoCorasick>>| search.as_ref().is_some_and(|words| words.is_match(paragraph));
    says(&FIRST_PERSON_SEARCH) && (!says(&BUSINESS_SEARCH) || begins_with_praise(paragraph, site))
}

/// Whether the paragraph begins with the business as someone else: `Acme has`, `Working with Acme`.
fn begins_with_praise(paragraph: &str, site: &Site) -> bool {
    let trim = |word: &'_ str| word.trim_matches([',', '.', '“', '"']).to_owned();
    let words: Vec<String> = paragraph.split_whitespace().take(PRAISE_WORDS_MAX).map(trim).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    (1..words.len()).any(|at| VERBS.contains(&words[at]) && (0..at).any(|from| site.is_called(&words[from..at])))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_praise_is_in_the_first_person() {
        assert!(is_short_praise("Best tool I have used in years.") && is_short_praise("My roof looks great!"));
        assert!(is_short_praise("They fixed our leak in an hour and cleaned up."));
        assert!(is_short_praise("We switched last year and never looked back."));
        assert!(!is_short_praise("We build fences in Waco.") && !is_short_praise("Call me at 555-0100"));
    }

    #[test]
    fn customers_are_distinguished_from_the_business() {
        let site = Site::of("https://acme.com/");
        for said in [
            "Acme has changed how our team plans every sprint, and we like it.",
            "They fixed our roof in one day and we could not be happier with them, truly.",
            "I have been going to Acme for years and my whole family loves the place.",
        ] {
            assert!(is_customer(said, &site), "{said}");
        }
        for said in [
            "At Acme we treat our customers like family, and we have done so since the first day.",
            "I founded Acme because I wanted to do it better than those I had worked for.",
            "The shop is open every day from nine to five, and on Saturdays until noon.",
        ] {
            assert!(!is_customer(said, &site), "{said}");
        }
    }
}
