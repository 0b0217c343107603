//! The names of imports.

use std::fmt;

use crate::Error;

/// Letters of a name.
const LETTERS_MAX: usize = 40;
/// Names of sources that are no imports.
const RESERVED: [&str; 5] = ["sandbox", "overture", "overpass", "google", "all"];

/// The name of an import: lower-case letters, digits, `-` and `_`, so that it can be a folder and a part of a setting.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ImportName(String);

impl ImportName {
    /// Checks a name.
    ///
    /// # Errors
    /// [`Error::Name`] says what a name may be.
    pub fn parse(name: &str) -> Result<ImportName, Error> {
        let plain = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || "-_".contains(letter);
        let wrong = |problem: String| Err(Error::Name { name: name.chars().take(LETTERS_MAX).collect(), problem });
        if name.is_empty() || name.len() > LETTERS_MAX || !name.chars().all(plain) {
            return wrong(format!("a name has lower-case letters, digits, - and _, at most {LETTERS_MAX} of them"));
        }
        if !name.starts_with(|first: char| first.is_ascii_alphanumeric()) {
            return wrong("a name starts with a letter or a digit".into());
        }
        if RESERVED.contains(&name) {
            return wrong("this is the name of a source of another kind; choose another with --as".into());
        }
        Ok(ImportName(name.to_owned()))
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ImportName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_can_be_a_folder_and_a_setting() {
        for name in ["osm", "csv", "my-list_2"] {
            assert_eq!(ImportName::parse(name).unwrap().as_str(), name);
        }
        for name in ["", "OSM", "a b", "../osm", "a,b", ".", "-a", "ä", "all", "overture", &"x".repeat(41)] {
            assert!(ImportName::parse(name).is_err(), "{name}");
        }
    }
}
