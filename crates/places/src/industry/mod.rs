//! Reading a typed industry: "plumbers", "dental office", "AC repair", "coffe shop".

mod catalogue;
mod matching;
mod words;

use catalogue::catalogue;
pub use catalogue::{Category, categories, category};
use matching::Found;

/// Bytes of an industry that are read; more is no industry.
const TEXT_BYTES_MAX: usize = 200;
/// Bytes of it that an error repeats.
const TOLD_BYTES_MAX: usize = 80;

/// An industry that was understood.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Industry {
    /// What it was taken for.
    pub category: &'static Category,
    /// Whether the words are known as they were typed; if not, a typo or a looser reading was accepted.
    pub exact: bool,
}

/// An industry that was not understood.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub struct UnknownIndustry {
    /// What was typed; the beginning when it was long.
    pub text: String,
    /// Names of the nearest categories; at most five.
    pub nearest: Vec<&'static str>,
}

impl std::fmt::Display for UnknownIndustry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self.text.is_empty(), self.nearest.as_slice()) {
            (true, _) => {
                f.write_str("no industry was given: say a kind of business such as \"plumber\" or \"nail salon\"")
            }
            (false, []) => {
                let text = &self.text;
                write!(
                    f,
                    "the industry {text:?} is not known: say a kind of business such as \"plumber\" or \"nail salon\""
                )
            }
            (false, nearest) => {
                write!(f, "the industry {:?} is not known: did you mean {}?", self.text, nearest.join(" or "))
            }
        }
    }
}

/// Finds the kind of business that a text means. Case, accents, plural and words such as "company" or "near me" do not
/// matter; small typos are forgiven.
///
/// # Errors
/// [`UnknownIndustry`], with the nearest names that are known.
pub fn industry(text: &str) -> Result<Industry, UnknownIndustry> {
    let unknown = |nearest| UnknownIndustry { text: crate::fold::told(text, TOLD_BYTES_MAX), nearest };
    if text.len() > TEXT_BYTES_MAX {
        return Err(unknown(Vec::new()));
    }
    let words = words::words(text);
    match matching::find(catalogue(), &words) {
        Some(Found { category, exact }) => Ok(Industry { category: &categories()[category], exact }),
        None => Err(unknown(matching::nearest(catalogue(), &words))),
    }
}
