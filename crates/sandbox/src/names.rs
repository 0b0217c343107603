//! Names of businesses: after their owners, towns, landmarks or services, or a pun.

use places::Category;

use crate::code::trade_key;
use crate::lang::Lang;
use crate::people::Person;
use crate::random::Random;
use crate::words;

/// Bytes of a slug; together with its code it must fit a DNS label of 63 bytes.
const SLUG_BYTES_MAX: usize = 40;

/// Chains per trade.
const BRANDS: usize = 3;

/// Suffix replacements that turn the name of a trade into that of a business.
const ENDINGS: [(&str, &str); 9] = [
    (" contractor", " Contractors"),
    (" installer", " Installation"),
    (" company", ""),
    (" service", " Services"),
    (" cleaner", " Cleaning"),
    (" dealer", " Dealers"),
    (" lawyer", " Law"),
    (" agent", " Agency"),
    (" organization", ""),
];

/// Inputs of a name.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NameInputs<'m> {
    pub(crate) owner: Person,
    pub(crate) town: &'m str,
    pub(crate) category: &'static Category,
    pub(crate) lang: Lang,
}

/// A chain of the trade; its few brands are the same in every town.
pub(crate) fn brand(random: &mut Random, inputs: &NameInputs<'_>) -> String {
    let prefixes = words::section("brand");
    let first = usize::from(trade_key(inputs.category)) + random.below(BRANDS);
    let prefix = prefixes.get(first % prefixes.len().max(1)).copied().unwrap_or_default();
    let nouns = words::list(inputs.lang, &format!("noun.{}", inputs.category.slug));
    let noun = nouns.first().map_or_else(|| trade_name(inputs.category.name), |noun| (*noun).to_owned());
    format!("{prefix} {noun}")
}

/// The name of an independent business.
pub(crate) fn draw(random: &mut Random, inputs: &NameInputs<'_>) -> String {
    match inputs.lang {
        Lang::English => english(random, inputs),
        Lang::German => german(random, inputs),
        Lang::Spanish | Lang::French => romance(random, inputs),
    }
}

fn english(random: &mut Random, inputs: &NameInputs<'_>) -> String {
    let NameInputs { owner, town, lang, .. } = *inputs;
    let noun = noun(random, inputs);
    match random.below(16) {
        0..=3 => format!("{} {noun}", owner.last),
        4 | 5 => format!("{}{} {noun}", owner.first, if owner.first.ends_with('s') { "'" } else { "'s" }),
        6 | 7 => format!("{town} {noun}"),
        8 | 9 => format!("{} {noun}", words::draw(random, lang, "landmark")),
        10 | 11 => format!("{} {noun}", words::draw(random, lang, "adjective")),
        12 => format!("{} & Sons {noun}", owner.last),
        13 => format!("{} & {} {noun}", owner.last, Person::draw(random, lang).last),
        14 => format!("{noun} of {town}"),
        _ => pun(random, inputs).unwrap_or_else(|| format!("{} Brothers {noun}", owner.last)),
    }
}

fn german(random: &mut Random, inputs: &NameInputs<'_>) -> String {
    let NameInputs { owner, town, .. } = *inputs;
    let noun = noun(random, inputs);
    match random.below(8) {
        0..=3 => format!("{noun} {}", owner.last),
        4 => format!("{noun} {} GmbH", owner.last),
        5 => format!("{noun} am Markt"),
        6 => format!("{noun} {town}"),
        _ => format!("{noun} {} & {}", owner.last, Person::draw(random, inputs.lang).last),
    }
}

fn romance(random: &mut Random, inputs: &NameInputs<'_>) -> String {
    let NameInputs { owner, town, lang, .. } = *inputs;
    let noun = noun(random, inputs);
    let and_family = if lang == Lang::French { "et Fils" } else { "e Hijos" };
    match random.below(6) {
        0..=2 => format!("{noun} {}", owner.last),
        3 => format!("{noun} {} {and_family}", owner.last),
        4 if lang == Lang::French => format!("{noun} du Centre"),
        4 => format!("{noun} El Sol"),
        _ => format!("{noun} {town}"),
    }
}

/// `Plumbing & Drain`, `Zahnarztpraxis`; otherwise the trade's own name.
fn noun(random: &mut Random, inputs: &NameInputs<'_>) -> String {
    let nouns = words::list(inputs.lang, &format!("noun.{}", inputs.category.slug));
    match nouns.get(random.below(nouns.len())) {
        Some(noun) => (*noun).to_owned(),
        None => trade_name(inputs.category.name),
    }
}

fn pun(random: &mut Random, inputs: &NameInputs<'_>) -> Option<String> {
    let of = |name: &str| words::list(inputs.lang, &format!("pun.{name}"));
    let own = of(inputs.category.slug);
    let puns = if own.is_empty() { of(inputs.category.group) } else { own };
    puns.get(random.below(puns.len())).map(|pun| (*pun).to_owned())
}

/// The name of a trade as part of a business name: `Tree service` becomes `Tree Services`.
fn trade_name(trade: &str) -> String {
    let ending = ENDINGS.iter().find_map(|(old, new)| trade.strip_suffix(old).map(|start| (start, *new)));
    let (start, end) = ending.unwrap_or((trade, ""));
    format!("{}{end}", capitalised(start))
}

/// Capitalises every word.
fn capitalised(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut begins = true;
    for letter in text.chars() {
        if begins {
            out.extend(letter.to_uppercase());
        } else {
            out.push(letter);
        }
        begins = letter == ' ' || letter == '-';
    }
    out
}

/// A name in the form of a DNS label: `Müller & Söhne` becomes `mueller-soehne`.
pub(crate) fn slug(name: &str) -> String {
    let mut slug = String::with_capacity(name.len());
    for letter in name.chars() {
        match letter {
            _ if slug.len() >= SLUG_BYTES_MAX => break,
            '\'' | '’' | '.' => {}
            letter if letter.is_ascii_alphanumeric() => slug.push(letter.to_ascii_lowercase()),
            letter => match plain(letter) {
                Some(plain) => slug.push_str(plain),
                None if slug.ends_with('-') || slug.is_empty() => {}
                None => slug.push('-'),
            },
        }
    }
    slug.truncate(SLUG_BYTES_MAX);
    let end = slug.trim_end_matches('-').len();
    slug.truncate(end);
    if slug.is_empty() { "business".to_owned() } else { slug }
}

/// The ASCII letters for an accented one.
fn plain(letter: char) -> Option<&'static str> {
    Some(match letter {
        'ä' | 'Ä' => "ae",
        'ö' | 'Ö' => "oe",
        'ü' | 'Ü' => "ue",
        'ß' => "ss",
        'á' | 'à' | 'â' | 'ã' | 'å' | 'Á' | 'À' | 'Â' | 'ă' | 'ā' => "a",
        'é' | 'è' | 'ê' | 'ë' | 'É' | 'È' | 'Ê' | 'ě' | 'ę' | 'ē' => "e",
        'í' | 'ì' | 'î' | 'ï' | 'Í' | 'Î' | 'ī' => "i",
        'ó' | 'ò' | 'ô' | 'õ' | 'ø' | 'Ó' | 'Ô' | 'ō' | 'ő' => "o",
        'ú' | 'ù' | 'û' | 'Ú' | 'ū' | 'ű' => "u",
        'ñ' | 'Ñ' | 'ń' => "n",
        'ç' | 'Ç' | 'ć' | 'č' => "c",
        'ş' | 'š' | 'Š' | 'ś' => "s",
        'ž' | 'ź' | 'ż' => "z",
        'ł' | 'Ł' => "l",
        'ğ' => "g",
        'ý' => "y",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slugs_fit_host_names() {
        assert_eq!(slug("Joe's Plumbing & Drain"), "joes-plumbing-drain");
        assert_eq!(slug("Müller & Söhne GmbH"), "mueller-soehne-gmbh");
        assert_eq!(slug("Café Zoë"), "cafe-zoe");
        assert_eq!(slug("北京"), "business");
        assert_eq!(slug("--- A-1 ---"), "a-1");
        let long = slug(&"Über ".repeat(40));
        assert!(long.len() <= SLUG_BYTES_MAX && !long.ends_with('-'), "{long}");
    }

    #[test]
    fn trade_names_are_capitalised() {
        assert_eq!(trade_name("Tree service"), "Tree Services");
        assert_eq!(trade_name("Pest control company"), "Pest Control");
        assert_eq!(trade_name("Yoga studio"), "Yoga Studio");
        assert_eq!(capitalised("écran plat"), "Écran Plat");
    }
}
