//! The categories of Overture Maps, in both of its vocabularies.
//!
//! Releases had the column `categories` until August 2026 and have `taxonomy` since December 2025. Most names of the first
//! vocabulary were changed in the second, nearly all got other parents, and the second was itself revised in March 2026.

use std::collections::HashMap;
use std::sync::OnceLock;

use crate::data_file::DataFile;

static OVERTURE: &[u8] = include_bytes!("../data/overture.bin");

/// One of the two vocabularies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Vocabulary {
    /// The column `categories`, whose records have a name and no hierarchy.
    Categories,
    /// The column `taxonomy`, including names that its revision removed.
    Taxonomy,
}

/// What became of a category whose name is no longer in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Successor {
    /// The same kind of place under another name.
    Renamed(&'static str),
    /// A wider category, or one beside it, took its places.
    Merged(&'static str),
}

/// Whether either vocabulary has, or in a draft of the taxonomy had, a category of this name.
#[must_use]
pub fn exists(name: &str) -> bool {
    let known = known();
    known.vocabularies.iter().any(|tree| tree.parents.contains_key(name)) || known.successors.contains_key(name)
}

/// The path to a category in one vocabulary, from the widest category down to the category itself; empty if the vocabulary does
/// not have it.
#[must_use]
pub fn path(name: &str, vocabulary: Vocabulary) -> Vec<&'static str> {
    let parents = &known().tree(vocabulary).parents;
    let mut steps = Vec::new();
    let mut next = parents.get_key_value(name);
    while let Some((name, parent)) = next {
        steps.push(*name);
        next = parents.get_key_value(*parent);
    }
    steps.reverse();
    steps
}

/// What a category became in the current taxonomy; `None` if its name is still in use, or if nothing took its place.
#[must_use]
pub fn successor(name: &str) -> Option<Successor> {
    known().successors.get(name).copied()
}

/// The other names that the same kind of place has or had. The relation is symmetric, and never wider than a rename.
#[must_use]
pub fn aliases(name: &str) -> Vec<&'static str> {
    let current = match successor(name) {
        Some(Successor::Renamed(current)) => Some(current),
        _ => known().former_names.get_key_value(name).map(|(name, _)| *name),
    };
    let Some(current) = current else { return Vec::new() };
    let former = known().former_names.get(current).into_iter().flatten().copied();
    std::iter::once(current).chain(former).filter(|alias| *alias != name).collect()
}

/// The names of all categories: first those of [`Vocabulary::Categories`], then those of [`Vocabulary::Taxonomy`], each in the
/// order of the alphabet. A name that both have is listed twice.
pub fn names() -> impl Iterator<Item = (&'static str, Vocabulary)> {
    [Vocabulary::Categories, Vocabulary::Taxonomy]
        .into_iter()
        .flat_map(|vocabulary| known().tree(vocabulary).names.iter().map(move |name| (*name, vocabulary)))
}

/// A category and everything below it, in either vocabulary.
pub(crate) fn subtree(name: &'static str) -> Vec<&'static str> {
    let mut found = vec![name];
    for tree in &known().vocabularies {
        let mut below = vec![name];
        while let Some(name) = below.pop() {
            let children = tree.children.get(name).into_iter().flatten();
            below.extend(children.clone());
            found.extend(children);
        }
    }
    found
}

/// Everything the data file says.
struct Overture {
    vocabularies: [Tree; 2],
    successors: HashMap<&'static str, Successor>,
    /// Current name to the names that were renamed to it.
    former_names: HashMap<&'static str, Vec<&'static str>>,
}

/// The categories of one vocabulary.
struct Tree {
    names: Vec<&'static str>,
    /// Name to the name of its parent, which is empty at the top.
    parents: HashMap<&'static str, &'static str>,
    children: HashMap<&'static str, Vec<&'static str>>,
}

/// The categories, read on first use.
fn known() -> &'static Overture {
    static KNOWN: OnceLock<Overture> = OnceLock::new();
    KNOWN.get_or_init(Overture::read)
}

impl Overture {
    fn read() -> Overture {
        let mut file = DataFile::unpack(OVERTURE);
        let vocabularies = [Tree::new(pairs(&mut file)), Tree::new(pairs(&mut file))];
        let renamed = pairs(&mut file);
        let merged = pairs(&mut file).into_iter().map(|(name, into)| (name, Successor::Merged(into)));
        let mut former_names: HashMap<&str, Vec<&str>> = HashMap::new();
        for (former, current) in &renamed {
            former_names.entry(current).or_default().push(former);
        }
        let renamed = renamed.into_iter().map(|(name, current)| (name, Successor::Renamed(current)));
        Overture { vocabularies, successors: renamed.chain(merged).collect(), former_names }
    }

    fn tree(&self, vocabulary: Vocabulary) -> &Tree {
        match vocabulary {
            Vocabulary::Categories => &self.vocabularies[0],
            Vocabulary::Taxonomy => &self.vocabularies[1],
        }
    }
}

impl Tree {
    fn new(pairs: Vec<(&'static str, &'static str)>) -> Tree {
        let mut children: HashMap<&str, Vec<&str>> = HashMap::new();
        for (name, parent) in &pairs {
            children.entry(parent).or_default().push(name);
        }
        Tree { names: pairs.iter().map(|(name, _)| *name).collect(), parents: pairs.into_iter().collect(), children }
    }
}

fn pairs(file: &mut DataFile) -> Vec<(&'static str, &'static str)> {
    file.lines().into_iter().filter_map(|line| line.split_once('\t')).collect()
}
