//! Finds what is written like a postal code, and says of which kinds it may be.

use crate::digits::next_digit;
use crate::word_set::WordSet;

/// The shape of a postal code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// `78701` or `78701-1234`.
    Five,
    /// `2000`.
    Four,
    /// `113 56`.
    ThreeTwo,
    /// `00-514`.
    TwoThree,
    /// `1000-001`.
    FourThree,
    /// `01310-100`.
    FiveThree,
    /// `150-0002`.
    ThreeFour,
    /// `560001` or `560 001`.
    Six,
    /// `D02 XE80`, also without the blank.
    Eircode,
    /// `2611 CD`.
    Dutch,
    /// `K1A 0B6`.
    Canadian,
    /// `SW1A 1AA`; without the blank only `IsJoined`.
    British,
    /// `SW1A1AA`.
    BritishJoined,
}

/// Something written like a postal code, as a byte range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Code {
    pub(crate) shape: Shape,
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// Letters stand beside it without a blank: `TX78701`, `78701USA`.
    pub(crate) is_joined: bool,
}

/// Letters and digits of a token that are looked at.
const TOKEN_BYTES_MAX: usize = 16;

/// Post towns of British postcodes.
static BRITISH_AREAS: WordSet = WordSet::new(
    "AB AL B BA BB BD BH BL BN BR BS BT CA CB CF CH CM CO CR CT CV CW DA DD DE DG DH DL DN DT DY E EC EH EN EX FK FY
     G GL GU GY HA HD HG HP HR HS HU HX IG IM IP IV JE KA KT KW KY L LA LD LE LL LN LS LU M ME MK ML N NE NG NN NP NR
     NW OL OX PA PE PH PL PO PR RG RH RM S SA SE SG SK SL SM SN SO SP SR SS ST SW SY TA TD TF TN TQ TR TS TW UB W WA
     WC WD WF WN WR WS WV YO ZE",
);

/// The next token with a digit at or after `from`, as a byte range, and the code it may be.
pub(crate) fn next(text: &str, from: usize) -> Option<(usize, Option<Code>)> {
    let bytes = text.as_bytes();
    let digit = next_digit(bytes, from)?;
    let floor = digit.saturating_sub(3).max(from);
    let start = (floor..digit).rev().find(|at| !bytes[*at].is_ascii_alphabetic()).map_or(floor, |at| at + 1);
    let length = bytes[digit..].iter().take(TOKEN_BYTES_MAX).position(|b| !b.is_ascii_alphanumeric());
    let Some(length) = length else {
        let rest = bytes[digit..].iter().position(|b| !b.is_ascii_alphanumeric());
        return Some((
            rest.map_or(bytes.len(), |rest| digit + rest),
            (bytes.len() - digit <= TOKEN_BYTES_MAX).then(|| of(text, start, bytes.len())).flatten(),
        ));
    };
    let end = digit + length;
    let code = of(text, start, end);
    Some((code.map_or(end, |code| code.end), code))
}

/// The code that the token at `start..end` is, or starts.
fn of(text: &str, start: usize, end: usize) -> Option<Code> {
    let bytes = text.as_bytes();
    let token = &bytes[start..end];
    if start > 0 && is_joined_before(bytes, start) {
        return None;
    }
    let (shape, end) = match token {
        [d, rest @ ..] if d.is_ascii_digit() && rest.iter().all(u8::is_ascii_digit) => of_digits(bytes, start, end)?,
        [d, ..] if d.is_ascii_digit() => return joined_after(token, start),
        [a, b, digits @ ..] if is_joined_state(*a, *b, digits) => {
            let ends = bytes.get(end).is_none_or(|b| matches!(b, b' ' | b'\n' | b'.' | b',' | b'-' | b'<' | b'|'));
            return ends.then_some(Code { shape: Shape::Five, start: start + 2, end, is_joined: true });
        }
        _ => of_letters(bytes, start, end)?,
    };
    let follows = bytes.get(end).is_some_and(|b| b.is_ascii_alphanumeric() || matches!(b, b'%' | b'_' | b'@' | b'='));
    let decimal = matches!(bytes.get(end), Some(b'.' | b',' | b'/' | b':' | b'-'))
        && bytes.get(end + 1).is_some_and(u8::is_ascii_digit);
    (!follows && !decimal).then_some(Code { shape, start, end, is_joined: false })
}

/// `TX78701`: two capitals and five digits.
fn is_joined_state(a: u8, b: u8, digits: &[u8]) -> bool {
    a.is_ascii_uppercase() && b.is_ascii_uppercase() && digits.len() == 5 && digits.iter().all(u8::is_ascii_digit)
}

/// `78701USA`, `78701Phone`: five digits and a word of three letters or more that starts with a capital.
fn joined_after(token: &[u8], start: usize) -> Option<Code> {
    let (digits, word) = token.split_at_checked(5)?;
    let is_word = word.len() > 2 && word[0].is_ascii_uppercase() && word.iter().all(u8::is_ascii_alphabetic);
    let is_code = digits.iter().all(u8::is_ascii_digit) && is_word;
    is_code.then_some(Code { shape: Shape::Five, start, end: start + 5, is_joined: true })
}

/// Whether the token goes on to the left: a price, a number with points, an identifier.
fn is_joined_before(bytes: &[u8], start: usize) -> bool {
    match bytes[start - 1] {
        b'$' | b'#' | b'_' | b'=' | b'%' | b'&' | b'@' | b'+' => true,
        b'.' | b',' | b'/' | b':' => start > 1 && bytes[start - 2].is_ascii_digit(),
        b'-' => start > 1 && bytes[start - 2].is_ascii_digit(),
        other => other.is_ascii_alphanumeric(),
    }
}

fn digits_at(bytes: &[u8], at: usize) -> usize {
    bytes.get(at..).unwrap_or(&[]).iter().take(8).take_while(|b| b.is_ascii_digit()).count()
}

fn of_digits(bytes: &[u8], start: usize, end: usize) -> Option<(Shape, usize)> {
    let next = bytes.get(end).copied().unwrap_or(b' ');
    match end - start {
        5 => {
            let plus = matches!(next, b'-') && digits_at(bytes, end + 1) == 4;
            let wide = bytes.get(end..end + 3) == Some("–".as_bytes()) && digits_at(bytes, end + 3) == 4;
            let spaced = bytes.get(end..end + 3) == Some(b" - ") && digits_at(bytes, end + 3) == 4;
            if next == b'-' && digits_at(bytes, end + 1) == 3 {
                return Some((Shape::FiveThree, end + 4));
            }
            Some((
                Shape::Five,
                end + if plus {
                    5
                } else if wide || spaced {
                    7
                } else {
                    0
                },
            ))
        }
        4 if next == b'-' && digits_at(bytes, end + 1) == 3 => Some((Shape::FourThree, end + 4)),
        4 => {
            let pair = bytes.get(end + 1..end + 3).is_some_and(|pair| pair.iter().all(u8::is_ascii_uppercase));
            let ends = bytes.get(end + 3).is_none_or(|b| !b.is_ascii_alphanumeric());
            Some(if next == b' ' && pair && ends { (Shape::Dutch, end + 3) } else { (Shape::Four, end) })
        }
        6 => Some((Shape::Six, end)),
        3 if next == b' ' && digits_at(bytes, end + 1) == 3 => Some((Shape::Six, end + 4)),
        3 if next == b'-' && digits_at(bytes, end + 1) == 4 => Some((Shape::ThreeFour, end + 5)),
        3 if next == b' ' && digits_at(bytes, end + 1) == 2 => Some((Shape::ThreeTwo, end + 3)),
        2 if next == b'-' && digits_at(bytes, end + 1) == 3 => Some((Shape::TwoThree, end + 4)),
        _ => None,
    }
}

fn of_letters(bytes: &[u8], start: usize, end: usize) -> Option<(Shape, usize)> {
    let token = &bytes[start..end];
    let pattern = |token: &[u8], shape: &[u8]| {
        token.len() == shape.len()
            && token
                .iter()
                .zip(shape)
                .all(|(b, kind)| if *kind == b'9' { b.is_ascii_digit() } else { b.is_ascii_uppercase() })
    };
    let gap = usize::from(matches!(bytes.get(end), Some(b' ' | b'-')));
    let inward = bytes.get(end + gap..end + gap + 3).unwrap_or(&[]);
    if pattern(token, b"A9A9A9") && is_canadian(token) {
        return Some((Shape::Canadian, end));
    }
    if gap == 1 && pattern(token, b"A9A") && pattern(inward, b"9A9") && is_canadian(token) {
        return Some((Shape::Canadian, end + 4));
    }
    let is_outward = |token: &[u8]| {
        let shapes: [&[u8]; 6] = [b"A9", b"A99", b"AA9", b"AA99", b"A9A", b"AA9A"];
        let letters = token.iter().take_while(|b| b.is_ascii_alphabetic()).count();
        shapes.iter().any(|shape| pattern(token, shape))
            && std::str::from_utf8(&token[..letters]).is_ok_and(|area| BRITISH_AREAS.contains(area))
    };
    let is_inward = |token: &[u8]| pattern(token, b"9AA") && !token[1..].iter().any(|b| b"CIKMOV".contains(b));
    if bytes.get(end) == Some(&b' ') && is_outward(token) && is_inward(inward) {
        return Some((Shape::British, end + 4));
    }
    if let Some(end) = end_of_eircode(bytes, start, end) {
        return Some((Shape::Eircode, end));
    }
    let (outward, inward) = token.split_at(token.len().checked_sub(3)?);
    (is_outward(outward) && is_inward(inward)).then_some((Shape::BritishJoined, end))
}

/// Where the Eircode that starts with a token ends: `D02 XE80`, `D02XE80`. Both parts use few letters.
fn end_of_eircode(bytes: &[u8], start: usize, end: usize) -> Option<usize> {
    let is_letter = |b: &u8| b"ACDEFHKNPRTVWXY".contains(b);
    let (end, gap) = if end - start == 7 { (start + 3, 0) } else { (end, 1) };
    let key = bytes.get(start..end).filter(|key| key.len() == 3)?;
    let place = bytes.get(end + gap..end + gap + 4)?;
    let is_key = is_letter(&key[0]) && key[1].is_ascii_digit() && (key[2].is_ascii_digit() || key == b"D6W");
    let is_place = is_letter(&place[0])
        && place.iter().all(|b| is_letter(b) || b.is_ascii_digit())
        && place.iter().any(u8::is_ascii_digit);
    let is_apart = gap == 0 || bytes[end] == b' ';
    (is_key && is_place && is_apart).then_some(end + gap + 4)
}

fn is_canadian(token: &[u8]) -> bool {
    token.first().is_some_and(|first| !b"DFIOQUWZ".contains(first))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_found_by_shape() {
        for (text, shape, code) in [
            ("TX 78701, USA", Shape::Five, "78701"),
            ("TX 78701-1234.", Shape::Five, "78701-1234"),
            ("Sydney NSW 2000", Shape::Four, "2000"),
            ("61 113 56 Stockholm", Shape::ThreeTwo, "113 56"),
            (", 00-514 Warszawa", Shape::TwoThree, "00-514"),
            ("1000-001 Lisboa", Shape::FourThree, "1000-001"),
            ("48, 2611 CD Delft", Shape::Dutch, "2611 CD"),
            ("ON K1A 0B6", Shape::Canadian, "K1A 0B6"),
            ("ON K1A0B6", Shape::Canadian, "K1A0B6"),
            ("London SW1A 1AA.", Shape::British, "SW1A 1AA"),
            ("Bath, BA1 1BE", Shape::British, "BA1 1BE"),
            ("Bath BA11BE", Shape::BritishJoined, "BA11BE"),
            ("Dublin 2, D02 XE80", Shape::Eircode, "D02 XE80"),
            ("Dublin D6WXE80.", Shape::Eircode, "D6WXE80"),
            ("CEP 01310-100", Shape::FiveThree, "01310-100"),
            ("Pune - 411 001", Shape::Six, "411 001"),
            ("Singapore 079903", Shape::Six, "079903"),
            ("Tokyo 150-0002", Shape::ThreeFour, "150-0002"),
            ("D-49124 Ort", Shape::Five, "49124"),
            ("TX 78701USA", Shape::Five, "78701"),
            ("Austin, TX78701", Shape::Five, "78701"),
        ] {
            let (mut at, mut found) = (0, None);
            while let Some((end, code)) = next(text, at) {
                (at, found) = (end, found.or(code));
            }
            let found = found.map(|found| (found.shape, &text[found.start..found.end]));
            assert_eq!(found, Some((shape, code)), "{text}");
        }
    }

    #[test]
    fn other_tokens_are_no_codes() {
        for text in [
            "$78701",
            "1.78701",
            "78701%",
            "78701.5",
            "VA24416Q0183",
            "X912 1AA",
            "id_78701",
            "7870112",
            "A12 8QQ8",
            "D02 XEXE",
            "78701x",
            "12/34567",
            "78701XL",
            "78701abc",
            "78701ABC4",
            "ABC78701",
            "TX787012",
        ] {
            let mut at = 0;
            while let Some((end, code)) = next(text, at) {
                assert_eq!(code, None, "{text}");
                assert!(end > at, "{text}");
                at = end;
            }
        }
    }
}
