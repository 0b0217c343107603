//! Scope: how wide a place or a search is.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// How wide a place or a search is; a later one is wider.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// A town, a ZIP code or an address.
    City,
    /// A county, or what comes second below a country elsewhere.
    County,
    /// A state, or what comes first below a country elsewhere.
    State,
    /// A whole country.
    Country,
}

impl Scope {
    /// All of them, narrowest first.
    pub const ALL: [Scope; 4] = [Scope::City, Scope::County, Scope::State, Scope::Country];

    /// Its name in requests, responses and settings.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Scope::City => "city",
            Scope::County => "county",
            Scope::State => "state",
            Scope::Country => "country",
        }
    }
}

impl std::fmt::Display for Scope {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// Characters of an unknown name that the error repeats.
const GIVEN_CHARS_MAX: usize = 60;

/// A name that is none of the scopes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no scope; there are city, county, state, country")]
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
    fn a_scope_is_read_as_it_is_written_and_wider_ones_are_greater() {
        for scope in Scope::ALL {
            assert_eq!(scope.name().parse(), Ok(scope));
            assert_eq!(scope.to_string(), scope.name());
        }
        assert!(Scope::ALL.is_sorted());
        assert!(
            "continent".parse::<Scope>().unwrap_err().to_string().contains("there are city, county, state, country")
        );
    }
}
