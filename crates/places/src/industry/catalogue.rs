//! The categories: our own terms for kinds of businesses, and those of open place data.

use std::collections::{BTreeMap, HashMap};
use std::sync::OnceLock;

use serde::Deserialize;

use super::membership::{OvertureEntry, OvertureMembers};
use super::words::{significant, words};

static INDUSTRIES: &str = include_str!("../../data/industries.toml");
static PRESETS: &str = include_str!("../../data/presets.txt");

/// A kind of business. Two are equal if their slugs are.
#[derive(Debug)]
pub struct Category {
    /// Stable identifier, such as "nail_salon".
    pub slug: &'static str,
    /// Singular display name, such as "Nail salon".
    pub name: &'static str,
    /// Plural display name, such as "Nail salons".
    pub plural: &'static str,
    /// One of a dozen groups, such as "beauty".
    pub group: &'static str,
    /// Overture Maps categories that `industries.toml` lists. Ask [`Category::overture_names`] or
    /// [`Category::matches_overture`] which places belong to the industry.
    pub overture: &'static [&'static str],
    /// OpenStreetMap tags, as key and value; any of them makes a business one of this kind.
    pub osm: &'static [(&'static str, &'static str)],
    /// Other words people type for it.
    pub synonyms: &'static [&'static str],
    entries: Vec<OvertureEntry>,
    members: OnceLock<OvertureMembers>,
}

impl PartialEq for Category {
    fn eq(&self, other: &Category) -> bool {
        self.slug == other.slug
    }
}

impl Category {
    /// The Overture categories of this industry, collected on first use.
    pub(super) fn overture_members(&self) -> &OvertureMembers {
        self.members.get_or_init(|| OvertureMembers::new(&self.entries))
    }
}

/// One entry of the file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct IndustryEntry {
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
    /// Every spelling of a category, as words joined by spaces.
    pub(super) exact: HashMap<String, usize>,
    /// The same without stop words, where that is unambiguous.
    pub(super) significant: HashMap<String, usize>,
    /// Words of OpenStreetMap presets and Overture categories, which match more loosely.
    pub(super) loose: HashMap<String, usize>,
}

/// All categories in a fixed order: by group, then by slug.
#[must_use]
pub fn categories() -> &'static [Category] {
    &catalogue().categories
}

/// The category with this slug.
#[must_use]
pub fn category(slug: &str) -> Option<&'static Category> {
    categories().iter().find(|category| category.slug == slug)
}

/// The catalogue, parsed on first use.
pub(super) fn catalogue() -> &'static Catalogue {
    static CATALOGUE: OnceLock<Catalogue> = OnceLock::new();
    CATALOGUE.get_or_init(Catalogue::read)
}

impl Catalogue {
    fn read() -> Catalogue {
        // Parsed once, and used for the life of the process.
        let groups: &'static BTreeMap<String, BTreeMap<String, IndustryEntry>> =
            Box::leak(Box::new(toml::from_str(INDUSTRIES).expect("industries.toml is valid: a test parses it")));
        let by_slug: HashMap<&str, &IndustryEntry> =
            groups.values().flatten().map(|(slug, entry)| (slug.as_str(), entry)).collect();
        let mut categories = Vec::new();
        for (group, entries) in groups {
            categories.extend(entries.iter().map(|(slug, entry)| category_of(group, slug, entry, &by_slug)));
        }
        let exact = exact(&categories);
        let (significant, loose) = (without_stop_words(&exact), loose(&categories));
        Catalogue { categories, exact, significant, loose }
    }
}

fn category_of(
    group: &'static str,
    slug: &'static str,
    entry: &'static IndustryEntry,
    by_slug: &HashMap<&str, &'static IndustryEntry>,
) -> Category {
    let name = entry.name.as_deref().unwrap_or_else(|| capitalised(&slug.replace('_', " ")).leak());
    let included = entry.with.iter().filter_map(|slug| Some((slug.as_str(), *by_slug.get(slug.as_str())?)));
    let mut entries = Vec::new();
    let mut osm = Vec::new();
    for (slug, entry) in std::iter::once((slug, entry)).chain(included) {
        let names = entry.overture.as_ref().map_or_else(|| vec![slug], |names| texts(names));
        names.into_iter().for_each(|name| push_new(&mut entries, OvertureEntry::read(name)));
        let tags = entry.osm.iter().filter_map(|tag| tag.split_once('='));
        tags.for_each(|tag| push_new(&mut osm, tag));
    }
    let mut overture = Vec::new();
    entries.iter().for_each(|entry| push_new(&mut overture, entry.name));
    Category {
        slug,
        plural: entry.plural.as_deref().unwrap_or_else(|| format!("{name}s").leak()),
        name,
        group,
        overture: overture.leak(),
        osm: osm.leak(),
        synonyms: texts(&entry.words).leak(),
        entries,
        members: OnceLock::new(),
    }
}

fn texts(list: &[String]) -> Vec<&str> {
    list.iter().map(String::as_str).collect()
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

/// Keys without stop words; one that would be ambiguous is dropped.
fn without_stop_words(exact: &HashMap<String, usize>) -> HashMap<String, usize> {
    let mut found: HashMap<String, Option<usize>> = HashMap::new();
    for (name, number) in exact {
        let short = significant(&words(name)).join(" ");
        let same = found.entry(short).or_insert(Some(*number));
        if *same != Some(*number) {
            *same = None;
        }
    }
    found.into_iter().filter_map(|(name, number)| Some((name, number?))).collect()
}

/// Names from Overture categories and OpenStreetMap presets. The first category to claim one gets it; narrower categories (with
/// fewer entries) come before wider ones.
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
