//! Every field of a lead, one column each.

use super::row::ExportRow;
use crate::lead::Email;

/// Separates the values of a list.
const LIST_SEPARATOR: &str = "; ";
/// The social networks that have columns of their own.
const NETWORKS: [&str; 6] = ["facebook", "instagram", "linkedin", "x", "youtube", "tiktok"];

/// A column: its name, and the cell it has for a lead.
pub(super) struct Column {
    pub(super) name: &'static str,
    pub(super) cell: fn(&ExportRow) -> String,
}

/// The columns of the full export, in order. New columns come last, so that existing imports keep working.
pub(super) const FULL: [Column; 43] = [
    Column { name: "lead_id", cell: |row| row.lead.lead_id.to_string() },
    Column { name: "business_name", cell: |row| row.lead.business_name.clone() },
    Column { name: "industry", cell: |row| row.lead.industry.clone() },
    Column { name: "website", cell: |row| shown(&row.lead.website) },
    Column { name: "phone", cell: |row| shown(&row.lead.phone) },
    Column { name: "address", cell: |row| shown(&row.lead.address) },
    Column { name: "street", cell: |row| shown(&row.lead.street) },
    Column { name: "city", cell: |row| shown(&row.lead.city) },
    Column { name: "state", cell: |row| shown(&row.lead.state) },
    Column { name: "postal_code", cell: |row| shown(&row.lead.postal_code) },
    Column { name: "country", cell: |row| shown(&row.lead.country) },
    Column { name: "rating", cell: |row| shown(&row.lead.rating) },
    Column { name: "review_count", cell: |row| shown(&row.lead.review_count) },
    Column { name: "owner_name", cell: |row| shown(&row.lead.owner_name) },
    Column { name: "owner_title", cell: |row| shown(&row.lead.owner_title) },
    Column { name: "primary_email", cell: |row| shown(&row.lead.primary_email) },
    Column { name: "emails", cell: |row| joined(&row.lead.emails, |email| email.email.clone()) },
    Column { name: "email_types", cell: |row| joined(&row.lead.emails, email_type) },
    Column { name: "email_confidences", cell: |row| joined(&row.lead.emails, |email| email.confidence.to_string()) },
    Column { name: "facebook", cell: |row| social(row, "facebook") },
    Column { name: "instagram", cell: |row| social(row, "instagram") },
    Column { name: "linkedin", cell: |row| social(row, "linkedin") },
    Column { name: "x", cell: |row| social(row, "x") },
    Column { name: "youtube", cell: |row| social(row, "youtube") },
    Column { name: "tiktok", cell: |row| social(row, "tiktok") },
    Column { name: "other_socials", cell: other_socials },
    Column { name: "signals_detected", cell: |row| row.lead.signals.basic.detected.to_string() },
    Column { name: "has_website", cell: |row| row.lead.signals.basic.has_website.to_string() },
    Column { name: "platform", cell: |row| shown(&row.lead.signals.basic.platform) },
    Column { name: "ecommerce", cell: |row| shown(&row.lead.signals.basic.ecommerce) },
    Column { name: "booking", cell: |row| shown(&row.lead.signals.basic.booking) },
    Column { name: "online_ordering", cell: |row| shown(&row.lead.signals.basic.online_ordering) },
    Column { name: "chat", cell: |row| shown(&row.lead.signals.basic.chat) },
    Column { name: "has_ad_pixel", cell: |row| shown(&row.lead.signals.basic.has_ad_pixel) },
    Column {
        name: "ad_networks",
        cell: |row| joined(row.lead.signals.basic.ad_networks.iter().flatten(), String::clone),
    },
    Column { name: "has_analytics", cell: |row| shown(&row.lead.signals.basic.has_analytics) },
    Column { name: "premium_locked", cell: |row| row.premium.premium_locked.to_string() },
    Column { name: "score", cell: |row| shown(&row.premium.score) },
    Column { name: "reasons", cell: reasons },
    Column { name: "search_id", cell: |row| row.lead.search_id.to_string() },
    Column { name: "delivered_at", cell: |row| row.lead.delivered_at.to_string() },
    Column { name: "source", cell: |row| row.lead.source.clone() },
    Column { name: "attribution", cell: |row| shown(&row.lead.attribution) },
];

/// The header row of the full export.
pub(super) fn columns() -> Vec<&'static str> {
    FULL.iter().map(|column| column.name).collect()
}

/// The cells of a lead, one for each column.
pub(super) fn cells(row: &ExportRow) -> Vec<String> {
    FULL.iter().map(|column| (column.cell)(row)).collect()
}

fn email_type(email: &Email) -> String {
    let name = serde_json::to_value(email.kind).ok();
    name.and_then(|name| name.as_str().map(str::to_owned)).unwrap_or_default()
}

fn social(row: &ExportRow, network: &str) -> String {
    row.lead.socials.get(network).cloned().unwrap_or_default()
}

fn other_socials(row: &ExportRow) -> String {
    let others = row.lead.socials.iter().filter(|(network, _)| !NETWORKS.contains(&network.as_str()));
    joined(others, |(network, profile)| format!("{network}: {profile}"))
}

fn reasons(row: &ExportRow) -> String {
    joined(row.premium.reasons.iter().flatten(), |reason| format!("{} ({:+})", reason.reason, reason.points))
}

/// A value that may be missing; then the cell is empty.
pub(super) fn shown<T: ToString>(value: &Option<T>) -> String {
    value.as_ref().map(T::to_string).unwrap_or_default()
}

/// A list in one cell.
pub(super) fn joined<T>(values: impl IntoIterator<Item = T>, text: impl Fn(T) -> String) -> String {
    values.into_iter().map(text).collect::<Vec<_>>().join(LIST_SEPARATOR)
}
