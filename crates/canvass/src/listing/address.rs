//! Postal addresses in parts, and on one line in the manner of their country.

use serde::{Deserialize, Serialize};

/// A postal address in parts.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct PostalAddress {
    /// Street and house number.
    pub street: Option<String>,
    /// Town or city.
    pub city: Option<String>,
    /// State or region; two letters in the US.
    pub state: Option<String>,
    /// ZIP code in the US.
    pub postal_code: Option<String>,
    /// ISO 3166-1 alpha-2.
    pub country: Option<String>,
}

/// How a country writes the last line of an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TownLine {
    /// `Austin, TX 78701`
    RegionThenCode,
    /// `10115 Berlin`
    CodeThenTown,
    /// `London SW1A 1AA`
    TownThenCode,
}

/// Countries that write the postal code before the town.
const CODE_THEN_TOWN: &[&str] = &[
    "AD", "AL", "AR", "AT", "BA", "BE", "BG", "BY", "CH", "CL", "CR", "CU", "CY", "CZ", "DE", "DK", "DO", "DZ", "EE",
    "ES", "FI", "FO", "FR", "GE", "GF", "GL", "GP", "GR", "HR", "HU", "IL", "IS", "IT", "LI", "LT", "LU", "LV", "MA",
    "MC", "ME", "MK", "MQ", "MX", "MY", "NC", "NL", "NO", "PF", "PL", "PM", "PT", "RE", "RO", "RS", "SE", "SI", "SK",
    "SM", "TN", "TR", "UY", "VA", "XK", "YT",
];
/// Countries that write it behind the town, and no region.
const TOWN_THEN_CODE: &[&str] =
    &["BD", "GB", "GG", "GI", "HK", "IE", "IM", "JE", "JP", "KR", "LK", "MT", "NZ", "SG", "TW", "ZA"];

impl TownLine {
    fn of(country: Option<&str>) -> TownLine {
        match country {
            Some(country) if CODE_THEN_TOWN.contains(&country) => TownLine::CodeThenTown,
            Some(country) if TOWN_THEN_CODE.contains(&country) => TownLine::TownThenCode,
            _ => TownLine::RegionThenCode,
        }
    }
}

impl PostalAddress {
    /// The address on one line, as on an envelope, without the country. `None` when nothing is known.
    pub fn line(&self) -> Option<String> {
        let PostalAddress { street, city, state, postal_code, country } = self;
        let town = match TownLine::of(country.as_deref()) {
            TownLine::CodeThenTown => joined(&[postal_code, city], " "),
            TownLine::TownThenCode => joined(&[city, postal_code], " "),
            TownLine::RegionThenCode => joined(&[city, &joined(&[state, postal_code], " ")], ", "),
        };
        joined(&[street, &town], ", ")
    }
}

fn joined(parts: &[&Option<String>], separator: &str) -> Option<String> {
    let parts: Vec<&str> = parts.iter().filter_map(|part| part.as_deref()).collect();
    (!parts.is_empty()).then(|| parts.join(separator))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_written_on_one_line_as_its_country_does() {
        let check = |country: &str, parts: [&str; 4], expected: Option<&str>| {
            let [street, city, state, postal_code] =
                parts.map(|part| Some(part.to_owned()).filter(|part| !part.is_empty()));
            let address = PostalAddress { street, city, state, postal_code, country: Some(country.into()) };
            assert_eq!(address.line().as_deref(), expected, "{country}");
        };
        let austin = ["1100 Congress Ave", "Austin", "TX", "78701"];
        check("US", austin, Some("1100 Congress Ave, Austin, TX 78701"));
        check("US", ["", "Austin", "TX", ""], Some("Austin, TX"));
        check("US", ["", "", "", ""], None);
        check("CA", ["290 Bremner Blvd", "Toronto", "ON", "M5V 3L9"], Some("290 Bremner Blvd, Toronto, ON M5V 3L9"));
        check("DE", ["Invalidenstraße 43", "Berlin", "BE", "10115"], Some("Invalidenstraße 43, 10115 Berlin"));
        check("GB", ["10 Downing St", "London", "ENG", "SW1A 2AA"], Some("10 Downing St, London SW1A 2AA"));
        check("FI", ["Mannerheimintie 1", "Helsinki", "", ""], Some("Mannerheimintie 1, Helsinki"));
        check("", austin, Some("1100 Congress Ave, Austin, TX 78701"));
    }
}
