//! The opportunity score: a sum of rules, each of which is a reason.

use super::rules::Weights;
use super::{Basic, Reason, SCORE_MAX, Site};

/// A copyright year older than this many years means that the site is not maintained.
const STALE_YEARS: i16 = 2;
/// Bytes of markup from which on a page counts as heavy.
const HEAVY_PAGE_BYTES: usize = 600_000;
/// Below this, `few_reviews` holds.
const FEW_REVIEWS: i64 = 15;
/// Reviews from which on an average is meaningful.
const TELLING_REVIEWS: i64 = 10;
/// Reviews from which on, with a good average, `well_reviewed` holds.
const MANY_REVIEWS: i64 = 100;
/// Website builders that are discontinued or outdated.
const DATED_PLATFORMS: [&str; 10] =
    ["frontpage", "weebly", "joomla", "dreamweaver", "homestead", "yola", "jimdo", "webs", "tripod", "angelfire"];
/// The oldest major version of WordPress that is still supported.
const WORDPRESS_MAJOR_MIN: u32 = 6;

/// What a score is made from.
#[derive(Clone, Debug)]
pub struct Known<'a> {
    /// Null members are unknown and hold for no rule.
    pub basic: &'a Basic,
    /// What else was read from the website.
    pub site: &'a Site,
    /// The group of its industry, such as `food`.
    pub group: &'a str,
    /// 0 to 5.
    pub rating: Option<f64>,
    /// Reviews behind the rating.
    pub review_count: Option<i64>,
    /// Whether an email was found.
    pub has_email: bool,
    /// Whether the owner was found.
    pub has_owner: bool,
    /// Whether there is a phone.
    pub has_phone: bool,
    /// Whether it is a branch of a chain.
    pub is_chain: bool,
    /// The year of the lead's delivery, in UTC.
    pub year: i16,
}

/// A score with its reasons, the heaviest first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Score {
    /// 0 to 100.
    pub points: i64,
    /// The rules that hold, heaviest first.
    pub reasons: Vec<Reason>,
}

/// Adds up the rules that hold.
pub fn score(known: &Known<'_>, weights: &Weights) -> Score {
    let mut reasons: Vec<Reason> = Vec::new();
    for (rule, points) in weights.iter().filter(|(_, points)| *points != 0) {
        if let Some(reason) = (rule.look)(known) {
            reasons.push(Reason { key: rule.key.to_owned(), reason, points });
        }
    }
    reasons.sort_by_key(|reason| -reason.points.abs());
    let sum: i64 = reasons.iter().map(|reason| reason.points).sum();
    Score { points: sum.clamp(0, SCORE_MAX), reasons }
}

impl Known<'_> {
    pub(super) fn says(&self, holds: bool, reason: &str) -> Option<String> {
        holds.then(|| reason.to_owned())
    }

    /// Whether the website was read, so that what was not found is not there.
    pub(super) fn read(&self) -> bool {
        self.basic.detected
    }

    /// Whether customers of this trade make appointments.
    pub(super) fn books(&self) -> bool {
        ["beauty", "health", "fitness", "home", "auto", "pets", "professional", "lodging", "education"]
            .contains(&self.group)
    }

    pub(super) fn serves_food(&self) -> bool {
        self.group == "food"
    }

    pub(super) fn sells_goods(&self) -> bool {
        self.group == "shop"
    }

    pub(super) fn dated_platform(&self) -> Option<String> {
        let platform = self.basic.platform.as_deref()?;
        if DATED_PLATFORMS.contains(&platform) {
            return Some(format!("The website is built with {platform}, an outdated website builder."));
        }
        let version = self.site.platform_version.as_deref()?;
        let major: u32 = version.split('.').next()?.parse().ok()?;
        let old = platform == "wordpress" && major < WORDPRESS_MAJOR_MIN;
        old.then(|| format!("The website runs on WordPress {version}, which is out of date."))
    }

    pub(super) fn stale_website(&self) -> Option<String> {
        let year = i16::try_from(self.site.copyright_year?).ok()?;
        let stale = year + STALE_YEARS < self.year;
        stale.then(|| format!("The website was last updated in {year}."))
    }

    pub(super) fn heavy_pages(&self) -> Option<String> {
        let bytes = self.site.page_bytes.filter(|bytes| *bytes >= HEAVY_PAGE_BYTES)?;
        Some(format!("The pages are heavy ({} KB) and load slowly.", bytes / 1_000))
    }

    pub(super) fn few_reviews(&self) -> Option<String> {
        let count = self.review_count.filter(|count| *count < FEW_REVIEWS)?;
        Some(match count {
            0 => "The business has no reviews yet.".to_owned(),
            1 => "The business has only one review.".to_owned(),
            count => format!("The business has only {count} reviews."),
        })
    }

    pub(super) fn low_rating(&self) -> Option<String> {
        let rating = self.rating.filter(|rating| *rating < 4.0)?;
        let count = self.review_count.filter(|count| *count >= TELLING_REVIEWS)?;
        Some(format!("Customers rate the business {rating:.1} on average ({count} reviews)."))
    }

    pub(super) fn well_reviewed(&self) -> Option<String> {
        let rating = self.rating.filter(|rating| *rating >= 4.5)?;
        let count = self.review_count.filter(|count| *count >= MANY_REVIEWS)?;
        Some(format!("Customers rate the business {rating:.1} on average ({count} reviews); it is doing well."))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signals::rules::RULES;

    fn known<'a>(basic: &'a Basic, site: &'a Site) -> Known<'a> {
        Known {
            basic,
            site,
            group: "food",
            rating: Some(4.2),
            review_count: Some(60),
            has_email: false,
            has_owner: false,
            has_phone: false,
            is_chain: false,
            year: 2026,
        }
    }

    fn keys(score: &Score) -> Vec<&str> {
        score.reasons.iter().map(|reason| reason.key.as_str()).collect()
    }

    fn status(status: &str) -> Site {
        Site { status: status.into(), ..Site::default() }
    }

    #[test]
    fn what_could_not_be_read_is_not_held_against_anyone() {
        let (basic, site) = (Basic { has_website: true, ..Basic::default() }, status("blocked"));
        let score = score(&known(&basic, &site), &Weights::default());
        assert_eq!((score.points, keys(&score)), (0, vec![]));
    }

    #[test]
    fn a_score_is_the_sum_of_its_reasons_within_its_range() {
        let (basic, site) = (Basic::default(), status("none"));
        let chain = Known { is_chain: true, ..known(&basic, &site) };
        let low = score(&chain, &Weights::default());
        assert_eq!((low.points, keys(&low)), (25, vec!["no_website", "chain"]));
        let mut weights = Weights::default();
        assert!(weights.set("no_website", 100) && weights.set("phone_known", 50) && !weights.set("nonsense", 1));
        let high = score(&Known { has_phone: true, ..known(&basic, &site) }, &weights);
        assert_eq!((high.points, high.reasons.iter().map(|reason| reason.points).sum::<i64>()), (100, 150));
    }

    #[test]
    fn a_restaurant_that_takes_no_orders_online_is_told_so() {
        let basic = Basic {
            detected: true,
            has_website: true,
            platform: Some("wordpress".into()),
            has_ad_pixel: Some(true),
            has_analytics: Some(false),
            chat: Some("tawk".into()),
            ..Basic::default()
        };
        let site = Site { platform_version: Some("4.9".into()), copyright_year: Some(2019), ..status("ok") };
        let score = score(&known(&basic, &site), &Weights::default());
        let expected =
            ["no_online_ordering", "ads_without_analytics", "dated_platform", "no_analytics", "stale_website"];
        assert_eq!(keys(&score), expected);
    }

    #[test]
    fn the_document_lists_every_rule_with_its_points() {
        let document = include_str!("../../../../docs/score.md");
        for rule in RULES {
            let line = format!("| `{}` | {} |", rule.key, rule.points);
            assert!(document.contains(&line), "docs/score.md has no line {line}");
        }
        assert_eq!(document.matches("\n| `").count(), RULES.len(), "docs/score.md lists a rule there is not");
    }
}
