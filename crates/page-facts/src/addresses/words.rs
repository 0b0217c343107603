//! The vocabulary of addresses: house numbers, kinds of streets, suites and floors.

use crate::word_set::WordSet;

/// Words that end the name of a street. Words that are also parts of town names (`Park`, `Beach`) are left out.
static STREETS: WordSet = WordSet::new(
    "street st str avenue ave av aven boulevard blvd boul road rd drive dr drv lane ln court ct crt circle cir circ
     way wy place pl parkway pkwy pky pwy highway hwy hiway terrace ter terr trail trl trails tr plaza plz square sq
     loop alley aly turnpike tpke tpk pike expressway expy freeway fwy crescent cres close mews row walk
     broadway route rte rt crossing xing causeway cswy extension ext esplanade esp parade pde bypass byp concourse
     cove cv run pass path commons quay wharf gardens promenade quadrant yard",
);

/// Words that end the name of a street unless a surer one follows, for they start or end the names of towns too.
static WEAK_STREETS: WordSet = WordSet::new(
    "bend bnd ridge rdg point pt pointe view vw park green grove valley heights hts landing lndg glen gln hollow holw
     creek crk canyon cyn vista vis manor mnr meadow meadows estates ests gateway gtwy village vlg station sta spur
     center centre ctr mall overlook oval passage bluff bridge chase trace trce skyway thruway thwy beltway byway hill
     hills mill mills crest knoll rise summit shore shores springs spgs falls corner corners island junction jct harbor
     branch curve motorway viaduct embarcadero alameda",
);

/// Words that follow the number or the kind of a big road: `I-35 Frontage Road`.
static SIDE_ROADS: WordSet = WordSet::new("frontage service access feeder");

/// Words that may stand between a house number and the kind of a numbered road: `4500 Old US Highway 41`.
static BEFORE_LEADS: WordSet =
    WordSet::new("old new business bus us u.s state county farm ranch to north south east west");

/// Parts of a building that need no number: `Rear`.
static BARE_UNITS: WordSet = WordSet::new("rear basement penthouse mezzanine");

/// Words after which the name or number of a street follows: `Highway 30`, `Avenue of the Americas`, `Calle Ocho`.
static LEADS: WordSet = WordSet::new(
    "highway hwy route rte rt routes avenue ave calle camino via rue county state us u.s interstate fm f.m cr sr rm rr ih loop market
     paseo avenida el la los las rural old",
);

/// Words that start a suite, floor or building.
static UNITS: WordSet = WordSet::new(
    "suite suites ste unit apt apartment floor fl flr room rm building bldg pmb store space spc lot level lvl office
     penthouse tower wing pavilion dept department stop flat shop bay hangar lobby studio warehouse block module mailbox
     suites ph dock kiosk stall trailer pier slip bureau",
);

/// Words that end a floor: `31st Floor`.
static FLOORS: WordSet = WordSet::new("floor fl flr level");

static ORDINALS: WordSet = WordSet::new(
    "first second third fourth fifth sixth seventh eighth ninth tenth ground lower upper main mezzanine top",
);

static NUMBERS: WordSet =
    WordSet::new("one two three four five six seven eight nine ten eleven twelve fifteen twenty fifty hundred");

/// Small words inside the names of streets and towns.
static PARTICLES: WordSet = WordSet::new(
    "of the and de del la las los le les du des da di do dos a an am im in bei der den dem aan op ob zur zum und et
     sur sous en lès lez d' l' von van y i på upon under by on al el san sul sulla nad st",
);

/// Words that a town or a street without a kind does not contain.
static NOT_NAMES: WordSet = WordSet::new(
    "inc llc ltd corp co company gmbh plc pllc lp llp copyright rights reserved phone tel telephone fax call email
     mail hours open serving visit contact address office location locations directions license website rating
     reviews review years year bedrooms beds baths item items photos results jobs people members january
     february april june july august september october november december monday tuesday wednesday thursday
     friday saturday sunday posted updated views comments reply votes usa
     part parts model form section chapter title sku",
);

/// Words for suites that are in no town's name, as `Bay` is.
static NEVER_TOWNS: WordSet =
    WordSet::new("suite suites ste unit apt apartment floor fl flr room rm bldg building pmb store dept box level");

/// Words that end the name of a building: `Acme Tower`.
static BUILDINGS: WordSet = WordSet::new(
    "building bldg tower towers plaza center centre mall complex campus hall house square arcade pavilion mills
     annex terminal market marketplace",
);

/// Words before a crossing or a landmark: `between 4th and 5th`.
static NEARBY: WordSet = WordSet::new("between at near off across behind opposite corner cnr next by inside beside");

/// Labels of the fields of an address.
static LABELS: WordSet = WordSet::new(
    "city town suburb state province county zip zipcode postcode street address country zip/postal state/province
     city/town",
);

/// Whether a text names one field of an address and nothing else: `City`, `ZIP Code`.
pub(crate) fn is_field_label(text: &str) -> bool {
    if text.len() > 20 || text.is_empty() {
        return false;
    }
    let lower = text.to_ascii_lowercase();
    let name = lower.trim_end_matches([':', ' ']);
    let name = name.strip_suffix(" code").unwrap_or(name);
    let name = name.strip_suffix(" name").unwrap_or(name);
    LABELS.contains(name) || matches!(name, "postal" | "street address" | "post")
}

/// `Acme Building` on a line of its own.
pub(crate) fn is_building_name(text: &str) -> bool {
    let last = text.rsplit(' ').next().unwrap_or("");
    let are_names = text.split(' ').all(|word| is_name_word(word) && !NOT_NAMES.contains(plain(word).as_str()));
    text.len() <= 40 && text.contains(' ') && are_names && BUILDINGS.contains(plain(last).as_str())
}

/// `between 4th and 5th`, `at Main Street`: where the street is, not what it is called.
pub(crate) fn is_crossing(text: &str) -> bool {
    let first = text.split(' ').next().unwrap_or("");
    text.len() <= 50 && text.contains(' ') && NEARBY.contains(plain(first).as_str())
}

/// `Corner of Main & 5th`, `Main St & 5th Ave`: a crossing that stands for a street and a number.
pub(crate) fn is_corner(text: &str) -> bool {
    if text.len() > 50 {
        return false;
    }
    let start =
        ["Corner of ", "corner of ", "At the corner of ", "at the corner of ", "NW corner of ", "SW corner of "];
    let named = start.iter().find_map(|start| text.strip_prefix(start));
    let Some((one, other)) = [" & ", " and "].iter().find_map(|sign| named.unwrap_or(text).split_once(sign)) else {
        return false;
    };
    let is_road = |road: &str| {
        let words: Vec<&str> = road.split(' ').collect();
        let last = words[words.len() - 1];
        let is_kind = (words.len() > 1 && is_street_word(&plain(last))) || is_ordinal(last);
        words.len() <= 4 && are_names(&words) && (is_kind || named.is_some())
    };
    is_road(one) && is_road(other)
}

/// Whether a word is written like the number of a house: `12`, `12B`, `12-14`, `W156N8480`.
pub(crate) fn is_house_number(word: &str) -> bool {
    let word = word.trim_end_matches([',', '.']);
    let digits = word.bytes().filter(u8::is_ascii_digit).count();
    if digits == 0 || digits > 8 || word.len() > 12 {
        return false;
    }
    let starts_with_digit = word.starts_with(|c: char| c.is_ascii_digit());
    if !starts_with_digit {
        // House numbers of Wisconsin's grid.
        return digits >= 3
            && word.starts_with(['N', 'S', 'E', 'W'])
            && word.bytes().all(|b| b.is_ascii_digit() || b"NSEW".contains(&b));
    }
    let letters = word.bytes().filter(u8::is_ascii_alphabetic).count();
    let rest_is_plain =
        word.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '–' | '/' | '½' | '&' | '+'));
    rest_is_plain && letters <= 3 && !is_ordinal(word) && word.bytes().take_while(u8::is_ascii_digit).count() <= 6
}

/// `16th`, `2nd`.
pub(crate) fn is_ordinal(word: &str) -> bool {
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    let end = word.get(digits..).unwrap_or("").trim_end_matches(['.', ',']);
    digits > 0 && ["st", "nd", "rd", "th"].iter().any(|suffix| end.eq_ignore_ascii_case(suffix))
}

/// A word in lower case; short ASCII words need no allocation.
#[derive(Debug)]
pub(crate) struct Plain {
    short: [u8; PLAIN_BYTES_MAX],
    length: usize,
    long: String,
}

/// Longest word that needs no allocation, in bytes.
const PLAIN_BYTES_MAX: usize = 24;

impl Plain {
    pub(crate) fn as_str(&self) -> &str {
        if self.long.is_empty() { std::str::from_utf8(&self.short[..self.length]).unwrap_or("") } else { &self.long }
    }
}

impl std::ops::Deref for Plain {
    type Target = str;

    fn deref(&self) -> &str {
        self.as_str()
    }
}

/// A word without the points and commas at its ends, in lower case.
pub(crate) fn plain(word: &str) -> Plain {
    let word = word.trim_matches(['.', ',', '\'', '’']);
    let mut plain = Plain { short: [0; PLAIN_BYTES_MAX], length: 0, long: String::new() };
    match plain.short.get_mut(..word.len()) {
        Some(short) if word.is_ascii() => {
            short.copy_from_slice(word.as_bytes());
            short.make_ascii_lowercase();
            plain.length = word.len();
        }
        _ => plain.long = word.to_lowercase(),
    }
    plain
}

pub(crate) fn is_street_word(plain: &str) -> bool {
    STREETS.contains(plain)
}

/// Whether a word ends a street's name when no surer word follows.
pub(crate) fn is_weak_street_word(plain: &str) -> bool {
    WEAK_STREETS.contains(plain)
}

pub(crate) fn is_side_road_word(plain: &str) -> bool {
    SIDE_ROADS.contains(plain)
}

pub(crate) fn stands_before_lead(plain: &str) -> bool {
    BEFORE_LEADS.contains(plain)
}

pub(crate) fn is_bare_unit(plain: &str) -> bool {
    BARE_UNITS.contains(plain)
}

/// `512-555-0100` and nothing else, which may stand between street and town.
pub(crate) fn is_phone_alone(text: &str) -> bool {
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    (7..=15).contains(&digits) && !text.bytes().any(|b| b.is_ascii_alphabetic()) && text.len() <= 24
}

/// `1420` of `1420, Elm Street`: a number alone that is no year.
pub(crate) fn is_number_alone(text: &str) -> bool {
    let is_year = text.len() == 4 && (text.starts_with("19") || text.starts_with("20"));
    text.len() <= 5 && !is_year && text.bytes().all(|b| b.is_ascii_digit()) && is_house_number(text)
}

/// `Elm Street`: a name and a kind of street, without its number.
pub(crate) fn is_street_without_number(text: &str) -> bool {
    let last = text.rsplit(' ').next().unwrap_or("");
    let first = text.split(' ').next().unwrap_or("");
    let is_kind =
        is_street_word(&plain(last)) || matches!(plain(first).as_str(), "rue" | "boul" | "boulevard" | "chemin");
    text.contains(' ') && text.len() <= 40 && is_kind && !text.bytes().any(|b| b.is_ascii_digit())
}

pub(crate) fn is_lead_word(plain: &str) -> bool {
    LEADS.contains(plain)
}

pub(crate) fn is_unit_word(plain: &str) -> bool {
    UNITS.contains(plain)
}

pub(crate) fn is_floor_word(plain: &str) -> bool {
    FLOORS.contains(plain)
}

pub(crate) fn is_ordinal_word(plain: &str) -> bool {
    ORDINALS.contains(plain)
}

pub(crate) fn is_number_word(plain: &str) -> bool {
    NUMBERS.contains(plain)
}

/// `N`, `SW`, `N.W.`: a direction in capitals.
pub(crate) fn is_short_direction(word: &str) -> bool {
    let letters: String = word.chars().filter(|c| *c != '.' && *c != ',').collect();
    matches!(letters.as_str(), "N" | "S" | "E" | "W" | "NE" | "NW" | "SE" | "SW")
}

/// `North`, `southwest`.
pub(crate) fn is_long_direction(plain: &str) -> bool {
    matches!(plain, "north" | "south" | "east" | "west" | "northeast" | "northwest" | "southeast" | "southwest")
}

/// Whether a word may be part of a name: it starts with a capital or is a small word inside names.
pub(crate) fn is_name_word(word: &str) -> bool {
    let first = word.chars().next();
    first.is_some_and(|c| c.is_uppercase() || c == '\'' || c == '’')
        || PARTICLES.contains(word)
        || word.split_once(['\'', '’']).is_some_and(|(head, rest)| (1..=2).contains(&head.len()) && rest.len() > 2)
}

/// The name of a town in a text, when the text is nothing else: one to five words with capitals, without digits.
pub(crate) fn town(text: &str) -> Option<&str> {
    let text = text.trim_matches(|c: char| !c.is_alphanumeric() && c != '\'' && c != '’');
    let starts_well = text.chars().next().is_some_and(|c| c.is_uppercase() || c == '\'' || c == '’');
    if text.len() < 2 || text.len() > 48 || !starts_well || text.bytes().any(|b| b.is_ascii_digit()) {
        return None;
    }
    let mut words = 0;
    for word in text.split_ascii_whitespace() {
        words += 1;
        let plain = plain(word);
        if words > 5
            || !is_name_word(word)
            || NOT_NAMES.contains(plain.as_str())
            || NEVER_TOWNS.contains(plain.as_str())
        {
            return None;
        }
    }
    Some(text)
}

/// As `town`, written small throughout: `austin`, `salt lake city`. Only a street and a state make it one.
pub(crate) fn small_town(text: &str) -> Option<&str> {
    let is_small = (3..=24).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_lowercase() || b == b' ');
    let known = |word: &str| NOT_NAMES.contains(word) || NEVER_TOWNS.contains(word) || is_street_word(word);
    (is_small && !text.split(' ').any(known) && text.split(' ').count() <= 3).then_some(text)
}

/// `123 main st`, written small throughout and nothing else.
pub(crate) fn is_small_street(text: &str) -> bool {
    let mut words = text.split(' ');
    let has_number = words.next().is_some_and(|word| word.bytes().all(|b| b.is_ascii_digit()) && is_house_number(word));
    let is_small = text.len() <= 40 && !text.bytes().any(|b| b.is_ascii_uppercase());
    has_number
        && is_small
        && words.count() >= 2
        && text.rsplit(' ').next().is_some_and(|last| is_street_word(&plain(last)))
}

/// Whether a word, in lower case, is in the name of no town or street: `phone`, `open`.
pub(crate) fn is_no_name(plain: &str) -> bool {
    NOT_NAMES.contains(plain) || NEVER_TOWNS.contains(plain)
}

/// Whether every word of a text may be part of a name, and none says that it is something else.
pub(crate) fn are_names(words: &[&str]) -> bool {
    words.iter().all(|word| (is_name_word(word) || is_ordinal(word)) && !NOT_NAMES.contains(plain(word).as_str()))
}

/// `Bucks County`, `Dallas area`: not the town.
pub(crate) fn is_area(text: &str) -> bool {
    let last = text.rsplit(' ').next().unwrap_or("");
    text.contains(' ') && ["county", "area", "parish", "co."].iter().any(|word| last.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn house_numbers_are_recognised() {
        for word in ["12", "12B", "12-14", "2101", "84/92", "W156N8480", "6B", "12a"] {
            assert!(is_house_number(word), "{word}");
        }
        for word in ["", "16th", "2nd", "B", "1.5", "1,000", "A12", "123456789", "12abcd", "x1"] {
            assert!(!is_house_number(word), "{word}");
        }
    }

    #[test]
    fn towns_are_names() {
        for name in ["Austin", "New York", "King of Prussia", "St. Louis", "Coeur d'Alene", "'s-Hertogenbosch"] {
            assert_eq!(town(name), Some(name));
        }
        for text in ["in austin", "Suite 2", "Acme Inc", "Call Us", "", "a", "One Two Three Four Five Six", "Open"] {
            assert_eq!(town(text), None, "{text}");
        }
        assert_eq!(small_town("salt lake city"), Some("salt lake city"));
        assert!(small_town("call us").is_none() && small_town("Austin").is_none());
        assert!(is_small_street("123 main st") && is_small_street("9 old oak rd."));
        assert!(!is_small_street("123 Main St") && !is_small_street("3 ways to walk home") && !is_small_street("st"));
        assert!(is_field_label("ZIP Code") && is_field_label("City:") && !is_field_label("Kansas City"));
        assert!(is_building_name("Acme Tower") && !is_building_name("Tower") && !is_building_name("Acme Roofing"));
        assert!(is_crossing("between 4th and 5th") && !is_crossing("Between") && !is_crossing("Nearby Street"));
        assert!(is_corner("Corner of Main & 5th") && is_corner("Main St & 5th Ave") && is_corner("3rd and 5th"));
        assert!(!is_corner("Main & 5th") && !is_corner("Smith & Sons") && !is_corner("Corner of the room"));
        assert!(is_phone_alone("(512) 555-0100") && !is_phone_alone("12 Elm St") && !is_phone_alone("555"));
        assert!(is_number_alone("1420") && !is_number_alone("2014") && !is_number_alone("12 Elm"));
        assert!(is_street_without_number("Elm Street") && is_street_without_number("rue Sainte-Anne"));
        assert!(!is_street_without_number("Street") && !is_street_without_number("Round Rock"));
        assert!(is_area("Bucks County") && is_area("Dallas area") && !is_area("County"));
    }
}
