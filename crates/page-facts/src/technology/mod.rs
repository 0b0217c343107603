//! Detects what a site is built with and which tools it uses, by the URLs it loads and markers in its source.

pub(crate) mod matcher;
mod named;
mod owner;
mod pick;
pub(crate) mod rules;
mod zones;

use std::sync::LazyLock;

use crate::budget::StepBudget;
use crate::document::Document;
use crate::explain;
use crate::facts::Method;
use crate::literals::Literals;
use crate::page::Page;
use crate::structured::business::Structured;
use matcher::{HitBy, RuleHit};
pub(crate) use pick::merge;
use rules::RULES;
use zones::SourceZone;

/// One detection of a technology on a page.
#[derive(Debug, Clone)]
pub(crate) struct TechnologyMention {
    pub(crate) rule: usize,
    pub(crate) version: Option<String>,
    pub(crate) method: Method,
    pub(crate) snippet: String,
    /// How reliable the place is in which it was detected.
    pub(crate) weight: u8,
    /// Whether it was detected by files of a WordPress plugin or theme.
    pub(crate) is_plugin: bool,
}

/// Detects the technology of one page.
pub(crate) fn find(page: &Page<'_>, document: &Document<'_>, structured: &Structured) -> Vec<TechnologyMention> {
    let mut found = metas(document);
    for hit in matcher::hits(&page.html, Some(document), page.url, &document.budget) {
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
    explain::accepted(RULES.list[rule].categories[0].finder(), "a product with a price and a cart", said);
    let snippet = (*said).to_owned();
    Some(TechnologyMention { rule, version: None, method: Method::JsonLd, snippet, weight: 0, is_plugin: false })
}

/// Detects the technology that a loaded script brings in, such as the pixels of a tag manager.
pub(crate) fn find_in_script(script: &str, budget: &StepBudget) -> Vec<TechnologyMention> {
    let hits = matcher::hits(script, None, "", budget);
    hits.into_iter().map(|hit| TechnologyMention { method: Method::Container, ..mention(hit, script) }).collect()
}

fn mention(hit: RuleHit, source: &str) -> TechnologyMention {
    let method = match (hit.by, hit.zone) {
        (HitBy::Marker, _) => Method::Markup,
        (_, SourceZone::Load | SourceZone::Shown) => Method::Address,
        (_, SourceZone::Script) => Method::Script,
        (_, SourceZone::Link) => Method::Link,
    };
    // Files that the site itself serves say more about what it is built with than those of a vendor.
    let weight = match (hit.by, hit.zone) {
        (HitBy::Marker, SourceZone::Load) => 4,
        (_, SourceZone::Load) => 3,
        (HitBy::Host | HitBy::Plugin, SourceZone::Shown) => 3,
        (_, SourceZone::Script | SourceZone::Shown) => 2,
        (_, SourceZone::Link) => 1,
    };
    let snippet = crate::page::around(source, hit.at, 20, 100).replace(['\n', '\r', '\t'], " ");
    TechnologyMention { rule: hit.rule, version: None, method, snippet, weight, is_plugin: hit.by == HitBy::Plugin }
}

/// Technology that names itself in a meta tag.
fn metas(document: &Document<'_>) -> Vec<TechnologyMention> {
    let mut found = Vec::new();
    let mut keep = |rule: usize, version: Option<String>, text: &str, weight: u8| {
        let finder = RULES.list[rule].categories[0].finder();
        explain::accepted(finder, "a meta tag names it", &RULES.list[rule].name);
        let snippet = text.chars().take(120).collect();
        found.push(TechnologyMention { rule, version, method: Method::Meta, snippet, weight, is_plugin: false });
    };
    for (name, content) in &document.metas {
        if let Some(rule) = RULES.metas.get(name.as_str()) {
            keep(*rule, None, name, 6);
        }
        if name != "generator" {
            continue;
        }
        let lower = content.to_lowercase();
        for (rule, generator) in &RULES.generators {
            if lower.starts_with(generator.as_str()) {
                keep(*rule, version_in(content.get(generator.len()..).unwrap_or("")), content, 9);
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
