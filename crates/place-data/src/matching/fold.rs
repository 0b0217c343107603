//! Reduces text of any script to lower-case Latin words, so that case, accents, umlauts and punctuation do not matter.

/// Bytes read of a name or an address; what follows cannot tell two places apart.
pub(super) const TEXT_BYTES_MAX: usize = 256;
/// Words kept of a text.
pub(super) const WORDS_MAX: usize = 16;

/// The words of a text in lower-case ASCII. Apostrophes are dropped, initials are joined ("D.C." is "dc", "A-1" is "a1"), `&` and `+`
/// become "and", everything else that is neither a letter nor a digit separates.
pub(super) fn words(text: &str) -> Vec<String> {
    let plain = ascii(excerpt(text));
    let mut words: Vec<String> = Vec::new();
    let (mut initials, mut hyphened) = (false, false);
    for piece in plain.split_inclusive(|c: char| !c.is_ascii_alphanumeric()) {
        let word = piece.trim_end_matches(|c: char| !c.is_ascii_alphanumeric());
        let dotted = piece.ends_with('.');
        let single = word.len() == 1 && word.as_bytes()[0].is_ascii_alphabetic();
        let numbered = hyphened && word.bytes().all(|byte| byte.is_ascii_digit()) && !word.is_empty();
        if initials && single || numbered {
            words.last_mut().into_iter().for_each(|last| last.push_str(word));
        } else if !word.is_empty() && words.len() < WORDS_MAX {
            words.push(word.to_owned());
        }
        if !word.is_empty() {
            initials = dotted && single;
            hyphened = piece.ends_with('-') && single;
        } else if !piece.starts_with(' ') {
            initials = false;
        }
    }
    words
}

/// Lower-case ASCII with the separators kept.
fn ascii(text: &str) -> String {
    let mut plain = String::with_capacity(text.len() + 8);
    for letter in text.chars() {
        match letter {
            '\'' | '’' | '‘' | 'ʼ' | 'ʻ' | '`' | '´' | '®' | '™' => {}
            '&' | '+' => plain.push_str(" and "),
            letter if letter.is_ascii() => plain.push(letter.to_ascii_lowercase()),
            letter if letter.is_alphanumeric() => {
                plain.extend(
                    any_ascii::any_ascii_char(letter)
                        .chars()
                        .map(|c| c.to_ascii_lowercase())
                        .filter(char::is_ascii_alphanumeric),
                );
            }
            letter if is_combining_mark(letter) => {}
            _ => plain.push(' '),
        }
    }
    plain
}

fn is_combining_mark(letter: char) -> bool {
    matches!(letter, '\u{300}'..='\u{36f}' | '\u{200b}'..='\u{200f}' | '\u{fe0e}' | '\u{fe0f}')
}

/// The beginning of a text.
fn excerpt(text: &str) -> &str {
    let mut end = text.len().min(TEXT_BYTES_MAX);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// One form for the spellings of a word: umlauts written out or not, doubled letters, plurals, British and American endings.
pub(super) fn canonical(word: &str) -> String {
    if word.bytes().any(|byte| byte.is_ascii_digit()) {
        let bare = word.trim_start_matches('0');
        return if bare.is_empty() { "0".to_owned() } else { bare.to_owned() };
    }
    let singular = word.strip_suffix('s').filter(|rest| rest.len() >= 3 && !rest.ends_with('s'));
    let word = singular.unwrap_or(word);
    if word.len() < 4 {
        return word.to_owned();
    }
    let mut plain: Vec<u8> = Vec::with_capacity(word.len());
    for byte in word.bytes() {
        let last = plain.last().copied();
        let umlaut = byte == b'e' && matches!(last, Some(b'a' | b'o' | b'u'));
        if last != Some(byte) && !umlaut {
            plain.push(byte);
        }
    }
    if plain.len() > 4 && plain.ends_with(b"ie") {
        plain.truncate(plain.len() - 2);
        plain.push(b'y');
    }
    if plain.len() > 4 && plain.ends_with(b"re") {
        plain.truncate(plain.len() - 2);
        plain.extend(b"er");
    }
    String::from_utf8(plain).unwrap_or_else(|_| word.to_owned())
}

/// Whether a text is written mostly in the Latin script; names in different scripts are compared only roughly.
pub(super) fn is_latin(text: &str) -> bool {
    if text.is_ascii() {
        return true;
    }
    let (mut latin, mut other) = (0, 0);
    for letter in excerpt(text).chars().filter(|letter| letter.is_alphabetic()) {
        if letter.is_ascii() || ('\u{c0}'..='\u{24f}').contains(&letter) || ('\u{1e00}'..='\u{1eff}').contains(&letter)
        {
            latin += 1;
        } else {
            other += 1;
        }
    }
    latin >= other
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_becomes_plain_words() {
        for (text, expected) in [
            ("Joe’s Café & Bar", "joes cafe and bar"),
            ("U.S.A. Tires", "usa tires"),
            ("J. D. Spirits", "jd spirits"),
            ("A-1 Lock", "a1 lock"),
            ("Bäckerei-Müller GmbH", "backerei muller gmbh"),
            ("Кафе Пушкин", "kafe pushkin"),
            ("Smørrebrød", "smorrebrod"),
            ("", ""),
            ("!!!", ""),
        ] {
            assert_eq!(words(text).join(" "), expected, "{text}");
        }
    }

    #[test]
    fn spellings_of_a_word_have_one_form() {
        for (one, other) in
            [("mueller", "muller"), ("centre", "center"), ("bakeries", "bakery"), ("joes", "joe"), ("staal", "stal")]
        {
            assert_eq!(canonical(one), canonical(other), "{one} and {other}");
        }
        assert_ne!(canonical("12"), canonical("21"));
    }

    #[test]
    fn hostile_text_is_cut_and_never_panics() {
        assert!(words(&"ä.".repeat(100_000)).len() <= WORDS_MAX);
        assert!(words(&"a ".repeat(100_000)).len() <= WORDS_MAX);
        assert!(is_latin("Łódź") && !is_latin("Москва"));
    }
}
