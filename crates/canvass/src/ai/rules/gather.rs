//! Gathers what is worth saying to a business: what its pages promise, what its customers praise, how long it is there.

use std::sync::LazyLock;

use regex::Regex;

use crate::ai::Brief;
use crate::ai::ground::normal;

/// Characters of a line that is quoted.
const QUOTE_CHARS: std::ops::RangeInclusive<usize> = 24..=120;
/// Lines looked at before the best are chosen.
const LINES_MAX: usize = 600;
/// Stars and reviews from which a rating is worth a word.
const STARS_MIN: f64 = 4.3;
const REVIEWS_MIN: i64 = 12;

/// Words of a line that says how a business works.
const PROMISES: &str = "price|promise|answer|guarantee|explain|same day|same-day|recommend|by hand|local|repair|recycle|\
    train our|trust|stand behind|questions|a person|put it right|on time|quality|handmade|fresh|comfort|\
    honest|by ourselves|ourselves|straight|for free|on us|take the time|good name|good material|\
    until noon|neighbors";
/// Words of a line that every website has.
const BOILERPLATE: &str = "cookie|copyright|rights reserved|privacy|click|subscribe|newsletter|javascript|http|sign up|log in|\
    terms|@|welcome to";
/// Words of a customer who is glad.
const GLAD: &str = "best|great|friendly|fair price|love|clean|same day|on time|recommend|excellent|amazing|professional|\
    kind|helpful|honest|easy to|for years|quick|remembered|my whole family|perfect|explained|thorough|\
    gentle|delicious|fresh|no surprises|would not go anywhere else|saved|beautiful|wonderful|fantastic|\
    careful|patient|went above|highly";
/// Words of one who is not.
const SOUR: &str = "terrible|awful|worst|rude|bad|extra fee|late|wrong|chaos|waiting|hard to|twice as long|out of date|\
    had to call|avoid|disappoint| but |overpriced|never again|not worth|wasn't|didn't|unprofessional|\
    dirty|slow|unfortunately";

/// Something that can be said.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Point {
    /// A line of the website.
    Line(String),
    /// A line of a review.
    Praise(String),
    /// The year it began.
    Since(String),
    /// It is a family's.
    Family,
    /// What it says it is good at.
    Specialty(String),
    /// Stars, and how many gave them.
    Rating(f64, i64),
}

/// Everything that can be said, the most particular first.
pub(super) fn gather(brief: &Brief) -> Vec<Point> {
    let text: String = brief.pages.iter().map(|page| page.text.as_str()).collect::<Vec<_>>().join("\n");
    let mut points = Vec::new();
    points.extend(praise(&brief.reviews, brief.seed).map(Point::Praise));
    points.extend(line(&text, brief.seed).map(Point::Line));
    points.extend(since(&text).map(Point::Since));
    points.extend(specialty(&text).map(Point::Specialty));
    points.extend(FAMILY.is_match(&text).then_some(Point::Family));
    if let (Some(stars), Some(count)) = (brief.rating, brief.review_count)
        && stars >= STARS_MIN
        && count >= REVIEWS_MIN
    {
        points.push(Point::Rating(stars, count));
    }
    points
}

static FAMILY: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?i)\bfamily[- ](?:owned|run|operated)\b").expect("the pattern is constant"));

/// The year the business says it began in.
fn since(text: &str) -> Option<String> {
    static YEAR: LazyLock<Regex> = LazyLock::new(|| {
        let began = r"(?:since|founded|established|est\.?|opened|started|began|in business)";
        let pattern = format!(r"(?i)\b{began}\b[^.\n©]{{0,60}}?\b(1[89]\d\d|20[0-2]\d)\b");
        Regex::new(&pattern).expect("the pattern is constant")
    });
    YEAR.captures(text).map(|found| found[1].to_owned())
}

/// What it says it specialises in.
fn specialty(text: &str) -> Option<String> {
    static SPECIALTY: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?i)\b(?:we speciali[sz]e in|speciali[sz]ing in|specialists in)\s+([\p{L}][\p{L}\d ,&'’/-]{4,70})")
            .expect("the pattern is constant")
    });
    let found = SPECIALTY.captures(text)?;
    let said = found[1].trim().trim_end_matches([',', '-', '&']).trim();
    let ends_whole = text[found.get(1)?.end()..].starts_with(['.', '!', '\n', ';']);
    ends_whole.then(|| lower_first(said))
}

fn lower_first(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_lowercase().to_string()).unwrap_or_default();
    let acronym = letters.clone().next().is_some_and(char::is_uppercase);
    if acronym { text.to_owned() } else { format!("{first}{}", letters.as_str()) }
}

/// A line of the website that says something about how the business works.
fn line(text: &str, seed: u64) -> Option<String> {
    let speaks = |words: &str| [" we ", " our ", " us "].iter().any(|word| format!(" {words} ").contains(word));
    let worth = |words: &str| PROMISES.split('|').filter(|word| words.contains(word)).count();
    let plain = |words: &str| !BOILERPLATE.split('|').any(|word| words.contains(word));
    best(sentences(text), seed, |words| if speaks(words) && plain(words) { worth(words) } else { 0 })
}

/// A line of a review that is glad.
fn praise(reviews: &[String], seed: u64) -> Option<String> {
    let glad = |words: &str| GLAD.split('|').filter(|word| words.contains(word)).count();
    let sour = |words: &str| SOUR.split('|').any(|word| words.contains(word));
    let all = reviews.iter().filter(|review| !sour(&normal(review))).flat_map(|review| sentences(review));
    best(all, seed, |words| glad(words))
}

/// Whole sentences of a text that can be quoted.
fn sentences(text: &str) -> impl Iterator<Item = String> {
    let pieces = text.lines().take(LINES_MAX).flat_map(|line| line.split_inclusive(['.', '!', '?']));
    let clean = |piece: &str| piece.split_whitespace().collect::<Vec<_>>().join(" ");
    let whole = |piece: &String| {
        let inside = piece.trim_end_matches(['.', '!']);
        QUOTE_CHARS.contains(&inside.chars().count())
            && piece.ends_with(['.', '!'])
            && piece.starts_with(char::is_uppercase)
            && !inside.contains(['"', '“', '”', '.', '!', '?', ':', '|', '[', ']', '{', '}', '<', '>'])
    };
    let whole: Vec<String> = pieces.map(clean).filter(whole).collect();
    whole.into_iter().map(|piece| piece.trim_end_matches(['.', '!']).to_owned())
}

/// One of the best few, chosen by the seed, so that two businesses with the same words are still told different ones.
fn best(all: impl Iterator<Item = String>, seed: u64, worth: impl Fn(&str) -> usize) -> Option<String> {
    let mut found: Vec<(usize, String)> = Vec::new();
    for sentence in all {
        let points = worth(&normal(&sentence));
        if points > 0 && !found.iter().any(|(_, known)| *known == sentence) {
            found.push((points, sentence));
        }
    }
    found.sort_by(|(one, _), (other, _)| other.cmp(one));
    found.truncate(3);
    let chosen = usize::try_from(seed % u64::try_from(found.len().max(1)).unwrap_or(1)).unwrap_or(0);
    found.into_iter().nth(chosen).map(|(_, sentence)| sentence)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_taken_word_for_word() {
        assert_eq!(since("Acme was founded by Jane Doe in 1998, with one van."), Some("1998".into()));
        assert_eq!(since("Serving Austin since 2004."), Some("2004".into()));
        assert_eq!(since("© 2024 Acme. Opened daily at 8."), None);
        assert_eq!(specialty("We specialize in Drain cleaning."), Some("drain cleaning".into()));
        assert_eq!(specialty("Specializing in HVAC repair\nMore"), Some("HVAC repair".into()));
        let text = "We use cookies, click here.\nOur prices are written down before we begin.\nHours: 9 to 5.";
        assert_eq!(line(text, 0), Some("Our prices are written down before we begin".into()));
        let reviews = ["Nobody told me about the extra fee. Great though.".into(), "Best in town, hands down.".into()];
        assert_eq!(praise(&reviews, 7), Some("Best in town, hands down".into()));
        assert_eq!(praise(&["Meh.".into(), String::new()], 7), None);
    }
}
