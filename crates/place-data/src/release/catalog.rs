//! Overture's catalog of its releases, in the SpatioTemporal Asset Catalog format.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::name::{is_release, newest_first, release_in};

/// Which releases there are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Index {
    pub(super) latest: String,
    /// Newest first.
    pub(super) releases: Vec<String>,
}

impl Index {
    /// The index of these releases; `None` without any.
    pub(super) fn of(releases: impl IntoIterator<Item = String>) -> Option<Index> {
        let releases = newest_first(releases);
        Some(Index { latest: releases.first()?.clone(), releases })
    }

    /// Reads a catalog. The newest release is the one that it calls `latest`, or else the one with the greatest name.
    pub(super) fn parse(catalog: &[u8]) -> Option<Index> {
        let catalog: Value = serde_json::from_slice(catalog).ok()?;
        let links = catalog.get("links").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        let children = links.iter().filter(|link| link.get("rel").and_then(Value::as_str) == Some("child"));
        let named = catalog.get("latest").and_then(text_of).filter(|name| is_release(name)).map(str::to_owned);
        let marked = children.clone().find(|link| link.get("latest") == Some(&Value::Bool(true))).and_then(release_of);
        let latest = named.or(marked);
        let index = Index::of(children.filter_map(release_of).chain(latest.clone()))?;
        Some(Index { latest: latest.unwrap_or(index.latest), ..index })
    }
}

/// The name itself, or the object that carries it.
fn text_of(value: &Value) -> Option<&str> {
    value.as_str().or_else(|| value.get("id").or_else(|| value.get("release"))?.as_str())
}

fn release_of(link: &Value) -> Option<String> {
    let named = |key: &str| release_in(link.get(key)?.as_str()?).map(str::to_owned);
    named("href").or_else(|| named("title"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(catalog: &str) -> Option<(String, usize)> {
        Index::parse(catalog.as_bytes()).map(|index| (index.latest, index.releases.len()))
    }

    #[test]
    fn the_latest_release_is_the_one_that_the_catalog_says() {
        let links = r#""links": [{"rel": "root", "href": "./catalog.json"},
            {"rel": "child", "href": "./2026-10-21.0/catalog.json", "title": "Latest Overture Release"},
            {"rel": "child", "href": "https://x.example/2026-09-23.1/catalog.json"},
            {"rel": "child", "href": "./sub/catalog.json", "title": "2026-08-19.0 Overture Release", "latest": true}]"#;
        let with = |latest: &str| parsed(&format!("{{{latest} {links}}}"));
        assert_eq!(with(r#""latest": "2026-09-23.1","#), Some(("2026-09-23.1".into(), 3)));
        assert_eq!(with(""), Some(("2026-08-19.0".into(), 3)));
        assert_eq!(with(r#""latest": "../../etc","#), Some(("2026-08-19.0".into(), 3)));
        assert_eq!(parsed(r#"{"latest": "2026-10-21.0"}"#), Some(("2026-10-21.0".into(), 1)));
        assert_eq!(
            parsed(r#"{"links": [{"rel": "child", "href": "./2026-10-21.0/c.json"}]}"#),
            Some(("2026-10-21.0".into(), 1))
        );
    }

    #[test]
    fn what_names_no_release_is_no_catalog() {
        for text in ["", "<html>", "{}", "[]", r#"{"latest": 7, "links": {}}"#] {
            assert_eq!(parsed(text), None, "{text}");
        }
    }

    proptest::proptest! {
        #[test]
        fn a_damaged_catalog_names_releases_or_none(at in 0..130_usize, byte: u8, text in ".{0,200}") {
            let mut bytes = br#"{"latest": "2026-10-21.0", "links": [{"rel": "child", "href": "./2026-09-23.1/catalog.json", "latest": true}]}"#.to_vec();
            if let Some(place) = bytes.get_mut(at) {
                *place = byte;
            }
            for index in [Index::parse(&bytes), Index::parse(text.as_bytes())].into_iter().flatten() {
                proptest::prop_assert!(index.releases.contains(&index.latest));
                proptest::prop_assert!(index.releases.iter().all(|name| is_release(name)));
            }
        }
    }
}
