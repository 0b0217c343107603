//! States, provinces and countries, with the postal codes that belong to them.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

/// A state, province or territory whose two or three letters stand before or after a postal code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct State {
    /// Such as `TX`, `ON` or `NSW`.
    pub(crate) code: &'static str,
    /// In lower case.
    name: &'static str,
    /// Two-letter code of the country.
    pub(crate) country: &'static str,
    /// Ranges of postal codes: the first three digits in the US, two in Brazil and India, four in Australia, first letters in
    /// Canada.
    codes: &'static str,
}

/// Code, name and postal codes of every state, one per line.
const UNITED_STATES: &str = "\
AL|alabama|350-369
AK|alaska|995-999
AZ|arizona|850-865
AR|arkansas|716-729 755-755
CA|california|900-961
CO|colorado|800-816
CT|connecticut|060-069
DE|delaware|197-199
DC|district of columbia|200-205 569-569
FL|florida|320-349
GA|georgia|300-319 398-399
HI|hawaii|967-968
ID|idaho|832-838
IL|illinois|600-629
IN|indiana|460-479
IA|iowa|500-528
KS|kansas|660-679
KY|kentucky|400-427
LA|louisiana|700-714
ME|maine|039-049
MD|maryland|206-219
MA|massachusetts|010-027 055-055
MI|michigan|480-499
MN|minnesota|550-567
MS|mississippi|386-397
MO|missouri|630-658
MT|montana|590-599
NE|nebraska|680-693
NV|nevada|889-898
NH|new hampshire|030-038
NJ|new jersey|070-089
NM|new mexico|870-884
NY|new york|100-149 005-005 063-063
NC|north carolina|270-289
ND|north dakota|580-588
OH|ohio|430-459
OK|oklahoma|730-749
OR|oregon|970-979
PA|pennsylvania|150-196
RI|rhode island|028-029
SC|south carolina|290-299
SD|south dakota|570-577
TN|tennessee|370-385
TX|texas|750-799 885-885 733-733
UT|utah|840-847
VT|vermont|050-059
VA|virginia|220-246 201-201
WA|washington|980-994
WV|west virginia|247-268
WI|wisconsin|530-549
WY|wyoming|820-831 834-834
PR|puerto rico|006-009
VI|virgin islands|008-008
GU|guam|969-969
AS|american samoa|967-967
MP|northern mariana islands|969-969
AA|armed forces americas|340-340
AE|armed forces europe|090-098
AP|armed forces pacific|962-966
CA|calif|900-961
FL|fla|320-349
TX|tex|750-799
MA|mass|010-027
MN|minn|550-567
MI|mich|480-499
CT|conn|060-069
WA|wash|980-994
PA|penn|150-196
CO|colo|800-816
AZ|ariz|850-865
TN|tenn|370-385
WI|wis|530-549
OR|ore|970-979
IL|ill|600-629";

const CANADA: &str = "\
AB|alberta|T
BC|british columbia|V
MB|manitoba|R
NB|new brunswick|E
NL|newfoundland and labrador|A
NL|newfoundland|A
NS|nova scotia|B
NT|northwest territories|X
NU|nunavut|X
ON|ontario|KLMNP
PE|prince edward island|C
QC|quebec|GHJ
QC|québec|GHJ
SK|saskatchewan|S
YT|yukon|Y";

const AUSTRALIA: &str = "\
NSW|new south wales|1000-2599 2619-2899 2921-2999
ACT|australian capital territory|0200-0299 2600-2618 2900-2920
VIC|victoria|3000-3999 8000-8999
QLD|queensland|4000-4999 9000-9999
SA|south australia|5000-5999
WA|western australia|6000-6999
TAS|tasmania|7000-7999
NT|northern territory|0800-0999";

const BRAZIL: &str = "\
AC|acre|69-69
AL|alagoas|57-57
AP|amapá|68-68
AM|amazonas|69-69
BA|bahia|40-48
CE|ceará|60-63
DF|distrito federal|70-73
ES|espírito santo|29-29
GO|goiás|72-76
MA|maranhão|65-65
MT|mato grosso|78-78
MS|mato grosso do sul|79-79
MG|minas gerais|30-39
PA|pará|66-68
PB|paraíba|58-58
PR|paraná|80-87
PE|pernambuco|50-56
PI|piauí|64-64
RJ|rio de janeiro|20-28
RN|rio grande do norte|59-59
RS|rio grande do sul|90-99
RO|rondônia|76-76
RR|roraima|69-69
SC|santa catarina|88-89
SP|são paulo|01-19
SE|sergipe|49-49
TO|tocantins|77-77";

const INDIA: &str = "\
AN|andaman and nicobar islands|74-74
AP|andhra pradesh|50-53
AR|arunachal pradesh|79-79
AS|assam|78-78
BR|bihar|80-85
CH|chandigarh|16-16
CG|chhattisgarh|49-49
DL|delhi|11-11
DL|new delhi|11-11
GA|goa|40-40
GJ|gujarat|36-39
HR|haryana|12-13
HP|himachal pradesh|17-17
JK|jammu and kashmir|18-19
JH|jharkhand|81-83
KA|karnataka|56-59
KL|kerala|67-69
MP|madhya pradesh|45-48
MH|maharashtra|40-44
ML|meghalaya|79-79
OD|odisha|75-77
PY|puducherry|60-60
PB|punjab|14-16
RJ|rajasthan|30-34
SK|sikkim|73-73
TN|tamil nadu|60-64
TS|telangana|50-50
UP|uttar pradesh|20-28
UK|uttarakhand|24-26
WB|west bengal|70-74";

static STATES: LazyLock<Vec<State>> = LazyLock::new(|| {
    let tables = [("US", UNITED_STATES), ("CA", CANADA), ("AU", AUSTRALIA), ("BR", BRAZIL), ("IN", INDIA)];
    tables.into_iter().flat_map(|(country, table)| table.lines().filter_map(move |line| row(line, country))).collect()
});

fn row(line: &'static str, country: &'static str) -> Option<State> {
    let mut parts = line.split('|');
    Some(State { code: parts.next()?, name: parts.next()?, country, codes: parts.next()? })
}

/// States by code and by name, each with its country.
static BY_WORD: LazyLock<FxHashMap<(&'static str, &'static str), usize>> = LazyLock::new(|| {
    let mut places = FxHashMap::default();
    for (index, state) in STATES.iter().enumerate() {
        places.entry((state.country, state.code)).or_insert(index);
        places.entry((state.country, state.name)).or_insert(index);
    }
    places
});

impl State {
    /// The state of `country` with this code in capitals, or this name in lower case.
    pub(crate) fn of(word: &str, country: &'static str) -> Option<State> {
        BY_WORD.get(&(country, word)).and_then(|index| STATES.get(*index)).copied()
    }

    /// The state with this code or name in any case, with or without points.
    pub(crate) fn named(word: &str, country: &'static str) -> Option<State> {
        let word: String = word.chars().filter(|c| *c != '.').collect();
        let word = word.trim();
        State::of(&word.to_ascii_uppercase(), country).or_else(|| State::of(&word.to_lowercase(), country))
    }

    /// The state whose range contains a postal code.
    pub(crate) fn of_code(code: &str, country: &str) -> Option<State> {
        STATES.iter().find(|state| state.country == country && state.fits(code)).copied()
    }

    /// Whether a postal code belongs to the state.
    pub(crate) fn fits(&self, code: &str) -> bool {
        match self.country {
            "CA" => code.chars().next().is_some_and(|first| self.codes.contains(first.to_ascii_uppercase())),
            "US" => within(self.codes, code.get(..3)),
            "BR" | "IN" => within(self.codes, code.get(..2)),
            _ => within(self.codes, Some(code)),
        }
    }
}

/// Whether a number of fixed width lies in one of the ranges.
fn within(ranges: &str, number: Option<&str>) -> bool {
    number.is_some_and(|number| {
        let mut ranges = ranges.split(' ').filter_map(|range| range.split_once('-'));
        ranges.any(|(low, high)| (low..=high).contains(&number))
    })
}

/// Names of countries in lower case, in English and in their own languages.
const COUNTRIES: &[(&str, &str)] = &[
    ("usa", "US"),
    ("u.s.a.", "US"),
    ("u.s.a", "US"),
    ("u.s.", "US"),
    ("us", "US"),
    ("united states", "US"),
    ("united states of america", "US"),
    ("canada", "CA"),
    ("australia", "AU"),
    ("new zealand", "NZ"),
    ("nz", "NZ"),
    ("united kingdom", "GB"),
    ("uk", "GB"),
    ("u.k.", "GB"),
    ("gb", "GB"),
    ("great britain", "GB"),
    ("england", "GB"),
    ("scotland", "GB"),
    ("wales", "GB"),
    ("northern ireland", "GB"),
    ("ireland", "IE"),
    ("germany", "DE"),
    ("deutschland", "DE"),
    ("austria", "AT"),
    ("österreich", "AT"),
    ("switzerland", "CH"),
    ("schweiz", "CH"),
    ("suisse", "CH"),
    ("svizzera", "CH"),
    ("france", "FR"),
    ("belgium", "BE"),
    ("belgië", "BE"),
    ("belgique", "BE"),
    ("luxembourg", "LU"),
    ("netherlands", "NL"),
    ("the netherlands", "NL"),
    ("nederland", "NL"),
    ("holland", "NL"),
    ("italy", "IT"),
    ("italia", "IT"),
    ("spain", "ES"),
    ("españa", "ES"),
    ("portugal", "PT"),
    ("denmark", "DK"),
    ("danmark", "DK"),
    ("sweden", "SE"),
    ("sverige", "SE"),
    ("norway", "NO"),
    ("norge", "NO"),
    ("finland", "FI"),
    ("suomi", "FI"),
    ("poland", "PL"),
    ("polska", "PL"),
    ("czech republic", "CZ"),
    ("czechia", "CZ"),
    ("česká republika", "CZ"),
    ("slovakia", "SK"),
    ("slovensko", "SK"),
    ("hungary", "HU"),
    ("slovenia", "SI"),
    ("croatia", "HR"),
    ("romania", "RO"),
    ("greece", "GR"),
    ("estonia", "EE"),
    ("india", "IN"),
    ("mexico", "MX"),
    ("méxico", "MX"),
    ("singapore", "SG"),
    ("south africa", "ZA"),
    ("japan", "JP"),
    ("brazil", "BR"),
    ("brasil", "BR"),
    ("malaysia", "MY"),
    ("hong kong", "HK"),
    ("philippines", "PH"),
    ("turkey", "TR"),
    ("israel", "IL"),
];

static COUNTRY_OF: LazyLock<FxHashMap<&'static str, &'static str>> =
    LazyLock::new(|| COUNTRIES.iter().copied().collect());
/// Longest country name that is looked up, in bytes.
const COUNTRY_BYTES_MAX: usize = 26;

/// The two-letter code of a country's name, in any case.
pub(crate) fn country_named(name: &str) -> Option<&'static str> {
    let name = name.trim().trim_end_matches([',', ';']);
    if name.is_empty() || name.len() > COUNTRY_BYTES_MAX {
        return None;
    }
    let lower = name.to_lowercase();
    COUNTRY_OF.get(lower.as_str()).or_else(|| COUNTRY_OF.get(lower.trim_end_matches('.'))).copied()
}

/// The country that a name or a two-letter code in structured data means.
pub(crate) fn country_of_field(field: &str) -> Option<String> {
    let field = field.trim();
    if let Some(code) = country_named(field) {
        return Some(code.to_owned());
    }
    let is_code = field.len() == 2 && field.bytes().all(|b| b.is_ascii_alphabetic());
    is_code.then(|| field.to_ascii_uppercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn postal_codes_belong_to_their_states() {
        for (word, country, code, fits) in [
            ("TX", "US", "78701", true),
            ("TX", "US", "97201", false),
            ("OR", "US", "97201", true),
            ("OH", "US", "43616", true),
            ("ny", "US", "06390", true),
            ("N.Y.", "US", "10001-1234", true),
            ("New York", "US", "10001", true),
            ("Calif.", "US", "90001", true),
            ("ON", "CA", "k1a 0b6", true),
            ("BC", "CA", "K1A 0B6", false),
            ("NSW", "AU", "2000", true),
            ("ACT", "AU", "1988", false),
            ("VIC", "AU", "2000", false),
        ] {
            let state = State::named(word, country).unwrap();
            assert_eq!(state.fits(code), fits, "{word} {code}");
        }
        assert_eq!(State::named("XX", "US"), None);
        assert_eq!(State::of_code("62701", "US").map(|state| state.code), Some("IL"));
    }

    #[test]
    fn countries_have_many_names() {
        for (name, code) in [("USA", "US"), ("U.S.A.", "US"), ("Österreich", "AT"), ("united Kingdom,", "GB")] {
            assert_eq!(country_named(name), Some(code), "{name}");
        }
        assert_eq!(country_named("Paris"), None);
        assert_eq!(country_of_field("de").as_deref(), Some("DE"));
        assert_eq!(country_of_field("Nowhere"), None);
    }
}
