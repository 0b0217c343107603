//! Signals: the technology found on a business's website, and the opportunity score that follows from it.

mod detect;
pub mod rules;
mod score;

pub use detect::{Site, detect, reading_version};
pub use rules::Weights;
pub use score::{Known, Score, score};

use serde::{Deserialize, Serialize};

/// What was detected, free on every lead. Unknown is not false: what a site that could not be read shows is null.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Basic {
    /// Whether the website was read, so that the rest is known.
    pub detected: bool,
    /// Whether there is a website at all.
    pub has_website: bool,
    /// The platform's slug; `custom` when it is none that is known.
    pub platform: Option<String>,
    /// Whether something can be bought there.
    pub ecommerce: Option<bool>,
    /// The booking tool.
    pub booking: Option<String>,
    /// The ordering tool.
    pub online_ordering: Option<String>,
    /// The chat tool.
    pub chat: Option<String>,
    /// Whether any advertising pixel is there.
    pub has_ad_pixel: Option<bool>,
    /// The networks whose pixels were found, as slugs.
    pub ad_networks: Option<Vec<String>>,
    /// Whether any analytics is there.
    pub has_analytics: Option<bool>,
    /// The analytics tools found, as slugs.
    pub analytics: Option<Vec<String>>,
}

/// One reason for a score: a sentence that a salesperson can say aloud.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reason {
    /// The rule's name.
    pub key: String,
    /// One sentence.
    pub reason: String,
    /// Negative when it speaks against the lead.
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
