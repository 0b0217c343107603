//! Numbers written with letters: `1-800-FLOWERS`, `303.555.PAUL`.

/// Letters and digits of a number after its area code.
const BODY_LENGTH: usize = 7;
/// Longest word that is dialled by its first seven letters.
const WORD_LENGTH_MAX: usize = 10;

/// A number written with letters.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Vanity {
    /// The ten digits it stands for.
    pub(crate) digits: String,
    /// Where it ends in the text.
    pub(crate) end: usize,
}

/// What precedes the area code.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Lead {
    /// A word that announces a phone number.
    pub(crate) is_announced: bool,
    /// The `1` of long-distance calls.
    pub(crate) has_one: bool,
}

/// Reads a number with letters whose area code is the group at `code`.
pub(crate) fn read(text: &str, code: (usize, usize), lead: Lead) -> Option<Vanity> {
    let area = text.get(code.0..code.1).filter(|area| area.len() == 3 && area.as_bytes()[0] >= b'2')?;
    let is_toll_free = matches!(area, "800" | "833" | "844" | "855" | "866" | "877" | "888");
    let rest = &text[code.1..];
    let gap = rest.len() - rest.trim_start_matches(['-', '.', ' ', ')']).len();
    let mark = &rest[..gap];
    let is_marked = mark.contains(['-', '.', ')']) || (text[..code.0].ends_with('(') && mark.contains(')'));
    if gap == 0 || gap > 3 || !(is_marked || is_toll_free) {
        return None;
    }
    let body = Body::read(&rest[gap..], is_toll_free && lead.has_one && is_marked);
    let starts_with_digits =
        body.keys.as_bytes().iter().zip(body.letters.bytes()).take(3).all(|(_, kind)| kind == b'0');
    let fits = body.keys.len() == BODY_LENGTH
        || (is_toll_free
            && is_marked
            && body.is_one_word()
            && (BODY_LENGTH..=WORD_LENGTH_MAX).contains(&body.keys.len()));
    // `360-DEGREES` has the form of a number too.
    let is_meant = is_toll_free || lead.is_announced || starts_with_digits || mark.contains(')');
    let next = rest[gap + body.bytes..].chars().next();
    let ends = !next.is_some_and(|c| c.is_alphanumeric() || c == '_');
    (fits && is_meant && ends && body.longest_word() >= 3)
        .then(|| Vanity { digits: format!("{area}{}", &body.keys[..BODY_LENGTH]), end: code.1 + gap + body.bytes })
}

/// The part after the area code.
struct Body {
    /// The keys to press.
    keys: String,
    /// `A` for each letter and `0` for each digit, in step with `keys`.
    letters: String,
    bytes: usize,
}

impl Body {
    fn read(text: &str, may_be_lower: bool) -> Body {
        let mut body = Body { keys: String::new(), letters: String::new(), bytes: 0 };
        let mut pending = 0;
        for c in text.chars().take(BODY_LENGTH + 8) {
            let is_letter = c.is_ascii_uppercase() || (may_be_lower && c.is_ascii_lowercase());
            match c {
                '0'..='9' if body.keys.len() < BODY_LENGTH => body.push(c, '0'),
                _ if is_letter => body.push(key_of(c), 'A'),
                '-' | '.' | ' ' if (1..BODY_LENGTH).contains(&body.keys.len()) && pending == 0 => {
                    pending = 1;
                    continue;
                }
                _ => break,
            }
            body.bytes += 1 + pending;
            pending = 0;
        }
        body
    }

    fn push(&mut self, key: char, kind: char) {
        self.keys.push(key);
        self.letters.push(kind);
    }

    fn is_one_word(&self) -> bool {
        !self.letters.contains('0')
    }

    fn longest_word(&self) -> usize {
        self.letters.split('0').map(str::len).max().unwrap_or(0)
    }
}

/// The key of a telephone that bears a letter.
fn key_of(letter: char) -> char {
    match letter.to_ascii_uppercase() {
        'A'..='C' => '2',
        'D'..='F' => '3',
        'G'..='I' => '4',
        'J'..='L' => '5',
        'M'..='O' => '6',
        'P'..='S' => '7',
        'T'..='V' => '8',
        _ => '9',
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, code: &str, announced: bool, expect: Option<&str>) {
        let at = text.find(code).unwrap();
        let found = read(text, (at, at + 3), Lead { is_announced: announced, has_one: text[..at].ends_with("1-") });
        assert_eq!(found.map(|vanity| vanity.digits).as_deref(), expect, "{text}");
    }

    #[test]
    fn letters_stand_for_digits() {
        for (text, code, expect) in [
            ("1-800-FLOWERS", "800", "8003569377"),
            ("1-800-Flowers today", "800", "8003569377"),
            ("1-800-GOT-JUNK", "800", "8004685865"),
            ("1-800-MATTRESS", "800", "8006288737"),
            ("1-855-MYLOT18", "855", "8556956818"),
            ("888.412.SHOP(7467)", "888", "8884127467"),
            ("(888) 99 FLARE", "888", "8889935273"),
            ("303.555.PAUL", "303", "3035557285"),
            ("(512) GO-PIZZA", "512", "5124674992"),
            ("877-LEARN-30", "877", "8775327630"),
        ] {
            check(text, code, false, Some(expect));
        }
        check("Call 512-GOPIZZA", "512", true, Some("5124674992"));
    }

    #[test]
    fn words_after_a_number_are_no_number() {
        for (text, code) in [
            ("1280 x 800 HDR", "800"),
            ("360-DEGREES", "360"),
            ("888 SOUTH Main", "888"),
            ("800 AM to 900", "800"),
            ("970 STRIX", "970"),
            ("200 MSM8210", "200"),
            ("101 BLOCKCHAINS", "101"),
            ("800-Series B", "800"),
            ("855-JWU-18811", "855"),
            ("800-", "800"),
        ] {
            check(text, code, false, None);
        }
    }
}
