//! Signals: the technology found on a business's website, and the opportunity score that follows from it.

mod detect;
mod known;
pub mod rules;
mod score;

pub use detect::{Site, detect, reading_version};
pub use known::Known;
pub use rules::Weights;
pub use score::{Score, score};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Highest opportunity score.
pub const SCORE_MAX: i64 = 100;

/// What was detected. Unknown is not false: null when the website could not be read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "SignalsBasic")]
pub struct Basic {
    /// Whether the website was read, so that the rest is known.
    pub detected: bool,
    /// Whether the business has a website.
    pub has_website: bool,
    /// What the website is built with; `custom` when that is nothing known.
    #[schemars(example = &"wordpress")]
    pub platform: Option<String>,
    /// Whether something can be bought there.
    pub ecommerce: Option<bool>,
    /// Online booking tool.
    #[schemars(example = &"calendly")]
    pub booking: Option<String>,
    /// Online ordering tool.
    pub online_ordering: Option<String>,
    /// Live chat tool.
    pub chat: Option<String>,
    /// Whether the website has any advertising pixel.
    pub has_ad_pixel: Option<bool>,
    /// Advertising networks whose pixels it has.
    #[schemars(example = ["google", "meta"])]
    pub ad_networks: Option<Vec<String>>,
    /// Whether the website has any analytics.
    pub has_analytics: Option<bool>,
    /// Analytics tools it has.
    pub analytics: Option<Vec<String>>,
}

/// Why a score is what it is: one line a salesperson can say aloud.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "ScoreReason", description = "Why a score is what it is.")]
pub struct Reason {
    /// The rule's name.
    #[schemars(example = &"no_booking")]
    pub key: String,
    /// One sentence.
    #[schemars(example = &"Customers cannot book online.")]
    pub reason: String,
    /// Points that the rule adds or takes.
    #[schemars(range(min = -SCORE_MAX, max = SCORE_MAX), example = 12)]
    pub points: i64,
}

/// Other names of advertising networks and platforms that people filter by.
const ALIASES: [(&str, &str); 17] = [
    ("facebook", "meta"),
    ("instagram", "meta"),
    ("facebook_ads", "meta"),
    ("meta_ads", "meta"),
    ("google_ads", "google"),
    ("adwords", "google"),
    ("doubleclick", "google"),
    ("bing", "microsoft"),
    ("bing_ads", "microsoft"),
    ("microsoft_ads", "microsoft"),
    ("twitter", "x"),
    ("tiktok_ads", "tiktok"),
    ("linkedin_ads", "linkedin"),
    ("snap", "snapchat"),
    ("wp", "wordpress"),
    ("godaddy_website_builder", "godaddy"),
    ("wix_com", "wix"),
];

/// The slug that a person means: in lower case, words joined by underscores, aliases resolved.
pub fn slug(text: &str) -> String {
    let plain: String = text.trim().to_lowercase().chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
    let known = ALIASES.iter().find(|(alias, _)| *alias == plain);
    known.map_or(plain, |(_, slug)| (*slug).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_name_networks_in_their_own_way() {
        for (said, meant) in
            [("Facebook", "meta"), ("google-ads", "google"), ("Bing", "microsoft"), ("reddit", "reddit")]
        {
            assert_eq!(slug(said), meant);
        }
    }
}
