//! Extracts facts from all pages of a site and merges them.

use rlibphonenumber::Region;

use crate::budget::{StepBudget, StepReserve};
use crate::default_region;
use crate::document::Document;
use crate::emails::{self, EmailMention, merge::merge as merge_emails};
use crate::explain;
use crate::facts::{CutPage, CutReason, PageSummary, SiteFacts};
use crate::page::{Context, PAGE_BYTES_MAX, Page, RawPage};
use crate::people::{self, PersonMention};
use crate::phones::{self, PhoneMention};
use crate::site::Site;
use crate::socials::{self, SocialMention};
use crate::structured::business::{self, Structured};
use crate::technology::{self, TechnologyMention};
use crate::text::READABLE_BYTES_MAX;

/// Pages read per site; the reader fetches fewer.
const PAGES_MAX: usize = 64;

/// A parsed page with its structured data.
struct ParsedPage<'p> {
    page: &'p Page<'p>,
    document: &'p Document<'p>,
    structured: &'p Structured,
    site: &'p Site,
}

/// Mentions found on all pages so far, before merging.
#[derive(Default)]
struct Extraction {
    emails: Vec<(String, EmailMention)>,
    phones: Vec<(String, PhoneMention)>,
    people: Vec<(String, PersonMention)>,
    socials: Vec<(String, SocialMention)>,
    technology: Vec<(String, TechnologyMention)>,
    facts: SiteFacts,
    weight: usize,
    reserve: StepReserve,
}

/// Extracts the facts of one website from its pages. Never fails: any bytes give some facts, in time linear in their
/// length.
pub fn facts(pages: &[RawPage<'_>], context: &Context<'_>) -> SiteFacts {
    let mut extraction = Extraction::default();
    for raw in pages.iter().take(PAGES_MAX) {
        extraction.page(raw, context);
    }
    for raw in context.scripts.iter().take(PAGES_MAX) {
        extraction.script(raw);
    }
    let site = pages.first().map(|page| Site::named(page.url, context.business_name)).unwrap_or_default();
    extraction.finish(&site)
}

impl Extraction {
    fn page(&mut self, raw: &RawPage<'_>, context: &Context<'_>) {
        let page = Page::decode(raw);
        explain::enter(Some(page.url));
        let bytes = page.bytes.min(PAGE_BYTES_MAX);
        let document = Document::parse_within(&page.html, StepBudget::of(bytes, self.reserve));
        let site = Site::named(page.url, context.business_name);
        document.budget.next_phase();
        let structured = business::read(page.url, &document);
        let region = default_region::default_region(context.region, page.url, document.lang);
        let parsed = ParsedPage { page: &page, document: &document, structured: &structured, site: &site };
        self.find(&parsed, region);
        if structured.weight > self.weight {
            let old = std::mem::replace(&mut self.facts.schema_org, structured.business);
            business::fill(&mut self.facts.schema_org, old);
            self.weight = structured.weight;
        } else {
            business::fill(&mut self.facts.schema_org, structured.business);
        }
        self.reserve.settle(bytes, &document.budget);
        self.note_cut(&page, &document.budget);
        self.facts.pages.push(summary(&page, &document));
    }

    /// Runs the finders, cheap ones first, so that most steps are left for those that need them.
    fn find(&mut self, parsed: &ParsedPage<'_>, region: Region) {
        let ParsedPage { page, document, structured, site } = *parsed;
        let (url, budget) = (page.url, &document.budget);
        budget.next_phase();
        self.socials.extend(of_page(url, socials::find(document, structured, site)));
        budget.next_phase();
        self.technology.extend(of_page(url, technology::find(page, document, structured)));
        budget.next_phase();
        self.emails.extend(of_page(url, emails::find(&page.html, document, site)));
        self.emails.extend(of_page(url, emails::of_structured(structured, site, budget)));
        budget.next_phase();
        self.phones.extend(of_page(url, phones::find(document, structured, region)));
        budget.next_phase();
        self.people.extend(of_page(url, people::find(url, document, structured, site)));
    }

    fn script(&mut self, raw: &RawPage<'_>) {
        let script = Page::decode(raw);
        let bytes = script.bytes.min(PAGE_BYTES_MAX);
        let budget = StepBudget::of(bytes, self.reserve);
        self.technology.extend(of_page(raw.url, technology::find_in_script(&script.html, &budget)));
        self.reserve.settle(bytes, &budget);
        self.note_cut(&script, &budget);
    }

    fn note_cut(&mut self, page: &Page<'_>, budget: &StepBudget) {
        let reason = if page.cut { Some(CutReason::Size) } else { budget.is_cut().then_some(CutReason::Steps) };
        self.facts.cut_pages.extend(reason.map(|reason| CutPage { url: page.url.to_owned(), reason }));
    }

    fn finish(mut self, site: &Site) -> SiteFacts {
        explain::enter(None);
        self.facts.people = people::merge(&self.people);
        self.facts.emails = merge_emails(&self.emails, &self.facts.people, site);
        self.facts.phones = phones::merge(&self.phones);
        self.facts.socials = socials::merge(&self.socials);
        self.facts.technology = technology::merge(&self.technology);
        self.facts
    }
}

/// Pairs mentions with the URL of the page they were found on.
fn of_page<T>(url: &str, found: Vec<T>) -> impl Iterator<Item = (String, T)> + use<'_, T> {
    found.into_iter().map(move |mention| (url.to_owned(), mention))
}

fn summary(page: &Page<'_>, document: &Document<'_>) -> PageSummary {
    let (text, text_length) = readable(document);
    PageSummary {
        url: page.url.to_owned(),
        title: (!document.title.is_empty()).then(|| document.title.chars().take(300).collect()),
        language: document.lang.map(|lang| lang.chars().take(20).collect()),
        text,
        text_length,
        https: page.is_https(),
        has_viewport: document.meta("viewport").is_some(),
        copyright_year: copyright_year(&document.text),
        generator: document.meta("generator").map(|g| g.chars().take(120).collect()),
        bytes: page.bytes,
        cut: page.cut || document.budget.is_cut(),
        steps: document.budget.spent(),
    }
}

/// The text without menus, and its length in characters before truncation.
fn readable(document: &Document<'_>) -> (String, usize) {
    let mut text = String::new();
    let mut length = 0;
    for index in 0..document.lines.len() {
        let (line, place) = document.line(index);
        // A short line that is a link is a menu entry or a button.
        let is_menu = place.nav
            || (place.link && line.len() < 40 && !line.contains('@') && !line.bytes().any(|b| b.is_ascii_digit()));
        if is_menu || line.is_empty() {
            continue;
        }
        length += if line.is_ascii() { line.len() } else { line.chars().count() } + 1;
        if text.len() + line.len() < READABLE_BYTES_MAX {
            text.push_str(line);
            text.push('\n');
        }
    }
    text.truncate(text.trim_end().len());
    (text, length.saturating_sub(1))
}

/// The latest year next to a copyright sign.
fn copyright_year(text: &str) -> Option<u16> {
    let mut newest = None;
    for sign in ["©", "(c)", "opyright"] {
        for at in memchr::memmem::find_iter(text.as_bytes(), sign).take(20) {
            let near = crate::page::around(text, at, 0, 60);
            let near = near.split('\n').next().unwrap_or("");
            let years = near
                .split(|c: char| !c.is_ascii_digit())
                .filter(|n| n.len() == 4)
                .filter_map(|n| n.parse::<u16>().ok());
            newest = newest.max(years.filter(|year| (1990..=2100).contains(year)).max());
        }
    }
    newest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_latest_copyright_year_is_used() {
        assert_eq!(copyright_year("© 1998-2024 Acme\n© 2012"), Some(2024));
        assert_eq!(copyright_year("Copyright 2019"), Some(2019));
        assert_eq!(copyright_year("© Acme 12345, call 2030"), Some(2030));
        assert_eq!(copyright_year("since 1999"), None);
    }

    #[test]
    fn no_pages_yield_no_facts() {
        assert_eq!(facts(&[], &Context::default()), SiteFacts::default());
    }
}
