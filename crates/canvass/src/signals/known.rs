//! What is known of a lead when it is scored, and what the rules ask of it.

use super::{Basic, Site};

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
