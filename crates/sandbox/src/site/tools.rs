//! Tools embedded in websites: booking, ordering, chat, pixels, analytics, shops. They are listed in `words/tools.txt`.

use crate::lang::Lang;
use crate::random::Random;
use crate::site::platform::Platform;
use crate::words;

/// A tool and its markup.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Tool {
    /// Its slug in page-facts.
    pub(crate) slug: &'static str,
    /// Its markup, with placeholders for the account.
    pub(crate) markup: &'static str,
}

impl Tool {
    fn read(line: &'static str) -> Option<Tool> {
        line.split_once(" = ").map(|(slug, markup)| Tool { slug, markup })
    }
}

/// A random tool of a section.
pub(crate) fn draw(random: &mut Random, section: &str) -> Option<Tool> {
    let lines = words::section(section);
    lines.get(random.below(lines.len())).and_then(|line| Tool::read(line))
}

/// A booking tool for the trade.
pub(crate) fn booking(random: &mut Random, lang: Lang, group: &str) -> Option<Tool> {
    let own = format!("tool.booking.{}", if lang == Lang::English { group } else { lang.tag() });
    let known = !words::section(&own).is_empty();
    if known && random.percent(75.0) { draw(random, &own) } else { draw(random, "tool.booking.any") }
}

/// An ordering tool of the country.
pub(crate) fn ordering(random: &mut Random, lang: Lang) -> Option<Tool> {
    draw(random, if lang == Lang::German { "tool.ordering.de" } else { "tool.ordering.any" })
}

/// The shop system that fits a platform; `None` when the platform is a shop itself.
pub(crate) fn shop(number: u64, platform: Platform) -> Option<Tool> {
    if platform.is_shop() {
        return None;
    }
    let own = words::section(&format!("tool.shop.{}", platform.slug().unwrap_or("any")));
    let lines = if own.is_empty() { words::section("tool.shop.any") } else { own };
    let index = number.checked_rem(lines.len() as u64)? as usize;
    lines.get(index).and_then(|line| Tool::read(line))
}

/// A random advertising pixel, common ones more often.
pub(crate) fn pixel(random: &mut Random) -> Option<Tool> {
    let lines = words::section("tool.ads");
    // Two thirds are one of the first two.
    let index = if random.percent(66.0) { random.below(2) } else { random.below(lines.len()) };
    lines.get(index).and_then(|line| Tool::read(line))
}

#[cfg(test)]
mod tests {
    use page_facts::{Context, RawPage, facts};

    use super::*;

    /// What page-facts finds in a tool's markup alone.
    fn found(markup: &str) -> Vec<String> {
        let html =
            format!("<html><body>{}</body></html>", markup.replace("{slug}", "joes").replace("{number}", "481516"));
        let html = html.replace("{id}", "A1B2C3D4E5");
        let page = RawPage { url: "http://joes-1.localhost/", content_type: None, body: html.as_bytes() };
        facts(&[page], &Context::default()).technology.all.into_iter().map(|found| found.slug).collect()
    }

    #[test]
    fn every_tool_is_detected_by_page_facts_and_mistaken_for_no_other() {
        let purposes = ["any", "home", "health", "beauty", "food", "fitness", "auto", "pets", "lodging", "de", "fr"];
        let booking = purposes.iter().map(|group| format!("tool.booking.{group}"));
        let others = ["ordering.any", "ordering.de", "chat", "ads", "analytics", "analytics.old"];
        let shops = ["shop.wordpress", "shop.wix", "shop.squarespace", "shop.any"];
        let rest = others.iter().chain(&shops).map(|section| format!("tool.{section}"));
        for section in booking.chain(rest) {
            assert!(!words::section(&section).is_empty(), "{section}");
            for line in words::section(&section) {
                let tool = Tool::read(line).unwrap_or_else(|| panic!("{line}"));
                let slugs = found(tool.markup);
                let beside = ["wordpress", "google_tag_manager", "birdeye"];
                let stated: Vec<&String> = slugs.iter().filter(|slug| !beside.contains(&slug.as_str())).collect();
                assert_eq!(stated, [tool.slug], "{section}: {line}");
            }
        }
    }
}
