//! Addresses in which the postal code stands before the town: `Musterstraße 12, 12345 Stadt`. A code of four or five digits
//! alone means little, so that a street, a country or the site's own country must confirm it.

use crate::addresses::codes::{Code, Shape};
use crate::addresses::continental_street::{Named, street_before};
use crate::addresses::regions::country_named;
use crate::addresses::segments::{self, offset};
use crate::addresses::words::{is_name_word, plain, town};
use crate::addresses::{Found, explain_refused, provinces};
use crate::country::cities;
use crate::facts::Address;
use crate::page::{around, floor_char};
use crate::word_set::WordSet;

/// Bytes after a code in which its town stands.
const TOWN_BYTES_MAX: usize = 60;
/// Bytes after a town in which its street may stand on a line of its own.
const BELOW_BYTES_MAX: usize = 90;
/// Words of a town's name.
const TOWN_WORDS_MAX: usize = 4;

/// Countries by the shape of their codes.
const SHAPES: &[(Shape, &str)] = &[
    (Shape::Five, "DE FR IT ES FI HR EE TR MX GR MY"),
    (Shape::Four, "AT CH BE DK NO LU HU SI NL NZ ZA BG"),
    (Shape::ThreeTwo, "SE CZ SK GR"),
    (Shape::TwoThree, "PL"),
    (Shape::FourThree, "PT"),
    (Shape::Dutch, "NL"),
];

/// Prefixes of codes: `D-12345`.
const PREFIXES: &[(&str, &str)] = &[
    ("DE", "DE"),
    ("AT", "AT"),
    ("CH", "CH"),
    ("FR", "FR"),
    ("IT", "IT"),
    ("NL", "NL"),
    ("DK", "DK"),
    ("SE", "SE"),
    ("NO", "NO"),
    ("FI", "FI"),
    ("PL", "PL"),
    ("CZ", "CZ"),
    ("SK", "SK"),
    ("PT", "PT"),
    ("BE", "BE"),
    ("ES", "ES"),
    ("LU", "LU"),
    ("HU", "HU"),
    ("LV", "LV"),
    ("LT", "LT"),
    ("EE", "EE"),
    ("D", "DE"),
    ("A", "AT"),
    ("F", "FR"),
    ("I", "IT"),
    ("E", "ES"),
    ("B", "BE"),
    ("L", "LU"),
    ("S", "SE"),
];

/// Words after a town that belong to something else.
static NOT_TOWN: WordSet = WordSet::new(
    "tel telefon telefono telefoon tél téléphone t p phone fax f e e-mail email mail mobil web www info piva p.iva
     cedex centralino handy ust-id hrb",
);

static MONTHS: WordSet = WordSet::new(
    "jan january feb february march apr april may jun june jul july aug august sep sept september oct october nov november
     dec december",
);

/// Words before numbers that are no postal codes.
static NOT_CODES: WordSet =
    WordSet::new("bp cs tsa postfach box pmb suite ste unit apt hrb hra nr no n° siret room bei ab um");

/// Whether a shape of code may belong to a country.
pub(crate) fn fits(shape: Shape, country: &str) -> bool {
    SHAPES.iter().any(|(known, countries)| *known == shape && countries.split(' ').any(|code| code == country))
}

/// The country of a shape that no other country has.
fn only_country(shape: Shape) -> Option<&'static str> {
    let countries = SHAPES.iter().find(|(known, _)| *known == shape)?.1;
    (countries.len() == 2).then_some(countries)
}

/// Reads the address whose code stands before its town; `site` is the country of the site.
pub(crate) fn read(text: &str, floor: usize, code: Code, site: Option<&str>) -> Option<Found> {
    let (name, end, named) = town_after(text, code.end)?;
    let (start, prefix) = prefix_before(text, floor, code.start);
    if is_other_number(&text[floor..start]) {
        explain_refused("the number of a box or a suite", around(text, code.start, 30, 20));
        return None;
    }
    let own = site.filter(|site| fits(code.shape, site));
    let known = prefix.or(named.filter(|country| fits(code.shape, country)));
    if named.is_some() && known.is_none() && prefix.is_none() {
        return None;
    }
    let found = segments::before(text, floor, start);
    let before = street_before(&found, code.shape);
    let after = if before.is_none() { street_after(text, (start, end), code.shape) } else { None };
    let town_end = end;
    let (street, end) = match after {
        Some((street, street_end)) => (Some(street), street_end),
        None => (before, end),
    };
    let is_special = matches!(code.shape, Shape::Dutch | Shape::TwoThree | Shape::FourThree);
    let is_enough = match &street {
        Some(street) if street.has_word => true,
        // `Sat. Dec 06`, above `1200 TC Sheets`
        Some(street) if is_date(&street.text) => false,
        Some(_) => known.is_some() || own.is_some() || is_special,
        None => prefix.is_some() && named.is_some() || (known.is_some() && own.is_some()),
    };
    // `(b. 1959, Utrecht, the Netherlands)`: a comma after four digits, and no street, is a year.
    let is_year = code.shape == Shape::Four && street.is_none() && text[code.end..].starts_with(',');
    if !is_enough || is_year {
        return None;
    }
    let spoken = street.as_ref().and_then(|street| street.country);
    let city = cities::code_of(name).filter(|country| fits(code.shape, country));
    let country = known.or(city).or(own).or(spoken).or(only_country(code.shape));
    // A number of four digits is a year more often than a code.
    if code.shape == Shape::Four && country.is_none() {
        return None;
    }
    let placed = country.and_then(|country| provinces::of(text, name, town_end, country));
    let (name, state, end) =
        placed.map_or((name, None, end), |placed| (placed.town, Some(placed.province), end.max(placed.end)));
    let start = street.as_ref().map_or(start, |street| offset(text, street.first).min(start));
    let has_sure_street = street.as_ref().is_some_and(|street| street.has_word);
    let address = Address {
        street: street.map(|street| street.text),
        city: Some(name.to_owned()),
        state: state.map(str::to_owned),
        postal_code: Some(text[code.start..code.end].to_owned()),
        country: country.map(str::to_owned),
    };
    Some(Found { address, start, end, has_sure_street })
}

/// The street on the line below its town, and where it ends: `12345 Stadt`, `Hauptstraße 5`. The code must begin its line,
/// and no other code may follow to which the street could belong.
fn street_after(text: &str, (start, end): (usize, usize), shape: Shape) -> Option<(Named<'_>, usize)> {
    let begins_line = text[..start].trim_end_matches(' ').ends_with('\n') || start == 0;
    let below = around(text, end, 0, BELOW_BYTES_MAX).trim_start_matches([' ', ',']).strip_prefix('\n')?;
    let mut lines = below.split('\n').map(str::trim).filter(|line| !line.is_empty());
    let (line, next) = (lines.next()?, lines.next().unwrap_or(""));
    let is_code = next.bytes().take_while(u8::is_ascii_digit).count() >= 4;
    if !begins_line || is_code || !line.ends_with(|c: char| c.is_ascii_digit() || c.is_ascii_lowercase()) {
        return None;
    }
    let from = offset(text, line);
    let found = segments::before(text, from, from + line.len());
    let street = street_before(&found, shape).filter(|street| street.has_word)?;
    Some((street, from + line.len()))
}

/// `Dec 06`, `12 March`: the day of something.
fn is_date(street: &str) -> bool {
    street.len() <= 16 && street.split(' ').any(|word| MONTHS.contains(&plain(word)))
}

/// Whether a word before a number says that it is no postal code: `BP 40307`, `Suite 55312`.
fn is_other_number(before: &str) -> bool {
    let word = before.trim_end_matches([' ', '.', ':']).rsplit([' ', '\n', ',']).next().unwrap_or("");
    NOT_CODES.contains(&plain(word))
}

/// The town after a code, where it ends, and the country named after it.
fn town_after(text: &str, at: usize) -> Option<(&str, usize, Option<&'static str>)> {
    let rest = &text[at..floor_char(text, at + TOWN_BYTES_MAX)];
    if !rest.starts_with([' ', ',', '\n']) {
        return None;
    }
    let line = rest.trim_start_matches([' ', ',', '\n']);
    let start = at + rest.len() - line.len();
    let [segment, ..] = segments::after(text, start);
    let mut end = 0;
    for (index, word) in segment.split_ascii_whitespace().enumerate() {
        let is_noise = NOT_TOWN.contains(&plain(word)) || word.bytes().any(|b| b.is_ascii_digit());
        if index >= TOWN_WORDS_MAX || is_noise || !is_name_word(word) {
            break;
        }
        end = offset(segment, word) + word.len();
    }
    let mut name = segment[..end].trim_end_matches(['.', ',']);
    let mut country = None;
    // `Stockholm Sweden`.
    if let Some((head, last)) = name.rsplit_once(' ')
        && let Some(code) = country_named(last)
        && !head.ends_with(" de")
    {
        (name, country) = (head, Some(code));
    }
    let name = town(name).filter(|name| name.chars().count() > 1 && starts_as_town(name))?;
    let end = start + offset(&text[start..], name) + name.len();
    if country.is_none() {
        let tail = text[end..floor_char(text, end + TOWN_BYTES_MAX)]
            .trim_start_matches([' ', ',', '(', '-', '–', '\n', '|', '•', '/', '.']);
        let tail = &tail[..tail.find(['\n', ',', '|', '•', ')', ';', ':', '.']).unwrap_or(tail.len())];
        country = country_named(tail);
    }
    Some((name, end, country))
}

/// A town starts with a capital and goes on small, or is all capitals.
fn starts_as_town(name: &str) -> bool {
    let first = name.split([' ', '-']).find(|word| word.chars().count() > 1).unwrap_or(name);
    first.chars().skip(1).all(char::is_uppercase) && first.chars().count() > 2 || first.chars().any(char::is_lowercase)
}

/// A prefix such as `D-` or `CZ - `: where it starts, and its country. Also the label `C.P.`.
fn prefix_before(text: &str, floor: usize, start: usize) -> (usize, Option<&'static str>) {
    let head = &text[floor..start];
    if let Some(before) = ["C.P. ", "CP ", "C.P.", "c.p. "].iter().find_map(|label| head.strip_suffix(label)) {
        return (floor + before.len(), None);
    }
    let Some(trimmed) =
        head.strip_suffix(['-', '–']).or_else(|| head.strip_suffix(" - ").filter(|_| start - floor > 4))
    else {
        return (start, None);
    };
    for (prefix, country) in PREFIXES {
        if let Some(before) = trimmed.strip_suffix(prefix)
            && !before.ends_with(char::is_alphanumeric)
            && (prefix.len() == 2 || !head.ends_with(' '))
        {
            return (floor + before.len(), Some(country));
        }
    }
    (start, None)
}
