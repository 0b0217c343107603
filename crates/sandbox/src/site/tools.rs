//! Tools that websites embed: booking, ordering, chat, pixels, analytics, shops. Which there are is in `words/tools.txt`.

use crate::chance::Chance;
use crate::lang::Lang;
use crate::site::platform::Platform;
use crate::words;

/// A tool and how it shows on a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Tool {
    /// The slug that page-facts knows it by.
    pub(crate) slug: &'static str,
    /// What stands on the page, with slots for the account.
    pub(crate) markup: &'static str,
}

impl Tool {
    fn read(line: &'static str) -> Option<Tool> {
        line.split_once(" = ").map(|(slug, markup)| Tool { slug, markup })
    }
}

/// One tool of a section.
pub(crate) fn draw(chance: &mut Chance, section: &str) -> Option<Tool> {
    let lines = words::section(section);
    lines.get(chance.below(lines.len())).and_then(|line| Tool::read(line))
}

/// A booking tool as the trade uses it.
pub(crate) fn booking(chance: &mut Chance, lang: Lang, group: &str) -> Option<Tool> {
    let own = format!("tool.booking.{}", if lang == Lang::English { group } else { lang.tag() });
    let known = !words::section(&own).is_empty();
    if known && chance.percent(75.0) { draw(chance, &own) } else { draw(chance, "tool.booking.any") }
}

/// An ordering tool of the country.
pub(crate) fn ordering(chance: &mut Chance, lang: Lang) -> Option<Tool> {
    draw(chance, if lang == Lang::German { "tool.ordering.de" } else { "tool.ordering.any" })
}

/// The shop that goes with a platform; `None` where the platform is one itself.
pub(crate) fn shop(number: u64, platform: Platform) -> Option<Tool> {
    if platform.is_shop() {
        return None;
    }
    let own = words::section(&format!("tool.shop.{}", platform.slug().unwrap_or("any")));
    let lines = if own.is_empty() { words::section("tool.shop.any") } else { own };
    let index = number.checked_rem(lines.len() as u64)? as usize;
    lines.get(index).and_then(|line| Tool::read(line))
}

/// Advertising pixels, the commonest first.
pub(crate) fn pixel(chance: &mut Chance) -> Option<Tool> {
    let lines = words::section("tool.ads");
    // Two in three are one of the first two.
    let index = if chance.percent(66.0) { chance.below(2) } else { chance.below(lines.len()) };
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
    fn every_tool_is_told_by_page_facts_and_taken_for_no_other() {
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
                let told: Vec<&String> = slugs.iter().filter(|slug| !beside.contains(&slug.as_str())).collect();
                assert_eq!(told, [tool.slug], "{section}: {line}");
            }
        }
    }
}
