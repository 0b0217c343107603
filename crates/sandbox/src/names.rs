//! What businesses are called: after their owners, their towns, landmarks, what they do, or a play on words.

use places::Category;

use crate::chance::Chance;
use crate::code::trade_key;
use crate::lang::Lang;
use crate::people::Person;
use crate::words;

/// Bytes of a slug; with its code it must fit the 63 of a host name's label.
const SLUG_BYTES_MAX: usize = 40;

/// Chains of one trade.
const BRANDS: usize = 3;

/// How names of trades are turned into names of businesses: what ends like this, ends like that.
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

/// What goes into a name.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Makings<'m> {
    pub(crate) owner: Person,
    pub(crate) town: &'m str,
    pub(crate) category: &'static Category,
    pub(crate) lang: Lang,
}

/// A chain of the trade: its few brands are the same in every town.
pub(crate) fn brand(chance: &mut Chance, makings: &Makings<'_>) -> String {
    let prefixes = words::section("brand");
    let first = usize::from(trade_key(makings.category)) + chance.below(BRANDS);
    let prefix = prefixes.get(first % prefixes.len().max(1)).copied().unwrap_or_default();
    let nouns = words::list(makings.lang, &format!("noun.{}", makings.category.slug));
    let noun = nouns.first().map_or_else(|| over_the_door(makings.category.name), |noun| (*noun).to_owned());
    format!("{prefix} {noun}")
}

/// The name of an independent business.
pub(crate) fn draw(chance: &mut Chance, makings: &Makings<'_>) -> String {
    match makings.lang {
        Lang::English => english(chance, makings),
        Lang::German => german(chance, makings),
        Lang::Spanish | Lang::French => romance(chance, makings),
    }
}

fn english(chance: &mut Chance, makings: &Makings<'_>) -> String {
    let Makings { owner, town, lang, .. } = *makings;
    let noun = noun(chance, makings);
    match chance.below(16) {
        0..=3 => format!("{} {noun}", owner.last),
        4 | 5 => format!("{}{} {noun}", owner.first, if owner.first.ends_with('s') { "'" } else { "'s" }),
        6 | 7 => format!("{town} {noun}"),
        8 | 9 => format!("{} {noun}", words::draw(chance, lang, "landmark")),
        10 | 11 => format!("{} {noun}", words::draw(chance, lang, "adjective")),
        12 => format!("{} & Sons {noun}", owner.last),
        13 => format!("{} & {} {noun}", owner.last, Person::draw(chance, lang).last),
        14 => format!("{noun} of {town}"),
        _ => pun(chance, makings).unwrap_or_else(|| format!("{} Brothers {noun}", owner.last)),
    }
}

fn german(chance: &mut Chance, makings: &Makings<'_>) -> String {
    let Makings { owner, town, .. } = *makings;
    let noun = noun(chance, makings);
    match chance.below(8) {
        0..=3 => format!("{noun} {}", owner.last),
        4 => format!("{noun} {} GmbH", owner.last),
        5 => format!("{noun} am Markt"),
        6 => format!("{noun} {town}"),
        _ => format!("{noun} {} & {}", owner.last, Person::draw(chance, makings.lang).last),
    }
}

fn romance(chance: &mut Chance, makings: &Makings<'_>) -> String {
    let Makings { owner, town, lang, .. } = *makings;
    let noun = noun(chance, makings);
    let and_family = if lang == Lang::French { "et Fils" } else { "e Hijos" };
    match chance.below(6) {
        0..=2 => format!("{noun} {}", owner.last),
        3 => format!("{noun} {} {and_family}", owner.last),
        4 if lang == Lang::French => format!("{noun} du Centre"),
        4 => format!("{noun} El Sol"),
        _ => format!("{noun} {town}"),
    }
}

/// `Plumbing & Drain`, `Zahnarztpraxis`; else the trade's own name.
fn noun(chance: &mut Chance, makings: &Makings<'_>) -> String {
    let nouns = words::list(makings.lang, &format!("noun.{}", makings.category.slug));
    match nouns.get(chance.below(nouns.len())) {
        Some(noun) => (*noun).to_owned(),
        None => over_the_door(makings.category.name),
    }
}

fn pun(chance: &mut Chance, makings: &Makings<'_>) -> Option<String> {
    let of = |name: &str| words::list(makings.lang, &format!("pun.{name}"));
    let own = of(makings.category.slug);
    let puns = if own.is_empty() { of(makings.category.group) } else { own };
    puns.get(chance.below(puns.len())).map(|pun| (*pun).to_owned())
}

/// The name of a trade as it stands over a door: `Tree service` becomes `Tree Services`.
fn over_the_door(trade: &str) -> String {
    let ending = ENDINGS.iter().find_map(|(old, new)| trade.strip_suffix(old).map(|start| (start, *new)));
    let (start, end) = ending.unwrap_or((trade, ""));
    format!("{}{end}", in_capitals(start))
}

/// Every word with a capital.
fn in_capitals(text: &str) -> String {
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

/// A name as a host name can have it: `Müller & Söhne` becomes `mueller-soehne`.
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

/// The letters that stand for one with an accent.
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
    fn trades_stand_in_capitals_over_doors() {
        assert_eq!(over_the_door("Tree service"), "Tree Services");
        assert_eq!(over_the_door("Pest control company"), "Pest Control");
        assert_eq!(over_the_door("Yoga studio"), "Yoga Studio");
        assert_eq!(in_capitals("écran plat"), "Écran Plat");
    }
}
