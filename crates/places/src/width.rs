//! How wide a place or a search is.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// How wide a place or a search is; a later one is wider.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Width {
    /// A town, a ZIP code or an address.
    City,
    /// A county, or what comes second below a country elsewhere.
    County,
    /// A state, or what comes first below a country elsewhere.
    State,
    /// A whole country.
    Country,
}

impl Width {
    /// All of them, narrowest first.
    pub const ALL: [Width; 4] = [Width::City, Width::County, Width::State, Width::Country];

    /// The word for it, as the API writes it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Width::City => "city",
            Width::County => "county",
            Width::State => "state",
            Width::Country => "country",
        }
    }
}

impl std::fmt::Display for Width {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A word that is no width.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no width: say city, county, state or country")]
pub struct UnknownWidth(pub String);

impl FromStr for Width {
    type Err = UnknownWidth;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Width::ALL.into_iter().find(|width| width.as_str() == text).ok_or_else(|| UnknownWidth(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_width_is_read_as_it_is_written_and_wider_ones_are_greater() {
        for width in Width::ALL {
            assert_eq!(width.as_str().parse(), Ok(width));
            assert_eq!(width.to_string(), width.as_str());
        }
        assert!(Width::ALL.is_sorted());
        assert!("continent".parse::<Width>().unwrap_err().to_string().contains("say city, county, state or country"));
    }
}
