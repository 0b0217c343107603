//! Reading a typed location: "Austin, TX", "78701", "travis county texas", "München", "30.2672, -97.7431".

mod coordinates;
mod naming;
mod nearest;
mod notes;
mod pin;
mod place;
mod query;
mod read;
mod wide;

pub use place::Place;
use query::Query;
use read::Reading;

use crate::fold::{self, Word};
use crate::gazetteer::gazetteer;
use crate::point::Point;

/// Bytes of a location that are read, and words of it; more is no location.
const TEXT_BYTES_MAX: usize = 400;
const WORDS_MAX: usize = 24;
/// Other readings that are told.
const OTHERS_MAX: usize = 5;
/// Bytes of a location that an error repeats.
const TOLD_BYTES_MAX: usize = 80;

/// Words around a name that do not matter.
const IDLE_BEFORE: &[&[&str]] = &[
    &["the", "city", "of"],
    &["city", "of"],
    &["town", "of"],
    &["village", "of"],
    &["borough", "of"],
    &["state", "of"],
    &["province", "of"],
    &["downtown"],
    &["greater"],
    &["metro"],
    &["near"],
    &["in"],
    &["around"],
    &["the"],
];
const IDLE_BEHIND: &[&[&str]] = &[
    &["metropolitan", "area"],
    &["metro", "area"],
    &["and", "surroundings"],
    &["area"],
    &["metro"],
    &["city"],
    &["town"],
    &["township"],
    &["twp"],
    &["charter", "township"],
    &["village"],
    &["downtown"],
    &["state"],
    &["province"],
    &["region"],
];
/// Idle words that say how far a place reaches, or which of two it is: to ignore them is a guess.
const EXTENT_WORDS: &[&str] = &[
    "downtown",
    "greater",
    "metro",
    "metropolitan",
    "area",
    "around",
    "surroundings",
    "region",
    "township",
    "twp",
    "charter",
];
/// Points of the compass, written out when nothing else is found.
const COMPASS: &[(&str, &str)] = &[("n", "north"), ("s", "south"), ("e", "east"), ("w", "west")];

/// A location that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Located {
    /// What it was taken for.
    pub place: Place,
    /// What else it may have meant, most populous first, at most five.
    pub others: Vec<String>,
    typed: String,
    /// Words that say how far the place reaches, and were ignored.
    ignored: Option<String>,
    /// The state that was typed beside a ZIP code of another.
    contradicted_state: Option<&'static str>,
}

/// A location that was not found.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub struct NotFound {
    /// What was typed; the beginning when it was long.
    pub text: String,
    /// What may have been meant, as one would type it; at most five.
    pub nearest: Vec<String>,
    /// Why coordinates cannot be used, and how to write them.
    pub why: Option<String>,
}

impl std::fmt::Display for NotFound {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some(why) = &self.why {
            return write!(f, "the location {:?} cannot be used: {why}", self.text);
        }
        match (self.text.is_empty(), self.nearest.as_slice()) {
            (true, _) => f.write_str("no location was given"),
            (false, nearest) if is_zip(&self.text) => {
                write!(f, "there is no ZIP code {}", self.text)?;
                return if nearest.is_empty() {
                    f.write_str("; check its digits, or name the town with its state such as \"Austin, TX\"")
                } else {
                    write!(f, ": did you mean {}?", nearest.join(" or "))
                };
            }
            (false, []) => write!(f, "the location {:?} was not found", self.text),
            (false, nearest) => {
                return write!(f, "the location {:?} was not found: did you mean {}?", self.text, nearest.join(" or "));
            }
        }?;
        f.write_str(": try a town with its state such as \"Austin, TX\", a ZIP code, a county, a state or a country")
    }
}

/// Whether a text has the form of a US ZIP code: five digits, and perhaps four more behind a hyphen.
fn is_zip(text: &str) -> bool {
    let (code, more) = text.split_once('-').map_or((text, None), |(code, more)| (code, Some(more)));
    let digits = |text: &str, count: usize| text.len() == count && text.bytes().all(|byte| byte.is_ascii_digit());
    digits(code, 5) && more.is_none_or(|more| digits(more, 4))
}

/// Finds what a typed location means. Case, accents, punctuation and spacing do not matter; of several places of a
/// name the one with the most people is taken, and [`Located::notes`] says so.
///
/// # Errors
/// [`NotFound`], with the nearest names that are known.
pub fn locate(text: &str) -> Result<Located, NotFound> {
    let told = fold::told(text, TOLD_BYTES_MAX);
    if text.len() > TEXT_BYTES_MAX {
        return Err(NotFound { text: told, nearest: Vec::new(), why: None });
    }
    if let Some(point) = coordinates::read(text) {
        let located = point.and_then(|point| at(point, &told));
        return located.map_err(|why| NotFound { text: told, nearest: Vec::new(), why: Some(why) });
    }
    let query = Query::new(text);
    if query.words.is_empty() || query.words.len() > WORDS_MAX {
        return Err(NotFound { text: told, nearest: Vec::new(), why: None });
    }
    let found = first_that_finds(&query);
    found.ok_or_else(|| NotFound { text: told, nearest: nearest::nearest(&query), why: None })
}

/// The place at a point.
fn at(point: Point, typed: &str) -> Result<Located, String> {
    let place = pin::place(point).ok_or("there is no town within 500 miles of this point")?;
    Ok(Located { place, others: Vec::new(), typed: typed.to_owned(), ignored: None, contradicted_state: None })
}

/// Readings are tried from the plainest to the loosest; the first kind that finds anything ends it.
fn first_that_finds(query: &Query<'_>) -> Option<Located> {
    let told = |readings: Vec<Reading>, query: &Query<'_>| located(&readings, query);
    told(read::plain(query), query)
        .or_else(|| told(read::post_towns(query), query))
        .or_else(|| told(read::addresses(query), query))
        .or_else(|| told(read::bare_counties(query), query))
        .or_else(|| {
            loosened(query).into_iter().find_map(|loose| {
                let found = told(read::plain(&loose), &loose)?;
                Some(Located { ignored: ignored(query, &loose), ..found })
            })
        })
}

/// The words that a looser reading left out, as they were typed, when they say how far the place reaches.
fn ignored(query: &Query<'_>, loose: &Query<'_>) -> Option<String> {
    let left_out = query.words.iter().filter(|word| !loose.words.iter().any(|kept| kept.start == word.start));
    let left_out: Vec<&Word> = left_out.collect();
    let says_extent = left_out.iter().any(|word| EXTENT_WORDS.contains(&word.text.as_str()));
    let typed = left_out.iter().map(|word| &query.text()[word.start..word.end]);
    says_extent.then(|| typed.collect::<Vec<_>>().join(" "))
}

fn located(readings: &[Reading], query: &Query<'_>) -> Option<Located> {
    let best = readings.first()?;
    let mut place = naming::place(best.site);
    if read::is_postal_code(query, best.before) {
        place.postal_code.get_or_insert_with(|| query.words[0].text.clone());
    } else if best.before > 0 {
        place.street = Some(query.typed(best.before).to_owned());
    }
    let mut others = Vec::new();
    for reading in readings.iter().skip(1).filter(|reading| is_worth_telling(reading, best)) {
        let name = naming::name(reading.site);
        if name != place.name && !others.contains(&name) && others.len() < OTHERS_MAX {
            others.push(name);
        }
    }
    let typed = fold::told(query.text(), TOLD_BYTES_MAX);
    let contradicted_state = best.contradicted.map(|first| gazetteer().firsts[first].name);
    Some(Located { place, others, typed, ignored: None, contradicted_state })
}

/// Readings of the same doubt compete; those that are hardly worth telling only among themselves.
fn is_worth_telling(reading: &Reading, best: &Reading) -> bool {
    reading.doubt == best.doubt && reading.weight > 0 && (reading.tell || !best.tell)
}

/// The query without idle words, and with points of the compass written out.
fn loosened<'t>(query: &Query<'t>) -> Vec<Query<'t>> {
    let words = &query.words;
    let starts =
        |idle: &&&[&str]| idle.len() < words.len() && idle.iter().zip(words).all(|(idle, word)| *idle == word.text);
    let before = IDLE_BEFORE.iter().find(starts).map_or(0, |idle| idle.len());
    let mut found = Vec::new();
    if before > 0 {
        found.push(query.with_words(&words[before..]));
    }
    for end in before + 1..=words.len() {
        let behind = IDLE_BEHIND.iter().find(|idle| {
            end > before + idle.len()
                && idle.iter().zip(&words[end - idle.len()..end]).all(|(idle, word)| *idle == word.text)
        });
        if let Some(idle) = behind {
            let kept: Vec<Word> = words[before..end - idle.len()].iter().chain(&words[end..]).cloned().collect();
            found.push(query.with_words(&kept));
        }
    }
    found.extend(with_compass(query));
    found
}

fn with_compass<'t>(query: &Query<'t>) -> Option<Query<'t>> {
    let first = query.words.first()?;
    let (_, full) = COMPASS.iter().find(|(short, _)| *short == first.text)?;
    let mut words = query.words.clone();
    words[0].text = (*full).to_owned();
    Some(query.with_words(&words))
}
