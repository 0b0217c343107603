//! What a top-level domain and a declared language say about a site's country.

use rlibphonenumber::Region;

/// Country-code domains whose sites are mostly in that country, where the code differs from the country's, or where the
/// domain is used worldwide and says nothing.
const ENDINGS: &[(&str, Option<&str>)] = &[
    ("uk", Some("GB")),
    ("gov", Some("US")),
    ("mil", Some("US")),
    ("edu", Some("US")),
    ("su", Some("RU")),
    ("eu", None),
    ("ac", None),
    ("ag", None),
    ("ai", None),
    ("am", None),
    ("as", None),
    ("bz", None),
    ("cc", None),
    ("cd", None),
    ("cf", None),
    ("cm", None),
    ("co", None),
    ("cx", None),
    ("dj", None),
    ("fm", None),
    ("ga", None),
    ("gd", None),
    ("gg", None),
    ("gl", None),
    ("gq", None),
    ("gs", None),
    ("im", None),
    ("io", None),
    ("je", None),
    ("la", None),
    ("lc", None),
    ("li", None),
    ("ly", None),
    ("me", None),
    ("ml", None),
    ("ms", None),
    ("mu", None),
    ("nu", None),
    ("pn", None),
    ("pw", None),
    ("sc", None),
    ("sh", None),
    ("so", None),
    ("st", None),
    ("sx", None),
    ("tc", None),
    ("tk", None),
    ("to", None),
    ("tv", None),
    ("vc", None),
    ("vg", None),
    ("vu", None),
    ("ws", None),
];

/// Registrars sell `com.co`, and these second levels are used by companies of the country.
const SECOND_LEVELS: &[&str] = &["com", "co", "org", "net", "edu", "gov", "gob"];

/// Languages and the country most of their sites are in, with the points for a bare code. English says nothing.
const LANGUAGES: &[(&str, &str, i32)] = &[
    ("de", "DE", 4),
    ("fr", "FR", 4),
    ("it", "IT", 5),
    ("es", "ES", 3),
    ("nl", "NL", 4),
    ("pl", "PL", 5),
    ("pt", "PT", 3),
    ("sv", "SE", 5),
    ("da", "DK", 5),
    ("nb", "NO", 5),
    ("nn", "NO", 5),
    ("no", "NO", 5),
    ("fi", "FI", 5),
    ("cs", "CZ", 5),
    ("sk", "SK", 5),
    ("sl", "SI", 5),
    ("hu", "HU", 5),
    ("ro", "RO", 5),
    ("bg", "BG", 5),
    ("el", "GR", 5),
    ("hr", "HR", 5),
    ("sr", "RS", 5),
    ("et", "EE", 5),
    ("lv", "LV", 5),
    ("lt", "LT", 5),
    ("ru", "RU", 4),
    ("uk", "UA", 5),
    ("be", "BY", 5),
    ("kk", "KZ", 5),
    ("tr", "TR", 5),
    ("he", "IL", 5),
    ("fa", "IR", 5),
    ("ja", "JP", 5),
    ("ko", "KR", 5),
    ("th", "TH", 5),
    ("vi", "VN", 5),
    ("id", "ID", 5),
    ("is", "IS", 5),
];

/// The country of a host's top-level domain.
pub(crate) fn of_host(host: &str) -> Option<Region> {
    let mut labels = host.trim_end_matches('.').rsplit('.');
    let ending = labels.next()?.to_ascii_lowercase();
    let second = labels.next()?.to_ascii_lowercase();
    match ENDINGS.iter().find(|(known, _)| *known == ending) {
        // `acme.com.co` is in Colombia, `acme.co` anywhere.
        Some((_, None)) if labels.next().is_some() && SECOND_LEVELS.contains(&second.as_str()) => parse(&ending),
        Some((_, code)) => parse((*code)?),
        None if ending.len() == 2 => parse(&ending),
        None => None,
    }
}

/// The country of a `lang` attribute, and the points it is worth.
///
/// `de-AT` says Austria. A country added to English is mostly the default of a template, and so is one added to Spanish.
pub(crate) fn of_language(lang: &str) -> Option<(Region, i32)> {
    let mut parts = lang.trim().split(['-', '_']);
    let language = parts.next()?.to_ascii_lowercase();
    let known = LANGUAGES.iter().find(|(code, _, _)| *code == language);
    let country = parts.rfind(|part| part.len() == 2).and_then(parse);
    match (country, known) {
        (Some(country), _) if language == "en" => {
            Some((country, if matches!(country, Region::GB | Region::US) { 1 } else { 2 }))
        }
        (Some(country), Some((_, usual, points))) if parse(usual) == Some(country) => Some((country, *points)),
        (Some(country), _) => Some((country, 4)),
        (None, Some((_, usual, points))) => Some((parse(usual)?, *points)),
        (None, None) => None,
    }
}

/// The region with this two-letter code in any case.
pub(crate) fn parse(code: &str) -> Option<Region> {
    code.trim().to_ascii_uppercase().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn country_domains_are_read() {
        for (host, expect) in [
            ("acme.co.uk", Some(Region::GB)),
            ("acme.de", Some(Region::DE)),
            ("acme.kz", Some(Region::KZ)),
            ("acme.us", Some(Region::US)),
            ("acme.com.co", Some(Region::CO)),
            ("acme.co", None),
            ("acme.io", None),
            ("acme.eu", None),
            ("acme.com", None),
            ("acme.photography", None),
            ("de", None),
            ("", None),
        ] {
            assert_eq!(of_host(host), expect, "{host}");
        }
    }

    #[test]
    fn a_country_added_to_english_is_worth_little() {
        for (lang, expect) in [
            ("en", None),
            ("en-GB", Some((Region::GB, 1))),
            ("en_us", Some((Region::US, 1))),
            ("en-AU", Some((Region::AU, 2))),
            ("de", Some((Region::DE, 4))),
            ("de-AT", Some((Region::AT, 4))),
            ("es-es", Some((Region::ES, 3))),
            ("es-MX", Some((Region::MX, 4))),
            ("pt-BR", Some((Region::BR, 4))),
            ("zh-Hans-CN", Some((Region::CN, 4))),
            ("x", None),
            ("", None),
        ] {
            assert_eq!(of_language(lang), expect, "{lang}");
        }
    }
}
