//! The rule table: read once from `rules.toml`, indexed by host and by mark.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

/// What a technology is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Category {
    /// What the site is built with.
    Platform,
    /// A page builder, theme or framework on top of it.
    Builder,
    /// A shop.
    Ecommerce,
    /// Booking and reservations.
    Booking,
    /// Ordering food and drink.
    Ordering,
    /// Live chat.
    Chat,
    /// An advertising pixel.
    AdNetwork,
    /// Analytics.
    Analytics,
    /// A tag manager.
    TagManager,
    /// Mailing lists, forms and customer records.
    Marketing,
    /// Reviews and reputation.
    Reviews,
    /// Taking payments.
    Payments,
    /// Call tracking.
    CallTracking,
    /// Everything else.
    Other,
}

/// One line of the table.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Rule {
    /// Stable short name.
    pub(crate) slug: String,
    /// Name for people.
    pub(crate) name: String,
    /// What it is for; the first is the main one.
    pub(crate) categories: Vec<Category>,
    /// Hosts, with a path perhaps, that a page loads something from.
    #[serde(default)]
    pub(crate) hosts: Vec<String>,
    /// Hosts, with a path perhaps, that tell by a mere link.
    #[serde(default)]
    pub(crate) links: Vec<String>,
    /// Literal marks in the page's source; `#` at the end asks for digits, `%` for an id in capitals.
    #[serde(default)]
    pub(crate) marks: Vec<String>,
    /// WordPress plugins by folder; `theme:` before the folder of a theme.
    #[serde(default)]
    pub(crate) plugins: Vec<String>,
    /// What the generator meta tag begins with, in lower case.
    #[serde(default)]
    pub(crate) generators: Vec<String>,
    /// Markup that shows it.
    #[cfg_attr(not(test), expect(dead_code, reason = "the tests read it"))]
    pub(crate) example: String,
    /// Markup that looks like it and is not.
    #[serde(default)]
    #[cfg_attr(not(test), expect(dead_code, reason = "the tests read it"))]
    pub(crate) counter: Option<String>,
}

/// A rule as others may see it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RuleSummary {
    /// Stable short name.
    pub slug: String,
    /// Name for people.
    pub name: String,
    /// What it is for.
    pub categories: Vec<Category>,
}

/// Where a host of the table is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    Load,
    Link,
}

/// A host of the table.
#[derive(Debug)]
pub(crate) struct HostEntry {
    pub(crate) rule: usize,
    pub(crate) place: Place,
    /// What the path must begin with, in lower case; may be empty.
    pub(crate) path: String,
    /// Whether only names below it count, since at the name itself the vendor tells of the tool.
    pub(crate) only_below: bool,
}

/// A literal of the table.
#[derive(Debug)]
pub(crate) struct Mark {
    pub(crate) rule: usize,
    pub(crate) literal: String,
    pub(crate) tail: Tail,
}

/// What must follow a mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tail {
    Anything,
    Digits,
    Capitals,
}

/// The table and its indexes.
#[derive(Debug)]
pub(crate) struct Rules {
    pub(crate) list: Vec<Rule>,
    pub(crate) hosts: FxHashMap<String, Vec<HostEntry>>,
    pub(crate) marks: Vec<Mark>,
    pub(crate) plugins: FxHashMap<String, usize>,
    pub(crate) generators: Vec<(usize, String)>,
}

#[derive(Deserialize)]
struct Table {
    rule: Vec<Rule>,
}

/// The table of this build.
pub(crate) static RULES: LazyLock<Rules> = LazyLock::new(|| {
    let table: Table =
        toml::from_str(include_str!("rules.toml")).expect("the table is part of the build, and a test reads it");
    Rules::index(table.rule)
});

impl Rules {
    fn index(list: Vec<Rule>) -> Rules {
        let mut rules = Rules {
            list: Vec::new(),
            hosts: FxHashMap::default(),
            marks: Vec::new(),
            plugins: FxHashMap::default(),
            generators: Vec::new(),
        };
        for (index, rule) in list.iter().enumerate() {
            for (place, entries) in [(Place::Load, &rule.hosts), (Place::Link, &rule.links)] {
                for entry in entries {
                    let (host, path) = entry.find('/').map_or((entry.as_str(), ""), |at| entry.split_at(at));
                    let name = host.trim_start_matches('.');
                    rules.hosts.entry(name.to_owned()).or_default().push(HostEntry {
                        rule: index,
                        place,
                        path: path.to_ascii_lowercase(),
                        only_below: name.len() < host.len(),
                    });
                }
            }
            for mark in &rule.marks {
                let (literal, tail) = match mark.as_bytes().last() {
                    Some(b'#') => (&mark[..mark.len() - 1], Tail::Digits),
                    Some(b'%') => (&mark[..mark.len() - 1], Tail::Capitals),
                    _ => (mark.as_str(), Tail::Anything),
                };
                rules.marks.push(Mark { rule: index, literal: literal.to_owned(), tail });
            }
            rules.plugins.extend(rule.plugins.iter().map(|plugin| (plugin.clone(), index)));
            rules.generators.extend(rule.generators.iter().map(|g| (index, g.clone())));
        }
        rules.list = list;
        rules
    }
}

/// Every technology that can be told, in the order of the table.
pub fn rule_summaries() -> Vec<RuleSummary> {
    RULES
        .list
        .iter()
        .map(|rule| RuleSummary {
            slug: rule.slug.clone(),
            name: rule.name.clone(),
            categories: rule.categories.clone(),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Document;
    use crate::page::{Page, RawPage};

    fn found(html: &str) -> Vec<usize> {
        let page =
            Page::decode(&RawPage { url: "https://acme-roofing-test.com/", content_type: None, body: html.as_bytes() });
        let document = Document::read(&page.html);
        let structured = crate::structured::business::read(page.url, &document);
        super::super::find(&page, &document, &structured).into_iter().map(|s| s.rule).collect()
    }

    #[test]
    fn every_rule_is_told_by_its_example_and_not_by_its_counter() {
        let mut wrong = Vec::new();
        for (index, rule) in RULES.list.iter().enumerate() {
            if !found(&rule.example).contains(&index) {
                wrong.push(format!("{} is not told by its example", rule.slug));
            }
            if rule.counter.as_ref().is_some_and(|counter| found(counter).contains(&index)) {
                wrong.push(format!("{} is told by its counter-example", rule.slug));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    #[test]
    fn the_table_is_large_and_has_no_double_entries() {
        assert!(RULES.list.len() >= 250, "{} rules", RULES.list.len());
        let mut seen = std::collections::HashSet::new();
        for rule in &RULES.list {
            assert!(seen.insert((rule.slug.clone(), rule.categories[0])), "{} twice", rule.slug);
            assert!(
                rule.slug.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_'),
                "{}",
                rule.slug
            );
        }
    }
}
