//! Matches typed words with the catalogue, from exact to loose.

use std::collections::HashMap;

use super::catalogue::Catalogue;
use super::words::{are_stop_words, significant};
use crate::gazetteer::edits;

/// Letters that words need for one typo, for two, and for one within a longer text.
const LETTERS_FOR_ONE_EDIT: usize = 4;
const LETTERS_FOR_TWO_EDITS: usize = 9;
const LETTERS_FOR_EDITS_IN_PHRASE: usize = 8;
/// Unknown words allowed around a known phrase: "24 hour emergency plumber".
const UNKNOWN_WORDS_MAX: usize = 3;
/// Words read of an industry.
const WORDS_MAX: usize = 12;
/// Maximum edit distance of a suggestion, and number of suggestions.
const NEAREST_EDITS_MAX: usize = 3;
const NEAREST_MAX: usize = 5;

/// A matched category, by index.
pub(super) struct IndustryMatch {
    pub(super) category: usize,
    pub(super) exact: bool,
}

pub(super) fn find(catalogue: &Catalogue, words: &[String]) -> Option<IndustryMatch> {
    if words.is_empty() || words.len() > WORDS_MAX {
        return None;
    }
    let (all, short) = (words.join(" "), significant(words).join(" "));
    let known = catalogue.exact.get(&all).or_else(|| catalogue.exact.get(&short));
    if let Some(category) = known.or_else(|| catalogue.significant.get(&short)) {
        return Some(IndustryMatch { category: *category, exact: true });
    }
    if are_stop_words(words) {
        return None;
    }
    let loose = catalogue.loose.get(&all).copied();
    let category = loose
        .or_else(|| closest(&catalogue.exact, &all))
        .or_else(|| closest(&catalogue.significant, &short))
        .or_else(|| phrase(catalogue, words))?;
    Some(IndustryMatch { category, exact: false })
}

/// The name that is one or two typos away, if all equally near ones mean the same category.
fn closest(names: &HashMap<String, usize>, typed: &str) -> Option<usize> {
    let typed = squeezed(typed);
    let letters = typed.chars().count();
    let most = match letters {
        ..LETTERS_FOR_ONE_EDIT => return None,
        LETTERS_FOR_ONE_EDIT..LETTERS_FOR_TWO_EDITS => 1,
        _ => 2,
    };
    let near = names.iter().filter_map(|(name, category)| {
        let edits = edits(&typed, &squeezed(name), most)?;
        // Two typos are accepted only if the first letter is right.
        (edits < 2 || name.chars().next() == typed.chars().next()).then_some((edits, *category))
    });
    let mut near: Vec<(usize, usize)> = near.collect();
    near.sort_unstable();
    near.dedup();
    match near.as_slice() {
        [(_, category)] => Some(*category),
        [(first, category), (second, _), ..] if first < second => Some(*category),
        _ => None,
    }
}

fn squeezed(name: &str) -> String {
    name.replace(' ', "")
}

/// The longest known run of words among those typed; of two the later one, where the noun is in English.
fn phrase(catalogue: &Catalogue, words: &[String]) -> Option<usize> {
    let words = significant(words);
    let least = words.len().saturating_sub(UNKNOWN_WORDS_MAX).max(1);
    for length in (least..words.len()).rev() {
        for run in words.windows(length).rev() {
            let run = run.join(" ");
            let known = catalogue.exact.get(&run).or_else(|| catalogue.significant.get(&run)).copied();
            let misspelt =
                || if run.len() < LETTERS_FOR_EDITS_IN_PHRASE { None } else { closest(&catalogue.exact, &run) };
            if let Some(category) = known.or_else(misspelt) {
                return Some(category);
            }
        }
    }
    None
}

/// Names of categories similar to what was typed: a few edits away, or with a word in common.
pub(super) fn nearest(catalogue: &Catalogue, words: &[String]) -> Vec<&'static str> {
    if words.len() > WORDS_MAX {
        return Vec::new();
    }
    let typed = squeezed(&words.join(" "));
    let most = NEAREST_EDITS_MAX.min(typed.chars().count() / 2);
    let significant = significant(words);
    let mut found: Vec<(usize, usize)> = Vec::new();
    for (name, category) in &catalogue.exact {
        let shares = significant.iter().any(|word| word.len() > 3 && name.split(' ').any(|other| other == word));
        let near = edits(&typed, &squeezed(name), most);
        if let Some(edits) = near.or(shares.then_some(NEAREST_EDITS_MAX + 1)) {
            found.push((edits, *category));
        }
    }
    found.sort_unstable();
    let mut names: Vec<&'static str> = Vec::new();
    for (_, category) in found {
        let name = catalogue.categories[category].name;
        if !names.contains(&name) && names.len() < NEAREST_MAX {
            names.push(name);
        }
    }
    names
}
