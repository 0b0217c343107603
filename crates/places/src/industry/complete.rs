//! Completes an industry while it is typed: "den", "law f", "coffe".

use std::cmp::Reverse;

use super::catalogue::{Category, catalogue, categories};
use super::matching::{self, IndustryMatch};
use super::{TEXT_BYTES_MAX, words};

/// How well a category fits what was typed, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fit {
    /// A spelling of it was typed to the end.
    Whole,
    NameBegins,
    OtherNameBegins,
    WordOfNameBegins,
    WordOfOtherNameBegins,
    /// It is what a search for these words would find.
    Understood,
}

/// Categories that fit what was typed, best first; at most `limit`.
#[must_use]
pub fn complete_industry(text: &str, limit: usize) -> Vec<&'static Category> {
    let typed = typed_words(text);
    if text.len() > TEXT_BYTES_MAX || typed.is_empty() {
        return Vec::new();
    }
    let understood = matching::find(catalogue(), &words::words(text)).map(|IndustryMatch { category, .. }| category);
    let fit = |(number, category): (usize, &'static Category)| {
        let is_understood = (understood == Some(number)).then_some(Fit::Understood);
        Some((fit(category, &typed).into_iter().chain(is_understood).min()?, category))
    };
    let mut found: Vec<(Fit, &Category)> = categories().iter().enumerate().filter_map(fit).collect();
    found.sort_by_key(|(fit, category)| {
        (*fit, Reverse(category.overture.len().min(3)), category.name.len(), category.slug)
    });
    found.into_iter().take(limit).map(|(_, category)| category).collect()
}

fn fit(category: &Category, typed: &str) -> Option<Fit> {
    let names = [category.name, category.plural].map(typed_words);
    let others = category.synonyms.iter().map(|name| typed_words(name));
    let all = names.iter().cloned().map(|name| (name, Fit::NameBegins, Fit::WordOfNameBegins));
    let all = all.chain(others.map(|name| (name, Fit::OtherNameBegins, Fit::WordOfOtherNameBegins)));
    all.filter_map(|(name, begins, word_begins)| match name {
        name if name == typed => Some(Fit::Whole),
        name if name.starts_with(typed) => Some(begins),
        name if name.contains(&format!(" {typed}")) => Some(word_begins),
        _ => None,
    })
    .min()
}

/// The words as typed, folded; the last may be a part of one.
fn typed_words(text: &str) -> String {
    let words = crate::fold::words(text);
    words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_trades_come_up_after_a_few_letters() {
        for (typed, expected) in [
            ("den", "dentist"),
            ("plumb", "plumber"),
            ("resta", "restaurant"),
            ("law", "lawyer"),
            ("attorn", "lawyer"),
            ("coff", "coffee_shop"),
            ("coffe shop", "coffee_shop"),
            ("hair", "hair_salon"),
            ("roof", "roofer"),
            ("real est", "real_estate_agent"),
        ] {
            let found: Vec<&str> = complete_industry(typed, 5).iter().map(|category| category.slug).collect();
            assert!(found.contains(&expected), "{typed}: {found:?}");
        }
    }

    #[test]
    fn what_is_suggested_is_understood() {
        for category in categories() {
            let found = crate::industry(category.name).map(|industry| industry.category.slug);
            assert_eq!(found, Ok(category.slug), "{}", category.name);
        }
        assert!(complete_industry("", 5).is_empty() && complete_industry("  ,", 5).is_empty());
        assert!(complete_industry("zzzzzz", 5).is_empty());
    }
}
