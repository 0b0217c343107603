//! Every field of a lead, a column each.

use super::Row;
use crate::lead::Email;

/// The networks that have a column of their own.
const NETWORKS: [&str; 6] = ["facebook", "instagram", "linkedin", "x", "youtube", "tiktok"];
/// What stands between the values of a list.
const BETWEEN: &str = "; ";

/// The columns, in order.
pub const FULL_COLUMNS: [&str; 41] = [
    "lead_id",
    "business_name",
    "industry",
    "website",
    "phone",
    "address",
    "street",
    "city",
    "state",
    "postal_code",
    "country",
    "rating",
    "review_count",
    "owner_name",
    "owner_title",
    "primary_email",
    "emails",
    "email_types",
    "email_confidences",
    "facebook",
    "instagram",
    "linkedin",
    "x",
    "youtube",
    "tiktok",
    "other_socials",
    "signals_detected",
    "has_website",
    "platform",
    "ecommerce",
    "booking",
    "online_ordering",
    "chat",
    "has_ad_pixel",
    "ad_networks",
    "has_analytics",
    "premium_locked",
    "score",
    "reasons",
    "search_id",
    "delivered_at",
];

/// The cells of a lead, in the order of the columns.
pub fn full_row(row: &Row) -> Vec<String> {
    let lead = &row.lead;
    let mut cells = vec![
        lead.lead_id.to_string(),
        lead.business_name.clone(),
        lead.industry.clone(),
        text(&lead.website),
        text(&lead.phone),
        text(&lead.address),
        text(&lead.street),
        text(&lead.city),
        text(&lead.state),
        text(&lead.postal_code),
        text(&lead.country),
        shown(&lead.rating),
        shown(&lead.review_count),
        text(&lead.owner_name),
        text(&lead.owner_title),
        text(&lead.primary_email),
    ];
    cells.extend(emails(&lead.emails));
    cells.extend(NETWORKS.iter().map(|network| lead.socials.get(*network).cloned().unwrap_or_default()));
    let others = lead.socials.iter().filter(|(network, _)| !NETWORKS.contains(&network.as_str()));
    cells.push(joined(others.map(|(network, profile)| format!("{network}: {profile}"))));
    cells.extend(signals(row));
    cells.extend([lead.search_id.to_string(), lead.delivered_at.to_string()]);
    cells
}

fn emails(emails: &[Email]) -> [String; 3] {
    let kind = |email: &Email| serde_json::to_value(email.kind).ok()?.as_str().map(str::to_owned);
    [
        joined(emails.iter().map(|email| email.email.clone())),
        joined(emails.iter().map(|email| kind(email).unwrap_or_default())),
        joined(emails.iter().map(|email| email.confidence.to_string())),
    ]
}

fn signals(row: &Row) -> Vec<String> {
    let basic = &row.lead.signals.basic;
    let premium = row.premium.as_ref();
    let reasons = premium.map(|premium| premium.reasons.as_slice()).unwrap_or_default();
    vec![
        basic.detected.to_string(),
        basic.has_website.to_string(),
        text(&basic.platform),
        shown(&basic.ecommerce),
        text(&basic.booking),
        text(&basic.online_ordering),
        text(&basic.chat),
        shown(&basic.has_ad_pixel),
        joined(basic.ad_networks.iter().flatten().cloned()),
        shown(&basic.has_analytics),
        premium.is_none().to_string(),
        shown(&premium.map(|premium| premium.score)),
        joined(reasons.iter().map(|reason| format!("{} ({:+})", reason.reason, reason.points))),
    ]
}

pub(super) fn text(value: &Option<String>) -> String {
    value.clone().unwrap_or_default()
}

pub(super) fn shown<T: ToString>(value: &Option<T>) -> String {
    value.as_ref().map(T::to_string).unwrap_or_default()
}

pub(super) fn joined(values: impl Iterator<Item = String>) -> String {
    values.collect::<Vec<_>>().join(BETWEEN)
}
