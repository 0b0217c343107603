//! Reading a typed location: "Austin, TX", "78701", "travis county texas", "München".

mod naming;
mod nearest;
mod place;
mod query;
mod read;
mod wide;

pub use place::Place;
use query::Query;
use read::Reading;

use crate::fold::{self, Word};

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
}

impl Located {
    /// A sentence about the choice that was made; nothing when there was none to make.
    #[must_use]
    pub fn note(&self) -> Option<String> {
        if self.others.is_empty() {
            return None;
        }
        let name = &self.place.name;
        Some(format!("{} was read as {name}; there is also {}", self.typed, self.others.join("; ")))
    }
}

/// A location that was not found.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub struct NotFound {
    /// What was typed; the beginning when it was long.
    pub text: String,
    /// What may have been meant, as one would type it; at most five.
    pub nearest: Vec<String>,
}

impl std::fmt::Display for NotFound {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
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
/// name the one with the most people is taken, and [`Located::note`] says so.
///
/// # Errors
/// [`NotFound`], with the nearest names that are known.
pub fn locate(text: &str) -> Result<Located, NotFound> {
    let told = fold::told(text, TOLD_BYTES_MAX);
    if text.len() > TEXT_BYTES_MAX {
        return Err(NotFound { text: told, nearest: Vec::new() });
    }
    let query = Query::new(text);
    if query.words.is_empty() || query.words.len() > WORDS_MAX {
        return Err(NotFound { text: told, nearest: Vec::new() });
    }
    let found = first_that_finds(&query);
    found.ok_or_else(|| NotFound { text: told, nearest: nearest::nearest(&query) })
}

/// Readings are tried from the plainest to the loosest; the first kind that finds anything ends it.
fn first_that_finds(query: &Query<'_>) -> Option<Located> {
    let told = |readings: Vec<Reading>, query: &Query<'_>| located(&readings, query);
    told(read::plain(query), query)
        .or_else(|| told(read::post_towns(query), query))
        .or_else(|| told(read::addresses(query), query))
        .or_else(|| told(read::bare_counties(query), query))
        .or_else(|| loosened(query).into_iter().find_map(|query| told(read::plain(&query), &query)))
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
    Some(Located { place, others, typed: fold::told(query.text(), TOLD_BYTES_MAX) })
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
