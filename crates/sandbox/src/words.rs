//! The word lists of the world, from the text files in `words/`: sections of entries, read once.

use std::collections::HashMap;
use std::sync::OnceLock;

use crate::chance::Chance;
use crate::lang::Lang;

/// The files; a section stands in one of them.
const FILES: [&str; 6] = [
    include_str!("../words/people.txt"),
    include_str!("../words/streets.txt"),
    include_str!("../words/reviews.txt"),
    include_str!("../words/trades.txt"),
    include_str!("../words/pages.txt"),
    include_str!("../words/tools.txt"),
];

type Book = HashMap<&'static str, Vec<&'static str>>;

static BOOK: OnceLock<Book> = OnceLock::new();

fn book() -> &'static Book {
    BOOK.get_or_init(|| {
        let mut book = Book::new();
        for file in FILES {
            read(file, &mut book);
        }
        book
    })
}

fn read(file: &'static str, book: &mut Book) {
    let mut section = "";
    for line in file.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        match line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            Some(name) => section = name,
            None => book.entry(section).or_default().extend(line.split(" | ").map(str::trim)),
        }
    }
}

/// A whole section by its name; empty when there is none.
pub(crate) fn section(name: &str) -> &'static [&'static str] {
    book().get(name).map_or(&[], Vec::as_slice)
}

/// A list in a language, or in English where the language has none.
pub(crate) fn list(lang: Lang, name: &str) -> &'static [&'static str] {
    let own = section(&format!("{}.{name}", lang.tag()));
    if own.is_empty() && lang != Lang::English { list(Lang::English, name) } else { own }
}

/// One entry of a list; nothing when there is none.
pub(crate) fn draw(chance: &mut Chance, lang: Lang, name: &str) -> &'static str {
    let list = list(lang, name);
    list.get(chance.below(list.len())).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_section_stands_twice_and_none_is_empty() {
        let heads: Vec<&str> =
            FILES.iter().flat_map(|file| file.lines()).filter(|line| line.starts_with('[')).collect();
        assert_eq!(heads.len(), book().len(), "a section stands twice, or has no entries");
        for (name, entries) in book() {
            assert!(entries.iter().all(|entry| !entry.is_empty()), "{name} has an empty entry");
        }
    }

    #[test]
    fn every_list_about_a_trade_names_one_that_there_is() {
        let known = |name: &str| {
            let mut trades = places::categories().iter();
            name == "any" || trades.any(|category| category.slug == name || category.group == name)
        };
        for name in book().keys() {
            let parts: Vec<&str> = name.split('.').collect();
            if let [_, "noun" | "pun" | "service" | "staff", trade] = parts[..] {
                assert!(known(trade), "{name}");
            }
        }
    }

    #[test]
    fn a_language_without_a_list_borrows_the_english_one() {
        assert_eq!(list(Lang::German, "street_kind"), list(Lang::English, "street_kind"));
        assert_ne!(list(Lang::German, "street"), list(Lang::English, "street"));
        assert!(list(Lang::French, "no such list").is_empty());
    }
}
