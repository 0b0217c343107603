//! Splits the name of a person into what forms call first and last name.
//!
//! No list knows every name. These rules aim at being right for the names people write on websites, and at never
//! making a title, a degree or half of a surname somebody's last name.

/// Characters of a name that are looked at; what stands behind them is no name any more.
const NAME_CHARS_MAX: usize = 200;

/// Stand before a name, with a dot or without.
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
/// Stand before a name when they have a dot; without one they may be names themselves.
const DOTTED_HONORIFICS: &[&str] =
    &["med", "dent", "ing", "dipl-ing", "mag", "fr", "gen", "maj", "col", "lt", "hon", "sr", "phil", "rer", "nat"];
/// Tell a father from a son.
const GENERATIONS: &[&str] = &["jr", "sr", "ii", "iii", "iv"];
/// Stand behind a name: degrees, licences, orders.
const CREDENTIALS: &[&str] = &[
    "aia", "aprn", "ba", "bs", "bsn", "cfa", "cfp", "cpa", "dc", "dds", "dmd", "dnp", "do", "dpm", "dpt", "dvm", "ea",
    "edd", "esq", "esquire", "faap", "facs", "fagd", "faia", "fnp", "jd", "lac", "lcsw", "llm", "lmft", "lmt", "lpc",
    "ma", "mba", "md", "mph", "ms", "msd", "msn", "msw", "np", "od", "otr", "pa", "pa-c", "pe", "pharmd", "phd",
    "psyd", "pt", "ra", "rdh", "rn", "slp", "vmd",
];
/// Begin a surname, however they are written.
const PARTICLES: &[&str] = &[
    "van", "von", "vom", "der", "den", "de", "del", "della", "di", "da", "dos", "das", "du", "la", "le", "los", "las",
    "el", "ter", "ten", "zu", "zur", "san", "st", "mc", "mac",
];
/// Begin a surname when they are written small.
const SMALL_PARTICLES: &[&str] = &["al", "ben", "bin", "ibn", "do", "lo", "te", "y", "e", "af", "av", "op", "'t"];
/// Stand between the names of two people.
const BETWEEN_PEOPLE: &[&str] = &["and", "&", "/", "und", "et"];

/// A person, as forms ask for one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Person {
    pub(super) first: String,
    pub(super) last: String,
}

/// Splits a name. Of several people the first is meant.
pub(super) fn split(name: &str) -> Person {
    let bounded: String = name.chars().take(NAME_CHARS_MAX).collect();
    let plain = without_nicknames(&bounded);
    let mut parts = plain.split(',').map(words);
    let head = parts.next().unwrap_or_default();
    let given = parts.next().filter(|part| !part.is_empty());
    if let Some(given) = given.filter(|given| is_turned(&head, given)) {
        return Person { first: given_names(&given), last: head.join(" ") };
    }
    of_words(first_person(&head))
}

/// Whether a comma stands between last and first name, not between name and degrees.
fn is_turned(head: &[&str], behind: &[&str]) -> bool {
    let surname = head.len() == 1 || (head.len() > 1 && head[..head.len() - 1].iter().all(|word| is_particle(word)));
    surname && !behind.iter().any(|word| is_credential(word) || is_generation(word))
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
        [first, .., _] if is_surname_start(first, words[1]) => Person { first: String::new(), last: joined(words) },
        _ => {
            let mut start = words.len() - 1;
            while start > 1 && is_particle(words[start - 1]) {
                start -= 1;
            }
            Person { first: given_names(&words[..start]), last: joined(&words[start..]) }
        }
    }
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
            (None, '(') => until = Some(')'),
            (None, '"') => until = Some('"'),
            (None, '“') => until = Some('”'),
            (None, _) => plain.push(c),
        }
    }
    // What is opened and never closed was no nickname.
    if until.is_some() { name.replace(['(', '"', '“'], " ") } else { plain }
}

#[cfg(test)]
mod tests {
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
    fn strange_names_do_no_harm() {
        check("Madonna", "Madonna", "");
        check("", "", "");
        check(" , ,, ", "", "");
        check("Dr.", "Dr.", "");
        check("&", "", "");
        check("李 小龙", "李", "小龙");
        let long = "van ".repeat(10_000);
        assert!(split(&long).last.len() <= NAME_CHARS_MAX);
    }
}
