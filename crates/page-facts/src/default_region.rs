//! The default region for phone numbers without a country code, when the listing does not give one.

use rlibphonenumber::Region;

use crate::domains::host_of;

/// Country-code domains whose sites are mostly in that country. `co`, `io`, `ai`, `me`, `tv`, `us` and others are used
/// worldwide.
const ENDINGS: &[(&str, &str)] = &[
    ("uk", "GB"),
    ("de", "DE"),
    ("at", "AT"),
    ("ch", "CH"),
    ("fr", "FR"),
    ("be", "BE"),
    ("nl", "NL"),
    ("lu", "LU"),
    ("it", "IT"),
    ("es", "ES"),
    ("pt", "PT"),
    ("ie", "IE"),
    ("dk", "DK"),
    ("se", "SE"),
    ("no", "NO"),
    ("fi", "FI"),
    ("pl", "PL"),
    ("cz", "CZ"),
    ("sk", "SK"),
    ("hu", "HU"),
    ("ro", "RO"),
    ("bg", "BG"),
    ("gr", "GR"),
    ("hr", "HR"),
    ("si", "SI"),
    ("ee", "EE"),
    ("lv", "LV"),
    ("lt", "LT"),
    ("ru", "RU"),
    ("ua", "UA"),
    ("tr", "TR"),
    ("il", "IL"),
    ("in", "IN"),
    ("jp", "JP"),
    ("kr", "KR"),
    ("cn", "CN"),
    ("tw", "TW"),
    ("hk", "HK"),
    ("sg", "SG"),
    ("my", "MY"),
    ("au", "AU"),
    ("nz", "NZ"),
    ("za", "ZA"),
    ("br", "BR"),
    ("mx", "MX"),
    ("ca", "CA"),
];

/// The listing's region, else that of the top-level domain, else of the page's language, else the United States.
pub(crate) fn default_region(listing: Option<&str>, url: &str, lang: Option<&str>) -> Region {
    listing
        .and_then(|code| code.trim().to_ascii_uppercase().parse().ok())
        .or_else(|| of_ending(host_of(url)))
        .or_else(|| of_language(lang))
        .unwrap_or(Region::US)
}

fn of_ending(host: &str) -> Option<Region> {
    let ending = host.rsplit('.').next()?;
    ENDINGS.iter().find(|(e, _)| ending.eq_ignore_ascii_case(e)).and_then(|(_, code)| code.parse().ok())
}

/// `de-AT` means Austria and a bare `de` most likely Germany; English says nothing.
fn of_language(lang: Option<&str>) -> Option<Region> {
    let lang = lang?.trim();
    let mut parts = lang.split(['-', '_']);
    let language = parts.next()?.to_ascii_lowercase();
    let country = parts.next().filter(|part| part.len() == 2).map(str::to_ascii_uppercase);
    // `en-US` is the default of most site builders and says little, but it agrees with the fallback.
    let code = country.or_else(|| {
        let of = [
            ("de", "DE"),
            ("fr", "FR"),
            ("it", "IT"),
            ("es", "ES"),
            ("nl", "NL"),
            ("pl", "PL"),
            ("pt", "PT"),
            ("sv", "SE"),
            ("da", "DK"),
            ("fi", "FI"),
            ("cs", "CZ"),
        ];
        of.iter().find(|(l, _)| *l == language).map(|(_, code)| (*code).to_owned())
    })?;
    code.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_listing_wins_over_the_domain_and_the_domain_over_the_language() {
        assert_eq!(default_region(Some("gb"), "https://a.de/", None), Region::GB);
        assert_eq!(default_region(None, "https://a.de/", Some("en-US")), Region::DE);
        assert_eq!(default_region(None, "https://a.co/", Some("fr-CA")), Region::CA);
        assert_eq!(default_region(None, "https://a.com/", Some("de")), Region::DE);
        assert_eq!(default_region(Some("nowhere"), "nonsense", None), Region::US);
    }
}
