//! Names of releases: `2026-10-21.0`.

/// Whether this is the name of a release. Whatever passes is safe as a part of a path.
pub(super) fn is_release(name: &str) -> bool {
    let (date, number) = name.split_once('.').unwrap_or((name, "0"));
    let digits = |text: &str, count: usize| text.len() == count && text.bytes().all(|byte| byte.is_ascii_digit());
    let mut parts = date.split('-');
    let dated = [4, 2, 2].into_iter().all(|count| parts.next().is_some_and(|part| digits(part, count)));
    dated && parts.next().is_none() && (1..=3).contains(&number.len()) && digits(number, number.len())
}

/// The last release that an address or a title names.
pub(super) fn release_in(text: &str) -> Option<&str> {
    text.rsplit(|c: char| c == '/' || c.is_whitespace()).find(|part| is_release(part))
}

/// Names of releases, newest first, each once.
pub(super) fn newest_first(names: impl IntoIterator<Item = String>) -> Vec<String> {
    let age = |name: &String| {
        let (date, number) = name.split_once('.').unwrap_or((name, "0"));
        (date.to_owned(), number.parse::<u32>().unwrap_or(0))
    };
    let mut names: Vec<String> = names.into_iter().collect();
    names.sort_by_key(|name| std::cmp::Reverse(age(name)));
    names.dedup();
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn releases_are_told_by_their_names() {
        for name in ["2026-10-21.0", "2026-10-21", "2026-10-21.12"] {
            assert!(is_release(name), "{name}");
        }
        for name in ["", "..", "2026-10-21.0/..", "2026-10-21.", "26-10-21.0", "latest", "2026-10-21-01.0"] {
            assert!(!is_release(name), "{name}");
        }
        assert_eq!(release_in("s3://b/release/2026-10-21.0/theme=places/"), Some("2026-10-21.0"));
        assert_eq!(release_in("2026-09-23.1 Overture Release"), Some("2026-09-23.1"));
    }

    #[test]
    fn the_tenth_correction_is_newer_than_the_ninth() {
        let names = ["2026-09-23.9", "2026-09-23.10", "2026-10-21.0", "2026-09-23.9"];
        assert_eq!(newest_first(names.map(str::to_owned)), ["2026-10-21.0", "2026-09-23.10", "2026-09-23.9"]);
    }
}
