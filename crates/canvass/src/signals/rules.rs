//! The rules of the score: when each holds, its reason in words, and its default points.
//!
//! `docs/score.md` lists the same rules; a test keeps the two in step.

use super::known::Known;

/// A condition that adds points to a lead's score, or takes some.
pub struct Rule {
    /// The name in `reasons` and in the settings.
    pub key: &'static str,
    /// Points by default; negative when it speaks against the lead.
    pub points: i64,
    /// The reason in one sentence; `None` when the rule does not hold.
    pub look: fn(&Known<'_>) -> Option<String>,
}

impl std::fmt::Debug for Rule {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Rule({}: {})", self.key, self.points)
    }
}

const fn rule(key: &'static str, points: i64, look: fn(&Known<'_>) -> Option<String>) -> Rule {
    Rule { key, points, look }
}

/// Every rule, in the order in which reasons of equal weight are listed.
pub const RULES: &[Rule] = &[
    rule("no_website", 45, |b| b.says(b.site.status == "none", "The business has no website.")),
    rule("social_only", 40, |b| {
        b.says(b.site.status == "social_only", "The business uses a social media page instead of a website.")
    }),
    rule("site_down", 35, |b| b.says(b.site.status == "dead", "The listed website is down.")),
    rule("site_parked", 40, |b| b.says(b.site.status == "parked", "The listed web address is parked or for sale.")),
    rule("not_mobile", 15, |b| b.says(b.site.mobile_friendly == Some(false), "The website is not mobile-friendly.")),
    rule("no_booking", 12, |b| {
        b.says(b.read() && b.books() && b.basic.booking.is_none(), "Customers cannot book online.")
    }),
    rule("no_online_ordering", 12, |b| {
        b.says(b.read() && b.serves_food() && b.basic.online_ordering.is_none(), "Customers cannot order online.")
    }),
    rule("no_online_store", 8, |b| {
        b.says(b.sells_goods() && b.basic.ecommerce == Some(false), "The shop does not sell online.")
    }),
    rule("ads_without_analytics", 12, |b| {
        b.says(
            b.basic.has_ad_pixel == Some(true) && b.basic.has_analytics == Some(false),
            "The business advertises without measuring the results.",
        )
    }),
    rule("no_ad_pixel", 10, |b| {
        b.says(
            b.basic.has_ad_pixel == Some(false),
            "The website has no advertising pixel, so visitors are not retargeted.",
        )
    }),
    rule("no_analytics", 8, |b| b.says(b.basic.has_analytics == Some(false), "The website has no analytics.")),
    rule("no_chat", 4, |b| b.says(b.read() && b.basic.chat.is_none(), "The website has no live chat.")),
    rule("dated_platform", 10, |b| b.dated_platform()),
    rule("stale_website", 8, |b| b.stale_website()),
    rule("no_https", 10, |b| {
        b.says(b.site.https == Some(false), "The website does not use HTTPS; browsers mark it as not secure.")
    }),
    rule("heavy_pages", 4, |b| b.heavy_pages()),
    rule("few_reviews", 8, |b| b.few_reviews()),
    rule("low_rating", 8, |b| b.low_rating()),
    rule("well_reviewed", 6, |b| b.well_reviewed()),
    rule("email_known", 6, |b| b.says(b.has_email, "An email address is available.")),
    rule("owner_known", 6, |b| b.says(b.has_owner, "The owner's name is known.")),
    rule("phone_known", 3, |b| b.says(b.has_phone, "A phone number is available.")),
    rule("chain", -20, |b| b.says(b.is_chain, "Part of a chain; decisions are usually made at headquarters.")),
];

/// The points of each rule, as the operator has set them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights(Vec<i64>);

impl Default for Weights {
    fn default() -> Self {
        Weights(RULES.iter().map(|rule| rule.points).collect())
    }
}

impl Weights {
    /// The largest weight, positive or negative.
    pub const POINTS_MAX: i64 = 100;

    /// Gives a rule another weight. `false` when there is no such rule.
    pub fn set(&mut self, key: &str, points: i64) -> bool {
        let place = RULES.iter().position(|rule| rule.key == key);
        if let Some(place) = place {
            self.0[place] = points;
        }
        place.is_some()
    }

    /// Every rule with its weight.
    pub fn iter(&self) -> impl Iterator<Item = (&'static Rule, i64)> {
        RULES.iter().zip(self.0.iter().copied())
    }
}
