//! Whose mailbox an address is, by its name.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Whether the part before the `@` is made from a person's name: `jane`, `jdoe`, `jane.doe`, `doej`.
pub(crate) fn belongs_to(email: &str, name: &str) -> bool {
    let local = email.split('@').next().unwrap_or_default();
    let local = local.split('+').next().unwrap_or_default();
    let letters: String = local.chars().filter(char::is_ascii_alphabetic).collect::<String>().to_lowercase();
    let words: Vec<String> = name.split_whitespace().map(plain).filter(|word| word.len() > 1).collect();
    let (Some(first), Some(last)) = (words.first(), words.last()) else { return false };
    if letters.len() < 2 || words.len() < 2 {
        return false;
    }
    let (f, l) = (&first[..1], &last[..1]);
    let forms = [
        first.clone(),
        last.clone(),
        format!("{first}{last}"),
        format!("{last}{first}"),
        format!("{f}{last}"),
        format!("{first}{l}"),
        format!("{last}{f}"),
        format!("dr{last}"),
        format!("dr{first}"),
    ];
    forms.contains(&letters)
}

/// A word in plain lower-case letters: `Müller` is `muller`.
fn plain(word: &str) -> String {
    let folded = word.nfd().filter(|letter| !is_combining_mark(*letter)).flat_map(char::to_lowercase);
    folded.filter(char::is_ascii_alphabetic).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(email: &str, name: &str, expected: bool) {
        assert_eq!(belongs_to(email, name), expected, "{email} {name}");
    }

    #[test]
    fn mailboxes_are_known_by_the_names_they_are_made_from() {
        for local in ["jane", "doe", "jane.doe", "JaneDoe", "jdoe", "j.doe", "janed", "doej", "jane-doe7", "dr.doe"] {
            check(&format!("{local}@acme.example"), "Jane Doe", true);
        }
        check("jmuller@acme.example", "Jürgen A. Müller", true);
        for local in ["info", "bob", "j", "jan", "janet", "", "d.jane.x"] {
            check(&format!("{local}@acme.example"), "Jane Doe", false);
        }
        check("jane@acme.example", "Jane", false);
        check("jane@acme.example", "", false);
    }
}
