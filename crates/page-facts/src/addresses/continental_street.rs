//! Streets of the European mainland: `Musterstraße 12`, `23 rue des Lilas`, `Via Verdi, 8`.

use crate::addresses::codes::Shape;
use crate::addresses::segments::{Segment, offset};
use crate::addresses::words::{is_house_number, is_name_word, plain, town};
use crate::word_set::WordSet;

/// Words for streets by language, and the country that most likely uses them with a code of the given shape.
struct StreetWords {
    /// Whole words.
    words: &'static WordSet,
    /// Ends of words.
    endings: &'static [&'static str],
    /// Country by shape.
    countries: &'static [(Shape, &'static str)],
    /// The house number comes before the street.
    number_first: bool,
}

static GERMAN: WordSet = WordSet::new("straße strasse str weg platz allee gasse ring damm ufer markt hof");
static FRENCH: WordSet = WordSet::new(
    "rue avenue av boulevard bd bld chemin route place quai allée allee impasse cours square ruelle faubourg",
);
static ITALIAN: WordSet = WordSet::new("via viale piazza corso vicolo largo piazzale strada lungomare");
static MALAY: WordSet = WordSet::new("jalan lorong persiaran lebuh");
static SPANISH: WordSet = WordSet::new("calle c/ avda avenida plaza paseo carrer ronda camino carretera");
static DUTCH: WordSet = WordSet::new("plein laan weg kade");
static SWEDISH: WordSet = WordSet::new("gata väg torg");
static POLISH: WordSet = WordSet::new("ul ulica al aleja plac");
static CZECH: WordSet = WordSet::new("ulice náměstí třída nábřeží");
static PORTUGUESE: WordSet = WordSet::new("rua travessa praça avenida largo");

const STREET_WORDS: &[StreetWords] = &[
    StreetWords {
        words: &GERMAN,
        endings: &[
            "straße", "strasse", "str.", "weg", "platz", "allee", "gasse", "ring", "damm", "ufer", "chaussee", "steig",
        ],
        countries: &[(Shape::Five, "DE")],
        number_first: false,
    },
    StreetWords { words: &FRENCH, endings: &[], countries: &[(Shape::Five, "FR")], number_first: true },
    StreetWords { words: &MALAY, endings: &[], countries: &[(Shape::Five, "MY")], number_first: true },
    StreetWords { words: &ITALIAN, endings: &[], countries: &[(Shape::Five, "IT")], number_first: false },
    StreetWords { words: &SPANISH, endings: &[], countries: &[(Shape::Five, "ES")], number_first: false },
    StreetWords {
        words: &DUTCH,
        endings: &["straat", "laan", "plein", "gracht", "kade", "singel", "dijk"],
        countries: &[(Shape::Dutch, "NL"), (Shape::Four, "BE")],
        number_first: false,
    },
    StreetWords {
        words: &SWEDISH,
        endings: &["gatan", "vägen", "gränd", "torget"],
        countries: &[(Shape::ThreeTwo, "SE")],
        number_first: false,
    },
    StreetWords { words: &POLISH, endings: &[], countries: &[(Shape::TwoThree, "PL")], number_first: false },
    StreetWords { words: &CZECH, endings: &[], countries: &[], number_first: false },
    StreetWords { words: &PORTUGUESE, endings: &[], countries: &[(Shape::FourThree, "PT")], number_first: false },
    StreetWords {
        words: &EMPTY,
        endings: &["vej", "gade", "stræde"],
        countries: &[(Shape::Four, "DK")],
        number_first: false,
    },
    StreetWords {
        words: &EMPTY,
        endings: &["veien", "gaten", "gata"],
        countries: &[(Shape::Four, "NO")],
        number_first: false,
    },
    StreetWords {
        words: &EMPTY,
        endings: &["katu", "tie", "kuja"],
        countries: &[(Shape::Five, "FI")],
        number_first: false,
    },
];

/// Words that end a company's name.
static COMPANIES: WordSet =
    WordSet::new("ab gmbh mbh ag kg ohg ug ltd inc sarl sas sa srl spa bv nv aps as oy oyj e.v e.k");

/// Words for streets that are no English words.
static DISTINCT: WordSet = WordSet::new(
    "straße strasse str platz allee gasse rue boulevard bd chemin quai allée impasse via viale piazza piazzale vicolo calle c/ avda
     avenida paseo carrer carretera jalan lorong persiaran lebuh ul ulica aleja plac ulice náměstí třída nábřeží rua travessa praça plein laan väg torg",
);

/// Words for streets that are English words when written small.
static CAPITALISED: WordSet = WordSet::new("via");

/// Ends of words that only streets have.
const ENDINGS: &[&str] = &[
    "straße", "strasse", "str.", "platz", "allee", "gasse", "chaussee", "straat", "gracht", "singel", "plein", "gatan",
    "vägen", "gränd", "torget", "stræde", "veien", "gaten", "katu", "kuja", "damm",
];

/// Longest word that is looked up, in bytes.
const STREET_WORD_BYTES_MAX: usize = 60;

/// Longest name of a part of a Mexican town, in bytes.
const COLONIA_BYTES_MAX: usize = 40;

/// Longest name of a business park, in bytes.
const ZONE_BYTES_MAX: usize = 50;

/// Post-office boxes.
static BOXES: WordSet = WordSet::new("postfach postbus postboks apartado postbox pb casella bp");

static EMPTY: WordSet = WordSet::new("");

/// A street with its house number.
pub(crate) struct Named<'t> {
    pub(crate) text: String,
    pub(crate) first: &'t str,
    /// It contains a word that means a street and nothing else.
    pub(crate) has_word: bool,
    pub(crate) country: Option<&'static str>,
}

/// The street in the nearest segments; the number may be a segment of its own: `Via Verdi, 8`.
pub(crate) fn street_before<'t>(found: &[Segment<'t>], shape: Shape) -> Option<Named<'t>> {
    let nearest = found.first()?;
    if let Some(boxed) = post_box(nearest.text) {
        // `Rua Augusta, 56, Apartado 421`
        return match street_before(&found[1..], shape).filter(|street| street.has_word) {
            Some(street) => Some(Named { text: format!("{}, {}", street.text, boxed.text), ..street }),
            None => Some(boxed),
        };
    }
    // `C/ Mayor, 15, 2º B`
    if is_floor(nearest.text)
        && let Some(street) = street_before(&found[1..], shape)
    {
        return Some(Named { text: format!("{}, {}", street.text, nearest.text), ..street });
    }
    if is_colonia(nearest.text)
        && let Some(street) = street_before(&found[1..], shape)
    {
        let text = format!("{}, {}", street.text, nearest.text);
        return Some(Named { text, has_word: true, country: Some("MX"), ..street });
    }
    if is_number(nearest.text)
        && let Some(second) = found.get(1)
        && let Some((from, language)) = street_name(second.text, false)
    {
        let name = &second.text[from..];
        let country = language.and_then(|language| of_shape(language, shape));
        return Some(Named {
            text: format!("{name}, {}", nearest.text),
            first: name,
            has_word: language.is_some() && is_distinct(name),
            country,
        });
    }
    if let Some(named) = street_in(nearest.text, found.get(1), shape) {
        return Some(named);
    }
    if shape == Shape::Five && is_french_zone(nearest.text) {
        let street = street_before(&found[1..], shape).filter(|street| street.has_word);
        return Some(street.map_or_else(
            || Named { text: nearest.text.to_owned(), first: nearest.text, has_word: true, country: Some("FR") },
            |street| Named { text: format!("{}, {}", street.text, nearest.text), ..street },
        ));
    }
    // A name between street and code, such as a building or an industrial estate.
    let second = found.get(1).filter(|_| town(nearest.text).is_some())?;
    street_in(second.text, found.get(2), shape)
        .filter(|named| named.has_word)
        .map(|named| Named { text: format!("{}, {}", named.text, nearest.text), ..named })
}

/// Words of floors, doors and parts of a building that a number or letter goes with, and such as need none.
static FLOORS: WordSet = WordSet::new(
    "planta piso local oficina of despacho nave puerta esc escalera portal bloque edificio int interno interior scala piano
     bât bâtiment bat étage etage og stock obergeschoss loja sala andar lot appt",
);
static BARE_FLOORS: WordSet = WordSet::new("bajo bajos entresuelo entlo principal ático hinterhaus parterre eg rdc");

/// `2º B`, `Local 4`, `3. OG`, `Bât. B`, and nothing else.
fn is_floor(text: &str) -> bool {
    if text.len() > 24 {
        return false;
    }
    let words: Vec<&str> = text.split(' ').collect();
    let is_id = |word: &str| {
        let digits = word.bytes().filter(u8::is_ascii_digit).count();
        let length = word.trim_end_matches(['.', ',']).chars().count();
        (1..=4).contains(&length) && (digits > 0 || (length == 1 && word.starts_with(char::is_uppercase)))
    };
    let is_counted = |word: &str| word.starts_with(|c: char| c.is_ascii_digit()) && word.ends_with(['º', 'ª', '°']);
    let is_word = |word: &str| FLOORS.contains(&plain(word));
    match words[..] {
        [word] => BARE_FLOORS.contains(&plain(word)) || is_counted(word),
        [first, .., last] => {
            words.len() <= 3
                && (is_counted(first) || (is_word(first) && is_id(last)) || (is_id(first) && is_word(last)))
        }
        [] => false,
    }
}

/// `Col. Juárez`: the part of a Mexican town.
fn is_colonia(text: &str) -> bool {
    let name =
        ["Col. ", "Col ", "Colonia ", "Fracc. ", "Fraccionamiento "].iter().find_map(|word| text.strip_prefix(word));
    name.is_some_and(|name| name.starts_with(char::is_uppercase) && name.len() <= COLONIA_BYTES_MAX)
}

/// `ZA Les Peupliers`, `Zone industrielle du Moulin`: a place outside of a French town, where streets need no names.
fn is_french_zone(text: &str) -> bool {
    const ZONES: &[&str] =
        &["ZA", "ZI", "ZAC", "ZAE", "Z.A.", "Z.I.", "Z.A.C.", "Zone", "Lieu-dit", "Lieudit", "Parc", "Centre"];
    const KINDS: &[&str] = &[
        "artisanale",
        "industrielle",
        "commerciale",
        "d'activités",
        "d’activités",
        "d'activité",
        "d’activité",
        "commercial",
    ];
    let mut words = text.split(' ');
    let first = words.next().filter(|first| ZONES.contains(first));
    let has_kind = || text.split(' ').nth(1).is_some_and(|word| KINDS.contains(&word.to_lowercase().as_str()));
    let is_named = words.any(|word| word.starts_with(char::is_uppercase)) || has_kind();
    text.len() <= ZONE_BYTES_MAX
        && is_named
        && first.is_some_and(|first| !matches!(first, "Zone" | "Parc" | "Centre") || has_kind())
}

/// `Box 143`, `Postfach 12 34`.
fn post_box(text: &str) -> Option<Named<'_>> {
    let (word, number) = text.split_once(' ')?;
    let is_number = number.len() <= 8 && number.bytes().all(|b| b.is_ascii_digit() || b == b' ');
    let word = plain(word);
    let is_sure = BOXES.contains(&word);
    ((is_sure || word.as_str() == "box") && is_number).then(|| Named {
        text: text.to_owned(),
        first: text,
        has_word: is_sure,
        country: None,
    })
}

fn street_in<'t>(text: &'t str, left: Option<&Segment<'t>>, shape: Shape) -> Option<Named<'t>> {
    let words: Vec<&str> = text.split(' ').collect();
    // `23 rue d'Aumale`, and `12, avenue Foch` with the number to the left.
    if let Some((at, language)) =
        words.iter().enumerate().find_map(|(at, word)| french(word).map(|language| (at, language)))
    {
        let country = of_shape(language, shape);
        let has_word = is_distinct(text);
        let number = at
            .checked_sub(1)
            .and_then(|index| words.get(index))
            .filter(|word| is_number(word) || matches!(**word, "bis" | "ter"));
        if let Some(number) = number {
            let first = if is_number(number) { number } else { words.get(at - 2).unwrap_or(number) };
            return Some(Named { text: text[offset(text, first)..].to_owned(), first, has_word, country });
        }
        if at == 0
            && let Some(left) = left
            && is_number_and_letter(left.text)
        {
            return Some(Named { text: format!("{}, {text}", left.text), first: left.text, has_word, country });
        }
    }
    let last = number_at_end(&words)?;
    let name = text[..offset(text, words[last])].trim_end();
    let (from, language) = street_name(name, true)?;
    let first = &text[from..];
    Some(Named {
        text: first.to_owned(),
        first,
        has_word: language.is_some() && is_distinct(first),
        country: language.and_then(|language| of_shape(language, shape)),
    })
}

/// Where the house number at the end of a street starts: `12`, `12 a`, `84/92 lokal 117`, `n. 9`.
fn number_at_end(words: &[&str]) -> Option<usize> {
    // `Calle 60 #495`
    let last = words.iter().rposition(|word| is_number(word.trim_start_matches('#')))?;
    let tail = &words[last + 1..];
    let is_end = tail.is_empty() || (tail.len() == 1 && tail[0].chars().count() <= 3);
    if last == 0 || !is_end {
        return None;
    }
    match words[..last].last().map(|word| plain(word)) {
        Some(word) if matches!(word.as_str(), "n" | "nr" | "no" | "n°" | "č") => Some(last - 1),
        Some(word) if matches!(word.as_str(), "lokal" | "lok" | "m" | "apt" | "bus" | "top") && last > 2 => {
            Some(last - 2)
        }
        _ => Some(last),
    }
}

/// Whether a text contains a word for a street that is no English word, nor the end of one: `Straße`, not `Ring` or `Place`.
fn is_distinct(text: &str) -> bool {
    text.split(' ').any(is_street_word)
}

/// Whether a word means a street and nothing else.
fn is_street_word(word: &str) -> bool {
    if word.len() > STREET_WORD_BYTES_MAX {
        return false;
    }
    let simple = word.trim_matches([',', '\'']).to_lowercase();
    let is_word = DISTINCT.contains(simple.trim_end_matches('.'));
    let is_capital = word.starts_with(char::is_uppercase);
    (is_word && (is_capital || !CAPITALISED.contains(&simple)))
        || ENDINGS.iter().any(|end| simple.len() > end.len() + 1 && simple.ends_with(end))
}

/// A house number, not a long number.
fn is_number(word: &str) -> bool {
    is_house_number(word) && word.bytes().take_while(u8::is_ascii_digit).count() <= 4
}

/// `12`, `12 bis`, `12 B`.
fn is_number_and_letter(text: &str) -> bool {
    match text.split_once(' ') {
        Some((number, "bis" | "ter" | "quater")) => is_number(number),
        Some((number, letter)) => is_number(number) && letter.len() == 1 && letter.starts_with(char::is_uppercase),
        None => is_number(text),
    }
}

fn french(word: &str) -> Option<&'static StreetWords> {
    let simple = plain(word);
    STREET_WORDS.iter().find(|language| language.number_first && language.words.contains(&simple))
}

fn of_shape(language: &StreetWords, shape: Shape) -> Option<&'static str> {
    language.countries.iter().find(|(known, _)| *known == shape).map(|(_, country)| *country)
}

/// Whether words are an article and one word written small, as in `de la gendarmerie`.
fn are_small(words: &[&str]) -> bool {
    let Some((last, before)) = words.split_last() else { return false };
    let is_word = last.len() > 3 && last.chars().all(char::is_alphabetic);
    is_word && (1..=2).contains(&before.len()) && before.iter().all(|word| is_name_word(word))
}

/// Where the name of a street starts in a text that ends with it, and its language. `alone` allows names without such a word.
fn street_name(text: &str, alone: bool) -> Option<(usize, Option<&'static StreetWords>)> {
    let words: Vec<&str> = text.split(' ').collect();
    let kind = |word: &str| {
        let simple = word.trim_matches([',', '\'']).to_lowercase();
        let bare = simple.trim_end_matches('.').to_owned();
        STREET_WORDS.iter().find(|language| {
            language.words.contains(&bare)
                || language.endings.iter().any(|end| simple.len() > end.len() + 1 && simple.ends_with(end))
        })
    };
    let found = words.iter().enumerate().rev().find_map(|(at, word)| kind(word).map(|language| (at, language)));
    let are_names =
        |words: &[&str]| words.iter().all(|word| is_name_word(word) || word.contains('.') || is_number(word));
    if let Some((at, language)) = found {
        let leads = language.endings.is_empty();
        let is_short = words.len() <= 4 && words[0].starts_with(char::is_uppercase) && are_names(&words);
        // `Dlouhá ulice`, `Václavské náměstí`
        let trails = at > 0 && at + 1 == words.len() && words.len() <= 4 && CZECH.contains(&plain(words[at]));
        let start = if trails && are_names(&words[..at]) {
            0
        } else if leads {
            at
        } else if let Some(company) = words[..at].iter().rposition(|word| COMPANIES.contains(&plain(word))) {
            company + 1
        } else if is_short {
            0
        } else {
            at - usize::from(at > 0 && language.words.contains(&plain(words[at])))
        };
        let name_follows = !leads || words.len() > start + 1;
        // `Rue de la gendarmerie`
        let is_small = leads && words[at].starts_with(char::is_uppercase) && are_small(&words[at + 1..]);
        return (name_follows && (are_names(&words[at + 1..]) || is_small))
            .then(|| (offset(text, words[start]), Some(language)));
    }
    (alone
        && words.len() <= 4
        && words[0].chars().next().is_some_and(char::is_uppercase)
        && are_names(&words)
        && town(text).is_some())
    .then_some((0, None))
}
