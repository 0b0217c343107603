//! Parses a typed industry: "plumbers", "dental office", "AC repair", "coffe shop".

mod catalogue;
mod complete;
mod matching;
mod membership;
mod words;

use catalogue::catalogue;
pub use catalogue::{Category, categories, category};
pub use complete::complete_industry;
use matching::IndustryMatch;

/// Bytes read of an industry; anything longer is not one.
const TEXT_BYTES_MAX: usize = 200;
/// Bytes of it that an error repeats.
const EXCERPT_BYTES_MAX: usize = 80;

/// An industry that was recognised.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Industry {
    /// The category it was recognised as.
    pub category: &'static Category,
    /// Whether the words are known as typed; otherwise a typo or a looser interpretation was accepted.
    pub exact: bool,
}

/// An industry that was not recognised.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub struct UnknownIndustry {
    /// What was typed, truncated when it was long.
    pub text: String,
    /// Names of the nearest categories; at most five.
    pub nearest: Vec<&'static str>,
}

impl std::fmt::Display for UnknownIndustry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self.text.is_empty(), self.nearest.as_slice()) {
            (true, _) => {
                f.write_str("no industry was given: enter a kind of business such as \"plumber\" or \"nail salon\"")
            }
            (false, []) => {
                let text = &self.text;
                write!(
                    f,
                    "the industry {text:?} is not known: enter a kind of business such as \"plumber\" or \"nail salon\""
                )
            }
            (false, nearest) => {
                write!(f, "the industry {:?} is not known: did you mean {}?", self.text, nearest.join(" or "))
            }
        }
    }
}

/// Finds the kind of business a text means. Case, accents, plurals and words such as "company" or "near me" are ignored;
/// small typos are accepted.
///
/// # Errors
/// [`UnknownIndustry`], with the nearest known names.
pub fn industry(text: &str) -> Result<Industry, UnknownIndustry> {
    let unknown = |nearest| UnknownIndustry { text: crate::fold::excerpt(text, EXCERPT_BYTES_MAX), nearest };
    if text.len() > TEXT_BYTES_MAX {
        return Err(unknown(Vec::new()));
    }
    let words = words::words(text);
    match matching::find(catalogue(), &words) {
        Some(IndustryMatch { category, exact }) => Ok(Industry { category: &categories()[category], exact }),
        None => Err(unknown(matching::nearest(catalogue(), &words))),
    }
}
