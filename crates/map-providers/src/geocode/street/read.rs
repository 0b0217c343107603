//! Folds the spelling of a street.

use places::fold_words;

use super::Street;
use super::spellings::{
    DIRECTIONS, ENDING_AFTER_MIN, ENDINGS, HIGHWAYS, KINDS, Kind, LEADING_KINDS, LEADING_LETTERS, NAME_WORDS, ORDINALS,
    PARTICLES, PEOPLE, STATES, TENS,
};

/// Bytes and words of a spelling that are read.
const SPELLING_BYTES_MAX: usize = 300;
const WORDS_MAX: usize = 24;

/// A kind of street that was cut off, and whether it stood before the name.
type CutKind = (Kind, bool);

/// Folds the spelling of a street.
pub(super) fn street(spelling: &str) -> Option<Street> {
    let mut words = ordinals(&words(spelling));
    if words.is_empty() {
        return None;
    }
    let direction = cut_direction(&mut words);
    if let Some((system, number)) = highway(&words) {
        return Some(Street { name: number, kind: Some("highway"), direction, system });
    }
    let kind = cut_kind(&mut words);
    let is_leading = kind.is_some_and(|(_, is_leading)| is_leading);
    Some(Street { name: name(words, is_leading), kind: kind.map(|(kind, _)| kind), direction, system: None })
}

/// The folded words of a spelling. Articles with an apostrophe are words of their own.
fn words(spelling: &str) -> Vec<String> {
    let mut end = spelling.len().min(SPELLING_BYTES_MAX);
    while !spelling.is_char_boundary(end) {
        end -= 1;
    }
    let mut text = String::with_capacity(end);
    for piece in spelling[..end].split_inclusive(['\'', '’', ' ', '-']) {
        let article = piece.strip_suffix(['\'', '’']);
        let is_article = article
            .is_some_and(|word| matches!(word.to_lowercase().as_str(), "l" | "d" | "dell" | "all" | "sull" | "nell"));
        text.push_str(article.filter(|_| is_article).unwrap_or(piece));
        if is_article {
            text.push(' ');
        }
    }
    fold_words(&text.replace(['º', 'ª'], " o ")).into_iter().take(WORDS_MAX).collect()
}

/// The words with ordinals as numbers: `5th`, `fifth` and `forty-second`.
fn ordinals(words: &[String]) -> Vec<String> {
    let mut found = Vec::with_capacity(words.len());
    let mut at = 0;
    while let Some(word) = words.get(at) {
        let unit = words.get(at + 1).and_then(|next| look_up(ORDINALS, next)).filter(|unit| *unit < 10);
        if let (Some(tens), Some(unit)) = (look_up(TENS, word), unit) {
            found.push((tens + unit).to_string());
            at += 2;
            continue;
        }
        let number = look_up(ORDINALS, word).map(|number| number.to_string()).or_else(|| plain_ordinal(word));
        found.push(number.unwrap_or_else(|| word.clone()));
        at += 1;
    }
    found
}

fn look_up(table: &[(&str, u32)], word: &str) -> Option<u32> {
    table.iter().find(|(known, _)| *known == word).map(|(_, value)| *value)
}

/// `5` of `5th`.
fn plain_ordinal(word: &str) -> Option<String> {
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    let is_ordinal = matches!(word.get(digits..)?, "st" | "nd" | "rd" | "th" | "er" | "eme" | "ere");
    (digits > 0 && is_ordinal).then(|| word[..digits].to_owned())
}

/// Takes a direction off the start or the end, when a name stays: in "North St", it is the name.
fn cut_direction(words: &mut Vec<String>) -> Option<&'static str> {
    let direction = |words: &[String]| {
        let word = words.concat();
        let (short, _) = DIRECTIONS.iter().find(|(_, spellings)| spellings.contains(&word.as_str()))?;
        // "No" and "So" are directions only where they are written with another word.
        (!matches!(word.as_str(), "no" | "so")).then_some(*short)
    };
    let is_kind = |word: &String| kind_of(KINDS, word).is_some();
    for count in [2, 1] {
        let Some(rest) = words.len().checked_sub(count).filter(|rest| *rest > 0) else { continue };
        // Two words are one direction only as in "north west".
        let is_pair = |pair: &[String]| count == 1 || (pair.concat().len() > 4 && direction(pair).is_some());
        if is_pair(&words[rest..])
            && let Some(found) = direction(&words[rest..])
        {
            let names_more = rest > 1 || !is_kind(&words[0]);
            if names_more {
                words.truncate(rest);
                return Some(found);
            }
        }
        if is_pair(&words[..count])
            && let Some(found) = direction(&words[..count])
        {
            let names_more = rest > 1 || !is_kind(&words[count]);
            if names_more {
                words.drain(..count);
                return Some(found);
            }
        }
    }
    None
}

/// A numbered highway: whose number it is, and the number.
fn highway(words: &[String]) -> Option<(Option<&'static str>, String)> {
    let (number, before) = words.split_last()?;
    let is_number = number.starts_with(|first: char| first.is_ascii_digit()) && number.len() <= 5;
    let fits = |known: &&(&[&str], Option<&'static str>)| {
        known.0.len() == before.len() && known.0.iter().zip(before).all(|(known, word)| *known == word.as_str())
    };
    let is_state = matches!(before, [state] if STATES.contains(&state.as_str()));
    let known = HIGHWAYS.iter().find(fits).map(|(_, system)| *system);
    let system = known.or_else(|| is_state.then_some(Some("state"))).filter(|_| is_number)?;
    Some((system, number.clone()))
}

/// Takes the kind of street off: before the name in Romance languages, behind it in others, or at the end of a word.
fn cut_kind(words: &mut Vec<String>) -> Option<CutKind> {
    if words.len() > 1 {
        if let Some(kind) = kind_of(LEADING_KINDS, &words[0]) {
            words.remove(0);
            return Some((kind, true));
        }
        let is_followed = |count: usize| words.get(count).is_some_and(|next| PARTICLES.contains(&next.as_str()));
        let letters = leading_letters(words);
        if let Some((kind, count)) = letters.filter(|(_, count)| *count > 1 || is_followed(*count)) {
            words.drain(..count);
            return Some((kind, true));
        }
        let last = words.len() - 1;
        if let Some(kind) = kind_of(KINDS, &words[last]) {
            words.truncate(last);
            return Some((kind, false));
        }
        let first = kind_of(KINDS, &words[0]).filter(|_| words[0] != "st").map(|kind| (kind, 1));
        if let Some((kind, count)) = first.or(letters) {
            words.drain(..count);
            return Some((kind, true));
        }
    }
    let last = words.last_mut()?;
    let cut = |(ending, kind): &(&str, Kind)| Some((last.strip_suffix(ending)?.len(), *kind));
    let (length, kind) = ENDINGS.iter().filter_map(cut).find(|(length, _)| *length >= ENDING_AFTER_MIN)?;
    last.truncate(length);
    Some((kind, false))
}

fn leading_letters(words: &[String]) -> Option<(Kind, usize)> {
    let starts = |(_, letters): &&(Kind, &[&str])| {
        letters.len() < words.len() && letters.iter().zip(words).all(|(letter, word)| *letter == word.as_str())
    };
    let longest = LEADING_LETTERS.iter().filter(starts).max_by_key(|(_, letters)| letters.len())?;
    Some((longest.0, longest.1.len()))
}

fn kind_of(table: &[(Kind, &[&str])], word: &str) -> Option<Kind> {
    table.iter().find(|(_, spellings)| spellings.contains(&word)).map(|(kind, _)| *kind)
}

/// The name in one piece: written out, without small words where a kind precedes it, and with one form of umlauts.
fn name(mut words: Vec<String>, is_leading: bool) -> String {
    if is_leading && words.iter().any(|word| !PARTICLES.contains(&word.as_str())) {
        words.retain(|word| !PARTICLES.contains(&word.as_str()));
    }
    for word in &mut words {
        if let Some((_, full)) = NAME_WORDS.iter().find(|(short, _)| short == word) {
            *word = (*full).to_owned();
        }
    }
    for (person, initials) in PEOPLE {
        let is_person = |part: &[String]| part.iter().zip(*person).all(|(word, known)| word == known);
        if let Some(at) = words.windows(person.len()).position(is_person) {
            words.splice(at..at + person.len(), [(*initials).to_owned()]);
            break;
        }
    }
    words.concat().replace("ue", "u").replace("oe", "o").replace("ae", "a")
}
