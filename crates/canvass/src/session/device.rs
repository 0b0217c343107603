//! What a session was opened with, in words its owner recognises.

/// Browsers as they name themselves, the more specific ones first: most of them also claim to be those further down.
const BROWSERS: [(&str, &str); 10] = [
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Vivaldi/", "Vivaldi"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
    ("curl/", "curl"),
];
/// Systems as they are named, the more specific ones first.
const SYSTEMS: [(&str, &str); 8] = [
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("CrOS", "ChromeOS"),
    ("Windows", "Windows"),
    ("Mac OS X", "Mac"),
    ("Macintosh", "Mac"),
    ("Linux", "Linux"),
];

/// Browser and system of a `User-Agent` header, such as "Firefox on Linux".
pub fn device(user_agent: Option<&str>) -> String {
    let named = |names: &[(&str, &'static str)]| {
        let text = user_agent.unwrap_or_default();
        names.iter().find(|(mark, _)| text.contains(mark)).map(|(_, name)| *name)
    };
    match (named(&BROWSERS), named(&SYSTEMS)) {
        (Some(browser), Some(system)) => format!("{browser} on {system}"),
        (Some(name), None) | (None, Some(name)) => name.to_owned(),
        (None, None) => "Unknown device".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(user_agent: &str, expected: &str) {
        assert_eq!(device(Some(user_agent)), expected);
    }

    #[test]
    fn browsers_and_systems_are_recognised() {
        check("Mozilla/5.0 (X11; Linux x86_64; rv:149.0) Gecko/20100101 Firefox/149.0", "Firefox on Linux");
        check(
            "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36 Edg/150.0",
            "Edge on Windows",
        );
        check(
            "Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1",
            "Safari on iPhone",
        );
        check("curl/8.14.1", "curl");
        check("<script>", "Unknown device");
        assert_eq!(device(None), "Unknown device");
    }
}
