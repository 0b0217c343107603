//! Which type of place an industry is at Google.

use std::collections::HashMap;
use std::sync::OnceLock;

use places::Category;

/// One line an industry.
const TYPES: &str = include_str!("types.toml");

/// Google's type for this industry; `None` when none fits, and it is searched by words.
pub(super) fn of(category: &Category) -> Option<&'static str> {
    static BY_SLUG: OnceLock<HashMap<&str, &str>> = OnceLock::new();
    BY_SLUG.get_or_init(|| lines().collect()).get(category.slug).copied()
}

fn lines() -> impl Iterator<Item = (&'static str, &'static str)> {
    let lines = TYPES.lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| {
        let (slug, name) = line.split_once('=')?;
        Some((slug.trim(), name.trim().trim_matches('"')))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_an_industry_and_a_type() {
        let mut known = std::collections::HashSet::new();
        for (slug, name) in lines() {
            assert!(places::category(slug).is_some(), "{slug}");
            assert!(known.insert(slug), "{slug} twice");
            assert!(!name.is_empty() && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_'), "{name}");
        }
        assert!(known.len() > 100, "{}", known.len());
        assert_eq!(of(places::category("dentist").unwrap()), Some("dentist"));
        assert_eq!(of(places::category("cosmetic_dentist").unwrap()), None);
    }
}
