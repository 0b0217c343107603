//! Addresses of the European mainland without postal code, on pages that show no other: `Via Verdi 8, Terni`, and below a
//! label such as `Adres` also `De oude wereld 63 Alphen aan den Rijn`.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

use crate::addresses::codes::Shape;
use crate::addresses::continental_street::street_before;
use crate::addresses::regions::country_named;
use crate::addresses::segments::{self, Segment, offset};
use crate::addresses::words::{is_house_number, plain, town};
use crate::addresses::{AddressMention, LINE_STEPS, PageKind, TEXT_STANDING, is_labelled, scan};
use crate::country::cities;
use crate::digits::next_digit;
use crate::document::Document;
use crate::explain;
use crate::facts::{Address, Method};
use crate::finders::Finder;
use crate::word_set::WordSet;

/// Longest line that is read, in bytes, and lines read per page.
const LINE_BYTES_MAX: usize = 100;
const LINES_MAX: usize = 60;
/// Longest line with the town alone, in bytes.
const TOWN_BYTES_MAX: usize = 40;
/// Longest name of a town, in words.
const TOWN_WORDS_MAX: usize = 3;
/// Digits of a line below an address that is a phone number.
const PHONE_DIGITS_MIN: usize = 6;
/// Longest label above an address, in bytes.
const LABEL_BYTES_MAX: usize = 16;

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

/// First words of parts of towns.
const QUARTERS: [&str; 13] = [
    "Bairro",
    "Barrio",
    "Zona",
    "Quartiere",
    "Località",
    "Loc.",
    "Fraz.",
    "Frazione",
    "Colonia",
    "Col.",
    "Centro",
    "Quartier",
    "Ortsteil",
];
/// First words of lines below a street that hold no town.
static NOT_TOWNS: WordSet = WordSet::new(
    "amtsgericht registergericht handelsregister geschäftsführer geschäftsführung inhaber impressum kontakt telefon
     vertreten umsatzsteuer steuernummer orari orario horario horaires öffnungszeiten openingstijden partita contatti
     contacto accueil startseite home chi dove menu prenota aperto gérant directeur responsable siège sede
     lunedì lundi lunes montag maandag studio chiamaci scopri leggi vedi route anfahrt",
);

/// Lines that are a label and nothing else stand above an address whose street has no such word.
const LABELS: [&str; 9] =
    ["adres", "adresse", "adress", "indirizzo", "dirección", "direccion", "bezoekadres", "anschrift", "endereço"];

/// Reads the first such address of a page; `site` is the country of the site.
pub(super) fn find(document: &Document<'_>, site: Option<&str>, kind: PageKind) -> Option<AddressMention> {
    // English pages of an unknown country hold none.
    if site.is_none() && document.lang.is_some_and(|lang| lang.starts_with("en")) {
        return None;
    }
    let is_fit = |line: &str| (8..=LINE_BYTES_MAX).contains(&line.len());
    let has_digit = |line: &str| line.bytes().any(|b| b.is_ascii_digit());
    let may_be = |index: &usize| {
        let line = document.line(*index).0;
        is_fit(line)
            && document.budget.spend(line.len())
            && (scan::says(&STREET_SEARCH, line) || is_below_label(document, *index))
    };
    for index in lines_with_digits(document).filter(may_be).take(LINES_MAX) {
        let start = document.lines[index].start;
        if !document.budget.spend(LINE_STEPS) {
            return None;
        }
        let line = document.line(index).0;
        // The town may stand on the line below.
        let below = (index + 1 < document.lines.len()).then(|| document.line(index + 1).0);
        let below = below.filter(|below| below.len() <= TOWN_BYTES_MAX && !has_digit(below));
        // Towns that are each followed by their street stand above it, not below the one before.
        let below = below.filter(|_| !(has_digit(document.line(index + 2).0) && may_be(&(index + 2))));
        let ends = [Some(line.len()), below.map(|below| line.len() + 1 + below.len())];
        for end in ends.into_iter().flatten().map(|length| start + length) {
            let Some(text) = document.text.get(..end) else { continue };
            let segments = segments::before(text, start, end);
            let read = continental(&segments).or_else(|| labelled(document, index, &segments));
            let is_sure = |address: &Address| is_certain(document, index, address, (site, kind));
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

/// The indices of the lines that contain a digit.
fn lines_with_digits(document: &Document<'_>) -> impl Iterator<Item = usize> {
    let mut from = 0;
    std::iter::from_fn(move || {
        let index = document.line_at(next_digit(document.text.as_bytes(), from)?);
        from = document.lines.get(index + 1).map_or(document.text.len(), |next| next.start);
        Some(index)
    })
}

/// Whether the town is a known one, or the place on the page is one of addresses: parts of towns look like towns. Where the
/// country of the site is not known, only the place on the page counts.
fn is_certain(
    document: &Document<'_>,
    index: usize,
    address: &Address,
    (site, kind): (Option<&str>, PageKind),
) -> bool {
    let context = document.line(index).1;
    let is_on_line = address.city.as_deref().is_some_and(|city| document.line(index).0.contains(city));
    let is_city = address.city.as_deref().is_some_and(|city| cities::code_of(city).is_some());
    (is_city && site.is_some())
        || context.footer
        || context.address
        || (kind == PageKind::Contact && (is_city || is_on_line || ends_page_part(document, index + 2)))
        || is_labelled(document, document.lines[index].start)
        || is_below_label(document, index)
}

/// Whether nothing follows, or a number or mailbox, as below an address.
fn ends_page_part(document: &Document<'_>, index: usize) -> bool {
    let line = document.line(index).0;
    line.is_empty() || line.contains('@') || line.bytes().filter(u8::is_ascii_digit).count() >= PHONE_DIGITS_MIN
}

/// Whether the line above is a label such as `Adresse:` and nothing else.
fn is_below_label(document: &Document<'_>, index: usize) -> bool {
    let above = index.checked_sub(1).map_or("", |above| document.line(above).0);
    let label = above.trim_end_matches([' ', ':']);
    (5..=LABEL_BYTES_MAX).contains(&label.len()) && LABELS.contains(&label.to_lowercase().as_str())
}

/// `De oude wereld 63 Alphen aan den Rijn` below a label: a name, a number and a town.
fn labelled(document: &Document<'_>, index: usize, segments: &[Segment<'_>]) -> Option<Address> {
    if !is_below_label(document, index) {
        return None;
    }
    let (street, name) = match segments {
        [only] => at_number(only.text)?,
        [name, street] => (street.text, name.text),
        _ => return None,
    };
    let (number, words) = street.rsplit(' ').next().zip(street.rsplit_once(' '))?;
    let is_name =
        words.0.starts_with(char::is_uppercase) && words.0.chars().all(|c| c.is_alphabetic() || " .-'’".contains(c));
    let city = town(name)
        .filter(|_| is_house_number(number) && is_name && words.0.split(' ').count() <= TOWN_WORDS_MAX + 1)?;
    Some(Address { street: Some(street.to_owned()), city: Some(city.to_owned()), ..Address::default() })
}

/// `Via Roma 10 Milano` as `Via Roma 10` and `Milano`.
fn at_number(text: &str) -> Option<(&str, &str)> {
    let number = text.split(' ').rfind(|word| is_house_number(word))?;
    let end = offset(text, number) + number.len();
    let (street, name) = (&text[..end], text[end..].trim_start());
    (street.contains(' ') && town(name).is_some()).then_some((street, name))
}

/// `Via Verdi 8, Terni`, `12 rue Foch, Nantes, France`: the word for a street shows what it is.
fn continental(segments: &[Segment<'_>]) -> Option<Address> {
    let (first, rest) = segments.split_first()?;
    let country = country_named(first.text);
    let (first, rest) = if country.is_some() { rest.split_first()? } else { (first, rest) };
    // `Via Roma 10 Milano`
    if let Some((street, name)) = at_number(first.text) {
        let own = [Segment { text: name, ..*first }, Segment { text: street, ..*first }];
        return continental_of(&own, country);
    }
    let own: Vec<Segment<'_>> = std::iter::once(*first).chain(rest.iter().copied()).collect();
    continental_of(&own, country)
}

/// The town of the first segment, and the street of the others.
fn continental_of(segments: &[Segment<'_>], country: Option<&str>) -> Option<Address> {
    let (first, rest) = segments.split_first()?;
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
    QUARTERS.contains(&first) || NOT_TOWNS.contains(&plain(first))
}
