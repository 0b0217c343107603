//! Folding: normalises names so that case, accents, punctuation and spacing do not matter.

use std::sync::OnceLock;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Abbreviations that stand for a word anywhere in a name.
const SHORT_FORMS: &[(&str, &str)] =
    &[("st", "saint"), ("ste", "sainte"), ("ft", "fort"), ("mt", "mount"), ("twp", "township")];

/// Calls `each` with the letters of a text, without accents, in lower case.
fn letters(text: &str, mut each: impl FnMut(char)) {
    if text.is_ascii() {
        text.chars().for_each(|letter| each(letter.to_ascii_lowercase()));
        return;
    }
    for letter in text.chars().flat_map(char::to_lowercase).nfkd().filter(|letter| !is_combining_mark(*letter)) {
        match letter {
            'ø' => each('o'),
            'ł' => each('l'),
            'đ' | 'ð' => each('d'),
            'ı' => each('i'),
            'ß' => "ss".chars().for_each(&mut each),
            'æ' => "ae".chars().for_each(&mut each),
            'œ' => "oe".chars().for_each(&mut each),
            'þ' => "th".chars().for_each(&mut each),
            '’' | '‘' | 'ʼ' | 'ʻ' | '`' | '´' => each('\''),
            other => each(other),
        }
    }
}

/// A folded word and its byte range in the text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Word {
    pub(crate) text: String,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

/// The words of a text. Apostrophes are dropped, initials joined ("D.C." is "dc"), everything else separates.
pub(crate) fn words(text: &str) -> Vec<Word> {
    let mut found: Vec<Word> = Vec::new();
    let divides = |letter: char| !(letter.is_alphanumeric() || is_combining_mark(letter) || is_apostrophe(letter));
    let mut start = 0;
    for piece in text.split_inclusive(divides) {
        let end = start + piece.trim_end_matches(divides).len();
        let mut word = String::new();
        letters(&text[start..end], |letter| {
            if letter.is_alphanumeric() {
                word.push(letter);
            }
        });
        let dotted = start >= 2 && text[..start].ends_with('.') && is_single(&word);
        match found.last_mut() {
            Some(last) if dotted && last.end + 1 == start && is_initials(text, last) => {
                last.text.push_str(&word);
                last.end = end;
            }
            _ if !word.is_empty() => found.push(Word { text: word, start, end }),
            _ => {}
        }
        start += piece.len();
    }
    found
}

/// The words of a text, folded: without case, accents and punctuation. "Joe's Café" is `joes` and `cafe`.
#[must_use]
pub fn fold_words(text: &str) -> Vec<String> {
    words(text).into_iter().map(|word| word.text).collect()
}

fn is_apostrophe(letter: char) -> bool {
    matches!(letter, '\'' | '’' | '‘' | 'ʼ' | 'ʻ' | '`' | '´')
}

fn is_single(word: &str) -> bool {
    word.chars().count() == 1
}

/// Whether the word was written as a single letter, or as letters separated by dots.
fn is_initials(text: &str, word: &Word) -> bool {
    text[word.start..word.end].split('.').all(is_single)
}

/// The lookup key of a name: its words with abbreviations expanded, joined without spaces.
pub(crate) fn key(text: &str) -> String {
    let mut key = String::with_capacity(text.len());
    push_key(text, &mut key);
    key
}

/// The key of words that are already folded.
pub(crate) fn join<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    words.into_iter().map(written_out).collect()
}

/// Appends the key of a name to a buffer, in one pass: the gazetteer has hundreds of thousands of names.
pub(crate) fn push_key(name: &str, buffer: &mut String) {
    let mut start = buffer.len();
    for letter in name.chars() {
        if letter.is_ascii_alphanumeric() {
            buffer.push(letter.to_ascii_lowercase());
        } else if !letter.is_ascii() {
            // Non-letters are dropped; that they also end a word matters to no name.
            push_folded(letter, buffer);
        } else if letter != '\'' {
            write_out(buffer, start);
            start = buffer.len();
        }
    }
    write_out(buffer, start);
}

/// Expands the last word of the buffer if it is an abbreviation.
fn write_out(buffer: &mut String, start: usize) {
    if let Some(full) = full_form(&buffer[start..]) {
        buffer.truncate(start);
        buffer.push_str(full);
    }
}

/// Code points whose folded form is looked up in a table: Latin, Greek, Cyrillic, Hebrew and Arabic.
const TABLE_END: u32 = 0x700;
/// Chinese characters, which have no other form.
const IDEOGRAPHS: std::ops::RangeInclusive<char> = '\u{4e00}'..='\u{9fff}';

fn push_folded(letter: char, buffer: &mut String) {
    static TABLE: OnceLock<Vec<String>> = OnceLock::new();
    let table = TABLE.get_or_init(|| (0..TABLE_END).filter_map(char::from_u32).map(folded).collect());
    match table.get(letter as usize) {
        Some(known) => buffer.push_str(known),
        None if IDEOGRAPHS.contains(&letter) => buffer.push(letter),
        None => buffer.push_str(&folded(letter)),
    }
}

fn folded(letter: char) -> String {
    let mut found = String::new();
    letters(letter.encode_utf8(&mut [0; 4]), |letter| {
        if letter.is_alphanumeric() {
            found.push(letter);
        }
    });
    found
}

fn written_out(word: &str) -> &str {
    full_form(word).unwrap_or(word)
}

fn full_form(word: &str) -> Option<&'static str> {
    // Most words are longer than any abbreviation and need no lookup.
    if word.len() > 3 { None } else { SHORT_FORMS.iter().find(|(short, _)| *short == word).map(|(_, full)| *full) }
}

/// The beginning of a text on one line, without characters that would garble a message.
pub(crate) fn excerpt(text: &str, bytes_max: usize) -> String {
    let mut end = text.len().min(bytes_max);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text[..end].chars().filter(|letter| !letter.is_control()).collect::<String>().trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equivalent_names_have_the_same_key() {
        for (one, other) in [
            ("St. Louis", "saint louis"),
            ("Ft Worth", "FORT  WORTH"),
            ("Winston-Salem", "winston salem"),
            ("Coeur d'Alene", "coeur d’alene"),
            ("München", "munchen"),
            ("Washington D.C.", "washington dc"),
            ("Washington, D. C.", "washington dc"),
            ("U.S.A.", "usa"),
            ("Łódź", "lodz"),
            ("O'Fallon", "OFallon"),
        ] {
            assert_eq!(key(one), key(other), "{one} and {other}");
        }
    }

    #[test]
    fn a_name_has_the_key_of_its_words() {
        for name in [
            "Austin",
            "Port St Lucie",
            "Winston-Salem",
            "St",
            "Köln",
            "St. John's",
            "Mt Ste Ft",
            "İzmir",
            "東京",
            "Ḥaifā",
            "Москва",
            "서울",
            "القاهرة",
            "ทอง",
        ] {
            let words = words(name);
            assert_eq!(key(name), join(words.iter().map(|word| word.text.as_str())), "{name}");
        }
    }

    #[test]
    fn words_know_their_position() {
        let text = "1100 Congress Ave., Austin";
        let found = words(text);
        assert_eq!(found.len(), 4);
        assert_eq!(&text[found[2].start..found[2].end], "Ave");
    }
}
