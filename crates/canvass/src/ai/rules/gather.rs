//! Gathers what is worth saying to a business: what its pages promise, what its customers praise, how long it is there.
//! Pages also tell of others, warn, explain and quote: only sentences in which the business speaks of itself count.

use std::sync::LazyLock;

use regex::Regex;

use super::voice::{Voice, sentences, tells_of_others};
use crate::ai::Brief;
use crate::ai::ground::normal;

/// Stars and reviews from which a rating is worth a word.
const STARS_MIN: f64 = 4.3;
const REVIEWS_MIN: i64 = 12;
/// Characters of an area that is named.
const AREA_CHARS: std::ops::RangeInclusive<usize> = 4..=60;
/// Sentences looked at for facts.
const SENTENCES_MAX: usize = 400;
/// Lines among which chance chooses.
const BEST_MAX: usize = 3;

/// Words of a line that says how a business works.
const PROMISES: &str = "price|promise|answer|guarantee|explain|same day|same-day|recommend|by hand|local|repair|recycle|\
    train our|trust|stand behind|questions|a person|put it right|on time|quality|handmade|fresh|comfort|\
    honest|by ourselves|ourselves|straight|for free|on us|take the time|good name|good material|\
    until noon|neighbors|listen|every detail|peace of mind|safe|pride|dedicated|committed|careful|\
    family|community|craft|passion|full-service|we offer|we provide|we help|we make|we build|we design|we bring|we handle|best selection|world-class|\
    custom|unique|friendly|experience|expert|professional|certified|award|training|exceptional|tailor|affordable|\
    flexible|sustainable|natural|diligent|attention to|wide range|one-stop|on staff|our clients|our customers|our patients|our guests";
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
    /// Whose it is, as the page has it: `locally owned`.
    Owned(String),
    /// What it says it is good at.
    Specialty(String),
    /// Where its customers live.
    Area(String),
    /// Stars, and how many gave them.
    Rating(f64, i64),
}

impl Point {
    /// Whether saying this after `other` would say the same again.
    pub(super) fn repeats(&self, other: &Point) -> bool {
        let (Point::Line(line) | Point::Praise(line)) = other else { return false };
        let line = normal(line);
        match self {
            Point::Family => line.contains("family"),
            Point::Owned(said) | Point::Since(said) | Point::Specialty(said) | Point::Area(said) => {
                line.contains(&normal(said))
            }
            Point::Line(_) | Point::Praise(_) | Point::Rating(..) => false,
        }
    }
}

/// Everything that can be said, the most particular first.
pub(super) fn gather(brief: &Brief) -> Vec<Point> {
    let text: String = brief.pages.iter().map(|page| page.text.as_str()).collect::<Vec<_>>().join("\n");
    let voice = Voice::of(&brief.business_name);
    let own = text.lines().filter(|line| !tells_of_others(line)).flat_map(sentences);
    let own: Vec<String> = own.filter(|sentence| voice.states(sentence)).take(SENTENCES_MAX).collect();
    let mut points = Vec::new();
    points.extend(praise(&brief.reviews, brief.seed).map(Point::Praise));
    points.extend(line(&text, &voice, brief.seed).map(Point::Line));
    points.extend(own.iter().find_map(|sentence| since(sentence)).map(Point::Since));
    points.extend(own.iter().find_map(|sentence| specialty(sentence)).map(Point::Specialty));
    points.extend(own.iter().find_map(|sentence| owned(sentence)));
    points.extend(own.iter().find_map(|sentence| area(sentence)).map(Point::Area));
    if let (Some(stars), Some(count)) = (brief.rating, brief.review_count)
        && stars >= STARS_MIN
        && count >= REVIEWS_MIN
    {
        points.push(Point::Rating(stars, count));
    }
    points
}

/// Whose the business is.
fn owned(sentence: &str) -> Option<Point> {
    static OWNED: LazyLock<Regex> = LazyLock::new(|| {
        // `family-owned restaurants` may be whom it works for: something must say that it is one itself.
        let is = r"(?:\b(?:is|are|as|being|we're|we’re)\s+(?:an?\s+|your\s+|the\s+)?(?:[\w-]+,?\s+){0,3}?|^)";
        let whose = r"(family|locally|independently|veteran|woman|women|employee)[-–\s](?:owned|run|operated)\b";
        Regex::new(&format!("(?i){is}({whose})")).expect("the pattern is constant")
    });
    let found = OWNED.captures(sentence)?;
    match found[2].to_lowercase().as_str() {
        "family" => Some(Point::Family),
        _ => Some(Point::Owned(found[1].to_lowercase().replace('–', "-"))),
    }
}

/// The year the business says it began in.
fn since(sentence: &str) -> Option<String> {
    static YEAR: LazyLock<Regex> = LazyLock::new(|| {
        let began = r"(?:since|est\.?|(?:founded|established|opened|started|began)(?:\s+by\s[^.\n]{3,40}?)?(?:\s+(?:our\s+doors\s+)?in)?)";
        Regex::new(&format!(r"(?i)\b{began}\s+(?:in\s+)?(1[89]\d\d|20[0-2]\d)\b")).expect("the pattern is constant")
    });
    // Figures are counted since some year, too; only who has been there since then began in it.
    static THERE: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?i)\b(been|serving|business|family|owned|operating|trusted|proud|proudly|open|here|around|est|established|founded|opened|began|started)\b")
            .expect("the pattern is constant")
    });
    if sentence.contains('©') || !THERE.is_match(sentence) {
        return None;
    }
    YEAR.captures(sentence).map(|found| found[1].to_owned())
}

/// What it says it specialises in.
fn specialty(sentence: &str) -> Option<String> {
    static SPECIALTY: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?i)\b(?:we speciali[sz]e in|speciali[sz](?:es|ing) in|specialists in)\s+([\p{L}][\p{L}\d ,&'’/-]{4,70})[.!;]?$")
            .expect("the pattern is constant")
    });
    let found = SPECIALTY.captures(sentence)?;
    let said = found[1].trim().trim_end_matches([',', '-', '&']).trim();
    // What helps "you" or is "ours" does not fit into a sentence in another voice.
    let words = format!(" {} ", normal(said));
    let fits = ![" you ", " your ", " our ", " we ", " us "].iter().any(|word| words.contains(word));
    fits.then(|| lower_first(said))
}

/// Where its customers live: names of places behind `serving`.
fn area(sentence: &str) -> Option<String> {
    static AREA: LazyLock<Regex> = LazyLock::new(|| {
        let place = r"\p{Lu}[\p{L}'’-]+";
        let more = format!(r"(?:\s+{place}|,\s+{place}|,?\s+and\s+{place}|\s+&\s+{place})");
        Regex::new(&format!(
            r"\b(?:[Ss]erving|[Ss]erves|[Ww]e serve|[Ww]e service)\s+((?:the\s+)?{place}{more}{{0,8}}(?:\s+area)?)\b"
        ))
        .expect("the pattern is constant")
    });
    let found = AREA.captures(sentence)?[1].to_owned();
    let joined = match found.rsplit_once(", ") {
        Some((first, last)) if !found.contains(" and ") && !found.contains('&') => format!("{first} and {last}"),
        _ => found,
    };
    AREA_CHARS.contains(&joined.chars().count()).then_some(joined)
}

fn lower_first(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_lowercase().to_string()).unwrap_or_default();
    let acronym = letters.clone().next().is_some_and(char::is_uppercase);
    if acronym { text.to_owned() } else { format!("{first}{}", letters.as_str()) }
}

/// A line of the website that says something about how the business works.
fn line(text: &str, voice: &Voice, seed: u64) -> Option<String> {
    let worth = |sentence: &str| {
        let words = normal(sentence);
        let promises = PROMISES.split('|').filter(|promise| words.contains(promise)).count();
        match voice.is_promise(sentence) {
            true if promises > 0 && voice.begins(sentence) => promises * 2,
            true if promises > 1 && voice.is_about_itself(sentence) => promises,
            _ => 0,
        }
    };
    best(sentences(text), seed, worth)
}

/// A line of a review that is glad.
fn praise(reviews: &[String], seed: u64) -> Option<String> {
    let glad = |sentence: &str| {
        let words = normal(sentence);
        GLAD.split('|').filter(|word| words.contains(word)).count()
    };
    let sour = |words: &str| SOUR.split('|').any(|word| words.contains(word));
    let all = reviews.iter().filter(|review| !sour(&normal(review))).flat_map(|review| sentences(review));
    best(all, seed, glad)
}

/// One of the best few that can be quoted, chosen by the seed, so that two businesses with the same words are still
/// told different ones.
fn best(all: impl Iterator<Item = String>, seed: u64, worth: impl Fn(&str) -> usize) -> Option<String> {
    let mut found: Vec<(usize, String)> = Vec::new();
    for sentence in all.filter_map(|sentence| super::voice::quotable(&sentence)) {
        let points = worth(&sentence);
        if points > 0 && !found.iter().any(|(_, known)| *known == sentence) {
            found.push((points, sentence));
        }
    }
    found.sort_by(|(one, _), (other, _)| other.cmp(one));
    found.truncate(BEST_MAX);
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
        assert_eq!(since("Family-Owned Since 1941"), Some("1941".into()));
        assert_eq!(since("We opened our doors in 1986."), Some("1986".into()));
        assert_eq!(since("© 2024 Acme. Opened daily at 8."), None);
        assert_eq!(since("We have counted the costs of our clients since 2019."), None);
        assert_eq!(since("We started with one van and moved to Denver in 2011."), None);
        assert_eq!(specialty("We specialize in Drain cleaning."), Some("drain cleaning".into()));
        assert_eq!(specialty("Specializing in HVAC repair"), Some("HVAC repair".into()));
        assert_eq!(specialty("We specialize in helping you bring your vision to life."), None);
        assert_eq!(owned("We are a locally owned shop."), Some(Point::Owned("locally owned".into())));
        assert_eq!(owned("We work for startups and family-owned restaurants."), None);
        assert_eq!(owned("Family–Owned Since 1941"), Some(Point::Family));
        assert_eq!(area("We have been serving the Greater Denver area."), Some("the Greater Denver area".into()));
        assert_eq!(area("We service San Jose, Los Altos, with care."), Some("San Jose and Los Altos".into()));
        assert_eq!(area("We are serving breakfast."), None);
    }

    fn first_line(text: &str) -> Option<String> {
        line(text, &Voice::of("Acme Plumbing"), 0)
    }

    #[test]
    fn only_a_promise_of_the_business_itself_is_quoted() {
        let text = "We use cookies, click here.\nOur prices are written down before we begin.\nHours: 9 to 5.";
        assert_eq!(first_line(text), Some("Our prices are written down before we begin".into()));
        let named = "At Acme Plumbing, we take pride in every single job.";
        assert_eq!(first_line(named), Some("At Acme Plumbing, we take pride in every single job".into()));
        for strange in [
            "We may earn commission from links on this page, and we only recommend what we trust.",
            "We are not affiliated with these publishers and do not guarantee anything.",
            "Once these tests pass, however, we trust the boundary and our prices.",
            "We had a serious ant problem in our kitchen and they came on time.",
            "If you take medication, we recommend you ask your doctor about our quality products.",
            "You can also reach us by phone for any questions at 330-747-9551.",
            "The median price to earnings multiple of our peers was 12.5 times.",
        ] {
            assert_eq!(first_line(strange), None, "{strange}");
        }
    }

    #[test]
    fn only_glad_customers_are_quoted() {
        let reviews = ["Nobody told me about the extra fee. Great though.".into(), "Best in town, hands down.".into()];
        assert_eq!(praise(&reviews, 7), Some("Best in town, hands down".into()));
        assert_eq!(praise(&["Meh.".into(), String::new()], 7), None);
    }
}
