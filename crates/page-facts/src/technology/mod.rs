//! Detects what a site is built with and which tools it uses, by the URLs it loads and markers in its source.

pub(crate) mod matcher;
pub(crate) mod rules;

use std::sync::LazyLock;

use crate::budget::StepBudget;
use crate::document::Document;
use crate::domains;
use crate::facts::{Evidence, FoundTechnology, Method, Technology};
use crate::literals::Literals;
use crate::page::Page;
use crate::structured::business::Structured;
use matcher::{RuleHit, SourceZone};
use rules::{Category, RULES};
use rustc_hash::FxHashMap;

/// One detection of a technology on a page.
#[derive(Debug, Clone)]
pub(crate) struct TechnologyMention {
    pub(crate) rule: usize,
    pub(crate) version: Option<String>,
    pub(crate) method: Method,
    pub(crate) snippet: String,
    /// How reliable the place is in which it was detected.
    pub(crate) weight: u8,
}

/// Detects the technology of one page.
pub(crate) fn find(page: &Page<'_>, document: &Document<'_>, structured: &Structured) -> Vec<TechnologyMention> {
    let site = domains::registrable(domains::host_of(page.url));
    let mut found: Vec<TechnologyMention> = generators(document);
    for hit in matcher::hits(&page.html, Some(document), site.as_deref(), &document.budget) {
        found.push(mention(hit, &page.html));
    }
    found.extend(own_shop(document, structured));
    found
}

/// Labels of a shop's cart button.
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

/// A product with a price and a cart make a shop, whatever it is built with.
fn own_shop(document: &Document<'_>, structured: &Structured) -> Option<TechnologyMention> {
    if !structured.has_product {
        return None;
    }
    let mut said = None;
    CART_SEARCH.as_ref()?.each(&document.text, 1, |found| said = CART_WORDS.get(found.pattern().as_usize()));
    let said = said?;
    let rule = RULES.list.iter().position(|rule| rule.slug == "custom_shop")?;
    Some(TechnologyMention { rule, version: None, method: Method::JsonLd, snippet: (*said).to_owned(), weight: 0 })
}

/// Detects the technology that a loaded script brings in, such as the pixels of a tag manager.
pub(crate) fn find_in_script(script: &str, budget: &StepBudget) -> Vec<TechnologyMention> {
    let hits = matcher::hits(script, None, None, budget);
    hits.into_iter().map(|hit| TechnologyMention { method: Method::Container, ..mention(hit, script) }).collect()
}

fn mention(hit: RuleHit, source: &str) -> TechnologyMention {
    let (method, weight) = match hit.zone {
        SourceZone::Load if hit.is_marker => (Method::Markup, 3),
        SourceZone::Load => (Method::Address, 3),
        SourceZone::Script if hit.is_marker => (Method::Markup, 2),
        SourceZone::Script => (Method::Script, 2),
        SourceZone::Link => (Method::Link, 1),
    };
    let snippet = crate::page::around(source, hit.at, 20, 100).replace(['\n', '\r', '\t'], " ");
    TechnologyMention { rule: hit.rule, version: None, method, snippet, weight }
}

fn generators(document: &Document<'_>) -> Vec<TechnologyMention> {
    let mut found = Vec::new();
    for (name, content) in &document.metas {
        if name != "generator" {
            continue;
        }
        let lower = content.to_lowercase();
        for (rule, generator) in &RULES.generators {
            if lower.starts_with(generator.as_str()) {
                let version = version_in(content.get(generator.len()..).unwrap_or(""));
                found.push(TechnologyMention {
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

/// Merges the mentions of all pages and picks one for each category.
pub(crate) fn merge(mentions: &[(String, TechnologyMention)]) -> Technology {
    let mut ranked: Vec<(u32, FoundTechnology, &[Category])> = Vec::new();
    let mut places: FxHashMap<(&str, Category), usize> = FxHashMap::default();
    for (url, mention) in mentions {
        let rule = &RULES.list[mention.rule];
        let weight = u32::from(mention.weight) * 100;
        let place = *places.entry((rule.slug.as_str(), rule.categories[0])).or_insert(ranked.len());
        match ranked.get_mut(place) {
            Some((known_weight, known, _)) => {
                known.version = known.version.take().or_else(|| mention.version.clone());
                if weight > *known_weight {
                    known.evidence =
                        Evidence { url: url.clone(), method: mention.method, snippet: mention.snippet.clone() };
                }
                *known_weight = weight.max(*known_weight) + 1;
            }
            None => {
                let evidence = Evidence { url: url.clone(), method: mention.method, snippet: mention.snippet.clone() };
                let technology = FoundTechnology {
                    slug: rule.slug.clone(),
                    name: rule.name.clone(),
                    category: rule.categories[0],
                    version: mention.version.clone(),
                    evidence,
                };
                ranked.push((weight, technology, &rule.categories));
            }
        }
    }
    pick(ranked)
}

fn pick(mut ranked: Vec<(u32, FoundTechnology, &[Category])>) -> Technology {
    // The sort is stable, so the same pages always give the same pick among equals.
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
