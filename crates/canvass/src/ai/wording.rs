//! Normal forms of text, for comparing and for quoting.

use unicode_normalization::UnicodeNormalization;

/// A text in its normal form: NFKC, lower case, one kind of quote and dash, single spaces, nothing invisible.
pub fn normal(text: &str) -> String {
    let mut written = String::with_capacity(text.len());
    let mut space = true;
    for letter in text.nfkc().flat_map(char::to_lowercase) {
        match plain(letter) {
            None => {}
            Some(' ') => {
                if !space {
                    written.push(' ');
                }
                space = true;
            }
            Some(letter) => {
                written.push(letter);
                space = false;
            }
        }
    }
    written.truncate(written.trim_end().len());
    written
}

fn plain(letter: char) -> Option<char> {
    match letter {
        '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2064}' | '\u{feff}' => None,
        '‘' | '’' | '‚' | '‛' | '′' | '`' | '´' => Some('\''),
        '“' | '”' | '„' | '‟' | '″' => Some('"'),
        '‐'..='―' | '−' => Some('-'),
        letter if letter.is_whitespace() || letter.is_control() => Some(' '),
        letter => Some(letter),
    }
}

/// Whether a character is invisible, or changes the direction of others.
pub fn is_invisible(letter: char) -> bool {
    let is_format = matches!(
        letter,
        '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
    );
    letter.is_control() || is_format || ('\u{e0000}'..='\u{e007f}').contains(&letter)
}

/// Untrusted words made fit for a sentence: on one line, without quotes, placeholders or invisible characters.
pub fn shown(text: &str) -> String {
    let is_plain =
        |letter: &char| letter.is_whitespace() || !is_invisible(*letter) && !"\"“”[]{}<>_…".contains(*letter);
    text.chars().filter(is_plain).collect::<String>().split_whitespace().collect::<Vec<_>>().join(" ")
}
