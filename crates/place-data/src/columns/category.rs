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
pub(crate) struct CategoryNames(HashMap<String, Option<String>>);

impl CategoryNames {
    /// The name under which places of this kind are found: one of Overture's, a tag such as `craft=plumber`, or one of
    /// Canvass's own such as `canvass:plumber`. `None` for anything else.
    pub(crate) fn name(&mut self, text: &str) -> Option<String> {
        let text = text.trim();
        if text.is_empty() || text.len() > TEXT_BYTES_MAX {
            return None;
        }
        if let Some(known) = self.0.get(text) {
            return known.clone();
        }
        if self.0.len() >= REMEMBERED_MAX {
            self.0.clear();
        }
        let name = understood(text);
        self.0.insert(text.to_owned(), name.clone());
        name
    }

    /// The name of the narrowest kind in a path such as `Retail > Food and Beverage Retail > Butcher`. The widest kind of a path
    /// says too little.
    pub(crate) fn path_name(&mut self, path: &str) -> Option<String> {
        let is_single = !path.contains(PATH_SEPARATOR);
        let parts = path.split(PATH_SEPARATOR).skip(usize::from(!is_single));
        let parts: Vec<&str> = parts.collect();
        parts.into_iter().rev().find_map(|part| self.name(part))
    }

    /// What these texts say about a place, the first the most. Texts that mean nothing here are kept as alternates.
    pub(super) fn categories<'t>(&mut self, texts: impl Iterator<Item = &'t str>) -> Categories {
        let (mut names, mut unknown) = (Vec::new(), Vec::new());
        for text in texts.take(KINDS_MAX) {
            match self.names(text) {
                found if found.is_empty() => unknown.push(text.chars().take(TEXT_BYTES_MAX).collect()),
                found => names.extend(found),
            }
        }
        let mut hierarchy: Vec<String> = Vec::new();
        for name in names.into_iter().take(KINDS_MAX) {
            if !hierarchy.contains(&name) {
                hierarchy.push(name);
            }
        }
        let primary = hierarchy.first().cloned();
        let path = primary.as_deref().map(path).unwrap_or_default();
        let hierarchy = if path.is_empty() { hierarchy } else { path };
        Categories { primary, hierarchy, alternates: unknown, basic: None }
    }

    /// The kinds in one text: it as a whole, or else its parts, such as those of `Plumber; Electrician` and, the narrowest
    /// first, of `Home > Plumber`.
    fn names(&mut self, text: &str) -> Vec<String> {
        if text.contains(PATH_SEPARATOR) {
            return self.path_name(text).into_iter().collect();
        }
        if let Some(name) = self.name(text) {
            return vec![name];
        }
        let listed: Option<Vec<String>> = text.starts_with('[').then(|| serde_json::from_str(text).ok()).flatten();
        match listed {
            Some(listed) => listed.iter().filter_map(|part| self.name(part)).take(KINDS_MAX).collect(),
            None => text.split([';', '|', ',', '/']).filter_map(|part| self.name(part)).take(KINDS_MAX).collect(),
        }
    }
}

fn understood(text: &str) -> Option<String> {
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
            assert_eq!(names.name(text).as_deref(), expected, "{text}");
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
