//! Provinces and states that follow a town whose postal code stands before it: `20121 Milano (MI)`, `48001 Bilbao (Bizkaia)`,
//! `06700 Ciudad de México, CDMX`.

use crate::addresses::regions::country_named;
use crate::addresses::words::town;
use crate::page::floor_char;
use crate::word_set::WordSet;

/// Bytes after a town in which its province stands.
const AFTER_BYTES_MAX: usize = 40;

/// Italian provinces.
static ITALIAN: WordSet = WordSet::new(
    "AG AL AN AO AP AQ AR AT AV BA BG BI BL BN BO BR BS BT BZ CA CB CE CH CI CL CN CO CR CS CT CZ EN FC FE FG FI FM FR GE GO
     GR IM IS KR LC LE LI LO LT LU MB MC ME MI MN MO MS MT NA NO NU OG OR OT PA PC PD PE PG PI PN PO PR PT PU PV PZ RA RC
     RE RG RI RM RN RO SA SI SO SP SR SS SU SV TA TE TN TO TP TR TS TV UD VA VB VC VE VI VR VS VT VV",
);

/// A province, where it ends in the text, and the town without it.
pub(super) struct InProvince<'t> {
    pub(super) town: &'t str,
    pub(super) province: &'t str,
    pub(super) end: usize,
}

/// The province of the town that ends at `end` of a text, for the countries that write it there.
pub(super) fn of<'t>(text: &'t str, name: &'t str, end: usize, country: &str) -> Option<InProvince<'t>> {
    let rest = text.get(end..floor_char(text, end + AFTER_BYTES_MAX))?;
    let found = match country {
        "IT" => in_brackets(rest).or_else(|| after_comma(rest)).filter(|(province, _)| ITALIAN.contains(province)),
        "ES" => in_brackets(rest).filter(|(province, _)| is_name(province)),
        "MX" => after_comma(rest).filter(|(province, _)| is_name(province) || *province == "CDMX"),
        _ => return None,
    };
    if let Some((province, length)) = found {
        return Some(InProvince { town: name, province, end: end + length });
    }
    // `20121 Milano MI`
    let (town, province) = name.rsplit_once(' ').filter(|_| country == "IT")?;
    let is_mixed = town.chars().any(char::is_lowercase);
    (is_mixed && ITALIAN.contains(province)).then_some(InProvince { town, province, end })
}

/// What stands in brackets at the start of a text, and where the brackets end.
fn in_brackets(rest: &str) -> Option<(&str, usize)> {
    let inside = rest.trim_start_matches(' ').strip_prefix('(')?;
    let (province, after) = inside.split_once(')')?;
    Some((province.trim(), rest.len() - after.len()))
}

/// What stands between a comma or dash and the next mark, and where it ends.
fn after_comma(rest: &str) -> Option<(&str, usize)> {
    let inside = rest.strip_prefix(", ").or_else(|| rest.strip_prefix(" - "))?;
    let end = inside.find([',', '\n', '|', '•', '(', ';', ' ']).unwrap_or(inside.len());
    let end = if inside[end..].starts_with(' ') && !inside[end..].starts_with(" -") {
        inside.find([',', '\n', '|', '•', '(', ';']).unwrap_or(inside.len())
    } else {
        end
    };
    Some((inside[..end].trim_end_matches(['.', ' ']), rest.len() - inside.len() + end))
}

fn is_name(text: &str) -> bool {
    town(text).is_some() && text.len() <= 24 && text.split(' ').count() <= 3 && country_named(text).is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn provinces_follow_their_towns() {
        for (text, name, country, expect) in [
            ("Milano (MI) Tel", "Milano", "IT", Some(("Milano", "MI"))),
            ("Milano - MI", "Milano", "IT", Some(("Milano", "MI"))),
            ("Milano MI", "Milano MI", "IT", Some(("Milano", "MI"))),
            ("Milano (Italia)", "Milano", "IT", None),
            ("Bilbao (Bizkaia)", "Bilbao", "ES", Some(("Bilbao", "Bizkaia"))),
            ("Puebla, Puebla, México", "Puebla", "MX", Some(("Puebla", "Puebla"))),
            ("Puebla, México", "Puebla", "MX", None),
            ("Halle (Saale)", "Halle", "DE", None),
        ] {
            let found = of(text, &text[..name.len()], name.len(), country).map(|found| (found.town, found.province));
            assert_eq!(found, expect, "{text}");
        }
    }
}
