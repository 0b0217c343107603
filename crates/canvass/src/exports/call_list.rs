//! A list for phone calls: who to ask for, and which number to dial.

use super::place;
use super::row::ExportRow;
use crate::listing::e164;

/// The header row.
pub(super) const COLUMNS: [&str; 8] =
    ["Business Name", "Owner Name", "Owner Title", "Phone", "Address", "City", "State", "Postal Code"];

/// The cells of a lead; none when it has no phone.
pub(super) fn cells(row: &ExportRow) -> Option<Vec<String>> {
    let lead = &row.lead;
    let country = lead.country.as_deref();
    let phone = lead.phone.as_deref().map(str::trim).filter(|phone| !phone.is_empty())?;
    let text = |value: &Option<String>| value.clone().unwrap_or_default();
    Some(vec![
        lead.business_name.clone(),
        text(&lead.owner_name),
        text(&lead.owner_title),
        e164(phone, country).unwrap_or_else(|| phone.to_owned()),
        text(if lead.street.is_some() { &lead.street } else { &lead.address }),
        text(&lead.city),
        lead.state.as_deref().map(|state| place::state(state, country)).unwrap_or_default(),
        lead.postal_code.as_deref().map(|code| place::postal_code(code, country)).unwrap_or_default(),
    ])
}
