//! Kinds of businesses in the words of a file: names under which a search finds them.

use std::collections::HashMap;

use places::overture::{self, Vocabulary};

use crate::Categories;

/// Texts whose meaning is remembered.
const REMEMBERED_MAX: usize = 10_000;
/// Bytes of a text that can be a kind of business.
const TEXT_BYTES_MAX: usize = 200;
/// Separates the kinds of a path, from the widest to the narrowest.
const PATH_SEPARATOR: char = '>';
/// Kinds taken from one place.
const KINDS_MAX: usize = 10;

/// Tells what texts mean, and remembers it: files repeat a few hundred of them in every row.
#[derive(Default)]
pub(crate) struct CategoryNames(HashMap<String, Vec<String>>);

impl CategoryNames {
    /// The names under which places of these kinds are found: Overture's, tags such as `craft=plumber`, or Canvass's own such
    /// as `canvass:plumber`. None for a text that means nothing here.
    fn names(&mut self, text: &str) -> Vec<String> {
        let text = text.trim();
        if text.is_empty() || text.len() > TEXT_BYTES_MAX {
            return Vec::new();
        }
        if let Some(known) = self.0.get(text) {
            return known.clone();
        }
        if self.0.len() >= REMEMBERED_MAX {
            self.0.clear();
        }
        let names = of_path(text);
        self.0.insert(text.to_owned(), names.clone());
        names
    }

    /// What these texts say about a place, the first the most. Texts that mean nothing here are kept as alternates.
    pub(super) fn categories<'t>(&mut self, texts: impl Iterator<Item = &'t str>) -> Categories {
        let (mut hierarchy, mut unknown): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
        for text in texts.take(KINDS_MAX) {
            let names = self.names(text);
            if names.is_empty() {
                unknown.push(text.chars().take(TEXT_BYTES_MAX).collect());
            }
            for name in names {
                if hierarchy.len() < KINDS_MAX && !hierarchy.contains(&name) {
                    hierarchy.push(name);
                }
            }
        }
        let primary = hierarchy.first().cloned();
        let path = primary.as_deref().map(path).unwrap_or_default();
        let hierarchy = if path.is_empty() { hierarchy } else { path };
        Categories { primary, hierarchy, alternates: unknown, basic: None }
    }
}

/// The narrowest kind that is known in a path such as `Retail > Food and Beverage Retail > Butcher`. The widest kind of a path
/// says too little.
fn of_path(text: &str) -> Vec<String> {
    if !text.contains(PATH_SEPARATOR) {
        return of_list(text);
    }
    let parts: Vec<&str> = text.split(PATH_SEPARATOR).skip(1).collect();
    parts.into_iter().rev().map(of_list).find(|names| !names.is_empty()).unwrap_or_default()
}

/// The kinds in a text that may list several: `Plumber; Electrician`, `["Plumber"]`. Commas and slashes are part of some names.
fn of_list(text: &str) -> Vec<String> {
    let text = text.trim();
    let each = |parts: &mut dyn Iterator<Item = &str>| parts.filter_map(understood).take(KINDS_MAX).collect::<Vec<_>>();
    let listed: Option<Vec<String>> = text.starts_with('[').then(|| serde_json::from_str(text).ok()).flatten();
    if let Some(listed) = listed {
        return each(&mut listed.iter().map(String::as_str));
    }
    if text.contains([';', '|']) {
        return each(&mut text.split([';', '|']));
    }
    if text.contains([',', '/']) && !places::industry(text).is_ok_and(|industry| industry.exact) {
        let found = each(&mut text.split([',', '/']));
        if !found.is_empty() {
            return found;
        }
    }
    understood(text).into_iter().collect()
}

fn understood(text: &str) -> Option<String> {
    let text = text.trim();
    if overture::exists(text) || is_tag(text) || is_own(text) {
        return Some(text.to_owned());
    }
    let industry = places::industry(text).ok();
    let own = |industry: places::Industry| format!("canvass:{}", industry.category.slug);
    if let Some(exact) = industry.filter(|industry| industry.exact) {
        return Some(own(exact));
    }
    let spelt = text.to_lowercase().replace([' ', '-'], "_");
    if overture::exists(&spelt) { Some(spelt) } else { industry.map(own) }
}

/// The kind that a text names exactly, without guessing from its words.
pub(crate) fn known_kind(text: &str) -> Option<String> {
    let exact = places::industry(text).ok().filter(|industry| industry.exact);
    let spelt = text.to_lowercase().replace([' ', '-'], "_");
    let own = exact.map(|industry| format!("canvass:{}", industry.category.slug));
    own.or_else(|| overture::exists(&spelt).then_some(spelt))
}

/// Whether a text is a tag of OpenStreetMap.
fn is_tag(text: &str) -> bool {
    let is_word = |word: &str| {
        !word.is_empty()
            && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"_:".contains(&byte))
    };
    text.split_once('=').is_some_and(|(key, value)| is_word(key) && is_word(value))
}

fn is_own(text: &str) -> bool {
    text.strip_prefix("canvass:").is_some_and(|slug| places::category(slug).is_some())
}

/// The path to a category of Overture; empty for other names.
fn path(name: &str) -> Vec<String> {
    let paths = [Vocabulary::Taxonomy, Vocabulary::Categories].map(|vocabulary| overture::path(name, vocabulary));
    let path = paths.into_iter().find(|path| !path.is_empty()).unwrap_or_default();
    path.into_iter().map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_understood_in_every_vocabulary() {
        let mut names = CategoryNames::default();
        for (text, expected) in [
            ("plumbing", Some("plumbing")),
            ("craft=plumber", Some("craft=plumber")),
            ("canvass:plumber", Some("canvass:plumber")),
            ("Plumbers", Some("canvass:plumber")),
            ("Dental office", Some("canvass:dentist")),
            ("a=b=c", None),
            ("Flux capacitor foundry of the moon", None),
            ("", None),
        ] {
            assert_eq!(names.names(text).first().map(String::as_str), expected, "{text}");
        }
    }

    #[test]
    fn lists_and_paths_are_taken_apart_and_unknown_texts_kept() {
        let of = |texts: &[&'static str]| CategoryNames::default().categories(texts.iter().copied());
        let several = of(&["Plumber; Electrician", "qwertzuiop asdfgh"]);
        assert_eq!(several.primary.as_deref(), Some("canvass:plumber"));
        assert_eq!(several.hierarchy, ["canvass:plumber", "canvass:electrician"]);
        assert_eq!(several.alternates, ["qwertzuiop asdfgh"]);
        assert_eq!(of(&["Home Service > Plumber"]).primary.as_deref(), Some("canvass:plumber"));
        assert!(of(&["plumbing"]).hierarchy.len() > 1, "the path in Overture's taxonomy");
        assert_eq!(of(&[]), Categories::default());
    }
}
