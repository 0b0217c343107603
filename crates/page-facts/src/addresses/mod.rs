//! Finds postal addresses in structured data, `<address>` elements, links to maps and visible text.

mod announced;
mod asian;
mod brazilian;
mod british;
mod codes;
mod continental;
mod continental_street;
mod from_number;
mod irish;
mod maps;
mod merge;
mod others;
mod own_words;
mod parts;
mod provinces;
mod regions;
mod roads;
mod scan;
mod segments;
mod street;
mod street_and_town;
mod structured;
mod with_state;
mod without_state;
mod words;

pub(crate) use maps::is_map;
pub(crate) use merge::merge;

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

use crate::addresses::others::Whose;
use crate::addresses::regions::State;
use crate::addresses::structured::VENUE_STANDING;
use crate::document::Document;
use crate::explain;
use crate::facts::{Address, Method};
use crate::finders::Finder;
use crate::page::around;
use crate::structured::business::{AddressNode, Structured};
use crate::word_set::WordSet;

/// Mentions kept per page.
const ADDRESSES_MAX: usize = 200;
/// Addresses of structured data read per page.
const NODES_MAX: usize = 200;
/// Links to maps read per page.
const MAPS_MAX: usize = 60;
/// Steps charged for looking at the words before an address.
const LABEL_STEPS: usize = 150;
/// Bytes before an address in which a label is looked for.
const LABEL_BYTES_MAX: usize = 60;
/// A page with more addresses than this lists those of others.
const LIST_MIN: usize = 12;

/// Longest line that may end with an address without a postal code, in bytes.
const LINE_BYTES_MAX: usize = 140;
/// Lines before it that may hold its street.
const LINES_BEFORE: usize = 3;
/// Bytes of the longest last word of a state's name.
const STATE_WORD_BYTES_MAX: usize = 13;
/// Steps charged for reading such a line.
const LINE_STEPS: usize = 1_500;

/// Longest description that is read, in bytes.
const DESCRIPTION_BYTES_MAX: usize = 500;

/// Standing of an address in running text.
const TEXT_STANDING: u8 = 2;

/// An address in a text, as a byte range.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) address: Address,
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// The street has a house number and a word such as `Street`.
    pub(crate) has_sure_street: bool,
}

/// One mention of an address.
#[derive(Debug, Clone)]
pub(crate) struct AddressMention {
    pub(crate) address: Address,
    pub(crate) method: Method,
    pub(crate) snippet: String,
    /// How likely it is the business's own; more is better.
    pub(crate) standing: u8,
    /// Structured data says that it is the business's own.
    pub(crate) is_own: bool,
}

/// Finds the addresses of one page; `site` is the two-letter code of the site's country.
pub(crate) fn find(url: &str, document: &Document<'_>, data: &Structured, site: Option<&str>) -> Vec<AddressMention> {
    let budget = &document.budget;
    let kind = page_kind(url);
    let mut found = Vec::new();
    for node in data.addresses.iter().take(NODES_MAX) {
        if let Some(mention) = structured::read(node, site, budget) {
            explain::accepted(Finder::Addresses, "structured data", &mention.snippet);
            found.push(mention);
        }
    }
    found.extend(from_metas(document, site));
    from_text(document, site, kind, &mut found);
    without_code(document, &mut found);
    from_description(document, site, &mut found);
    from_maps(document, &mut found);
    if found.is_empty() {
        found.extend(street_and_town::find(document, site, kind));
    }
    if found.is_empty() {
        found = announced::find(url, document, site, kind);
    }
    found
}

/// The address that meta tags give to social networks: `business:contact_data:locality`.
fn from_metas(document: &Document<'_>, site: Option<&str>) -> Option<AddressMention> {
    let is_given = |prefix: &&str| document.metas.iter().any(|(name, _)| name.starts_with(prefix));
    let prefix =
        ["business:contact_data:", "place:street", "og:street-address"].iter().find(|prefix| is_given(prefix))?;
    let part = |name: &str| {
        let name = match *prefix {
            "og:street-address" => format!("og:{}", name.replace('_', "-")),
            "place:street" => format!("place:{name}"),
            prefix => format!("{prefix}{name}"),
        };
        let content = document.meta(&name)?;
        Some(content.trim().to_owned()).filter(|content| !content.is_empty())
    };
    let address = Address {
        street: part("street_address"),
        city: part("locality"),
        state: part("region"),
        postal_code: part("postal_code"),
        country: part("country_name"),
    };
    let mention = structured::read(
        &AddressNode { address, is_own: true, is_venue: false, method: Method::Meta },
        site,
        &document.budget,
    )?;
    explain::accepted(Finder::Addresses, "meta tags", &mention.snippet);
    Some(mention)
}

/// The address in the description that a page gives to search engines.
fn from_description(document: &Document<'_>, site: Option<&str>, found: &mut Vec<AddressMention>) {
    let Some(text) = document.meta("description").filter(|text| text.len() <= DESCRIPTION_BYTES_MAX) else { return };
    let mut first = None;
    scan::scan(text, site, &document.budget, |address| first = first.take().or(Some(address)));
    let Some(address) = first.filter(|address| address.has_sure_street) else { return };
    let snippet = scan::snippet(text, address.start, address.end);
    explain::accepted(Finder::Addresses, "in the description", &snippet);
    let (address, method) = (address.address, Method::Meta);
    found.push(AddressMention { address, method, snippet, standing: TEXT_STANDING + 1, is_own: false });
}

fn from_text(document: &Document<'_>, site: Option<&str>, kind: PageKind, found: &mut Vec<AddressMention>) {
    let text = &document.text;
    let before = found.len();
    scan::scan(text, site, &document.budget, |address| {
        if found.len() >= ADDRESSES_MAX {
            document.budget.note_cut();
            return;
        }
        let is_labelled = address.has_sure_street && is_labelled(document, address.start);
        let whose = others::whose(document, address.start, is_labelled);
        if let Whose::Another(reason) = whose {
            explain_refused(reason, around(text, address.start, 60, 40));
            return;
        }
        let context = document.line(document.line_at(address.start)).1;
        let inside = context.address || document.line(document.line_at(address.end.saturating_sub(1))).1.address;
        let method = if inside { Method::AddressElement } else { Method::Text };
        let is_doubtful = kind == PageKind::OfOthers && !(inside || context.footer || is_labelled);
        let standing = if is_doubtful || whose == Whose::Doubtful {
            VENUE_STANDING
        } else {
            TEXT_STANDING
                + 3 * u8::from(inside)
                + 3 * u8::from(context.footer)
                + 2 * u8::from(kind == PageKind::Contact)
                + 2 * u8::from(address.address.street.is_some())
                + 2 * u8::from(is_labelled)
        };
        let snippet = scan::snippet(text, address.start, address.end);
        let rule = if inside { "in an address element" } else { "in the text" };
        explain::accepted(Finder::Addresses, rule, &snippet);
        found.push(AddressMention { address: address.address, method, snippet, standing, is_own: false });
    });
    if found.len() - before > LIST_MIN {
        for mention in &mut found[before..] {
            let least = mention.standing.min(1);
            mention.standing = mention.standing.saturating_sub(TEXT_STANDING).max(least);
        }
    }
}

/// `123 Main St, Austin, TX` at the end of a line, without a postal code.
fn without_code(document: &Document<'_>, found: &mut Vec<AddressMention>) {
    let bytes = document.text.as_bytes();
    for end in memchr::memchr_iter(b'\n', bytes).chain([bytes.len()]) {
        let is_code = match &bytes[..end] {
            [.., b' ' | b',' | b'\n', first, last] => first.is_ascii_uppercase() && last.is_ascii_uppercase(),
            _ => false,
        };
        if !is_code && !ends_with_state(&document.text, end) {
            continue;
        }
        let index = document.line_at(end - 1);
        let (line, context) = document.line(index);
        if !(3..=LINE_BYTES_MAX).contains(&line.len()) {
            continue;
        }
        let is_state = |country| line.get(line.len() - 2..).and_then(|code| State::of(code, country)).is_some();
        if is_code && !(is_state("US") || is_state("CA") || is_state("AU")) {
            continue;
        }
        if found.len() >= ADDRESSES_MAX || !document.budget.spend(LINE_STEPS) {
            return;
        }
        let start = document.lines[index.saturating_sub(LINES_BEFORE)].start;
        let end = document.lines[index].start + line.len();
        let Some(text) = document.text.get(start..end) else { continue };
        let Some(address) = without_state::read_whole(text).filter(|address| !scan::is_sample(&address.address)) else {
            continue;
        };
        // `Naples, Florida` as a heading belongs to the street below it, not to the one above.
        if context.heading && !document.line(document.line_at(start + address.start)).1.heading {
            continue;
        }
        // The code may follow on the next line, with which it was read.
        let is_same = |mention: &AddressMention| mention.address.street == address.address.street;
        if found.iter().any(is_same) {
            continue;
        }
        let method = if context.address { Method::AddressElement } else { Method::Text };
        let standing = TEXT_STANDING + 2 + 3 * u8::from(context.address) + 2 * u8::from(context.footer);
        let snippet = scan::snippet(text, address.start, address.end);
        explain::accepted(Finder::Addresses, "in the text, without a postal code", &snippet);
        found.push(AddressMention { address: address.address, method, snippet, standing, is_own: false });
    }
}

/// Last words of the names of states and provinces.
static STATE_WORDS: WordSet = WordSet::new(
    "Alabama Alaska Arizona Arkansas California Colorado Connecticut Delaware Florida Georgia Hawaii Idaho Illinois Indiana
     Iowa Kansas Kentucky Louisiana Maine Maryland Massachusetts Michigan Minnesota Mississippi Missouri Montana Nebraska
     Nevada Hampshire Jersey Mexico York Carolina Dakota Ohio Oklahoma Oregon Pennsylvania Island Tennessee Texas Utah
     Vermont Virginia Washington Wisconsin Wyoming Ontario Quebec Alberta Columbia Manitoba Scotia Victoria Queensland",
);

/// Whether a line ends with the name of a state after a blank or a comma: `Austin, Texas`.
fn ends_with_state(text: &str, end: usize) -> bool {
    let line = &text.as_bytes()[..end];
    if !line.last().is_some_and(u8::is_ascii_lowercase) {
        return false;
    }
    let length = line.iter().rev().take(STATE_WORD_BYTES_MAX).take_while(|b| b.is_ascii_alphabetic()).count();
    let (before, word) = line.split_at(line.len() - length);
    length >= 4
        && word[0].is_ascii_uppercase()
        && before.ends_with(b" ")
        && text.get(end - length..end).is_some_and(|word| STATE_WORDS.contains(word))
}

fn from_maps(document: &Document<'_>, found: &mut Vec<AddressMention>) {
    let links = document.links.iter().map(|link| &link.href).filter(|href| is_map(href));
    for href in links.chain(&document.maps).take(MAPS_MAX) {
        if found.len() >= ADDRESSES_MAX {
            document.budget.note_cut();
            return;
        }
        if let Some((address, snippet)) = maps::read(href, &document.budget) {
            explain::accepted(Finder::Addresses, "link to a map", &snippet);
            let standing = TEXT_STANDING + 1;
            found.push(AddressMention {
                address: address.address,
                method: Method::MapsLink,
                snippet,
                standing,
                is_own: false,
            });
        }
    }
}

/// Whether the words before an address announce the business's own.
fn is_labelled(document: &Document<'_>, start: usize) -> bool {
    if !document.budget.spend(LABEL_STEPS) {
        return false;
    }
    says_own(around(&document.text, start, LABEL_BYTES_MAX, 0))
}

/// Words before the business's own address.
const LABELS: [&str; 17] = [
    "address",
    "location",
    "visit us",
    "our office",
    "headquarter",
    "find us",
    "main office",
    "corporate office",
    "head office",
    "our location",
    "contact",
    "adresse",
    "anschrift",
    "impressum",
    "sede",
    "dirección",
    "adres",
];

static LABEL_SEARCH: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| scan::any_of(&LABELS));

/// What the address of a page says about the places that it names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PageKind {
    Contact,
    OfOthers,
    Any,
}

fn page_kind(url: &str) -> PageKind {
    if is_contact_page(url) {
        PageKind::Contact
    } else if others::is_page_of_others(url) {
        PageKind::OfOthers
    } else {
        PageKind::Any
    }
}

/// Whether a heading or the words before an address announce the business's own.
fn says_own(text: &str) -> bool {
    scan::says(&LABEL_SEARCH, text)
}

fn is_contact_page(url: &str) -> bool {
    let path = url.splitn(4, '/').nth(3).unwrap_or("");
    let path = around(path, 0, 0, 120).to_ascii_lowercase();
    ["contact", "kontakt", "impressum", "imprint", "location", "visit", "find-us", "directions", "about", "contatti"]
        .iter()
        .any(|word| path.contains(word))
}

/// The country of a page's addresses: of the business's own, else of most.
pub(crate) fn country_of(mentions: &[AddressMention]) -> Option<&str> {
    let country = |mention: &'_ AddressMention| mention.address.country.clone();
    let own = mentions.iter().find(|mention| mention.is_own && mention.address.country.is_some());
    if let Some(own) = own {
        return own.address.country.as_deref();
    }
    let first = mentions.iter().find_map(|mention| mention.address.country.as_deref())?;
    let same = mentions.iter().filter(|mention| country(mention).as_deref() == Some(first)).count();
    let others = mentions.iter().filter(|mention| mention.address.country.is_some()).count() - same;
    (same > others).then_some(first)
}

/// Notes why a postal code was not taken for part of an address.
fn explain_refused(rule: &'static str, text: &str) {
    explain::refused(Finder::Addresses, rule, text);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(html: &str, site: Option<&str>) -> Vec<String> {
        let found = find("https://acme.com/", &Document::parse(html), &Structured::default(), site);
        let line = |mention: &AddressMention| {
            let a = &mention.address;
            let parts = [&a.street, &a.city, &a.state, &a.postal_code, &a.country];
            parts.map(|part| part.clone().unwrap_or_default()).join("|")
        };
        found.iter().map(line).collect()
    }

    fn check(html: &str, expect: &[&str]) {
        assert_eq!(shown(html, None), expect, "{html}");
    }

    #[test]
    fn american_addresses_are_read_in_any_layout() {
        for (html, expect) in [
            ("123 Main St, Austin, TX 78701", "123 Main St|Austin|TX|78701|US"),
            ("123 Main St<br>Austin, TX 78701-1234", "123 Main St|Austin|TX|78701-1234|US"),
            ("123 Main St<br>Suite 4<br>Austin, Texas<br>78701", "123 Main St, Suite 4|Austin|TX|78701|US"),
            ("Acme | 123 Main St | Austin, TX 78701 | (512) 555-0100", "123 Main St|Austin|TX|78701|US"),
            ("Acme • 123 Main St, Ste. 200 • Austin, TX 78701", "123 Main St, Ste. 200|Austin|TX|78701|US"),
            ("123 Main St. · Austin · TX · 78701", "123 Main St.|Austin|TX|78701|US"),
            ("<table><tr><td>123 Main St<td>Austin<td>TX<td>78701</table>", "123 Main St|Austin|TX|78701|US"),
            ("Address: 123 Main Street Austin TX 78701", "123 Main Street|Austin|TX|78701|US"),
            ("PO Box 12, Canton, MS 39046", "PO Box 12|Canton|MS|39046|US"),
            (
                "125 North Street / P. O. Box 608 / Canton, MS 39046",
                "125 North Street, P. O. Box 608|Canton|MS|39046|US",
            ),
            ("Visit 81 Prospect St. Brooklyn, N.Y. 11201.", "81 Prospect St.|Brooklyn|NY|11201|US"),
            ("1 Elm St, Washington, D.C. 20009", "1 Elm St|Washington|DC|20009|US"),
            ("1 Elm St, New York 10001", "1 Elm St|New York|NY|10001|US"),
            ("1 Elm St, Charleston, West Virginia 25301", "1 Elm St|Charleston|WV|25301|US"),
            ("1 Elm St, Austin, TX, USA 78701", "1 Elm St|Austin|TX|78701|US"),
            ("6B Liberty, Suite 200<br>Aliso Viejo, CA 92656", "6B Liberty, Suite 200|Aliso Viejo|CA|92656|US"),
            (
                "660 Oak St., Pavilion L, Floor 4 Denver, CO 80204",
                "660 Oak St., Pavilion L, Floor 4|Denver|CO|80204|US",
            ),
            ("1 Elm Rd, Lahaska, Bucks County, PA 18931", "1 Elm Rd|Lahaska|PA|18931|US"),
            ("1 Elm St, Oregon, OH 43616", "1 Elm St|Oregon|OH|43616|US"),
            ("123 MAIN STREET, AUSTIN, TX 78701", "123 MAIN STREET|AUSTIN|TX|78701|US"),
            ("123 Main Street, Springfield 62701", "123 Main Street|Springfield|IL|62701|US"),
            ("© 2025 Acme - Bellevue, WA 98005", "|Bellevue|WA|98005|US"),
            ("Corner of 5th &amp; Main, Austin, TX 78701", "Corner of 5th & Main|Austin|TX|78701|US"),
            ("<p>Austin, TX 78701</p>", "|Austin|TX|78701|US"),
            ("<p>123 Main St<br>Austin, TX<br>(512) 555-0100", "123 Main St|Austin|TX||US"),
            ("63 Fiona Drive, Tamworth, NSW 2340", "63 Fiona Drive|Tamworth|NSW|2340|AU"),
        ] {
            check(html, &[expect]);
        }
        check(
            "<p>1 Elm St<br>Austin, TX 78701<p>2 Oak St<br>Dallas, TX 75201",
            &["1 Elm St|Austin|TX|78701|US", "2 Oak St|Dallas|TX|75201|US"],
        );
    }

    #[test]
    fn addresses_are_read_in_odd_layouts() {
        for (html, expect) in [
            ("<p>Street: 1 Elm St<br>City: Austin<br>State: TX<br>Zip: 78701", "1 Elm St|Austin|TX|78701|US"),
            ("Suite 3, 1 Elm St, Austin, TX 78701", "Suite 3, 1 Elm St|Austin|TX|78701|US"),
            ("1 Elm St (rear)<br>Austin, TX 78701", "1 Elm St|Austin|TX|78701|US"),
            ("1 Elm St<br>Acme Building<br>Austin, TX 78701", "1 Elm St, Acme Building|Austin|TX|78701|US"),
            ("1 Elm St<br>between 4th and 5th<br>Austin, TX 78701", "1 Elm St|Austin|TX|78701|US"),
            ("It is at 1 Elm St in sunny Austin, TX 78701.", "1 Elm St|Austin|TX|78701|US"),
            ("1 Elm St, Austin, TX 78701USA", "1 Elm St|Austin|TX|78701|US"),
            ("1 Elm St, Austin, TX 78701Phone: 512-555-0100", "1 Elm St|Austin|TX|78701|US"),
            ("1 Elm St, Austin, TX78701", "1 Elm St|Austin|TX|78701|US"),
            ("1 Elm St, Austin (TX) 78701", "1 Elm St|Austin|TX|78701|US"),
            ("1 Elm St, Austin, TX, United States of America 78701", "1 Elm St|Austin|TX|78701|US"),
            ("1 elm st<br>austin, tx 78701", "1 elm st|austin|TX|78701|US"),
            ("1234 S 700 E, Provo, UT 84606", "1234 S 700 E|Provo|UT|84606|US"),
            ("<p>1 Elm St<br>Austin, Texas<p>Call", "1 Elm St|Austin|TX||US"),
            ("1234 rue Saint-Paul O, Montréal (Québec) H3G 1P1", "1234 rue Saint-Paul O|Montréal|QC|H3G 1P1|CA"),
            ("1420, Elm St, Austin, TX 78701", "1420, Elm St|Austin|TX|78701|US"),
            ("1 Elm St<br>512-555-0100<br>Austin, TX 78701", "1 Elm St|Austin|TX|78701|US"),
            ("1 Elm St—Austin, TX 78701", "1 Elm St|Austin|TX|78701|US"),
            ("1 Elm St, Austin, TX (78701)", "1 Elm St|Austin|TX|78701|US"),
            ("At 1 Elm St, Suite 4, in sunny Austin, TX 78701 today", "1 Elm St, Suite 4|Austin|TX|78701|US"),
            ("4500 King, Jr. Blvd.<br>Austin, TX 78701", "4500 King, Jr. Blvd.|Austin|TX|78701|US"),
            ("1420 Elm Ridge<br>Austin, TX", "1420 Elm Ridge|Austin|TX||US"),
            ("1420 50 Street, Edmonton, AB T6B 1A1", "1420 50 Street|Edmonton|AB|T6B 1A1|CA"),
            ("1 Elm St, Melbourne, Vic, 3000", "1 Elm St|Melbourne|VIC|3000|AU"),
        ] {
            check(html, &[expect]);
        }
    }

    #[test]
    fn addresses_of_other_countries_are_read() {
        for (html, expect) in [
            ("14 New Bond St, Bath, BA1 1BE", "14 New Bond St|Bath||BA1 1BE|GB"),
            (
                "The Manor, Church Lane, Godalming, Surrey, GU7 1UU",
                "The Manor, Church Lane|Godalming|Surrey|GU7 1UU|GB",
            ),
            ("London: 86 - 90 Paul Street<br>London<br>EC2A 4NE", "86 - 90 Paul Street|London||EC2A 4NE|GB"),
            ("2 Court Blvd., Suite 400, Brampton, Ontario L6W 3W8", "2 Court Blvd., Suite 400|Brampton|ON|L6W 3W8|CA"),
            ("1 Elm St, Ottawa, ON K1A0B6", "1 Elm St|Ottawa|ON|K1A 0B6|CA"),
            ("96 Cleveland Street<br>Sydney NSW 2000", "96 Cleveland Street|Sydney|NSW|2000|AU"),
            ("Ringstraße 12, 12345 Neustadt", "Ringstraße 12|Neustadt||12345|DE"),
            ("Acme GmbH Lübecker Straße 9 D-49124 Neustadt", "Lübecker Straße 9|Neustadt||49124|DE"),
            ("23 rue d'Aumale 75009 Paris", "23 rue d'Aumale|Paris||75009|FR"),
            ("12, avenue Foch, 75116 Paris, France", "12, avenue Foch|Paris||75116|FR"),
            ("Via Verdi, 8 - 10124 Torino - Tel 011 555", "Via Verdi, 8|Torino||10124|IT"),
            ("Via 8 Febbraio, 2 - 35122 Padova", "Via 8 Febbraio, 2|Padova||35122|IT"),
            ("Calle Mayor 5, 28013 Madrid", "Calle Mayor 5|Madrid||28013|ES"),
            ("Oude Delft 48, 2611 CD Delft", "Oude Delft 48|Delft||2611 CD|NL"),
            ("Acme AB Birger Jarlsgatan 61 113 56 Stockholm Sweden", "Birger Jarlsgatan 61|Stockholm||113 56|SE"),
            ("Klostergade 28<br>8000 Aarhus<br>Denmark", "Klostergade 28|Aarhus||8000|DK"),
            ("Bahnhofplatz 1, 1010 Wien, Österreich", "Bahnhofplatz 1|Wien||1010|AT"),
            ("Nowa 84/92 lokal 117, 00-514 Warszawa", "Nowa 84/92 lokal 117|Warszawa||00-514|PL"),
            ("Mannerheimintie 5, 00100 Helsinki, Finland", "Mannerheimintie 5|Helsinki||00100|FI"),
            (
                "1 rue de menin<br>Parc de l'innovation<br>59250 Lille",
                "1 rue de menin, Parc de l'innovation|Lille||59250|FR",
            ),
        ] {
            check(html, &[expect]);
        }
        for (html, expect) in [
            ("14 Queen St, Auckland 1010", "14 Queen St|Auckland||1010|NZ"),
            ("14 Lunn Ave, Mt Roy, Auckland, 1060", "14 Lunn Ave, Mt Roy|Auckland||1060|NZ"),
        ] {
            assert_eq!(shown(html, Some("NZ")), [expect], "{html}");
        }
        assert!(shown("14 Queen St, Taupo 1010", None).is_empty());
        assert!(shown("We moved to Auckland 1995", Some("NZ")).is_empty());
        check("14 Queen St, Auckland 1010<br>New Zealand", &["14 Queen St|Auckland||1010|NZ"]);
        assert_eq!(shown("Dorfplatz 3, 3011 Bern", Some("CH")), ["Dorfplatz 3|Bern||3011|CH"]);
    }

    #[test]
    fn other_numbers_are_no_postal_codes() {
        for html in [
            "In Portland, OR 97201 people voted",
            "Text HELP to 49595 or 49596.",
            "1 Elm St, Austin, TX 97201",
            "We serve Austin, TX 78701, 78702 and 78703",
            "PHONE IN 46001",
            "Model MD99033, MA 02115 units sold",
            "VA24416Q0183",
            "Austin, TX78701",
            "1 way to win in austin, tx 78701",
            "We live in Austin, Texas",
            "1 Elm St is where it began<p>We love Texas",
            "Website by Pixels, 1 Elm St, Austin, TX 78701",
            "Austin, TX",
            "12 Ways to Roof in Austin, TX",
            "1 Elm St<p>Something else here<p>Austin, TX",
            "1 Elm St, Anytown, CA 90001",
            "123 Street Avenue, City Town, 99999",
            "52 rue du Peloux, BP 40307 Bourg",
            "382 Main Street<br>Suite 55312<br>Miami",
            "In 2014 Acme moved, 12 of 2013 Ideas",
            "December 3, 2014 Meeting",
            "Act 1988 and Privacy ACT 1988",
            "12 Bulbs, CO 80202 pack",
            "Model TX 75201",
            "3 Way Valve, MA 02115",
            "<p>Website design: Pixels, 1 Elm St, Austin, TX 78701",
            "4096MB Memory, 1600 AD Rome",
            "S30NO, W912PB, GU7010C",
            "$12345 Deal, 12.345 Euro, 10000 Euro",
            "10 von 12345 Kunden",
            "Cedar Spring 5, 12345 Gold",
            "Arcade 2, 12345 Tokens and Ring 2, 12345 Gold",
            "shipped via Acme 5, 12345 Orders",
            "12 Artikel 45678 Verkauft",
            "<input placeholder='1 Elm St, Austin, TX 78701'>",
        ] {
            check(html, &[]);
        }
    }

    #[test]
    fn decisions_are_explained() {
        let rules = |body: &str, value: &str| -> Vec<&'static str> {
            let page = crate::RawPage { url: "https://acme.com/", content_type: None, body: body.as_bytes() };
            let decisions = crate::explain(&[page], &crate::Context::default(), value);
            decisions
                .into_iter()
                .filter(|decision| decision.finder == "addresses")
                .map(|decision| decision.rule)
                .collect()
        };
        let (right, wrong) = ("12 Quarry Rd, Dallas, TX 75201", "12 Quarry Rd, Dallas, TX 10001");
        assert_eq!(rules(right, right), ["in the text"]);
        assert_eq!(rules(wrong, wrong), ["the postal code does not belong to the state"]);
    }

    #[test]
    fn the_country_of_a_page_is_that_of_its_own_address() {
        let mention = |country: &str, is_own| AddressMention {
            address: Address { country: Some(country.to_owned()), ..Address::default() },
            method: Method::Text,
            snippet: String::new(),
            standing: 1,
            is_own,
        };
        assert_eq!(country_of(&[mention("DE", false), mention("DE", false), mention("US", false)]), Some("DE"));
        assert_eq!(country_of(&[mention("DE", false), mention("US", true)]), Some("US"));
        assert_eq!(country_of(&[mention("DE", false), mention("US", false)]), None);
        assert_eq!(country_of(&[]), None);
    }
}
