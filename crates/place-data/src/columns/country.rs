//! Countries by code or by name.

use std::collections::HashMap;

use places::Scope;

/// Names whose code is remembered.
const REMEMBERED_MAX: usize = 1000;

/// Tells the codes of countries, and remembers them.
#[derive(Default)]
pub(super) struct CountryCodes(HashMap<String, Option<String>>);

impl CountryCodes {
    /// ISO 3166-1 alpha-2; `None` when the text is no country.
    pub(super) fn code(&mut self, text: &str) -> Option<String> {
        if let Some(known) = self.0.get(text) {
            return known.clone();
        }
        if self.0.len() >= REMEMBERED_MAX {
            self.0.clear();
        }
        let code = code(text);
        self.0.insert(text.to_owned(), code.clone());
        code
    }
}

fn code(text: &str) -> Option<String> {
    let is_code = text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_alphabetic());
    match text.to_ascii_uppercase().as_str() {
        "UK" => Some("GB".to_owned()),
        code if is_code => Some(code.to_owned()),
        _ => {
            let place = places::locate(text).ok()?.place;
            (place.width == Scope::Country).then(|| place.country.to_owned())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn countries_are_known_by_code_and_by_name() {
        let mut codes = CountryCodes::default();
        for (text, expected) in [
            ("us", Some("US")),
            ("UK", Some("GB")),
            ("USA", Some("US")),
            ("United States", Some("US")),
            ("Germany", Some("DE")),
            ("Deutschland", Some("DE")),
            ("France", Some("FR")),
            ("España", Some("ES")),
            ("Austin, TX", None),
            ("", None),
        ] {
            assert_eq!(codes.code(text).as_deref(), expected, "{text}");
        }
    }
}
