//! A list for letters, with what goes on the envelope.

use super::place;
use super::row::ExportRow;

/// The header row.
pub(super) const COLUMNS: [&str; 8] = ["Name", "Company", "Address 1", "Address 2", "City", "State", "ZIP", "Country"];

/// The cells of a lead; none when its postal address is incomplete.
pub(super) fn cells(row: &ExportRow) -> Option<Vec<String>> {
    let lead = &row.lead;
    let country = lead.country.as_deref();
    let known =
        |value: &Option<String>| value.as_deref().map(str::trim).filter(|value| !value.is_empty()).map(str::to_owned);
    let (street, city, code) = (known(&lead.street)?, known(&lead.city)?, known(&lead.postal_code)?);
    let (one, two) = place::address_lines(&street);
    Some(vec![
        lead.owner_name.clone().unwrap_or_default(),
        lead.business_name.clone(),
        one,
        two,
        city,
        lead.state.as_deref().map(|state| place::state(state, country)).unwrap_or_default(),
        place::postal_code(&code, country),
        lead.country.clone().unwrap_or_default(),
    ])
}
