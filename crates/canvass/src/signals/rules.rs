//! The rules of the score: what each looks for, how it is said, and what it is worth unless the settings say otherwise.
//!
//! `docs/score.md` lists the same; a test holds the two together.

use super::score::Known;

/// One rule.
pub struct Rule {
    /// Its name in `reasons` and in the settings.
    pub key: &'static str,
    /// What it is worth; below zero when it speaks against.
    pub points: i64,
    /// Looks for it, and says it.
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

/// Every rule, in the order in which reasons of equal weight are told.
pub const RULES: &[Rule] = &[
    rule("no_website", 45, |b| b.says(b.site.status == "none", "There is no website.")),
    rule("social_only", 40, |b| b.says(b.site.status == "social_only", "A social page stands in for a website.")),
    rule("site_down", 35, |b| b.says(b.site.status == "dead", "The listed website does not answer.")),
    rule("site_parked", 40, |b| b.says(b.site.status == "parked", "The listed web address is only parked.")),
    rule("not_mobile", 15, |b| b.says(b.site.mobile_friendly == Some(false), "The website is not made for phones.")),
    rule("no_booking", 12, |b| {
        b.says(b.read() && b.books() && b.basic.booking.is_none(), "Customers cannot book online.")
    }),
    rule("no_online_ordering", 12, |b| {
        b.says(b.read() && b.serves_food() && b.basic.online_ordering.is_none(), "Customers cannot order online.")
    }),
    rule("no_online_store", 8, |b| {
        b.says(b.sells_goods() && b.basic.ecommerce == Some(false), "It sells goods, but not on its website.")
    }),
    rule("ads_without_analytics", 12, |b| {
        b.says(
            b.basic.has_ad_pixel == Some(true) && b.basic.has_analytics == Some(false),
            "It pays for ads without measuring what they bring.",
        )
    }),
    rule("no_ad_pixel", 10, |b| {
        b.says(b.basic.has_ad_pixel == Some(false), "No advertising pixel: visitors are not followed up.")
    }),
    rule("no_analytics", 8, |b| {
        b.says(b.basic.has_analytics == Some(false), "No analytics: it does not know who visits its website.")
    }),
    rule("no_chat", 4, |b| b.says(b.read() && b.basic.chat.is_none(), "Visitors cannot chat on the website.")),
    rule("dated_platform", 10, |b| b.dated_platform()),
    rule("stale_website", 8, |b| b.stale_website()),
    rule("no_https", 10, |b| b.says(b.site.https == Some(false), "Browsers warn that the website is not secure.")),
    rule("heavy_pages", 4, |b| b.heavy_pages()),
    rule("few_reviews", 8, |b| b.few_reviews()),
    rule("low_rating", 8, |b| b.low_rating()),
    rule("well_reviewed", 6, |b| b.well_reviewed()),
    rule("email_known", 6, |b| b.says(b.has_email, "Somebody can be written to.")),
    rule("owner_known", 6, |b| b.says(b.has_owner, "The owner is known by name.")),
    rule("phone_known", 3, |b| b.says(b.has_phone, "Somebody can be called.")),
    rule("chain", -20, |b| b.says(b.is_chain, "It is a branch of a chain: decisions are made elsewhere.")),
];

/// What each rule is worth here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights(Vec<i64>);

impl Default for Weights {
    fn default() -> Self {
        Weights(RULES.iter().map(|rule| rule.points).collect())
    }
}

impl Weights {
    /// Points a rule may be worth, either way.
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
