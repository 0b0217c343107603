//! Finds the owner and the best email by rule: the finders on the kept text, what the website as a whole tells, what customers
//! say, whose mailbox it is.

use std::sync::LazyLock;

use regex::Regex;

use super::belongs_to;
use crate::ai::{Brief, Who, infer};

/// How customers name an owner: `the owner, Jane Doe`, `Jane Doe, the owner`, `Jane Doe is the owner`.
static BY_CUSTOMERS: LazyLock<Regex> = LazyLock::new(|| {
    let name = r"[A-Z][\p{Ll}'’-]+\ (?:[A-Z]\.?\ )?[A-Z][\p{L}'’-]+";
    let pattern = format!(
        r"(?x) \b(?:[Tt]he|[Tt]heir|[Oo]ur)\ (?P<t1>owner|founder),?\ (?P<n1>{name})\b
        | \b(?P<n2>{name}),?\ (?:(?:who\ )?is\ )?(?:the|their)\ (?P<t2>owner|founder)\b"
    );
    Regex::new(&pattern).expect("the pattern is constant, and tests use it")
});

/// Who owns the business, as far as rules can tell. An owner that is known already stays.
pub(crate) fn who(brief: &Brief) -> Who {
    let found = if brief.owner_name.is_none() { owner(brief) } else { None };
    let (owner_name, owner_title) = found.unzip();
    let name = owner_name.as_ref().or(brief.owner_name.as_ref());
    let email = name.and_then(|name| mailbox(brief, name)).or_else(|| any_email(brief));
    Who { owner_name, owner_title: owner_title.flatten(), email }
}

fn owner(brief: &Brief) -> Option<(String, Option<String>)> {
    let on_pages = brief.facts.owner().map(|owner| (owner.name.clone(), owner.title.clone()));
    let inferred = || infer::owner(brief).map(|owner| (owner.name, owner.title));
    on_pages.or_else(inferred).or_else(|| brief.reviews.iter().find_map(|review| by_customers(review)))
}

fn by_customers(review: &str) -> Option<(String, Option<String>)> {
    let found = BY_CUSTOMERS.captures(review)?;
    let name = found.name("n1").or_else(|| found.name("n2"))?;
    let title = found.name("t1").or_else(|| found.name("t2"))?;
    if owns_something_else(&review[found.get(0)?.end()..]) {
        return None;
    }
    Some((name.as_str().to_owned(), Some(capital(title.as_str()))))
}

/// `... is the owner of a dog`: whether what follows is no business.
fn owns_something_else(after: &str) -> bool {
    static THE_BUSINESS: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"^(?i:this|the|that)\s+(?i:place|business|shop|store|company|restaurant|salon|clinic|practice|studio|firm|bar|cafe|bakery|garage|gym)\b|^[A-Z]")
            .expect("the pattern is constant, and tests use it")
    });
    let after = after.trim_start_matches([',', ' ']);
    after.strip_prefix("of ").is_some_and(|what| !THE_BUSINESS.is_match(what))
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// What the text shows, for a business of which no email is known.
fn any_email(brief: &Brief) -> Option<String> {
    let best = brief.facts.primary_email().filter(|_| brief.primary_email.is_none());
    best.map(|best| best.email.clone())
}

/// The owner's own mailbox, the surest first.
fn mailbox(brief: &Brief, owner: &str) -> Option<String> {
    let own = brief.emails.iter().filter(|known| belongs_to(&known.email, owner));
    own.max_by(|one, other| one.confidence.total_cmp(&other.confidence)).map(|known| known.email.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn customers_name_owners_in_few_ways_and_only_whole_names_count() {
        for (review, expected) in [
            ("The owner, Jane Doe, came by herself.", Some("Jane Doe")),
            ("Jane O'Neill is the owner and a gem.", Some("Jane O'Neill")),
            ("Ask for Jane A. Doe, the founder.", Some("Jane A. Doe")),
            ("Jane Doe is the owner of the shop.", Some("Jane Doe")),
            ("Jane Doe is the owner of a dog they groomed.", None),
            ("The owner, Bob Ray, of the house next door came too.", None),
            ("The owner Jane was lovely.", None),
            ("I am a dog owner. Jane Doe helped me.", None),
            ("", None),
        ] {
            assert_eq!(by_customers(review).map(|(name, _)| name).as_deref(), expected, "{review}");
        }
    }
}
