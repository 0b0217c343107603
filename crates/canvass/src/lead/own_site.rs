//! Values of a business's own website.

use page_facts::{PhoneKind, SiteFacts};

/// The rating in a website's own structured data, and the reviews behind it.
pub(super) fn site_rating(facts: &SiteFacts) -> (Option<f64>, Option<i64>) {
    let count = facts.schema_org.review_count.and_then(|count| i64::try_from(count).ok());
    (facts.schema_org.rating, count)
}

/// The first phone of a website that a person answers.
pub(super) fn site_phone(facts: &SiteFacts) -> Option<String> {
    facts.phones.iter().find(|phone| phone.kind == PhoneKind::Voice).map(|phone| phone.phone.clone())
}
