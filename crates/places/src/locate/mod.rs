//! Interprets a typed location: "Austin, TX", "78701", "travis county texas", "München", "30.2672, -97.7431".

mod complete;
mod coordinates;
mod interpret;
mod naming;
mod notes;
mod place;
mod place_ref;
mod postcode;
mod query;
mod region_names;
mod reverse_geocode;
mod street;
mod suggest;

pub use complete::complete;
use interpret::Interpretation;
pub use place::Place;
use query::LocationQuery;
pub use reverse_geocode::country_at;
pub use street::StreetText;

use crate::fold::{self, Word};
use crate::gazetteer::gazetteer;
use crate::point::Point;

/// Bytes and words read of a location; anything longer is not one.
const TEXT_BYTES_MAX: usize = 400;
const WORDS_MAX: usize = 24;
/// Alternative interpretations that are reported.
const OTHERS_MAX: usize = 5;
/// Bytes of a location that an error repeats.
const EXCERPT_BYTES_MAX: usize = 80;

/// Words before a name that can be ignored.
const STOP_WORDS_BEFORE: &[&[&str]] = &[
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
/// Ignored words that describe the extent or pick one of two places: ignoring them is a guess.
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
/// Compass directions, expanded when nothing else is found.
const COMPASS: &[(&str, &str)] = &[("n", "north"), ("s", "south"), ("e", "east"), ("w", "west")];

/// A location that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Located {
    /// The place it was taken to mean.
    pub place: Place,
    /// What else it may have meant, most populous first, at most five.
    pub others: Vec<String>,
    /// The street that was typed before the town, in parts; `None` without one and for a post office box. A geocoder can find
    /// it; the place itself is its town or ZIP code.
    pub street: Option<StreetText>,
    typed: String,
    /// Words about the extent of the place that were ignored.
    ignored: Option<String>,
    /// The state that was typed next to a ZIP code of another state.
    contradicted_state: Option<&'static str>,
}

/// A location that was not found.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub struct NotFound {
    /// What was typed, truncated when it was long.
    pub text: String,
    /// Suggestions in a form that can be typed; at most five.
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

/// Whether a text looks like a US ZIP code: five digits, optionally four more after a hyphen.
fn is_zip(text: &str) -> bool {
    let (code, more) = text.split_once('-').map_or((text, None), |(code, more)| (code, Some(more)));
    let digits = |text: &str, count: usize| text.len() == count && text.bytes().all(|byte| byte.is_ascii_digit());
    digits(code, 5) && more.is_none_or(|more| digits(more, 4))
}

/// Finds what a typed location means. Case, accents, punctuation and spacing are ignored; of several places with the same name
/// the most populous is chosen, and [`Located::notes`] says so.
///
/// # Errors
/// [`NotFound`], with the nearest known names.
pub fn locate(text: &str) -> Result<Located, NotFound> {
    let excerpt = fold::excerpt(text, EXCERPT_BYTES_MAX);
    if text.len() > TEXT_BYTES_MAX {
        return Err(NotFound { text: excerpt, nearest: Vec::new(), why: None });
    }
    if let Some(point) = coordinates::read(text) {
        let located = point.and_then(|point| at(point, &excerpt));
        return located.map_err(|why| NotFound { text: excerpt, nearest: Vec::new(), why: Some(why) });
    }
    let query = LocationQuery::new(text);
    if query.words.is_empty() || query.words.len() > WORDS_MAX {
        return Err(NotFound { text: excerpt, nearest: Vec::new(), why: None });
    }
    let found = first_that_finds(&query);
    found.ok_or_else(|| NotFound { text: excerpt, nearest: suggest::suggest(&query), why: None })
}

fn at(point: Point, typed: &str) -> Result<Located, String> {
    let place = Place::at(point).ok_or("there is no town within 500 miles of this point")?;
    let (others, typed) = (Vec::new(), typed.to_owned());
    Ok(Located { place, others, street: None, typed, ignored: None, contradicted_state: None })
}

/// Interpretations are tried from plain to loose; the first kind that finds anything is used.
fn first_that_finds(query: &LocationQuery<'_>) -> Option<Located> {
    located(&interpret::plain(query), query)
        .or_else(|| located(&interpret::post_towns(query), query))
        .or_else(|| postcode::without_postcode(query))
        .or_else(|| located(&interpret::addresses(query), query))
        .or_else(|| located(&interpret::bare_counties(query), query))
        .or_else(|| {
            loosened(query).into_iter().find_map(|loose| {
                let found = located(&interpret::plain(&loose), &loose)?;
                Some(Located { ignored: ignored(query, &loose), ..found })
            })
        })
}

/// The words that a looser interpretation left out, as typed, when they describe the extent of the place.
fn ignored(query: &LocationQuery<'_>, loose: &LocationQuery<'_>) -> Option<String> {
    let left_out = query.words.iter().filter(|word| !loose.words.iter().any(|kept| kept.start == word.start));
    let left_out: Vec<&Word> = left_out.collect();
    let says_extent = left_out.iter().any(|word| EXTENT_WORDS.contains(&word.text.as_str()));
    let typed = left_out.iter().map(|word| &query.text()[word.start..word.end]);
    says_extent.then(|| typed.collect::<Vec<_>>().join(" "))
}

fn located(interpretations: &[Interpretation], query: &LocationQuery<'_>) -> Option<Located> {
    let best = interpretations.first()?;
    let mut place = Place::of(best.site);
    if interpret::is_postal_code(query, best.before) {
        place.postal_code.get_or_insert_with(|| query.words[0].text.clone());
    } else if best.before > 0 {
        let code_words = if place.country == "US" { 0 } else { interpret::postal_code_words(query, best.before) };
        let street_words = best.before - code_words;
        if code_words > 0 {
            place.postal_code.get_or_insert_with(|| query.typed_between(street_words, best.before).to_owned());
        }
        place.street = Some(query.typed(street_words).to_owned()).filter(|_| street_words > 0);
    }
    let street = place.street.as_ref().and_then(|typed| StreetText::parse(typed, place.country));
    let mut others = Vec::new();
    for interpretation in
        interpretations.iter().skip(1).filter(|interpretation| is_worth_reporting(interpretation, best))
    {
        let name = naming::name(interpretation.site);
        if name != place.name && !others.contains(&name) && others.len() < OTHERS_MAX {
            others.push(name);
        }
    }
    let typed = fold::excerpt(query.text(), EXCERPT_BYTES_MAX);
    let contradicted_state = best.contradicted.map(|first| gazetteer().admin1s[first].name);
    Some(Located { place, others, street, typed, ignored: None, contradicted_state })
}

/// Whether an alternative is worth reporting next to the best interpretation: equally plausible, and not a weaker kind of name.
fn is_worth_reporting(interpretation: &Interpretation, best: &Interpretation) -> bool {
    interpretation.doubt == best.doubt
        && interpretation.weight > 0
        && (interpretation.is_reportable || !best.is_reportable)
}

/// The query without stop words, and with compass directions expanded.
fn loosened<'t>(query: &LocationQuery<'t>) -> Vec<LocationQuery<'t>> {
    let words = &query.words;
    let starts =
        |idle: &&&[&str]| idle.len() < words.len() && idle.iter().zip(words).all(|(idle, word)| *idle == word.text);
    let before = STOP_WORDS_BEFORE.iter().find(starts).map_or(0, |idle| idle.len());
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

fn with_compass<'t>(query: &LocationQuery<'t>) -> Option<LocationQuery<'t>> {
    let first = query.words.first()?;
    let (_, full) = COMPASS.iter().find(|(short, _)| *short == first.text)?;
    let mut words = query.words.clone();
    words[0].text = (*full).to_owned();
    Some(query.with_words(&words))
}
