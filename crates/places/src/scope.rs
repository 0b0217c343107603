//! The scope of a place or search: city, county, state or country.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// How wide a place or search is; later variants are wider.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    strum::Display,
    strum::IntoStaticStr,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Scope {
    /// A town, ZIP code or address.
    City,
    /// A county, or the second-order region of another country.
    County,
    /// A state, or the first-order region of another country.
    State,
    /// A whole country.
    Country,
}

impl Scope {
    /// All scopes, narrowest first.
    pub const ALL: [Scope; 4] = [Scope::City, Scope::County, Scope::State, Scope::Country];

    /// Its name in requests, responses and settings.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// Characters of an unknown name that the error repeats.
const GIVEN_CHARS_MAX: usize = 60;

/// A text that is not a scope.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a scope; use city, county, state or country")]
pub struct UnknownScope(String);

impl FromStr for Scope {
    type Err = UnknownScope;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wanted = text.trim().to_lowercase();
        let found = Scope::ALL.into_iter().find(|scope| scope.name() == wanted);
        found.ok_or_else(|| UnknownScope(text.chars().take(GIVEN_CHARS_MAX).collect()))
    }
}

impl TryFrom<String> for Scope {
    type Error = UnknownScope;

    fn try_from(text: String) -> Result<Self, UnknownScope> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scope_parses_from_its_name_and_wider_ones_are_greater() {
        for scope in Scope::ALL {
            assert_eq!(scope.name().parse(), Ok(scope));
            assert_eq!(scope.to_string(), scope.name());
        }
        assert!(Scope::ALL.is_sorted());
        assert!("continent".parse::<Scope>().unwrap_err().to_string().contains("use city, county, state or country"));
    }
}
