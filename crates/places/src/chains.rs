//! Chains: whether a business's name is that of a brand.

use std::collections::HashMap;
use std::sync::OnceLock;

use crate::blob::Blob;
use crate::fold;
use crate::gazetteer::gazetteer;

static CHAINS: &[u8] = include_bytes!("../data/chains.bin");

/// Bytes and words of a name that are read.
const NAME_BYTES_MAX: usize = 200;
const NAME_WORDS_MAX: usize = 12;
/// Words behind a brand that may tell the branch: "Anytime Fitness Downtown".
const BRANCH_WORDS_MAX: usize = 3;
/// Letters that a brand of one word needs to be recognised with a branch behind it.
const LONE_WORD_LETTERS_MIN: usize = 6;

/// Words that tell a branch and no business of its own.
const BRANCH_WORDS: &[&str] = &[
    "airport",
    "avenue",
    "ave",
    "beach",
    "blvd",
    "boulevard",
    "branch",
    "center",
    "centre",
    "central",
    "city",
    "coffee",
    "crossing",
    "downtown",
    "drive",
    "express",
    "east",
    "gas",
    "highway",
    "hwy",
    "inc",
    "kiosk",
    "lane",
    "llc",
    "location",
    "mall",
    "market",
    "north",
    "northeast",
    "northwest",
    "number",
    "of",
    "outlet",
    "park",
    "pharmacy",
    "place",
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
    "town",
    "uptown",
    "village",
    "west",
    "at",
    "on",
    "in",
    "the",
    "and",
];

/// Words behind which a branch is named, whatever it is called: "Great Clips at Westgate".
const LEADS_TO_BRANCH: &[&str] = &["at", "in", "of", "on", "near"];
/// Marks behind which the branch stands: "Subway - Main Street", "Starbucks (Terminal B)".
const MARKS_BEFORE_BRANCH: &[&str] = &[" - ", " – ", " — ", " (", " #", " @", " | ", ", ", ": ", " No. "];

/// Folded brand names and the countries they are limited to; empty is everywhere.
fn brands() -> &'static HashMap<String, &'static str> {
    static BRANDS: OnceLock<HashMap<String, &'static str>> = OnceLock::new();
    BRANDS.get_or_init(|| {
        let mut found = HashMap::new();
        for line in Blob::unpack(CHAINS).lines() {
            let (name, countries) = line.split_once('\t').unwrap_or((line, ""));
            let words = words(name);
            // A name in two lines belongs to two brands: limits of both hold, none if one has none.
            let place = found.entry(words.join(" ")).or_insert(countries);
            if *place != countries {
                *place = "";
            }
        }
        found
    })
}

/// Whether a business of this name is a branch of a chain. The country, if it is not empty, is a hint: a brand of other
/// countries only does not count.
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

/// A brand with a branch behind it: a number, words that tell a place, "at" and the place, or a town.
fn is_branch(words: &[String], country: &str) -> bool {
    (words.len().saturating_sub(BRANCH_WORDS_MAX).max(1)..words.len()).any(|length| {
        let (brand, branch) = words.split_at(length);
        let telling = length > 1 || brand[0].len() >= LONE_WORD_LETTERS_MIN || is_number(&branch[0]);
        telling && is_brand(brand, country) && tells_branch(branch)
    })
}

fn tells_branch(branch: &[String]) -> bool {
    let led = branch.len() > 1 && LEADS_TO_BRANCH.contains(&branch[0].as_str());
    let plain = |word: &String| is_number(word) || BRANCH_WORDS.contains(&word.as_str());
    led || branch.iter().all(plain) || is_town(branch)
}

/// Whether the words are the own name of a town.
fn is_town(words: &[String]) -> bool {
    let key = fold::join(words.iter().map(String::as_str));
    gazetteer().find(&key).any(|named| named.own_name)
}

fn is_number(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_digit())
}

/// The words of a name without what brands write now and then: "The", "®", "Inc".
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
