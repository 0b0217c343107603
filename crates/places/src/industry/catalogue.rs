//! The categories: our own words for kinds of businesses, and what open place data calls them.

use std::collections::{BTreeMap, HashMap};
use std::sync::OnceLock;

use serde::Deserialize;

use super::words::{telling, words};

static INDUSTRIES: &str = include_str!("../../data/industries.toml");
static PRESETS: &str = include_str!("../../data/presets.txt");

/// A kind of business.
#[derive(Debug, PartialEq)]
pub struct Category {
    /// "nail_salon".
    pub slug: &'static str,
    /// "Nail salon".
    pub name: &'static str,
    /// "Nail salons".
    pub plural: &'static str,
    /// "beauty"; one of a dozen.
    pub group: &'static str,
    /// Names of Overture Maps categories, any of which makes a business one of this kind.
    pub overture: &'static [&'static str],
    /// Tags of OpenStreetMap, any of which does.
    pub osm: &'static [(&'static str, &'static str)],
    /// What else people type for it.
    pub synonyms: &'static [&'static str],
}

/// One line of the file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    name: Option<String>,
    plural: Option<String>,
    overture: Option<Vec<String>>,
    #[serde(default)]
    osm: Vec<String>,
    #[serde(default)]
    words: Vec<String>,
    #[serde(default)]
    with: Vec<String>,
}

/// The categories and the indexes of their words.
pub(super) struct Catalogue {
    pub(super) categories: Vec<Category>,
    /// Every way to write a category, in words joined by spaces.
    pub(super) exact: HashMap<String, usize>,
    /// The same without idle words, where that leaves no doubt.
    pub(super) telling: HashMap<String, usize>,
    /// Words of the OpenStreetMap presets and Overture's names, which are looser.
    pub(super) loose: HashMap<String, usize>,
}

/// All categories, in a fixed order: by group, then by slug.
#[must_use]
pub fn categories() -> &'static [Category] {
    &catalogue().categories
}

/// The category with this slug.
#[must_use]
pub fn category(slug: &str) -> Option<&'static Category> {
    categories().iter().find(|category| category.slug == slug)
}

/// The catalogue, read at first use.
pub(super) fn catalogue() -> &'static Catalogue {
    static CATALOGUE: OnceLock<Catalogue> = OnceLock::new();
    CATALOGUE.get_or_init(Catalogue::read)
}

impl Catalogue {
    fn read() -> Catalogue {
        let groups: BTreeMap<String, BTreeMap<String, Entry>> =
            toml::from_str(INDUSTRIES).expect("the committed industries are valid: a test reads them");
        let by_slug: HashMap<&str, &Entry> =
            groups.values().flatten().map(|(slug, entry)| (slug.as_str(), entry)).collect();
        let mut categories = Vec::new();
        for (group, entries) in &groups {
            let group = leak(group.clone());
            categories.extend(entries.iter().map(|(slug, entry)| category_of(group, slug, entry, &by_slug)));
        }
        let exact = exact(&categories);
        let (telling, loose) = (without_idle(&exact), loose(&categories));
        Catalogue { categories, exact, telling, loose }
    }
}

fn category_of(group: &'static str, slug: &str, entry: &Entry, by_slug: &HashMap<&str, &Entry>) -> Category {
    let name = entry.name.clone().unwrap_or_else(|| capitalised(&slug.replace('_', " ")));
    let included = entry.with.iter().filter_map(|slug| Some((slug.as_str(), *by_slug.get(slug.as_str())?)));
    let all: Vec<(&str, &Entry)> = std::iter::once((slug, entry)).chain(included).collect();
    let mut overture = Vec::new();
    let mut osm = Vec::new();
    for (slug, entry) in all {
        let names = entry.overture.clone().unwrap_or_else(|| vec![slug.to_owned()]);
        names.into_iter().for_each(|name| push_new(&mut overture, leak(name)));
        let tags = entry.osm.iter().filter_map(|tag| leak(tag.clone()).split_once('='));
        tags.for_each(|tag| push_new(&mut osm, tag));
    }
    Category {
        slug: leak(slug.to_owned()),
        plural: leak(entry.plural.clone().unwrap_or_else(|| format!("{name}s"))),
        name: leak(name),
        group,
        overture: overture.leak(),
        osm: osm.leak(),
        synonyms: entry.words.iter().map(|word| leak(word.clone())).collect::<Vec<_>>().leak(),
    }
}

/// The file is read once, and its words are wanted everywhere for good.
fn leak(text: String) -> &'static str {
    text.leak()
}

fn push_new<T: PartialEq>(list: &mut Vec<T>, item: T) {
    if !list.contains(&item) {
        list.push(item);
    }
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

fn exact(categories: &[Category]) -> HashMap<String, usize> {
    let mut found = HashMap::new();
    for (number, category) in categories.iter().enumerate() {
        let spaced = category.slug.replace('_', " ");
        let names = [category.name, category.plural, &spaced].into_iter().chain(category.synonyms.iter().copied());
        for name in names {
            found.entry(words(name).join(" ")).or_insert(number);
        }
    }
    found
}

/// Keys without idle words; one that would stand for two categories stands for none.
fn without_idle(exact: &HashMap<String, usize>) -> HashMap<String, usize> {
    let mut found: HashMap<String, Option<usize>> = HashMap::new();
    for (name, number) in exact {
        let short = telling(&words(name)).join(" ");
        let same = found.entry(short).or_insert(Some(*number));
        if *same != Some(*number) {
            *same = None;
        }
    }
    found.into_iter().filter_map(|(name, number)| Some((name, number?))).collect()
}

/// Names that are not our own: of Overture's categories, and of OpenStreetMap's presets. The first category that claims
/// one has it, narrower ones (with fewer entries) before wider ones.
fn loose(categories: &[Category]) -> HashMap<String, usize> {
    let mut order: Vec<usize> = (0..categories.len()).collect();
    order.sort_by_key(|number| (categories[*number].overture.len(), *number));
    let mut found = HashMap::new();
    for number in &order {
        for name in categories[*number].overture {
            found.entry(words(&name.replace('_', " ")).join(" ")).or_insert(*number);
        }
    }
    for line in PRESETS.lines().filter(|line| !line.starts_with('#')) {
        let (tag, names) = line.split_once('\t').unwrap_or_default();
        let Some(tag) = tag.split_once('=') else { continue };
        let Some(number) = order.iter().find(|number| categories[**number].osm.contains(&tag)) else { continue };
        for name in names.split('\t') {
            found.entry(words(name).join(" ")).or_insert(*number);
        }
    }
    found
}
