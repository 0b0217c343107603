//! A contact as sales software imports it, followed by every other field.

use super::channel::Preset;
use super::full::{Column, FULL, joined, shown};
use super::row::ExportRow;
use super::{contact, person, place};
use crate::listing::e164;

/// The lead source that a CRM shows.
const LEAD_SOURCE: &str = "Canvass";

/// The columns of the contact, as most imports name them.
const CONTACT: [&str; 14] = [
    "Company",
    "First Name",
    "Last Name",
    "Job Title",
    "Email",
    "Phone",
    "Website",
    "Industry",
    "Street Address",
    "City",
    "State",
    "Postal Code",
    "Country",
    "Lead Source",
];
/// The same with the labels of HubSpot's contact properties.
const HUBSPOT: [&str; 14] = [
    "Company name",
    "First name",
    "Last name",
    "Job title",
    "Email",
    "Phone number",
    "Website URL",
    "Industry",
    "Street address",
    "City",
    "State/Region",
    "Postal code",
    "Country/Region",
    "Lead source",
];
/// The same with the lead fields of Salesforce's import wizard.
const SALESFORCE: [&str; 14] = [
    "Company",
    "First Name",
    "Last Name",
    "Title",
    "Email",
    "Phone",
    "Website",
    "Industry",
    "Street",
    "City",
    "State",
    "Postal Code",
    "Country",
    "Lead Source",
];
/// The same with Pipedrive's organisation and person fields.
const PIPEDRIVE: [&str; 14] = [
    "Organization - Name",
    "Person - First name",
    "Person - Last name",
    "Person - Job title",
    "Person - Email",
    "Person - Phone",
    "Organization - Website",
    "Organization - Industry",
    "Organization - Street/road name of Address",
    "Organization - City/town/village/locality of Address",
    "Organization - State/county of Address",
    "Organization - ZIP/Postal code of Address",
    "Organization - Country of Address",
    "Lead - Source",
];

/// Columns of the full export that stand elsewhere in this file: in the contact, or among the last columns.
const ELSEWHERE: [&str; 13] = [
    "business_name",
    "industry",
    "website",
    "phone",
    "street",
    "city",
    "state",
    "postal_code",
    "country",
    "owner_title",
    "primary_email",
    "source",
    "attribution",
];
/// The last columns. New ones are added at the end, so that existing imports keep working.
const FURTHER: [Column; 10] = [
    Column { name: "business_id", cell: |row| row.lead.business_id.clone() },
    Column { name: "latitude", cell: |row| shown(&row.lead.latitude) },
    Column { name: "longitude", cell: |row| shown(&row.lead.longitude) },
    Column { name: "rating_source", cell: |row| shown(&row.lead.rating_source) },
    Column { name: "is_chain", cell: |row| row.lead.is_chain.to_string() },
    Column { name: "site_status", cell: |row| row.lead.site_status.clone() },
    Column { name: "analytics", cell: |row| joined(row.lead.signals.basic.analytics.iter().flatten(), String::clone) },
    Column { name: "source", cell: |row| row.lead.source.clone() },
    Column { name: "attribution", cell: |row| shown(&row.lead.attribution) },
    Column { name: "hours", cell: |row| shown(&row.lead.hours) },
];

/// Everything behind the contact.
fn others() -> impl Iterator<Item = &'static Column> {
    FULL.iter().filter(|column| !ELSEWHERE.contains(&column.name)).chain(&FURTHER)
}

/// The header row.
pub(super) fn columns(preset: Option<Preset>) -> Vec<&'static str> {
    let contact = match preset {
        None => CONTACT,
        Some(Preset::Hubspot) => HUBSPOT,
        Some(Preset::Salesforce) => SALESFORCE,
        Some(Preset::Pipedrive) => PIPEDRIVE,
    };
    contact.into_iter().chain(others().map(|column| column.name)).collect()
}

/// The cells of a lead, one for each column.
pub(super) fn cells(row: &ExportRow) -> Vec<String> {
    let mut cells = contact_cells(row);
    cells.extend(others().map(|column| (column.cell)(row)));
    cells
}

fn contact_cells(row: &ExportRow) -> Vec<String> {
    let lead = &row.lead;
    let country = lead.country.as_deref();
    let owner = lead.owner_name.as_deref().map(person::split).unwrap_or_default();
    let phone = lead.phone.as_deref();
    vec![
        lead.business_name.clone(),
        owner.first,
        owner.last,
        shown(&lead.owner_title),
        lead.primary_email.as_deref().map(contact::email).unwrap_or_default(),
        phone.and_then(|phone| e164(phone, country)).or(lead.phone.clone()).unwrap_or_default(),
        shown(&lead.website),
        lead.industry.clone(),
        shown(&lead.street),
        shown(&lead.city),
        lead.state.as_deref().map(|state| place::state(state, country)).unwrap_or_default(),
        lead.postal_code.as_deref().map(|code| place::postal_code(code, country)).unwrap_or_default(),
        shown(&lead.country),
        LEAD_SOURCE.to_owned(),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lead::sample_lead;

    /// Fields that become several columns, or that no file has.
    const SPREAD: [&str; 2] = ["socials", "signals"];
    const LEFT_OUT: [&str; 1] = ["evidence"];

    #[test]
    fn every_field_of_a_lead_has_a_column() {
        let lead = serde_json::to_value(sample_lead()).unwrap();
        let signals = lead["signals"]["basic"].as_object().unwrap().keys().map(|field| match field.as_str() {
            "detected" => "signals_detected",
            field => field,
        });
        let fields = lead.as_object().unwrap().keys().map(String::as_str);
        let fields = fields.filter(|field| !SPREAD.contains(field) && !LEFT_OUT.contains(field)).chain(signals);
        for field in fields {
            let columns = || FULL.iter().chain(&FURTHER).map(|column| column.name);
            assert!(columns().any(|column| column == field), "{field} has no column");
        }
    }
}
