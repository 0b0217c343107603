//! Extracts facts from all pages of a site and merges them.

use rlibphonenumber::Region;

use crate::addresses::{self, AddressMention};
use crate::budget::{StepBudget, StepReserve};
use crate::country::{CountryClues, endings};
use crate::document::Document;
use crate::domains;
use crate::emails::{self, EmailMention, merge::merge as merge_emails};
use crate::explain;
use crate::facts::{CutPage, CutReason, PageSummary, SiteFacts};
use crate::hours::{self, HoursMention};
use crate::page::{Context, PAGE_BYTES_MAX, Page, RawPage};
use crate::people::{self, OwnerClue, PersonMention};
use crate::phones::{self, PhoneMention, PhonePage};
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
    /// The country of the listing, or else what the page's domain or language suggests.
    country: Option<Region>,
}

/// A page whose phone numbers are decided on when the clues of all pages to the site's country are known.
struct PendingPage {
    url: String,
    bytes: usize,
    /// Whether the end of the page was dropped.
    cut: bool,
    phones: PhonePage,
    budget: StepBudget,
}

/// Mentions found on all pages so far, before merging.
#[derive(Default)]
struct Extraction {
    emails: Vec<(String, EmailMention)>,
    phones: Vec<(String, PhoneMention)>,
    people: Vec<(String, PersonMention)>,
    owner_clues: Vec<(String, OwnerClue)>,
    addresses: Vec<(String, AddressMention)>,
    hours: Vec<(String, HoursMention)>,
    socials: Vec<(String, SocialMention)>,
    technology: Vec<(String, TechnologyMention)>,
    country: CountryClues,
    pending: Vec<PendingPage>,
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
    extraction.decide_phones(context);
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
        let mut document = Document::parse_within(&page.html, StepBudget::of(bytes, self.reserve));
        let site = Site::named(page.url, context.business_name);
        document.budget.next_phase();
        let structured = business::read(page.url, &document);
        self.country.add_page(page.url, document.lang);
        let country = country_hint(page.url, document.lang, context);
        let parsed = ParsedPage { page: &page, document: &document, structured: &structured, site: &site, country };
        let phones = self.find(&parsed);
        if structured.weight > self.weight {
            let old = std::mem::replace(&mut self.facts.schema_org, structured.business);
            business::fill(&mut self.facts.schema_org, old);
            self.weight = structured.weight;
        } else {
            business::fill(&mut self.facts.schema_org, structured.business);
        }
        self.reserve.settle(bytes, &document.budget);
        self.facts.pages.push(summary(&page, &document));
        let phones = phones.with_text(std::mem::take(&mut document.text));
        let (url, budget) = (page.url.to_owned(), document.budget);
        self.pending.push(PendingPage { url, bytes, cut: page.cut, phones, budget });
    }

    /// Runs the finders, cheap ones first, so that most steps are left for those that need them. Phone numbers are only
    /// collected.
    fn find(&mut self, parsed: &ParsedPage<'_>) -> PhonePage {
        let ParsedPage { page, document, structured, site, country } = *parsed;
        let (url, budget) = (page.url, &document.budget);
        budget.next_phase();
        self.socials.extend(of_page(url, socials::find(document, structured, site)));
        budget.next_phase();
        self.technology.extend(of_page(url, technology::find(page, document, structured)));
        budget.next_phase();
        let code = country.filter(|country| *country != Region::US).map(|country| format!("{country:?}"));
        let addresses = addresses::find(url, document, structured, code.as_deref());
        let countries: Vec<Region> = addresses::country_of(&addresses).and_then(endings::parse).into_iter().collect();
        self.addresses.extend(of_page(url, addresses));
        budget.next_phase();
        self.hours.extend(of_page(url, hours::find(document, structured)));
        budget.next_phase();
        self.emails.extend(of_page(url, emails::find(&page.html, document, site)));
        self.emails.extend(of_page(url, emails::of_structured(structured, site, budget)));
        budget.next_phase();
        let phones = phones::collect(document, structured, &countries, &mut self.country);
        budget.next_phase();
        let people = people::find(url, document, structured, site);
        self.people.extend(of_page(url, people.mentions));
        self.owner_clues.extend(of_page(url, people.clues));
        phones
    }

    /// Decides on the site's country, then on the phone numbers of every page.
    fn decide_phones(&mut self, context: &Context<'_>) {
        let listing = context.region.and_then(endings::parse);
        let mut regions = None;
        for (index, page) in std::mem::take(&mut self.pending).into_iter().enumerate() {
            explain::enter(Some(&page.url));
            self.reserve.resume(page.bytes, &page.budget);
            let regions = regions.get_or_insert_with(|| self.country.decide(listing, &page.budget));
            self.phones.extend(of_page(&page.url, page.phones.find(regions, &page.budget)));
            self.reserve.settle(page.bytes, &page.budget);
            self.note_cut(&page.url, page.cut, &page.budget);
            if let Some(summary) = self.facts.pages.get_mut(index) {
                summary.cut = page.cut || page.budget.is_cut();
                summary.steps = page.budget.spent();
            }
        }
    }

    fn script(&mut self, raw: &RawPage<'_>) {
        let script = Page::decode(raw);
        let bytes = script.bytes.min(PAGE_BYTES_MAX);
        let budget = StepBudget::of(bytes, self.reserve);
        self.technology.extend(of_page(raw.url, technology::find_in_script(&script.html, &budget)));
        self.reserve.settle(bytes, &budget);
        self.note_cut(raw.url, script.cut, &budget);
    }

    fn note_cut(&mut self, url: &str, is_too_long: bool, budget: &StepBudget) {
        let reason = if is_too_long { Some(CutReason::Size) } else { budget.is_cut().then_some(CutReason::Steps) };
        self.facts.cut_pages.extend(reason.map(|reason| CutPage { url: url.to_owned(), reason }));
    }

    fn finish(mut self, site: &Site) -> SiteFacts {
        explain::enter(None);
        self.facts.people = people::merge(&self.people, &self.owner_clues, site);
        self.facts.emails = merge_emails(&self.emails, &self.facts.people, site);
        self.facts.phones = phones::merge(&self.phones);
        self.facts.addresses = addresses::merge(&self.addresses);
        self.facts.hours = hours::merge(&self.hours);
        self.facts.socials = socials::merge(&self.socials);
        self.facts.technology = technology::merge(&self.technology);
        self.facts
    }
}

/// The country that addresses on a page are likely to be in.
fn country_hint(url: &str, lang: Option<&str>, context: &Context<'_>) -> Option<Region> {
    let listing = context.region.and_then(endings::parse);
    let domain = || endings::of_host(domains::host_of(url));
    listing.or_else(domain).or_else(|| lang.and_then(endings::of_language).map(|(region, _)| region))
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
    let mut text = String::with_capacity(document.text.len().min(READABLE_BYTES_MAX));
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
