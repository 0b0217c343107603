//! Addresses in the form that mail and imports expect: two-letter states, complete ZIP codes, address lines.

/// States, the capital's district and territories of the US; provinces and territories of Canada.
const STATES: &str = "\
AL Alabama|AK Alaska|AZ Arizona|AR Arkansas|CA California|CO Colorado|CT Connecticut|DE Delaware|\
DC District of Columbia|FL Florida|GA Georgia|HI Hawaii|ID Idaho|IL Illinois|IN Indiana|IA Iowa|KS Kansas|\
KY Kentucky|LA Louisiana|ME Maine|MD Maryland|MA Massachusetts|MI Michigan|MN Minnesota|MS Mississippi|\
MO Missouri|MT Montana|NE Nebraska|NV Nevada|NH New Hampshire|NJ New Jersey|NM New Mexico|NY New York|\
NC North Carolina|ND North Dakota|OH Ohio|OK Oklahoma|OR Oregon|PA Pennsylvania|RI Rhode Island|\
SC South Carolina|SD South Dakota|TN Tennessee|TX Texas|UT Utah|VT Vermont|VA Virginia|WA Washington|\
WV West Virginia|WI Wisconsin|WY Wyoming|AS American Samoa|GU Guam|MP Northern Mariana Islands|PR Puerto Rico|\
VI Virgin Islands|\
AB Alberta|BC British Columbia|MB Manitoba|NB New Brunswick|NL Newfoundland and Labrador|NS Nova Scotia|\
NT Northwest Territories|NU Nunavut|ON Ontario|PE Prince Edward Island|QC Quebec|QC Québec|SK Saskatchewan|YT Yukon";

/// Words that start the second line of an address when a number or a letter follows.
const UNITS: &[&str] = &[
    "suite",
    "ste",
    "unit",
    "apt",
    "apartment",
    "floor",
    "fl",
    "room",
    "rm",
    "building",
    "bldg",
    "lot",
    "space",
    "spc",
    "office",
    "ofc",
    "penthouse",
    "ph",
    "no",
];

/// Digits of a ZIP code without its optional extension.
pub(super) const ZIP_DIGITS: usize = 5;

/// Whether an address follows US conventions; without a country it does.
fn is_us(country: Option<&str>) -> bool {
    country.is_none_or(|country| country.trim().is_empty() || country.trim().eq_ignore_ascii_case("us"))
}

/// The two-letter code of a state or province; unchanged where there is none.
pub(super) fn state(name: &str, country: Option<&str>) -> String {
    let trimmed = name.trim();
    if !is_us(country) && !country.is_some_and(|country| country.trim().eq_ignore_ascii_case("ca")) {
        return trimmed.to_owned();
    }
    let plain = trimmed.replace('.', "").to_lowercase();
    let known = STATES.split('|').filter_map(|state| state.split_once(' '));
    let found = known.into_iter().find(|(code, name)| name.to_lowercase() == plain || code.to_lowercase() == plain);
    found.map_or_else(|| trimmed.to_owned(), |(code, _)| code.to_owned())
}

/// A postal code; a ZIP code gets back the leading zeros that spreadsheets drop.
pub(super) fn postal_code(code: &str, country: Option<&str>) -> String {
    let code = code.trim();
    let (zip, more) = code.split_once('-').unwrap_or((code, ""));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let sound = (3..=ZIP_DIGITS).contains(&zip.len()) && digits(zip) && digits(more);
    match (is_us(country), sound, more.is_empty()) {
        (true, true, true) => format!("{zip:0>ZIP_DIGITS$}"),
        (true, true, false) => format!("{zip:0>ZIP_DIGITS$}-{more}"),
        (true, false, true) if zip.len() == 9 && digits(zip) => format!("{}-{}", &zip[..5], &zip[5..]),
        _ => code.to_owned(),
    }
}

/// The two lines of an address: street and number, then suite, unit or floor.
pub(super) fn address_lines(street: &str) -> (String, String) {
    let one_line = street.replace(['\r', '\n', '\t'], ", ");
    let words: Vec<&str> = one_line.split_whitespace().collect();
    let joined = |words: &[&str]| words.join(" ").trim_matches([',', ' ']).to_owned();
    let Some(start) = (0..words.len()).find(|place| starts_unit(&words, *place)) else {
        return (joined(&words), String::new());
    };
    if start > 0 {
        return (joined(&words[..start]), joined(&words[start..]));
    }
    // "Suite 200, 1100 Congress Ave": the unit comes first, and the street behind the comma.
    match words.iter().position(|word| word.ends_with(',')) {
        Some(end) if end + 1 < words.len() => (joined(&words[end + 1..]), joined(&words[..=end])),
        _ => (joined(&words), String::new()),
    }
}

/// Whether a suite, a unit or a floor begins at this word.
fn starts_unit(words: &[&str], place: usize) -> bool {
    let word = words[place];
    let next = words.get(place + 1).copied().unwrap_or_default();
    if let Some(number) = word.strip_prefix('#') {
        return is_unit_name(number) || (number.is_empty() && is_unit_name(next));
    }
    let is_unit = |word: &str| UNITS.contains(&word.trim_matches([',', '.']).to_lowercase().as_str());
    let ordinal = word.as_bytes().first().is_some_and(u8::is_ascii_digit) && !word.bytes().all(|b| b.is_ascii_digit());
    let floor = |word: &str| matches!(word.trim_matches([',', '.']).to_lowercase().as_str(), "floor" | "fl");
    (is_unit(word) && is_unit_name(next)) || (place > 0 && ordinal && floor(next))
}

/// Whether this names a unit: a number, a letter, or both.
fn is_unit_name(word: &str) -> bool {
    let word = word.trim_matches([',', '.', '#']);
    let letter = word.chars().count() == 1 && word.chars().all(char::is_alphabetic);
    letter || word.bytes().any(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_have_two_letters() {
        let check = |name: &str, country, expected: &str| assert_eq!(state(name, country), expected, "{name:?}");
        check("Texas", Some("US"), "TX");
        check(" new york ", None, "NY");
        check("tx", Some("us"), "TX");
        check("D.C.", Some("US"), "DC");
        check("Québec", Some("CA"), "QC");
        check("Ontario", Some("CA"), "ON");
        check("Bayern", Some("DE"), "Bayern");
        check("Victoria", Some("AU"), "Victoria");
        check("Elsewhere", Some("US"), "Elsewhere");
        check("", None, "");
    }

    #[test]
    fn zip_codes_keep_their_zeros() {
        let check = |code: &str, country, expected: &str| assert_eq!(postal_code(code, country), expected, "{code:?}");
        check("02134", Some("US"), "02134");
        check("2134", Some("US"), "02134");
        check("501", None, "00501");
        check("2134-1000", Some("US"), "02134-1000");
        check("021341000", Some("US"), "02134-1000");
        check("78701", Some("US"), "78701");
        check("SW1A 1AA", Some("GB"), "SW1A 1AA");
        check("1010", Some("AT"), "1010");
        check("not a zip", Some("US"), "not a zip");
        check("", None, "");
    }

    #[test]
    fn addresses_have_two_lines() {
        let check = |street: &str, one: &str, two: &str| {
            assert_eq!(address_lines(street), (one.to_owned(), two.to_owned()), "{street:?}");
        };
        check("1100 Congress Ave", "1100 Congress Ave", "");
        check("1100 Congress Ave, Suite 200", "1100 Congress Ave", "Suite 200");
        check("1100 Congress Ave Ste. 200", "1100 Congress Ave", "Ste. 200");
        check("5 Main St #4B", "5 Main St", "#4B");
        check("5 Main St # 4", "5 Main St", "# 4");
        check("5 Main St Apt B", "5 Main St", "Apt B");
        check("5 Main St, Unit 7, Building C", "5 Main St", "Unit 7, Building C");
        check("5 Main St, 2nd Floor", "5 Main St", "2nd Floor");
        check("5 Main St\nSuite 9", "5 Main St", "Suite 9");
        check("Suite 200, 1100 Congress Ave", "1100 Congress Ave", "Suite 200");
        check("100 Space Center Blvd", "100 Space Center Blvd", "");
        check("12 Unit Street", "12 Unit Street", "");
        check("221B Baker Street", "221B Baker Street", "");
        check("PO Box 12", "PO Box 12", "");
        check("Suite 200", "Suite 200", "");
        check("", "", "");
        check("#", "#", "");
    }
}
