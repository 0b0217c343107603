//! Addresses without postal code and state, on pages that show no other: `Via Verdi 8, Terni`, and below a label such as
//! `Location` also `5017 127 Ave, Edmonton`.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

use crate::addresses::codes::Shape;
use crate::addresses::continental_street::street_before;
use crate::addresses::regions::country_named;
use crate::addresses::segments::{self, Segment};
use crate::addresses::with_state::place;
use crate::addresses::words::town;
use crate::addresses::{AddressMention, LINE_STEPS, TEXT_STANDING, is_labelled, scan};
use crate::country::cities;
use crate::document::Document;
use crate::explain;
use crate::facts::{Address, Method};
use crate::finders::Finder;

/// Longest line that is read, in bytes, and lines read per page.
const LINE_BYTES_MAX: usize = 100;
const LINES_MAX: usize = 60;
/// Longest line with the town alone, in bytes.
const TOWN_BYTES_MAX: usize = 40;
/// Longest name of a town, in words.
const TOWN_WORDS_MAX: usize = 3;

/// Words and ends of words that a line with a street of the European mainland contains.
const STREETS: [&str; 24] = [
    "straße",
    "strasse",
    "str.",
    "platz",
    "allee",
    "gasse",
    "rue ",
    "boulevard",
    "chemin",
    "impasse",
    "via ",
    "viale",
    "piazza",
    "corso ",
    "calle ",
    "avenida",
    "paseo",
    "carrer",
    "ul. ",
    "rua ",
    "straat",
    "plein",
    "gatan",
    "vägen",
];
static STREET_SEARCH: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| scan::any_of(&STREETS));

/// Countries whose addresses begin with the house number and end with a state.
const ENGLISH: [&str; 3] = ["US", "CA", "AU"];

/// Reads the first such address of a page; `site` is the country of the site.
pub(super) fn find(document: &Document<'_>, site: Option<&str>) -> Option<AddressMention> {
    let is_english = ENGLISH.contains(&site?);
    let is_fit = |line: &str| (8..=LINE_BYTES_MAX).contains(&line.len()) && line.bytes().any(|b| b.is_ascii_digit());
    let may_be = |index: &usize| {
        let line = document.line(*index).0;
        match is_english {
            true => line.starts_with(|c: char| c.is_ascii_digit()) && is_fit(line),
            false => is_fit(line) && document.budget.spend(line.len()) && scan::says(&STREET_SEARCH, line),
        }
    };
    for index in (0..document.lines.len()).filter(may_be).take(LINES_MAX) {
        let start = document.lines[index].start;
        if !document.budget.spend(LINE_STEPS) || (is_english && !is_labelled(document, start)) {
            continue;
        }
        let line = document.line(index).0;
        // The town may stand on the line below.
        let below = (index + 1 < document.lines.len()).then(|| document.line(index + 1).0);
        let below = below.filter(|below| below.len() <= TOWN_BYTES_MAX && !is_fit(below));
        let ends = [Some(line.len()), below.map(|below| line.len() + 1 + below.len())];
        for end in ends.into_iter().flatten().map(|length| start + length) {
            let Some(text) = document.text.get(..end) else { continue };
            let segments = segments::before(text, start, end);
            let read = if is_english { english(&segments) } else { continental(&segments) };
            let is_sure = |address: &Address| is_english || is_certain(document, index, address);
            if let Some(address) = read.filter(|address| is_sure(address) && !scan::is_sample(address)) {
                let snippet = scan::snippet(text, start, end);
                explain::accepted(Finder::Addresses, "a street and a town, without a postal code", &snippet);
                let (method, standing) = (Method::Text, TEXT_STANDING);
                return Some(AddressMention { address, method, snippet, standing, is_own: false });
            }
        }
    }
    None
}

/// Whether the town is a known one, or the place on the page is one of addresses: parts of towns look like towns.
fn is_certain(document: &Document<'_>, index: usize, address: &Address) -> bool {
    let context = document.line(index).1;
    let is_city = address.city.as_deref().is_some_and(|city| cities::code_of(city).is_some());
    is_city || context.footer || context.address || is_labelled(document, document.lines[index].start)
}

/// `Via Verdi 8, Terni`, `12 rue Foch, Nantes, France`: the word for a street shows what it is.
fn continental(segments: &[Segment<'_>]) -> Option<Address> {
    let (first, rest) = segments.split_first()?;
    let country = country_named(first.text);
    let (first, rest) = if country.is_some() { rest.split_first()? } else { (first, rest) };
    let city = town(first.text).filter(|name| name.split(' ').count() <= TOWN_WORDS_MAX && !is_quarter(name))?;
    let street = street_before(rest, Shape::Five).filter(|street| street.has_word)?;
    Some(Address {
        street: Some(street.text),
        city: Some(city.to_owned()),
        state: None,
        postal_code: None,
        country: country.map(str::to_owned),
    })
}

/// `Bairro Alto`: a part of a town.
fn is_quarter(name: &str) -> bool {
    let first = name.split(' ').next().unwrap_or("");
    ["Bairro", "Barrio", "Zona", "Quartiere", "Località", "Colonia", "Col.", "Centro", "Quartier"].contains(&first)
}

/// `5017 127 Ave, Edmonton`, which is read only below a label.
fn english(segments: &[Segment<'_>]) -> Option<Address> {
    let place = place(segments, false).filter(|place| place.is_sure)?;
    let city = place.town.filter(|name| name.split(' ').count() <= TOWN_WORDS_MAX)?;
    Some(Address {
        street: Some(place.street?),
        city: Some(city.to_owned()),
        state: None,
        postal_code: None,
        country: None,
    })
}
