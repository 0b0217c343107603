//! Says of an address in the text whether it is another's: of whoever made the website, of a processor that a privacy policy
//! names, of a venue, a customer or a dealer.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

use crate::addresses::scan;
use crate::document::Document;
use crate::page::around;
use crate::word_set::WordSet;

/// Bytes of the line before an address in which words about its owner are looked for.
const LINE_BYTES_MAX: usize = 100;
/// Longest line above an address that is a credit or a label, in bytes.
const ABOVE_BYTES_MAX: usize = 60;
/// Lines above an address in which its heading is looked for.
const HEADING_LINES: usize = 8;
/// Longest heading, in bytes.
const HEADING_BYTES_MAX: usize = 60;

/// Whose an address is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Whose {
    /// Nothing speaks against the business itself.
    Open,
    /// Likely another's: it counts only on a site that shows no other address.
    Doubtful,
    /// Certainly another's, for the reason given.
    Another(&'static str),
}

/// Words before the name and address of whoever made the website.
const MAKERS: [&str; 28] = [
    "website by",
    "processing by",
    "processed by",
    "payments by",
    "payment by",
    "site by",
    "designed by",
    "design by",
    "developed by",
    "development by",
    "powered by",
    "hosted by",
    "hosting by",
    "hosting:",
    "created by",
    "built by",
    "maintained by",
    "managed by",
    "made with",
    "marketing by",
    "seo by",
    "photography by",
    "photos by",
    "website design:",
    "web design:",
    "site design:",
    "webdesign",
    "website:",
];

/// Words before addresses of agents, of companies that process data, and of authorities.
const STRANGERS: [&str; 45] = [
    "github",
    "stripe, inc",
    "square, inc",
    "paypal, inc",
    "paypal holdings",
    "shopify inc",
    "wix.com",
    "squarespace, inc",
    "godaddy",
    "automattic",
    "amazon web services",
    "amazon.com",
    "microsoft corporation",
    "cloudflare",
    "netlify",
    "vercel inc",
    "ovh s",
    "ovhcloud",
    "ionos",
    "hetzner",
    "hostinger",
    "mailchimp",
    "intuit inc",
    "registered agent",
    "google inc",
    "google, inc",
    "google llc",
    "google ireland",
    "facebook inc",
    "facebook, inc",
    "facebook ireland",
    "meta platforms",
    "twitter inc",
    "twitter, inc",
    "linkedin corporation",
    "linkedin ireland",
    "rocket science group",
    "information commissioner",
    "supervisory authority",
    "aufsichtsbehörde",
    "landesbeauftragte",
    "arbitration association",
    "department of consumer affairs",
    "a service of",
    "analytics service",
];

/// Words on the line of an address, or on the line above, that make it doubtful.
const DOUBTS: [&str; 25] = [
    "department of",
    "attorney general",
    "better business bureau",
    "state bar of",
    "board of",
    "complaints may",
    "complaints should",
    "complaints to",
    "secretary of state",
    "venue:",
    "where:",
    "held at",
    "client:",
    "customer:",
    "dmca",
    "designated agent",
    "copyright agent",
    "returns to",
    "return to:",
    "donations may",
    "started at",
    "formerly at",
    "formerly located",
    "previously located",
    "broke out at",
];

/// Last words of the names of places where others meet or work, and the longest name in bytes.
static VENUES: WordSet = WordSet::new(
    "hospital center centre hall hotel church school library arena stadium park theater theatre auditorium fairgrounds pavilion
     university college museum club inn resort",
);
const VENUE_BYTES_MAX: usize = 50;

/// Words of headings above the addresses of others.
const HEADINGS: [&str; 26] = [
    "testimonial",
    "customers say",
    "clients say",
    "suppliers",
    "dealers",
    "distributors",
    "where to buy",
    "retailers",
    "stockists",
    "sponsors",
    "where to stay",
    "accommodation",
    "hotels",
    "helpful links",
    "useful links",
    "portfolio",
    "our projects",
    "recent projects",
    "case stud",
    "upcoming events",
    "for sale",
    "sold homes",
    "listings",
    "hébergement",
    "hébergeur",
    "hosting",
];

/// Labels of the fields of an order, and lines below them in which an address is looked for.
const ORDERS: [&str; 6] =
    ["ship to", "shipping address", "deliver to", "delivery address", "billing address", "bill to"];
const ORDER_LINES: usize = 3;

/// Parts of paths of pages that name places of others.
const PATHS: [&str; 22] = [
    "/blog",
    "/news",
    "/press",
    "/event",
    "/project",
    "/portfolio",
    "/case-stud",
    "/testimonial",
    "/privacy",
    "/datenschutz",
    "/terms",
    "/dmca",
    "/return",
    "/listing",
    "/article",
    "/post/",
    "/posts/",
    "/story/",
    "/stories/",
    "/sponsors",
    "/dealers",
    "/links",
];

static MAKER_SEARCH: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| scan::any_of(&MAKERS));
static STRANGER_SEARCH: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| scan::any_of(&STRANGERS));
static DOUBT_SEARCH: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| scan::any_of(&DOUBTS));
static HEADING_SEARCH: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| scan::any_of(&HEADINGS));
static PATH_SEARCH: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| scan::any_of(&PATHS));

/// Whether a page is of a kind that names the places of others: a post, a project, a policy.
pub(super) fn is_page_of_others(url: &str) -> bool {
    let path = url.splitn(4, '/').nth(3).unwrap_or("");
    let start = url.len() - path.len();
    scan::says(&PATH_SEARCH, around(url, start.saturating_sub(1), 0, 120))
}

/// Says whose the address is that starts at `start`; `is_labelled` when words before it announce the business's own.
pub(super) fn whose(document: &Document<'_>, start: usize, is_labelled: bool) -> Whose {
    let text = &document.text;
    let before = around(text, start, LINE_BYTES_MAX, 0);
    let line = before.rsplit('\n').next().unwrap_or("");
    // Another sentence or address may have begun since.
    let line = line.rsplit(['|', '©']).next().unwrap_or("");
    if scan::says(&MAKER_SEARCH, line) {
        return Whose::Another("the address of whoever made the website, or of an agent");
    }
    if scan::says(&STRANGER_SEARCH, line) {
        return Whose::Another("the address of an agent, a processor of data or an authority");
    }
    if is_example(line) {
        return Whose::Another("a sample address");
    }
    let index = document.line_at(start);
    let (_, context) = document.line(index);
    let above = if line.trim().is_empty() { line_above(document, index) } else { "" };
    if scan::says(&STRANGER_SEARCH, above) {
        return Whose::Another("the address of a company that is named above it");
    }
    if is_in_an_order(document, index) {
        return Whose::Another("where an order on a picture of a shop is sent");
    }
    let is_doubtful = scan::says(&DOUBT_SEARCH, line) || scan::says(&DOUBT_SEARCH, above) || is_at_a_venue(line);
    if is_doubtful || scan::says(&MAKER_SEARCH, above) {
        return Whose::Doubtful;
    }
    if context.footer || context.address || is_labelled {
        return Whose::Open;
    }
    if context.quote || is_under_heading_of_others(document, index) { Whose::Doubtful } else { Whose::Open }
}

/// `We operate at Mercy Hospital, `: a sentence leads to the place of someone else.
fn is_at_a_venue(line: &str) -> bool {
    let Some((_, place)) = line.rsplit_once(" at ") else { return false };
    let name = place.trim_start_matches("the ").trim_end_matches([',', ' ', '(', ':']);
    let is_name = name.starts_with(char::is_uppercase) && name.len() <= VENUE_BYTES_MAX;
    is_name && name.rsplit(' ').take(2).any(|word| VENUES.contains(&word.to_lowercase()))
}

/// The short line above an address, when it may be a label of it: in the same part of the page, and no address itself.
fn line_above<'d>(document: &'d Document<'_>, index: usize) -> &'d str {
    let (line, above) = document.line(index.saturating_sub(1));
    let (_, context) = document.line(index);
    let is_label = index > 0 && line.len() <= ABOVE_BYTES_MAX && above.footer == context.footer;
    if is_label && !line.bytes().any(|b| b.is_ascii_digit()) { line } else { "" }
}

/// `e.g. 1 Elm St`, `Example: 1 Elm St`.
fn is_example(line: &str) -> bool {
    let end = line.trim_end_matches([' ', ':']);
    let from = crate::page::floor_char(end, end.len().saturating_sub(8));
    let word = end[from..].rsplit(' ').next().unwrap_or("").to_ascii_lowercase();
    matches!(word.as_str(), "e.g." | "e.g" | "eg." | "example" | "z.b.")
}

/// Whether one of the lines above is the label of a field of an order: `Ship to`.
fn is_in_an_order(document: &Document<'_>, index: usize) -> bool {
    (index.saturating_sub(ORDER_LINES)..index).any(|at| {
        let line = document.line(at).0.trim_end_matches([':', ' ']);
        (7..=16).contains(&line.len()) && ORDERS.iter().any(|label| line.eq_ignore_ascii_case(label))
    })
}

/// Whether a heading shortly above says that what follows is of others. A heading about the business itself ends the search.
fn is_under_heading_of_others(document: &Document<'_>, index: usize) -> bool {
    for at in (index.saturating_sub(HEADING_LINES)..index).rev() {
        let (line, context) = document.line(at);
        if !context.heading || line.len() > HEADING_BYTES_MAX {
            continue;
        }
        if scan::says(&HEADING_SEARCH, line) {
            return true;
        }
        if super::says_own(line) {
            return false;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_others_are_told_from_the_own() {
        const PLACE: &str = "77 Birch Rd, Dallas, TX 75201";
        for (html, expect) in [
            ("<p>Created by Pixel Labs, PLACE", "another"),
            ("<p>Website design: Pixel Labs, PLACE", "another"),
            ("<p>We use Google LLC, PLACE", "another"),
            ("<p>the supervisory authority: State Office, PLACE", "another"),
            ("<p>e.g. PLACE", "another"),
            ("<p>Site by Pixel Labs<br>PLACE", "doubtful"),
            ("<p>Where: Expo Hall, PLACE", "doubtful"),
            ("<p>Our surgeons work at Mercy Hospital, PLACE", "doubtful"),
            ("<p>Saturday, June 5 at the Civic Center, PLACE", "doubtful"),
            ("<p>Complaints may be sent to the Department of Licensing, PLACE", "doubtful"),
            ("<p>Card processing by Pay Corp, PLACE", "another"),
            ("<p>Visit us at PLACE", "open"),
            ("<p>Find us at Oak Center, PLACE", "doubtful"),
            ("<h2>Testimonials</h2><p>Good.<p>PLACE", "doubtful"),
            ("<blockquote>Ann Lee, PLACE</blockquote>", "doubtful"),
            ("<h2>Our projects</h2><h3>Oak School</h3><p>PLACE", "doubtful"),
            ("<h2>Testimonials</h2><p>Good.<h2>Contact</h2><p>PLACE", "open"),
            ("<p>Where: 5 Hall St, Waco, TX 76701</p><footer>PLACE</footer>", "open"),
            ("<p>Website by Pixel Labs</p><footer>PLACE</footer>", "open"),
            ("<h2>Upcoming events</h2><footer>PLACE</footer>", "open"),
            ("<p>Find us on Google<br>PLACE", "open"),
            ("<p>Site by Pixel | PLACE", "open"),
            ("<p>Home of the example<br>PLACE", "open"),
            ("<p>PLACE", "open"),
        ] {
            let page = html.replace("PLACE", PLACE);
            let document = Document::parse(&page);
            let start = document.text.find("77 Birch").unwrap();
            let found = match whose(&document, start, false) {
                Whose::Open => "open",
                Whose::Doubtful => "doubtful",
                Whose::Another(_) => "another",
            };
            assert_eq!(found, expect, "{html}");
        }
        assert!(
            is_page_of_others("https://acme.com/blog/fire") && is_page_of_others("https://acme.com/privacy-policy")
        );
        assert!(!is_page_of_others("https://acme.com/contact") && !is_page_of_others("https://news.acme.com/"));
    }
}
