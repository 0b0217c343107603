//! Credentials behind a name: `DDS`, `Ph.D.`, `LPC-S`.

use crate::people::name_words::SUFFIXES;

/// Longest of the [`SUFFIXES`], in characters.
const SUFFIX_CHARS_MAX: usize = 7;

/// Splits `Ann Lee, DDS, MS` into the name and the credentials.
pub(super) fn split(text: &str) -> (&str, Option<&str>) {
    let mut end = text.len();
    loop {
        let head = text[..end].trim_end_matches([' ', ',', '(', ')', '&', '®']);
        let start = head.bytes().rposition(|byte| matches!(byte, b' ' | b',' | b'(')).map_or(0, |p| p + 1);
        let is_after_comma = || text[..start].trim_end().ends_with(',');
        if start == 0 || !(is_suffix(&head[start..]) || (is_after_comma() && is_letters(&head[start..]))) {
            break;
        }
        end = start;
    }
    let bare = text[..end].trim_end_matches([' ', ',', '(']);
    let credentials = text[bare.len()..].trim_matches([' ', ',', '(', ')']);
    (bare, (!credentials.is_empty()).then_some(credentials))
}

/// Recognises credentials on the list, with or without full stops: `DDS`, `Ph.D.`.
fn is_suffix(word: &str) -> bool {
    if word.is_ascii() {
        return is_ascii_suffix(word.as_bytes());
    }
    let is_kept = |c: &char| c.is_alphanumeric() || *c == '-';
    word.chars().any(|c| c.is_uppercase() || c == '.')
        && word.chars().filter(is_kept).take(SUFFIX_CHARS_MAX + 1).count() <= SUFFIX_CHARS_MAX
        && SUFFIXES.contains(&word.chars().filter(is_kept).collect::<String>().to_lowercase())
}

/// The same for nearly all words, without allocating.
fn is_ascii_suffix(word: &[u8]) -> bool {
    let mut kept = [0; SUFFIX_CHARS_MAX];
    let mut count = 0;
    for byte in word.iter().filter(|byte| byte.is_ascii_alphanumeric() || **byte == b'-') {
        let Some(place) = kept.get_mut(count) else { return false };
        *place = byte.to_ascii_lowercase();
        count += 1;
    }
    word.iter().any(|byte| byte.is_ascii_uppercase() || *byte == b'.')
        && std::str::from_utf8(&kept[..count]).is_ok_and(|word| SUFFIXES.contains(word))
}

/// Recognises credentials on no list, such as `MPA`, `LPC-S`, `Psy.D.`; not `TX` or `USA`.
fn is_letters(word: &str) -> bool {
    let bare: String = word.chars().filter(|c| !matches!(c, '.' | '®' | '™')).collect();
    let shouted = bare.len() >= 3 && bare.len() <= 6 && bare.bytes().all(|b| b.is_ascii_uppercase());
    let capitals = bare.bytes().filter(u8::is_ascii_uppercase).count();
    // `LMFT-A`, `Psy.D.`, `OTR/L`: mostly capitals, joined by a sign.
    let is_joined = (3..=10).contains(&word.len())
        && word.contains(['.', '-', '/'])
        && capitals >= 2
        && bare.bytes().all(|b| b.is_ascii_alphabetic() || matches!(b, b'-' | b'/'))
        && bare.bytes().filter(u8::is_ascii_lowercase).count() <= capitals;
    (shouted && bare != "USA") || is_joined
}
