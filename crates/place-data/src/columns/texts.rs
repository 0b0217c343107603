//! Values as text: what counts as stated, and several values in one cell.

/// Bytes of one value.
pub(crate) const VALUE_BYTES_MAX: usize = 4096;
/// Values taken from one list.
const LIST_MAX: usize = 20;

/// What programs write where there is no value.
const PLACEHOLDERS: &[&str] = &["n/a", "#n/a", "null", "(null)", "nan", "none", "nil", "-", "--", "\\n", "undefined"];

/// The value without the space around it; `None` when there is none, or when its characters were lost on the way.
pub(super) fn stated(cell: &str) -> Option<&str> {
    let value = cell.trim_matches(|letter: char| letter.is_whitespace() || letter == '\u{feff}');
    let is_placeholder = || PLACEHOLDERS.iter().any(|placeholder| value.eq_ignore_ascii_case(placeholder));
    let is_lost = || value.contains([char::REPLACEMENT_CHARACTER, '\0']);
    (!value.is_empty() && !is_placeholder() && !is_lost()).then_some(value)
}

/// How the values in one cell are separated.
#[derive(Clone, Copy)]
pub(super) enum Separators {
    /// By semicolons, bars, slashes with space around them, commas and line breaks.
    Phones,
    /// By everything that an address on the web or an email address cannot contain, or hardly does.
    Addresses,
}

/// The values in a cell, each once. A JSON list of texts is read as such.
pub(super) fn list(cell: &str, separators: Separators) -> Vec<String> {
    let listed: Option<Vec<String>> = cell.starts_with('[').then(|| serde_json::from_str(cell).ok()).flatten();
    let values = listed.unwrap_or_else(|| match separators {
        Separators::Phones => {
            let cell = cell.replace(" / ", ";");
            cell.split([';', '|', ',', '\n', '\r', '\t']).map(str::to_owned).collect()
        }
        Separators::Addresses => {
            let pieces = cell.split(|letter: char| matches!(letter, ';' | '|') || letter.is_whitespace());
            pieces.flat_map(|piece| piece.split(",http").enumerate().map(rejoined)).collect()
        }
    });
    let mut found: Vec<String> = Vec::new();
    for value in values.iter().filter_map(|value| stated(value.trim_matches(','))) {
        if found.len() < LIST_MAX && value.len() <= VALUE_BYTES_MAX && !found.iter().any(|other| other == value) {
            found.push(value.to_owned());
        }
    }
    found
}

/// Gives back to an address what separated it from the one before.
fn rejoined((number, piece): (usize, &str)) -> String {
    if number == 0 { piece.to_owned() } else { format!("http{piece}") }
}

/// Whether a value looks like email addresses.
pub(super) fn is_email(value: &str) -> bool {
    let host = value.split('@').nth(1).unwrap_or_default();
    host.contains('.') && !value.contains("//")
}

/// Whether a value looks like an address on the web.
pub(super) fn is_web_address(value: &str) -> bool {
    let value = value.to_ascii_lowercase();
    ["http://", "https://", "www."].iter().any(|start| value.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_values_in_one_cell_are_told_apart() {
        let phones = |cell| list(cell, Separators::Phones);
        assert_eq!(phones("+1 512 555 0100; 555-0101 / 555-0102"), ["+1 512 555 0100", "555-0101", "555-0102"]);
        assert_eq!(phones(r#"["+49 30 1", "+49 30 2", "+49 30 1"]"#), ["+49 30 1", "+49 30 2"]);
        assert_eq!(phones("030/12345"), ["030/12345"]);
        let addresses = |cell| list(cell, Separators::Addresses);
        assert_eq!(addresses("a@x.example, b@x.example"), ["a@x.example", "b@x.example"]);
        assert_eq!(
            addresses("https://a.example/1,2,https://b.example|www.c.example"),
            ["https://a.example/1,2", "https://b.example", "www.c.example"]
        );
        assert_eq!(addresses(&"x ".repeat(100)), ["x"]);
    }

    #[test]
    fn placeholders_and_damaged_texts_are_no_values() {
        for cell in ["", "  ", "N/A", "null", "NaN", "-", "\u{feff}", "Caf\u{fffd}", "a\0b"] {
            assert_eq!(stated(cell), None, "{cell:?}");
        }
        assert_eq!(stated(" NA\u{a0}"), Some("NA"), "a code of a country");
    }
}
