//! Finds phone numbers in `tel:` links, structured data and visible text, and distinguishes voice from fax.
//!
//! A page is read in two steps. The first collects everything that could be a number, and clues to the country; the
//! second, when the clues of all pages are known, decides which of them are numbers.

mod abroad;
pub(crate) mod candidates;
pub(crate) mod dates;
mod dialled;
mod labels;
mod merge;
pub(crate) mod number;
pub(crate) mod runs;
mod unmarked;
mod vanity;

use rlibphonenumber::Region;

use crate::budget::StepBudget;
use crate::country::{Clue, CountryClues, Regions, names, postcodes};
use crate::document::Document;
use crate::explain;
use crate::facts::{Method, PhoneKind};
use crate::finders::Finder;
use crate::page::around;
use crate::structured::business::Structured;
use dialled::{Scheme, has_north_american_form, has_north_american_length, number_of_link};
pub(crate) use merge::merge;
use number::PhoneNumber;
use runs::DigitRun;

/// Mentions kept per page.
const PHONES_MAX: usize = 300;
/// Numbers with a country code that count as clues to the site's country.
const CLUES_MAX: usize = 8;
/// Meta tags that give a phone number, with whether it is a fax number.
const META_NUMBERS: [(&str, bool); 3] =
    [("og:phone_number", false), ("business:contact_data:phone_number", false), ("og:fax_number", true)];
/// Bytes read of a title, description or label, and of all of them.
const CAPTION_BYTES_MAX: usize = 400;
const CAPTIONS_BYTES_MAX: usize = 4_000;
/// Bytes of a snippet on either side.
const SNIPPET_BYTES: usize = 50;
/// Bytes at the start of a text that are a page's head.
const HEAD_BYTES: usize = 600;

/// One mention of a phone number.
#[derive(Debug, Clone)]
pub(crate) struct PhoneMention {
    pub(crate) number: PhoneNumber,
    pub(crate) kind: PhoneKind,
    pub(crate) method: Method,
    pub(crate) snippet: String,
    /// Whether it stands where a business shows its own number: the head or foot of a page, or a contact page.
    pub(crate) is_prominent: bool,
    /// Whether it is a number of the site's country.
    pub(crate) is_domestic: bool,
}

/// Where a number was found.
struct Place {
    method: Method,
    /// Offset in the text; `None` for a number outside of it.
    at: Option<usize>,
    snippet: String,
}

/// A number that a link dials.
#[derive(Debug)]
struct DialLink {
    scheme: Scheme,
    raw: String,
    /// Where its text starts and ends.
    start: usize,
    end: usize,
}

/// Everything on a page that may be a phone number, without the page.
#[derive(Debug, Default)]
pub(crate) struct PhonePage {
    text: String,
    runs: Vec<DigitRun>,
    links: Vec<DialLink>,
    structured: Vec<(String, bool, Method)>,
    /// The title, the description and the labels of links, a line each, and what may be a number in them.
    captions: String,
    caption_runs: Vec<DigitRun>,
    is_contact_page: bool,
    /// Where the footer starts in the text.
    footer: usize,
}

/// Collects what may be a phone number on a page, and clues to the site's country. `addresses` are the countries of the
/// postal addresses on the page. The text is added by [`PhonePage::with_text`] once the other finders have read it.
pub(crate) fn collect(
    document: &Document<'_>,
    structured: &Structured,
    addresses: &[Region],
    clues: &mut CountryClues,
) -> PhonePage {
    let text = document.text.as_str();
    clues.add_addresses(addresses);
    let country = structured.business.address.as_ref().and_then(|address| address.country.as_deref());
    if let Some(region) = country.and_then(names::named) {
        clues.add(region, Clue::Address);
    }
    let runs = runs::scan(text, &document.budget, |run| postcodes::note(text, run, clues));
    let captions = captions(document);
    let mut page = PhonePage {
        text: String::new(),
        caption_runs: runs::scan(&captions, &document.budget, |run| postcodes::note(&captions, run, clues)),
        captions,
        runs,
        links: dial_links(document),
        structured: structured.phones.iter().take(PHONES_MAX).cloned().collect(),
        is_contact_page: false,
        footer: footer_start(document),
    };
    page.is_contact_page = is_contact(&document.title);
    for (name, is_fax) in META_NUMBERS {
        let content = document.meta(name).filter(|content| !content.is_empty());
        page.structured.extend(content.map(|content| (content.to_owned(), is_fax, Method::OpenGraph)));
    }
    page.add_clues(text, clues, &document.budget);
    if !clues.is_clear() {
        names::note(text, clues, &document.budget);
    }
    page
}

/// The words about a page that its text does not show, as far as they contain digits.
fn captions(document: &Document<'_>) -> String {
    let metas = ["description", "og:description"].iter().filter_map(|name| document.meta(name));
    let labels = document.links.iter().filter_map(|link| link.label);
    let mut captions = String::new();
    for caption in std::iter::once(document.title.as_str()).chain(metas).chain(labels) {
        if captions.len() > CAPTIONS_BYTES_MAX {
            break;
        }
        let caption = around(caption, 0, 0, CAPTION_BYTES_MAX);
        if caption.bytes().filter(u8::is_ascii_digit).count() >= 7 && document.budget.spend(caption.len()) {
            captions.push_str(&caption.replace('\n', " "));
            captions.push('\n');
        }
    }
    captions
}

fn is_contact(title: &str) -> bool {
    let title = title.to_lowercase();
    ["contact", "kontakt", "impressum", "contatt", "contato"].iter().any(|word| title.contains(word))
}

fn footer_start(document: &Document<'_>) -> usize {
    document.lines.iter().find(|line| line.context.footer).map_or(usize::MAX, |line| line.start)
}

fn dial_links(document: &Document<'_>) -> Vec<DialLink> {
    let mut found = Vec::new();
    for link in &document.links {
        let Some((scheme, raw)) = number_of_link(&link.href) else { continue };
        if found.len() >= PHONES_MAX {
            document.budget.note_cut();
            break;
        }
        found.push(DialLink { scheme, raw, start: link.start, end: link.end });
    }
    found
}

impl PhonePage {
    /// Adds the page's text, which the runs and links refer to.
    pub(crate) fn with_text(mut self, text: String) -> PhonePage {
        self.text = text;
        self
    }

    /// Takes numbers with a country code as clues, and others as samples.
    fn add_clues(&self, text: &str, clues: &mut CountryClues, budget: &StepBudget) {
        let given = self.structured.iter().map(|(raw, _, _)| raw.as_str());
        let linked = self.links.iter().filter(|link| link.scheme != Scheme::Chat).map(|link| link.raw.as_str());
        let written = self.runs.iter().filter(|run| run.plus).filter_map(|run| {
            let last = run.groups.iter().take(6).next_back()?;
            text.get(run.groups[0].0..last.1)
        });
        let mut known: Vec<String> = Vec::new();
        for (raw, plus) in given.chain(linked).map(|raw| (raw, false)).chain(written.map(|raw| (raw, true))) {
            if known.len() >= CLUES_MAX {
                return;
            }
            if !plus && !raw.trim_start().starts_with('+') {
                clues.add_sample(raw);
                continue;
            }
            if !budget.spend(candidates::PARSE_STEPS) {
                return;
            }
            let raw = if plus { format!("+{raw}") } else { raw.trim().to_owned() };
            if let Some(number) = PhoneNumber::parse(&raw, Region::US)
                && !known.contains(&number.e164)
            {
                if let Some(region) = number.region {
                    clues.add(region, Clue::PlusNumber);
                }
                known.push(number.e164);
            }
        }
    }

    /// Finds the phone numbers of the page.
    pub(crate) fn find(&self, regions: &Regions, budget: &StepBudget) -> Vec<PhoneMention> {
        let mut found = Vec::new();
        for (raw, is_fax, method) in &self.structured {
            let Some(number) = self.parse(raw, regions, budget) else { continue };
            explain::accepted(Finder::Phones, "structured data", raw);
            found.push(self.mention(number, kind(*is_fax), Place { method: *method, at: None, snippet: raw.clone() }));
        }
        self.links(regions, budget, &mut found);
        self.text(regions, budget, &mut found);
        self.captions(regions, budget, &mut found);
        let home = number::country_code(regions.main);
        for mention in &mut found {
            mention.is_domestic = home == Some(mention.number.country_code);
        }
        found
    }

    /// Parses a number of a link or of structured data: for the main country, else for one of the others, else for North
    /// America if it has the form of its numbers (companies everywhere have one there), else by any country code.
    fn parse(&self, raw: &str, regions: &Regions, budget: &StepBudget) -> Option<PhoneNumber> {
        let national = |region: Region| {
            budget.spend(candidates::PARSE_STEPS).then(|| PhoneNumber::parse_national(raw, region)).flatten()
        };
        let with_code =
            || budget.spend(candidates::PARSE_STEPS).then(|| PhoneNumber::parse(raw, regions.main)).flatten();
        // Where every number has a leading zero, `512-555-0100` is none of them.
        let is_abroad = has_north_american_form(raw) && raw.contains(['-', '(']) && abroad::writes_zero(regions.main);
        if is_abroad && let Some(number) = national(Region::US) {
            return Some(number);
        }
        let home = std::iter::once(&regions.main).chain(&regions.others).find_map(|region| national(*region));
        if home.is_some() {
            return home;
        }
        let coded = with_code();
        let is_home = |number: &PhoneNumber| number::country_code(regions.main) == Some(number.country_code);
        if coded.as_ref().is_some_and(is_home) || !has_north_american_length(raw) {
            return coded;
        }
        national(Region::US).or(coded)
    }

    /// Parses the number of a link, or the first of several, or what a stray plus sign precedes. The text of a link may
    /// show the form that its digits lack.
    fn parse_link(&self, link: &DialLink, regions: &Regions, budget: &StepBudget) -> Option<PhoneNumber> {
        let shown = self.text.get(link.start..link.end).map(str::trim).filter(|shown| {
            abroad::writes_zero(regions.main) && has_north_american_form(shown) && same_digits(shown, &link.raw)
        });
        self.parse(shown.unwrap_or(&link.raw), regions, budget).or_else(|| {
            let first = dialled::first_of_several(&link.raw)
                .or_else(|| link.raw.strip_prefix('+').filter(|rest| rest.starts_with('0')))?;
            self.parse(first, regions, budget)
        })
    }

    fn mention(&self, number: PhoneNumber, kind: PhoneKind, place: Place) -> PhoneMention {
        let Place { method, at, snippet } = place;
        let is_prominent = self.is_contact_page || at.is_some_and(|at| at < HEAD_BYTES || at >= self.footer);
        PhoneMention { number, kind, method, snippet, is_prominent, is_domestic: true }
    }

    fn links(&self, regions: &Regions, budget: &StepBudget, found: &mut Vec<PhoneMention>) {
        for link in &self.links {
            if found.len() >= PHONES_MAX {
                return;
            }
            let Some(number) = self.parse_link(link, regions, budget) else {
                explain::refused(Finder::Phones, "a link with a number that is not valid", &link.raw);
                continue;
            };
            explain::accepted(Finder::Phones, "a link that dials it", &link.raw);
            let snippet = around(&self.text, link.start, SNIPPET_BYTES, SNIPPET_BYTES).replace('\n', " ");
            let snippet = if snippet.is_empty() { link.raw.clone() } else { snippet };
            let is_fax = link.scheme == Scheme::Fax || labels::says_fax(&self.text, link.start, link.end);
            let method = if link.scheme == Scheme::Chat { Method::Link } else { Method::TelLink };
            found.push(self.mention(number, kind(is_fax), Place { method, at: Some(link.start), snippet }));
        }
    }

    fn captions(&self, regions: &Regions, budget: &StepBudget, found: &mut Vec<PhoneMention>) {
        for candidate in candidates::find(&self.captions, &self.caption_runs, regions, budget) {
            if found.len() >= PHONES_MAX || found.iter().any(|known| known.number.e164 == candidate.number.e164) {
                continue;
            }
            let is_fax = labels::says_fax(&self.captions, candidate.start, candidate.end);
            let snippet = around(&self.captions, candidate.start, SNIPPET_BYTES, SNIPPET_BYTES).replace('\n', " ");
            found.push(self.mention(
                candidate.number,
                kind(is_fax),
                Place { method: Method::Attribute, at: None, snippet },
            ));
        }
    }

    fn text(&self, regions: &Regions, budget: &StepBudget, found: &mut Vec<PhoneMention>) {
        let text = &self.text;
        for candidate in candidates::find(text, &self.runs, regions, budget) {
            if found.len() >= PHONES_MAX {
                budget.note_cut();
                return;
            }
            let is_fax = labels::says_fax(text, candidate.start, candidate.end);
            let snippet = around(text, candidate.start, SNIPPET_BYTES, SNIPPET_BYTES + 16).replace('\n', " ");
            let place = Place { method: Method::Text, at: Some(candidate.start), snippet };
            found.push(self.mention(candidate.number, kind(is_fax), place));
        }
    }
}

fn same_digits(one: &str, other: &str) -> bool {
    let digits = |text: &str| -> Vec<u8> { text.bytes().filter(u8::is_ascii_digit).collect() };
    digits(one) == digits(other)
}

fn kind(is_fax: bool) -> PhoneKind {
    if is_fax { PhoneKind::Fax } else { PhoneKind::Voice }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(html: &str, listing: Option<Region>) -> Vec<PhoneMention> {
        let mut document = Document::parse(html);
        let mut clues = CountryClues::default();
        let structured = Structured::default();
        clues.add_page("https://acme.com/", document.lang);
        let page = collect(&document, &structured, &[], &mut clues).with_text(std::mem::take(&mut document.text));
        page.find(&clues.decide(listing, &document.budget), &document.budget)
    }

    fn check(html: &str, expect: &[(&str, PhoneKind, Method)]) {
        let found = read(html, Some(Region::US));
        let shown: Vec<_> = found.iter().map(|s| (s.number.e164.as_str(), s.kind, s.method)).collect();
        assert_eq!(shown, expect, "{html}");
    }

    #[test]
    fn links_and_text_are_read() {
        check("<a href='tel:+1-512-555-0100'>Call</a>", &[("+15125550100", PhoneKind::Voice, Method::TelLink)]);
        check("<a href='tel:%28512%29%20555-0100'>Call</a>", &[("+15125550100", PhoneKind::Voice, Method::TelLink)]);
        check("<a href='tel:1-800-FLOWERS'>Call</a>", &[("+18003569377", PhoneKind::Voice, Method::TelLink)]);
        check("<a href='tel:+ 44 20 7946 0958'>Call</a>", &[("+442079460958", PhoneKind::Voice, Method::TelLink)]);
        check("<a href='fax:5125550100'>x</a>", &[("+15125550100", PhoneKind::Fax, Method::TelLink)]);
        check("<p>Fax: <a href='tel:5125550100'>x</a>", &[("+15125550100", PhoneKind::Fax, Method::TelLink)]);
        check("<a href='https://wa.me/15125550100?text=hi'>x</a>", &[("+15125550100", PhoneKind::Voice, Method::Link)]);
        check(
            "<p>Call (512) 555-0100</p><p>Fax 512.555.0101</p>",
            &[("+15125550100", PhoneKind::Voice, Method::Text), ("+15125550101", PhoneKind::Fax, Method::Text)],
        );
        check(
            "<table><tr><td>Phone</td><td>5125550100</td></tr><tr><td>Fax</td><td>5125550101</td></tr></table>",
            &[("+15125550100", PhoneKind::Voice, Method::Text), ("+15125550101", PhoneKind::Fax, Method::Text)],
        );
        check(
            "<meta property='og:phone_number' content='512-555-0100'>",
            &[("+15125550100", PhoneKind::Voice, Method::OpenGraph)],
        );
        check("<p>(<b>512</b>) <i>555</i>-<i>0100</i></p>", &[("+15125550100", PhoneKind::Voice, Method::Text)]);
        check(
            "<p>５１２－５５５－０１００ and 512&#8209;555&#8209;0101, 512&nbsp;555&thinsp;0102 tel</p>",
            &[("+15125550100", PhoneKind::Voice, Method::Text), ("+15125550101", PhoneKind::Voice, Method::Text)],
        );
        check("<a href='tel:5125550100 or 5125550101'>x</a>", &[("+15125550100", PhoneKind::Voice, Method::TelLink)]);
        check("<a href='/c' title='Call 512-555-0100'>x</a>", &[("+15125550100", PhoneKind::Voice, Method::Attribute)]);
        check(
            "<meta name='description' content='Roofers. Call 5125550100 now.'>",
            &[("+15125550100", PhoneKind::Voice, Method::Attribute)],
        );
        check("<a href='/p' title='Photo 5125550100'>x</a><a href='/p' aria-label='SKU 512-555-0100'>x</a>", &[]);
        check("<meta name='description' content='Item 5125550100 in stock'>", &[]);
        check("<a href='tel:1234567890'>x</a><a href='tel:'>x</a><a href='tel:+1'>y</a>", &[]);
        check(
            "<input placeholder='512-555-0100'><script>x='512-555-0100'</script><a href='/p/512-555-0100'>y</a>",
            &[],
        );
    }

    #[test]
    fn links_to_american_numbers_are_read_abroad() {
        for (html, region, expect) in [
            ("<a href='tel:201-555-0100'>x</a>", Region::DE, "+12015550100"),
            ("<a href='tel:2015550100'>(201) 555-0100</a>", Region::GB, "+12015550100"),
            ("<a href='tel:8005550199'>x</a>", Region::ES, "+18005550199"),
            ("<a href='tel:18005550199'>x</a>", Region::FR, "+18005550199"),
            ("<a href='tel:+02079460958'>x</a>", Region::GB, "+442079460958"),
            ("<a href='tel:2079460958'>x</a>", Region::GB, "+442079460958"),
            ("<a href='tel:4533550100'>x</a>", Region::DK, "+4533550100"),
        ] {
            let found = read(html, Some(region));
            assert_eq!(found.first().map(|mention| mention.number.e164.as_str()), Some(expect), "{html}");
        }
    }

    #[test]
    fn the_country_is_taken_from_the_page() {
        for (html, expect) in [
            ("<html lang=en-gb><p>Austin, TX 78701<p>512-555-0100", "+15125550100"),
            ("<html lang=en-gb><p>Phone 512 555 0100", "+15125550100"),
            ("<html lang=en><p>1 High St, London SW1A 1AA<p>020 7946 0958", "+442079460958"),
            ("<html lang=en><p>Only £5<p>Tel 020 7946 0958", "+442079460958"),
            ("<html lang=en-US><p>Sydney NSW 2000<p>(02) 5550 0100", "+61255500100"),
            ("<html lang=de><p>D-10115 Berlin<p>030 901820", "+4930901820"),
            ("<p>86.0 грн<p>(067) 155-01-00", "+380671550100"),
            ("<html lang=ja><p>電話 03-5555-0100", "+81355550100"),
            ("<html lang=en-US><p>CALL US ON 01256 555010.<p>London EC1A 1BB", "+441256555010"),
        ] {
            let found: Vec<String> = read(html, None).into_iter().map(|mention| mention.number.e164).collect();
            assert_eq!(found, [expect], "{html}");
        }
    }
}
