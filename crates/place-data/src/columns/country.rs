//! Countries by code or by name.

use std::collections::HashMap;

use places::Scope;

use super::field::folded;

/// Names whose code is remembered.
const REMEMBERED_MAX: usize = 1000;

/// Names in German, French, Spanish and Italian that differ from the English and the country's own, folded.
const FOREIGN_NAMES: &[(&str, &str)] = &[
    ("AT", "autriche austria"),
    ("BE", "belgien belgique belgica belgio"),
    ("CA", "kanada canada"),
    ("CH", "schweiz suisse suiza svizzera"),
    ("DE", "allemagne alemania germania"),
    ("ES", "spanien espagne spagna"),
    ("FR", "frankreich francia"),
    ("GB", "grossbritannien vereinigteskonigreich royaumeuni reinounido regnounito england scotland wales"),
    ("IE", "irland irlande irlanda"),
    ("IT", "italien italie"),
    ("LU", "luxemburg luxemburgo lussemburgo"),
    ("MX", "mexiko mexique messico"),
    ("NL", "niederlande paysbas paisesbajos paesibassi holland"),
    ("PL", "polen pologne polonia"),
    ("PT", "portogallo"),
    ("US", "vereinigtestaaten etatsunis estadosunidos statiuniti eeuu"),
];

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
            let name = folded(text);
            let foreign = FOREIGN_NAMES.iter().find(|(_, names)| names.split(' ').any(|other| other == name));
            if let Some((code, _)) = foreign {
                return Some((*code).to_owned());
            }
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
            ("Allemagne", Some("DE")),
            ("Estados Unidos", Some("US")),
            ("Vereinigtes Königreich", Some("GB")),
            ("Austin, TX", None),
            ("", None),
        ] {
            assert_eq!(codes.code(text).as_deref(), expected, "{text}");
        }
    }
}
