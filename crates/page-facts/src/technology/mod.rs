//! Tells what a site is built with and which tools it uses, by the addresses it loads and the marks in its source.

pub(crate) mod matcher;
pub(crate) mod rules;

use std::sync::LazyLock;

use crate::budget::Budget;
use crate::document::Document;
use crate::domains;
use crate::facts::{Evidence, FoundTechnology, Method, Technology};
use crate::literals::Literals;
use crate::page::Page;
use crate::structured::business::Structured;
use matcher::{Hit, Zone};
use rules::{Category, RULES};
use rustc_hash::FxHashMap;

/// A technology seen on one page.
#[derive(Debug, Clone)]
pub(crate) struct Sighting {
    pub(crate) rule: usize,
    pub(crate) version: Option<String>,
    pub(crate) method: Method,
    pub(crate) snippet: String,
    /// How telling the place is where it was seen.
    pub(crate) weight: u8,
}

/// Finds the technology of one page.
pub(crate) fn find(page: &Page<'_>, document: &Document<'_>, structured: &Structured) -> Vec<Sighting> {
    let site = domains::registrable(domains::host_of(page.url));
    let mut found: Vec<Sighting> = generators(document);
    for hit in matcher::hits(&page.html, Some(document), site.as_deref(), &document.budget) {
        found.push(sighting(hit, &page.html));
    }
    found.extend(own_shop(document, structured));
    found
}

/// What stands on the button of a shop.
const CART_WORDS: [&str; 13] = [
    "Add to cart",
    "Add To Cart",
    "Add to Cart",
    "ADD TO CART",
    "Add to bag",
    "Add to Bag",
    "Add to basket",
    "Add to Basket",
    "In den Warenkorb",
    "Ajouter au panier",
    "Añadir al carrito",
    "Buy now",
    "Buy Now",
];

static CART_SEARCH: LazyLock<Option<Literals>> = LazyLock::new(|| Literals::new(CART_WORDS.into_iter()));

/// A product with a price and a cart to put it in make a shop, whatever it is built with.
fn own_shop(document: &Document<'_>, structured: &Structured) -> Option<Sighting> {
    if !structured.has_product {
        return None;
    }
    let mut said = None;
    CART_SEARCH.as_ref()?.each(&document.text, 1, |found| said = CART_WORDS.get(found.pattern().as_usize()));
    let said = said?;
    let rule = RULES.list.iter().position(|rule| rule.slug == "custom_shop")?;
    Some(Sighting { rule, version: None, method: Method::JsonLd, snippet: (*said).to_owned(), weight: 0 })
}

/// Finds the technology that a script loaded by the page brings in, such as the pixels of a tag manager.
pub(crate) fn find_in_script(script: &str, budget: &Budget) -> Vec<Sighting> {
    let hits = matcher::hits(script, None, None, budget);
    hits.into_iter().map(|hit| Sighting { method: Method::Container, ..sighting(hit, script) }).collect()
}

fn sighting(hit: Hit, source: &str) -> Sighting {
    let (method, weight) = match hit.zone {
        Zone::Load if hit.is_mark => (Method::Markup, 3),
        Zone::Load => (Method::Address, 3),
        Zone::Script if hit.is_mark => (Method::Markup, 2),
        Zone::Script => (Method::Script, 2),
        Zone::Link => (Method::Link, 1),
    };
    let snippet = crate::page::around(source, hit.at, 20, 100).replace(['\n', '\r', '\t'], " ");
    Sighting { rule: hit.rule, version: None, method, snippet, weight }
}

fn generators(document: &Document<'_>) -> Vec<Sighting> {
    let mut found = Vec::new();
    for (name, content) in &document.metas {
        if name != "generator" {
            continue;
        }
        let lower = content.to_lowercase();
        for (rule, generator) in &RULES.generators {
            if lower.starts_with(generator.as_str()) {
                let version = version_in(content.get(generator.len()..).unwrap_or(""));
                found.push(Sighting {
                    rule: *rule,
                    version,
                    method: Method::Meta,
                    snippet: content.chars().take(120).collect(),
                    weight: 9,
                });
            }
        }
    }
    found
}

/// `6.4.2` of ` 6.4.2; features: ...`.
fn version_in(text: &str) -> Option<String> {
    let start = text.find(|c: char| c.is_ascii_digit()).filter(|at| *at < 24)?;
    let version: String = text[start..].chars().take_while(|c| c.is_ascii_digit() || *c == '.').collect();
    let version = version.trim_end_matches('.').to_owned();
    (!version.is_empty() && version.len() < 20).then_some(version)
}

/// Puts the sightings of all pages together and picks the one that stands for each kind.
pub(crate) fn merge(sightings: &[(String, Sighting)]) -> Technology {
    let mut ranked: Vec<(u32, FoundTechnology, &[Category])> = Vec::new();
    let mut places: FxHashMap<(&str, Category), usize> = FxHashMap::default();
    for (url, sighting) in sightings {
        let rule = &RULES.list[sighting.rule];
        let weight = u32::from(sighting.weight) * 100;
        let place = *places.entry((rule.slug.as_str(), rule.categories[0])).or_insert(ranked.len());
        match ranked.get_mut(place) {
            Some((known_weight, known, _)) => {
                known.version = known.version.take().or_else(|| sighting.version.clone());
                if weight > *known_weight {
                    known.evidence =
                        Evidence { url: url.clone(), method: sighting.method, snippet: sighting.snippet.clone() };
                }
                *known_weight = weight.max(*known_weight) + 1;
            }
            None => {
                let evidence =
                    Evidence { url: url.clone(), method: sighting.method, snippet: sighting.snippet.clone() };
                let technology = FoundTechnology {
                    slug: rule.slug.clone(),
                    name: rule.name.clone(),
                    category: rule.categories[0],
                    version: sighting.version.clone(),
                    evidence,
                };
                ranked.push((weight, technology, &rule.categories));
            }
        }
    }
    pick(ranked)
}

fn pick(mut ranked: Vec<(u32, FoundTechnology, &[Category])>) -> Technology {
    // Stable, so that among equals the one seen first is picked: the same pages give the same answer.
    ranked.sort_by_key(|(weight, _, _)| std::cmp::Reverse(*weight));
    let of = |category: Category| -> Vec<FoundTechnology> {
        ranked
            .iter()
            .filter(|(_, _, categories)| categories.contains(&category))
            .map(|(_, t, _)| FoundTechnology { category, ..t.clone() })
            .collect()
    };
    let best = |category: Category| of(category).into_iter().next();
    Technology {
        platform: best(Category::Platform),
        ecommerce: best(Category::Ecommerce),
        booking: best(Category::Booking),
        online_ordering: best(Category::Ordering),
        chat: best(Category::Chat),
        ad_networks: by_slug(of(Category::AdNetwork)),
        analytics: by_slug(of(Category::Analytics)),
        all: ranked.iter().map(|(_, technology, _)| technology.clone()).collect(),
    }
}

fn by_slug(mut list: Vec<FoundTechnology>) -> Vec<FoundTechnology> {
    list.sort_by(|a, b| a.slug.cmp(&b.slug));
    list.dedup_by(|a, b| a.slug == b.slug);
    list
}
