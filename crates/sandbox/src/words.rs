//! The word lists of the world, from the text files in `words/`: sections of entries, parsed once.

use std::collections::HashMap;
use std::sync::OnceLock;

use crate::lang::Lang;
use crate::random::Random;

/// The files; a section is in exactly one of them.
const FILES: [&str; 6] = [
    include_str!("../words/people.txt"),
    include_str!("../words/streets.txt"),
    include_str!("../words/reviews.txt"),
    include_str!("../words/trades.txt"),
    include_str!("../words/pages.txt"),
    include_str!("../words/tools.txt"),
];

type WordLists = HashMap<&'static str, Vec<&'static str>>;

static WORD_LISTS: OnceLock<WordLists> = OnceLock::new();

fn word_lists() -> &'static WordLists {
    WORD_LISTS.get_or_init(|| {
        let mut lists = WordLists::new();
        for file in FILES {
            read(file, &mut lists);
        }
        lists
    })
}

fn read(file: &'static str, lists: &mut WordLists) {
    let mut section = "";
    for line in file.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        match line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            Some(name) => section = name,
            None => lists.entry(section).or_default().extend(line.split(" | ").map(str::trim)),
        }
    }
}

/// A section by name; empty when there is none.
pub(crate) fn section(name: &str) -> &'static [&'static str] {
    word_lists().get(name).map_or(&[], Vec::as_slice)
}

/// A list in a language, or in English when the language has none.
pub(crate) fn list(lang: Lang, name: &str) -> &'static [&'static str] {
    let own = section(&format!("{}.{name}", lang.tag()));
    if own.is_empty() && lang != Lang::English { list(Lang::English, name) } else { own }
}

/// A random entry of a list; empty when there is none.
pub(crate) fn draw(random: &mut Random, lang: Lang, name: &str) -> &'static str {
    let list = list(lang, name);
    list.get(random.below(list.len())).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_are_unique_and_not_empty() {
        let heads: Vec<&str> =
            FILES.iter().flat_map(|file| file.lines()).filter(|line| line.starts_with('[')).collect();
        assert_eq!(heads.len(), word_lists().len(), "a section is duplicated or has no entries");
        for (name, entries) in word_lists() {
            assert!(entries.iter().all(|entry| !entry.is_empty()), "{name} has an empty entry");
        }
    }

    #[test]
    fn every_list_about_a_trade_names_an_existing_one() {
        let known = |name: &str| {
            let mut trades = places::categories().iter();
            name == "any" || trades.any(|category| category.slug == name || category.group == name)
        };
        for name in word_lists().keys() {
            let parts: Vec<&str> = name.split('.').collect();
            if let [_, "noun" | "pun" | "service" | "staff", trade] = parts[..] {
                assert!(known(trade), "{name}");
            }
        }
    }

    #[test]
    fn a_language_without_a_list_falls_back_to_english() {
        assert_eq!(list(Lang::German, "street_kind"), list(Lang::English, "street_kind"));
        assert_ne!(list(Lang::German, "street"), list(Lang::English, "street"));
        assert!(list(Lang::French, "no such list").is_empty());
    }
}
