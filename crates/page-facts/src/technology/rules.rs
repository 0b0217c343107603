//! The technology rules: parsed once from `rules.toml`, indexed by host and by marker.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use crate::finders::Finder;

/// What a technology is used for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Category {
    /// The software the site is built with.
    Platform,
    /// A page builder, theme or framework on top of the platform.
    Builder,
    /// A shop system.
    Ecommerce,
    /// Appointments and reservations.
    Booking,
    /// Food and drink ordering.
    Ordering,
    /// Live chat.
    Chat,
    /// An advertising pixel.
    AdNetwork,
    /// Visitor analytics.
    Analytics,
    /// A tag manager.
    TagManager,
    /// Mailing lists, forms and CRM.
    Marketing,
    /// Reviews and reputation management.
    Reviews,
    /// Payment processing.
    Payments,
    /// Phone call tracking.
    CallTracking,
    /// Anything else.
    Other,
}

impl Category {
    /// The finder whose version covers the category; what is only listed counts as part of the platform.
    pub(crate) const fn finder(self) -> Finder {
        match self {
            Category::Ecommerce => Finder::Ecommerce,
            Category::Booking => Finder::Booking,
            Category::Ordering => Finder::OnlineOrdering,
            Category::Chat => Finder::Chat,
            Category::AdNetwork => Finder::AdNetworks,
            Category::Analytics => Finder::Analytics,
            _ => Finder::Platform,
        }
    }
}

/// One entry of `rules.toml`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Rule {
    /// Stable identifier.
    pub(crate) slug: String,
    /// Display name.
    pub(crate) name: String,
    /// What it is used for; the main use first.
    pub(crate) categories: Vec<Category>,
    /// Hosts, with an optional path, that a page loads resources from.
    #[serde(default)]
    pub(crate) hosts: Vec<String>,
    /// Hosts, with an optional path, that a mere link to is enough.
    #[serde(default)]
    pub(crate) links: Vec<String>,
    /// Hosts, with an optional path, whose images are enough, because only sites of this platform show them.
    #[serde(default)]
    pub(crate) images: Vec<String>,
    /// Literals in the page source; a final `#` requires digits to follow, `%` an id in capitals, `|a|b` one of the words.
    #[serde(default)]
    pub(crate) markers: Vec<String>,
    /// Folders of WordPress plugins; themes have the prefix `theme:`.
    #[serde(default)]
    pub(crate) plugins: Vec<String>,
    /// Beginnings of the generator meta tag, in lower case.
    #[serde(default)]
    pub(crate) generators: Vec<String>,
    /// Names of meta tags that only this technology reads or writes, in lower case.
    #[serde(default)]
    pub(crate) metas: Vec<String>,
    /// The platform that it is part of; on a site of another platform it is a leftover.
    #[serde(default)]
    pub(crate) part_of: Option<String>,
    /// Markup that the rule must match.
    #[cfg_attr(not(test), expect(dead_code, reason = "the tests read it"))]
    pub(crate) example: String,
    /// Similar markup that the rule must not match.
    #[serde(default)]
    #[cfg_attr(not(test), expect(dead_code, reason = "the tests read it"))]
    pub(crate) counterexample: Option<String>,
}

/// The public part of a rule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RuleSummary {
    /// Stable identifier, as in `FoundTechnology::slug`.
    pub slug: String,
    /// Display name.
    pub name: String,
    /// What it is used for; the main use first.
    pub categories: Vec<Category>,
}

/// How a page must use a host for its rule to match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum HostUse {
    Load,
    /// As `Load`; an image is enough even for a platform.
    Image,
    Link,
}

/// A host of a rule.
#[derive(Debug)]
pub(crate) struct HostEntry {
    pub(crate) rule: usize,
    pub(crate) host_use: HostUse,
    /// What the path must start with, in lower case; may be empty.
    pub(crate) path: String,
    /// Whether only subdomains match, because the vendor's own site is at the domain itself.
    pub(crate) only_below: bool,
}

/// A marker of a rule.
#[derive(Debug)]
pub(crate) struct Marker {
    pub(crate) rule: usize,
    pub(crate) literal: String,
    pub(crate) tail: MarkerTail,
}

/// What must follow a marker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum MarkerTail {
    Anything,
    Digits,
    Capitals,
    OneOf(Vec<String>),
}

impl Marker {
    /// Reads a marker as written in `rules.toml`.
    fn parse(rule: usize, written: &str) -> Marker {
        let (literal, tail) = match (written.split_once('|'), written.as_bytes().last()) {
            (Some((literal, words)), _) => (literal, MarkerTail::OneOf(words.split('|').map(str::to_owned).collect())),
            (None, Some(b'#')) => (&written[..written.len() - 1], MarkerTail::Digits),
            (None, Some(b'%')) => (&written[..written.len() - 1], MarkerTail::Capitals),
            (None, _) => (written, MarkerTail::Anything),
        };
        Marker { rule, literal: literal.to_owned(), tail }
    }
}

/// All rules and their indexes.
#[derive(Debug)]
pub(crate) struct Rules {
    pub(crate) list: Vec<Rule>,
    pub(crate) hosts: FxHashMap<String, Vec<HostEntry>>,
    /// What the page source is searched for, each with its markers.
    pub(crate) literals: Vec<(String, Vec<Marker>)>,
    pub(crate) plugins: FxHashMap<String, usize>,
    pub(crate) generators: Vec<(usize, String)>,
    pub(crate) metas: FxHashMap<String, usize>,
    /// The rule of WordPress, whose plugins are rules of their own.
    pub(crate) wordpress: usize,
}

#[derive(Deserialize)]
struct RuleTable {
    rule: Vec<Rule>,
}

/// The rules compiled into this build.
pub(crate) static RULES: LazyLock<Rules> = LazyLock::new(|| {
    let table: RuleTable =
        toml::from_str(include_str!("rules.toml")).expect("rules.toml is compiled in, and a test parses it");
    Rules::index(table.rule)
});

impl Rules {
    fn index(list: Vec<Rule>) -> Rules {
        let mut rules = Rules {
            list: Vec::new(),
            hosts: FxHashMap::default(),
            literals: Vec::new(),
            plugins: FxHashMap::default(),
            generators: Vec::new(),
            metas: FxHashMap::default(),
            wordpress: list.iter().position(|rule| rule.slug == "wordpress").unwrap_or(usize::MAX),
        };
        for (index, rule) in list.iter().enumerate() {
            let uses = [(HostUse::Load, &rule.hosts), (HostUse::Image, &rule.images), (HostUse::Link, &rule.links)];
            for (host_use, entries) in uses {
                for entry in entries {
                    let (host, path) = entry.find('/').map_or((entry.as_str(), ""), |at| entry.split_at(at));
                    let name = host.trim_start_matches('.');
                    rules.hosts.entry(name.to_owned()).or_default().push(HostEntry {
                        rule: index,
                        host_use,
                        path: path.to_ascii_lowercase(),
                        only_below: name.len() < host.len(),
                    });
                }
            }
            for marker in &rule.markers {
                rules.add_marker(Marker::parse(index, marker));
            }
            rules.plugins.extend(rule.plugins.iter().map(|plugin| (plugin.clone(), index)));
            rules.generators.extend(rule.generators.iter().map(|g| (index, g.clone())));
            rules.metas.extend(rule.metas.iter().map(|name| (name.clone(), index)));
        }
        rules.list = list;
        rules
    }

    fn add_marker(&mut self, marker: Marker) {
        match self.literals.iter_mut().find(|(literal, _)| *literal == marker.literal) {
            Some((_, markers)) => markers.push(marker),
            None => self.literals.push((marker.literal.clone(), vec![marker])),
        }
    }
}

/// Every technology that can be detected, in the order of `rules.toml`.
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
        let document = Document::parse(&page.html);
        let structured = crate::structured::business::read(page.url, &document);
        super::super::find(&page, &document, &structured).into_iter().map(|s| s.rule).collect()
    }

    #[test]
    fn every_rule_matches_its_example_and_not_its_counterexample() {
        let mut wrong = Vec::new();
        for (index, rule) in RULES.list.iter().enumerate() {
            if !found(&rule.example).contains(&index) {
                wrong.push(format!("{} does not match its example", rule.slug));
            }
            if rule.counterexample.as_ref().is_some_and(|counterexample| found(counterexample).contains(&index)) {
                wrong.push(format!("{} matches its counterexample", rule.slug));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    #[test]
    fn no_rule_matches_code_that_is_commented_out() {
        let mut wrong = Vec::new();
        for (index, rule) in RULES.list.iter().enumerate() {
            let example = rule.example.replace("<!--", "").replace("-->", "");
            if found(&format!("<p>Old:</p><!-- {example} -->")).contains(&index) {
                wrong.push(rule.slug.as_str());
            }
        }
        assert!(wrong.is_empty(), "{wrong:?}");
    }

    #[test]
    fn no_rule_matches_a_hint_to_connect_early_or_a_link_to_the_vendors_home_page() {
        let mut wrong = Vec::new();
        for (index, rule) in RULES.list.iter().enumerate() {
            let mut html = String::new();
            for entry in rule.hosts.iter().chain(&rule.images).chain(&rule.links) {
                let host = entry.split('/').next().unwrap_or("").trim_start_matches('.');
                for hint in ["preconnect", "dns-prefetch", "prefetch"] {
                    html.push_str(&format!("<link rel=\"{hint}\" href=\"https://{host}/\">"));
                }
                let home = public_suffix::domain(host).unwrap_or(host);
                html.push_str(&format!("<a href=\"https://www.{home}/\">{}</a>", rule.name));
                html.push_str(&format!("<a href=\"https://www.{home}/pricing\">{}</a>", rule.name));
            }
            if found(&html).contains(&index) {
                wrong.push(rule.slug.as_str());
            }
        }
        assert!(wrong.is_empty(), "{wrong:?}");
    }

    #[test]
    fn the_table_is_large_and_has_no_duplicates() {
        assert!(RULES.list.len() >= 1_700, "{} rules", RULES.list.len());
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
