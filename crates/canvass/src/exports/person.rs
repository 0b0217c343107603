//! Splits the name of a person into what forms call first and last name.
//!
//! No list knows every name. These rules aim at being right for the names people write on websites, and at never
//! making a title, a degree or half of a surname somebody's last name.

/// Characters of a name that are read; longer text is not a name.
const NAME_CHARS_MAX: usize = 200;

/// Titles before a name, with a dot or without.
const HONORIFICS: &[&str] = &[
    "dr",
    "dra",
    "drs",
    "mr",
    "mrs",
    "ms",
    "miss",
    "mx",
    "prof",
    "professor",
    "rev",
    "reverend",
    "pastor",
    "rabbi",
    "sir",
    "dame",
    "capt",
    "captain",
    "sgt",
    "herr",
    "frau",
    "sra",
    "srta",
    "atty",
    "attorney",
    "chef",
];
/// Titles before a name only when they have a dot; without one they may be names themselves.
const DOTTED_HONORIFICS: &[&str] =
    &["med", "dent", "ing", "dipl-ing", "mag", "fr", "gen", "maj", "col", "lt", "hon", "sr", "phil", "rer", "nat"];
/// Generational suffixes.
const GENERATIONS: &[&str] = &["jr", "sr", "ii", "iii", "iv"];
/// Post-nominals: degrees, licences, orders.
const CREDENTIALS: &[&str] = &[
    "aia", "aprn", "ba", "bs", "bsn", "cfa", "cfp", "cpa", "dc", "dds", "dmd", "dnp", "do", "dpm", "dpt", "dvm", "ea",
    "edd", "esq", "esquire", "faap", "facs", "fagd", "faia", "fnp", "jd", "lac", "lcsw", "llm", "lmft", "lmt", "lpc",
    "ma", "mba", "md", "mph", "ms", "msd", "msn", "msw", "np", "od", "otr", "pa", "pa-c", "pe", "pharmd", "phd",
    "psyd", "pt", "ra", "rdh", "rn", "slp", "vmd",
];
/// Surname particles in any case.
const PARTICLES: &[&str] = &[
    "van", "von", "vom", "der", "den", "de", "del", "della", "di", "da", "dos", "das", "du", "la", "le", "los", "las",
    "el", "ter", "ten", "zu", "zur", "san", "st", "mc", "mac",
];
/// Surname particles only in lower case.
const SMALL_PARTICLES: &[&str] = &["al", "ben", "bin", "ibn", "do", "lo", "te", "af", "av", "op", "'t"];
/// Conjunctions between two surnames of one person, in lower case.
const BETWEEN_SURNAMES: &[&str] = &["y", "e", "i"];
/// Conjunctions between the names of two people.
const BETWEEN_PEOPLE: &[&str] = &["and", "&", "/", "und", "et"];
/// Roles that may follow a single name and a comma: "Maria, Owner" is not a person called Owner Maria.
const ROLES: &[&str] = &[
    "owner",
    "co-owner",
    "founder",
    "co-founder",
    "ceo",
    "cfo",
    "coo",
    "president",
    "principal",
    "partner",
    "manager",
    "director",
    "proprietor",
    "operator",
    "dentist",
    "attorney",
    "doctor",
    "chef",
    "stylist",
    "broker",
    "realtor",
];
/// Words that mark the name of a company or a group.
const NOT_A_PERSON: &[&str] = &[
    "llc",
    "llp",
    "pllc",
    "inc",
    "incorporated",
    "corp",
    "corporation",
    "ltd",
    "limited",
    "gmbh",
    "ag",
    "kg",
    "ohg",
    "ug",
    "sarl",
    "srl",
    "bv",
    "nv",
    "plc",
    "co",
    "company",
    "companies",
    "group",
    "associates",
    "partners",
    "sons",
    "bros",
    "brothers",
    "services",
    "solutions",
    "enterprises",
    "holdings",
    "team",
    "staff",
    "family",
    "management",
    "office",
];
/// Company words that are also names or parts of names: they count only behind a name, in last place.
const LAST_ONLY: &[&str] = &["ag", "kg", "ug", "bv", "nv", "co", "sons", "bros", "family", "office"];

/// A person's name as forms ask for it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Person {
    pub(super) first: String,
    pub(super) last: String,
}

/// Splits a name. Of several people the first one counts; a company has neither a first nor a last name.
pub(super) fn split(name: &str) -> Person {
    let bounded: String = name.chars().take(NAME_CHARS_MAX).collect();
    let plain = without_nicknames(&bounded);
    if is_company(&plain) {
        return Person::default();
    }
    let mut parts = plain.split(',').map(words);
    let head = parts.next().unwrap_or_default();
    let given = parts.next().unwrap_or_default();
    let surname = without_credentials(without_honorifics(&head));
    let given = without_honorifics(&given);
    if is_turned(surname, given) {
        return Person { first: given_names(given), last: surname.join(" ") };
    }
    of_words(first_person(&head))
}

/// Whether this is the name of a company or a group.
fn is_company(name: &str) -> bool {
    let all: Vec<String> = words(name).into_iter().map(|word| bare(word.trim_matches(','))).collect();
    all.iter().enumerate().skip(1).any(|(place, word)| {
        let last = place + 1 == all.len();
        NOT_A_PERSON.contains(&word.as_str()) && (last || !LAST_ONLY.contains(&word.as_str()))
    })
}

/// Whether a comma stands between last and first name, not between name and degrees or a role.
fn is_turned(surname: &[&str], behind: &[&str]) -> bool {
    let more = |word: &&str| {
        is_credential(word) || is_generation(word) || is_honorific(word) || ROLES.contains(&bare(word).as_str())
    };
    !surname.is_empty() && !behind.is_empty() && is_one_surname(surname) && !behind.iter().any(more)
}

/// The words of the first person; of "John & Jane Smith", John Smith's.
fn first_person<'a>(words: &[&'a str]) -> Vec<&'a str> {
    let Some(place) = words.iter().position(|word| BETWEEN_PEOPLE.contains(&word.to_lowercase().as_str())) else {
        return words.to_vec();
    };
    let (first, second) = (&words[..place], &words[place + 1..]);
    let only_given = first.iter().filter(|word| !is_honorific(word)).count() == 1;
    match second {
        [_, .., _] if only_given => first.iter().copied().chain(second.last().copied()).collect(),
        _ => first.to_vec(),
    }
}

fn of_words(words: Vec<&str>) -> Person {
    let titled = words.len() - without_honorifics(&words).len();
    let words = without_credentials(without_honorifics(&words));
    let joined = |words: &[&str]| words.join(" ");
    match words {
        [] => Person::default(),
        // "Dr. Smith" is a surname; "Madonna" is what she is called.
        [only] if titled > 0 => Person { first: String::new(), last: (*only).to_owned() },
        [only] => Person { first: (*only).to_owned(), last: String::new() },
        // In these scripts the family name comes first.
        [family, given @ ..] if words.iter().all(|word| is_east_asian(word)) => {
            Person { first: joined(given), last: (*family).to_owned() }
        }
        [first, .., _] if is_surname_start(first, words[1]) => Person { first: String::new(), last: joined(words) },
        [_, between, _] if BETWEEN_SURNAMES.contains(between) => Person { first: String::new(), last: joined(words) },
        _ => {
            let start = surname_start(words);
            Person { first: given_names(&words[..start]), last: joined(&words[start..]) }
        }
    }
}

/// Where the surname begins: with the last word and the particles before it, and with the other half of a double one.
fn surname_start(words: &[&str]) -> usize {
    let mut start = words.len() - 1;
    loop {
        while start > 1 && is_particle(words[start - 1]) {
            start -= 1;
        }
        // "Ortega y Gasset" is one surname, and somebody called so has a first name, too.
        if start < 3 || !BETWEEN_SURNAMES.contains(&words[start - 1]) {
            return start;
        }
        start -= 2;
    }
}

/// Whether no word of this could be a first name: behind one, all of it would be the surname.
fn is_one_surname(words: &[&str]) -> bool {
    let behind_a_name: Vec<&str> = std::iter::once("").chain(words.iter().copied()).collect();
    surname_start(&behind_a_name) == 1
}

/// "van der Berg" has no first name; "Van Morrison" and "Al Gore" have.
fn is_surname_start(first: &str, second: &str) -> bool {
    let small = first.chars().all(|c| !c.is_uppercase());
    is_particle(first) && (small || is_particle(second))
}

fn without_honorifics<'a, 'b>(mut words: &'b [&'a str]) -> &'b [&'a str] {
    while let [first, rest @ ..] = words
        && !rest.is_empty()
        && is_honorific(first)
    {
        words = rest;
    }
    words
}

fn without_credentials<'a, 'b>(mut words: &'b [&'a str]) -> &'b [&'a str] {
    let shouted = words.iter().all(|word| is_capital(word));
    while let [rest @ .., last] = words
        && !rest.is_empty()
    {
        // "Kim Do" and "Yo-Yo Ma" end in names that look like degrees.
        let short = bare(last).len() < 3;
        let degree = is_credential(last) && (!short || (rest.len() > 1 && !shouted));
        if !degree && !is_generation(last) {
            break;
        }
        words = rest;
    }
    words
}

/// Given names without the initials between them and the surname.
fn given_names(words: &[&str]) -> String {
    let initial = |word: &str| word.trim_end_matches('.').chars().count() == 1;
    let whole: Vec<&str> = words.iter().copied().filter(|word| !initial(word)).collect();
    if whole.is_empty() { words.join(" ") } else { whole.join(" ") }
}

fn is_honorific(word: &str) -> bool {
    let bare = bare(word);
    HONORIFICS.contains(&bare.as_str()) || (word.ends_with('.') && DOTTED_HONORIFICS.contains(&bare.as_str()))
}

fn is_credential(word: &str) -> bool {
    let bare = bare(word);
    CREDENTIALS.contains(&bare.as_str()) && (bare.len() > 2 || is_capital(word))
}

fn is_generation(word: &str) -> bool {
    GENERATIONS.contains(&bare(word).as_str())
}

fn is_particle(word: &str) -> bool {
    let bare = bare(word);
    let small = word.chars().all(|c| !c.is_uppercase());
    PARTICLES.contains(&bare.as_str()) || (small && SMALL_PARTICLES.contains(&bare.as_str()))
}

/// Whether a word is written in Chinese characters, Kana or Hangul alone.
fn is_east_asian(word: &str) -> bool {
    let east =
        |c| matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}' | '々' | '〆');
    word.chars().all(east)
}

fn is_capital(word: &str) -> bool {
    word.chars().all(|c| !c.is_lowercase())
}

/// A word in lower case without dots: "Ph.D." is "phd".
fn bare(word: &str) -> String {
    word.chars().filter(|c| *c != '.').flat_map(char::to_lowercase).collect()
}

fn words(text: &str) -> Vec<&str> {
    text.split_whitespace().collect()
}

/// The name without what stands in brackets or quotes: Robert "Bob" Smith, Robert (Bob) Smith.
fn without_nicknames(name: &str) -> String {
    let mut plain = String::with_capacity(name.len());
    let mut until = None;
    for c in name.chars().map(|c| if c.is_control() { ' ' } else { c }) {
        match (until, c) {
            (Some(end), _) if c == end => until = None,
            (Some(_), _) => {}
            (None, '(' | '"' | '“') => {
                until = Some(match c {
                    '(' => ')',
                    '“' => '”',
                    quote => quote,
                });
                plain.push(' ');
            }
            (None, _) => plain.push(c),
        }
    }
    // A bracket or quote that is never closed does not start a nickname.
    if until.is_some() { name.replace(|c: char| c.is_control() || "(\"“".contains(c), " ") } else { plain }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(name: &str, first: &str, last: &str) {
        assert_eq!(split(name), Person { first: first.into(), last: last.into() }, "{name:?}");
    }

    #[test]
    fn titles_and_degrees_are_no_names() {
        check("Dr. Maria del Carmen Ruiz-Lopez, DDS", "Maria del Carmen", "Ruiz-Lopez");
        check("Jane Smith", "Jane", "Smith");
        check("Jane Smith DDS", "Jane", "Smith");
        check("Jane Smith, D.D.S., M.S.", "Jane", "Smith");
        check("Jane Smith, Owner", "Jane", "Smith");
        check("Prof. Dr. med. dent. Jürgen Groß", "Jürgen", "Groß");
        check("Robert Brown Ph.D.", "Robert", "Brown");
        check("Mrs. Ann Lee", "Ann", "Lee");
        check("Dr. Smith", "", "Smith");
        check("Kim Do", "Kim", "Do");
        check("Yo-Yo Ma", "Yo-Yo", "Ma");
        check("THANH VAN DO", "THANH", "VAN DO");
    }

    #[test]
    fn sons_keep_their_fathers_names() {
        check("John Smith Jr.", "John", "Smith");
        check("John Smith, Jr.", "John", "Smith");
        check("Smith, Jr.", "Smith", "");
        check("Henry Adams III", "Henry", "Adams");
    }

    #[test]
    fn surnames_of_several_words_stay_whole() {
        check("Jan van der Berg", "Jan", "van der Berg");
        check("van der Berg", "", "van der Berg");
        check("Van Der Berg", "", "Van Der Berg");
        check("van der Berg, Jan", "Jan", "van der Berg");
        check("Juan de la Cruz", "Juan", "de la Cruz");
        check("Robert De Niro", "Robert", "De Niro");
        check("Van Morrison", "Van", "Morrison");
        check("Al Gore", "Al", "Gore");
        check("La Toya Jackson", "La Toya", "Jackson");
        check("Shaun O'Neil", "Shaun", "O'Neil");
        check("O'Neil", "O'Neil", "");
        check("Smith, Jane Q.", "Jane", "Smith");
    }

    #[test]
    fn initials_nicknames_and_second_people_are_left_out() {
        check("John Q. Public", "John", "Public");
        check("J. R. Smith", "J. R.", "Smith");
        check("Mary Ann Smith", "Mary Ann", "Smith");
        check("Robert \"Bob\" Jones", "Robert", "Jones");
        check("Robert (Bob Jones", "Robert Bob", "Jones");
        check("John & Jane Smith", "John", "Smith");
        check("John Smith and Jane Doe", "John", "Smith");
    }

    #[test]
    fn commas_turn_names_and_only_names() {
        check("Smith, Dr. John, MD", "John", "Smith");
        check("Dr. Smith, John", "John", "Smith");
        check("Smith Jr., John", "John", "Smith");
        check("Maria, Owner", "Maria", "");
        check("Madonna, Founder & CEO", "Madonna", "");
        check("John Smith, Jr., DDS", "John", "Smith");
        check("de la Cruz, Ana Maria", "Ana Maria", "de la Cruz");
    }

    #[test]
    fn names_of_many_countries_keep_their_parts() {
        check("Ludwig van der Berg Jr.", "Ludwig", "van der Berg");
        check("José Ortega y Gasset", "José", "Ortega y Gasset");
        check("Ana de la Cruz y de Ortega", "Ana", "de la Cruz y de Ortega");
        check("Maria Silva e Souza", "Maria", "Silva e Souza");
        check("Ortega y Gasset", "", "Ortega y Gasset");
        check("Muhammad ibn Abdullah al-Rashid", "Muhammad ibn Abdullah", "al-Rashid");
        check("Jill St. John", "Jill", "St. John");
        check("Siobhán Ní Bhriain", "Siobhán Ní", "Bhriain");
        check("Müller-Lüdenscheidt, Karl-Heinz", "Karl-Heinz", "Müller-Lüdenscheidt");
        check("Đặng Thị Hạnh", "Đặng Thị", "Hạnh");
        check("Σωκράτης Παπαδόπουλος", "Σωκράτης", "Παπαδόπουλος");
        check("Иван Петров", "Иван", "Петров");
        check("李 小龙", "小龙", "李");
        check("山田 太郎", "太郎", "山田");
        check("김 민수", "민수", "김");
        check("李小龙", "李小龙", "");
        check("محمد علي", "محمد", "علي");
    }

    #[test]
    fn companies_are_nobodys_names() {
        for name in [
            "Acme Plumbing LLC",
            "Acme Plumbing, L.L.C.",
            "Smith & Sons",
            "Smith Brothers Roofing",
            "Müller GmbH",
            "Joe's Services Inc.",
            "The Smith Family",
            "Smith & Co.",
            "Jones Dental Group",
            "Our Team",
        ] {
            check(name, "", "");
        }
        check("Group", "Group", "");
        check("Co Nguyen", "Co", "Nguyen");
        check("Thanh Co Nguyen", "Thanh Co", "Nguyen");
    }

    #[test]
    fn strange_names_do_no_harm() {
        check("Madonna", "Madonna", "");
        check("", "", "");
        check(" , ,, ", "", "");
        check("Dr.", "Dr.", "");
        check("&", "", "");
        check("y", "y", "");
        check("de", "de", "");
        check("Dr. , DDS", "Dr.", "");
        check("🦷 Jane 🦷 Doe", "Jane", "Doe");
        let long = "van ".repeat(10_000);
        assert!(split(&long).last.len() <= NAME_CHARS_MAX);
    }

    /// One of these.
    fn one(of: &'static [&'static str]) -> impl Strategy<Value = &'static str> {
        proptest::sample::select(of)
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn whatever_stands_around_a_name_it_is_split_alike(
            title in one(&["", "Dr. ", "Mrs. ", "Prof. Dr. ", "Rev. "]),
            first in one(&["Jane", "Mary Ann", "Jean-Luc", "Zoë", "D'Arcy", "Иван"]),
            initial in one(&["", " Q.", " J"]),
            last in one(&["Smith", "O'Neil", "Ruiz-Lopez", "van der Berg", "de la Cruz", "Ortega y Gasset", "Петров"]),
            behind in one(&["", ", DDS", " Jr.", ", Jr., M.D.", " III, CPA, MBA", ", Owner", " Ph.D."]),
        ) {
            let expected = Person { first: first.into(), last: last.into() };
            prop_assert_eq!(&split(&format!("{title}{first}{initial} {last}{behind}")), &expected);
            // Turned around, as registers write it.
            prop_assert_eq!(&split(&format!("{last}, {title}{first}{initial}")), &expected);
        }

        #[test]
        fn nothing_is_made_up_and_nothing_breaks(name in ".{0,300}|([A-Za-z.&,/()\"'y ]|van|Dr|DDS|李){0,80}") {
            let person = split(&name);
            for part in [&person.first, &person.last] {
                prop_assert_eq!(part.trim(), part.as_str());
                prop_assert!(!part.contains(char::is_control) && !part.contains(','), "{:?}", part);
                let known = name.replace(|c: char| c.is_control() || "(\"“".contains(c), " ");
                prop_assert!(part.split(' ').all(|word| known.contains(word)), "{:?} of {:?}", part, name);
            }
        }
    }
}
