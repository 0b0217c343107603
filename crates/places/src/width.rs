//! The width of a place or search: city, county, state or country.

use serde::{Deserialize, Serialize};
use strum::VariantArray;

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
    strum::EnumString,
    strum::IntoStaticStr,
    strum::VariantArray,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case", parse_err_ty = UnknownWidth, parse_err_fn = unknown_width)]
pub enum Width {
    /// A town, ZIP code or address.
    City,
    /// A county, or the second-order region of another country.
    County,
    /// A state, or the first-order region of another country.
    State,
    /// A whole country.
    Country,
}

impl Width {
    /// All widths, narrowest first.
    pub const ALL: &[Width] = Width::VARIANTS;

    /// The value used in the API.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// A text that is not a width.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a width: use city, county, state or country")]
pub struct UnknownWidth(pub String);

fn unknown_width(text: &str) -> UnknownWidth {
    UnknownWidth(text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_width_parses_from_its_name_and_wider_ones_are_greater() {
        for width in Width::ALL {
            assert_eq!(width.as_str().parse(), Ok(*width));
            assert_eq!(width.to_string(), width.as_str());
        }
        assert!(Width::ALL.is_sorted());
        assert!("continent".parse::<Width>().unwrap_err().to_string().contains("use city, county, state or country"));
    }
}
