//! A contact as sales software imports it, and every other field behind it.

use super::full::{FULL_COLUMNS, full_row, joined, shown, text};
use super::{Preset, Row, contact, person, place};

/// Where these leads come from, as a CRM shows it.
const LEAD_SOURCE: &str = "Canvass";

/// The first columns, as most imports know them.
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
/// The same as HubSpot's contact properties are labelled.
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
/// The same as Salesforce's import wizard knows the fields of a lead.
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
/// The same as Pipedrive names the fields of organisations and persons.
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

/// Fields of the full export that the first columns hold already.
const HELD: [&str; 11] = [
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
];
/// Fields of a lead that the full export has no column for.
const FURTHER: [&str; 7] =
    ["business_id", "latitude", "longitude", "rating_source", "is_chain", "site_status", "analytics"];

/// The columns, in order.
pub(super) fn columns(preset: Option<Preset>) -> Vec<&'static str> {
    let contact = match preset {
        None => CONTACT,
        Some(Preset::Hubspot) => HUBSPOT,
        Some(Preset::Salesforce) => SALESFORCE,
        Some(Preset::Pipedrive) => PIPEDRIVE,
    };
    let others = FULL_COLUMNS.into_iter().filter(|column| !HELD.contains(column));
    contact.into_iter().chain(others).chain(FURTHER).collect()
}

/// The cells of a lead, in the order of the columns.
pub(super) fn cells(row: &Row) -> Vec<String> {
    let mut cells = contact_cells(row);
    let full = FULL_COLUMNS.into_iter().zip(full_row(row));
    cells.extend(full.filter(|(column, _)| !HELD.contains(column)).map(|(_, cell)| cell));
    let lead = &row.lead;
    cells.extend([
        lead.business_id.clone(),
        shown(&lead.latitude),
        shown(&lead.longitude),
        text(&lead.rating_source),
        lead.is_chain.to_string(),
        lead.site_status.clone(),
        joined(lead.signals.basic.analytics.iter().flatten().cloned()),
    ]);
    cells
}

fn contact_cells(row: &Row) -> Vec<String> {
    let lead = &row.lead;
    let country = lead.country.as_deref();
    let owner = lead.owner_name.as_deref().map(person::split).unwrap_or_default();
    let phone = lead.phone.as_deref();
    vec![
        lead.business_name.clone(),
        owner.first,
        owner.last,
        text(&lead.owner_title),
        lead.primary_email.as_deref().map(contact::email).unwrap_or_default(),
        phone.and_then(|phone| contact::e164(phone, country)).or(lead.phone.clone()).unwrap_or_default(),
        text(&lead.website),
        lead.industry.clone(),
        text(&lead.street),
        text(&lead.city),
        lead.state.as_deref().map(|state| place::state(state, country)).unwrap_or_default(),
        lead.postal_code.as_deref().map(|code| place::postal_code(code, country)).unwrap_or_default(),
        text(&lead.country),
        LEAD_SOURCE.to_owned(),
    ]
}
