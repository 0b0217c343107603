//! Recognises branches of chains by the name of a business.

use std::collections::HashMap;
use std::sync::OnceLock;

use crate::data_file::DataFile;
use crate::fold;
use crate::gazetteer::gazetteer;

static CHAINS: &[u8] = include_bytes!("../data/chains.bin");

/// Bytes and words read of a name.
const NAME_BYTES_MAX: usize = 200;
const NAME_WORDS_MAX: usize = 12;
/// Words after a brand that may be a town: "Best Western Plus Salt Lake City".
const TOWN_WORDS_MAX: usize = 3;
/// Letters a one-word brand needs to be recognised with more than a number after it.
const LONE_WORD_LETTERS_MIN: usize = 6;
/// Words from which on a brand is unmistakable, whatever follows.
const UNMISTAKABLE_WORDS_MIN: usize = 3;

/// Words that name a branch, not a business of its own.
const BRANCH_WORDS: &[&str] = &[
    "airport",
    "avenue",
    "ave",
    "blvd",
    "boulevard",
    "branch",
    "centre",
    "central",
    "crossing",
    "downtown",
    "drive",
    "east",
    "express",
    "highway",
    "hwy",
    "inc",
    "kiosk",
    "lane",
    "llc",
    "location",
    "north",
    "northeast",
    "northwest",
    "number",
    "outlet",
    "plaza",
    "road",
    "south",
    "southeast",
    "southwest",
    "square",
    "st",
    "station",
    "store",
    "street",
    "supercenter",
    "uptown",
    "west",
];
/// Words that introduce a branch: "Great Clips at Westgate".
const LEADS_TO_BRANCH: &[&str] = &["at", "by", "in", "of", "on", "near"];
/// Separators before a branch: "Subway - Main Street", "Starbucks (Terminal B)".
const MARKS_BEFORE_BRANCH: &[&str] = &[" - ", " – ", " — ", " (", " #", " @", " | ", ", ", ": ", " No. "];

/// Folded brand names with the countries they are limited to; empty means everywhere.
fn brands() -> &'static HashMap<String, &'static str> {
    static BRANDS: OnceLock<HashMap<String, &'static str>> = OnceLock::new();
    BRANDS.get_or_init(|| {
        let mut found = HashMap::new();
        for line in DataFile::unpack(CHAINS).lines() {
            let (name, countries) = line.split_once('\t').unwrap_or((line, ""));
            let words = words(name);
            // A name listed twice belongs to two brands: both limits apply, or none if one has none.
            let place = found.entry(words.join(" ")).or_insert(countries);
            if *place != countries {
                *place = "";
            }
        }
        found
    })
}

/// Whether a business with this name is a branch of a chain. A non-empty country excludes brands that exist only in other
/// countries.
#[must_use]
pub fn is_chain(name: &str, country: &str) -> bool {
    if name.len() > NAME_BYTES_MAX {
        return false;
    }
    let before_mark = MARKS_BEFORE_BRANCH.iter().filter_map(|mark| name.find(mark)).min();
    let candidates = [Some(name), before_mark.map(|at| &name[..at])];
    candidates.into_iter().flatten().map(words).any(|words| {
        let sane = !words.is_empty() && words.len() <= NAME_WORDS_MAX;
        sane && (is_brand(&words, country) || is_branch(&words, country))
    })
}

fn is_brand(words: &[String], country: &str) -> bool {
    let key = words.join(" ");
    brands().get(key.as_str()).is_some_and(|countries| {
        countries.is_empty()
            || country.is_empty()
            || countries.split(' ').any(|code| code.eq_ignore_ascii_case(country))
    })
}

/// A brand followed by a branch.
fn is_branch(words: &[String], country: &str) -> bool {
    (1..words.len()).any(|length| {
        let (brand, branch) = words.split_at(length);
        tells_branch(brand, branch) && is_brand(brand, country)
    })
}

/// Whether the words after a brand may name a branch; the longer the brand, the weaker the requirement.
fn tells_branch(brand: &[String], branch: &[String]) -> bool {
    let led = branch.len() > 1 && LEADS_TO_BRANCH.contains(&branch[0].as_str());
    let plain = branch.iter().all(|word| is_number(word) || BRANCH_WORDS.contains(&word.as_str()));
    match brand {
        [word] if word.len() < LONE_WORD_LETTERS_MIN => is_number(&branch[0]) && plain,
        [_] => led || plain,
        _ if brand.len() >= UNMISTAKABLE_WORDS_MIN => true,
        _ => led || plain || (branch.len() <= TOWN_WORDS_MAX && is_town(branch)),
    }
}

/// Whether the words are a town's own name.
fn is_town(words: &[String]) -> bool {
    let key = fold::join(words.iter().map(String::as_str));
    gazetteer().find(&key).any(|named| named.own_name)
}

fn is_number(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_digit())
}

/// The words of a name without those that brands sometimes add: "The", "®", "Inc".
fn words(name: &str) -> Vec<String> {
    let name = name.replace('&', " and ").replace(['®', '™'], "");
    let mut words: Vec<String> = fold::words(&name).into_iter().map(|word| word.text).collect();
    if words.len() > 1 && words[0] == "the" {
        words.remove(0);
    }
    while words.len() > 1
        && words.last().is_some_and(|last| ["inc", "llc", "ltd", "corp", "co"].contains(&last.as_str()))
    {
        words.pop();
    }
    words
}
