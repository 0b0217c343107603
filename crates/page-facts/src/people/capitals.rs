//! How the words of a name are written: `Lee`, `McLee`, `LEE`.

/// What is not part of a name behind an apostrophe: `Ann's`, `I'm`, `We're`.
const NOT_IN_NAMES: &[&str] = &["s", "m", "re", "ve", "ll"];

/// Accepts `Smith`, `O'Neil`, `McDonald`, `J.`, `JANE`, `Smith-Jones`; not `iPhone`, `2nd`, `CEO`, `I'm`.
pub(super) fn is_capitalised(word: &str) -> bool {
    if word.is_ascii() {
        return is_capitalised_ascii(word.as_bytes());
    }
    let mut chars = word.chars();
    if !chars.next().is_some_and(|c| c.is_uppercase() && c.is_alphabetic()) {
        return false;
    }
    let (mut count, mut dots, mut capitals, mut small) = (1, 0, 0, 0);
    for c in chars {
        match c {
            '.' => dots += 1,
            '\'' | '’' | '-' => {}
            c if c.is_alphabetic() => {
                capitals += usize::from(c.is_uppercase());
                small += usize::from(c.is_lowercase());
            }
            _ => return false,
        }
        count += 1;
    }
    count <= 20
        && (capitals <= 2 || small == 0)
        && !word.rsplit(['’', '\'']).next().is_some_and(|end| NOT_IN_NAMES.contains(&end))
        && (dots == 0 || dots * 2 == word.len() || word.len() <= 3)
}

/// The same for nearly all words.
fn is_capitalised_ascii(word: &[u8]) -> bool {
    let [first, rest @ ..] = word else { return false };
    let (mut dots, mut capitals, mut small) = (0, 0, 0);
    for byte in rest {
        match byte {
            b'.' => dots += 1,
            b'\'' | b'-' => {}
            b'A'..=b'Z' => capitals += 1,
            b'a'..=b'z' => small += 1,
            _ => return false,
        }
    }
    first.is_ascii_uppercase()
        && word.len() <= 20
        && (capitals <= 2 || small == 0)
        && (!word.contains(&b'\'') || !NOT_IN_NAMES.iter().any(|end| is_after_apostrophe(word, end)))
        && (dots == 0 || dots * 2 == word.len() || word.len() <= 3)
}

fn is_after_apostrophe(word: &[u8], end: &str) -> bool {
    word.strip_suffix(end.as_bytes()).is_some_and(|rest| rest.ends_with(b"'"))
}

/// Turns `JANE` into `Jane`; mixed case is kept as written.
pub(super) fn in_title_case(word: &str) -> String {
    let word = word.trim_end_matches(',');
    if word.chars().count() < 3 || word.chars().any(char::is_lowercase) || word.contains('.') {
        return word.to_owned();
    }
    let mut out = String::new();
    let mut up = true;
    for c in word.chars() {
        if up {
            out.push(c);
        } else {
            out.extend(c.to_lowercase());
        }
        up = !c.is_alphabetic();
    }
    out
}
