//! Walks what is written in Thrift's compact protocol as the decoder would, without keeping anything.

use super::structures::Fields;

/// Structures and lists within each other.
const DEPTH_MAX: u32 = 64;

/// How a field that the decoder knows is written.
pub(super) enum Kind {
    /// A field's value is part of its header; in a list, it takes a byte.
    Flag,
    Byte,
    /// A whole number of any size, or one of a few choices.
    Number,
    /// A number that is remembered: the size of what follows.
    Size,
    Double,
    /// A text or other bytes, behind their number.
    Bytes,
    List(&'static Kind),
    Structure(Fields),
}

/// Reads one structure, and refuses what would be read in another way by the decoder or claims more than there is.
pub(super) struct Walk<'b> {
    /// What is still to be read.
    pub(super) bytes: &'b [u8],
    /// The last number that was to be remembered.
    pub(super) size: Option<i64>,
    /// How many elements without bytes there may still be.
    free: u64,
}

impl<'b> Walk<'b> {
    pub(super) fn new(bytes: &'b [u8]) -> Walk<'b> {
        Walk { bytes, size: None, free: bytes.len() as u64 }
    }

    /// The fields of a structure: those that the decoder knows must be what it takes them for, as it does not look.
    pub(super) fn structure(&mut self, fields: Fields) -> Option<()> {
        self.fields(fields, DEPTH_MAX)
    }

    fn fields(&mut self, fields: Fields, depth: u32) -> Option<()> {
        let mut last = 0_i16;
        loop {
            let header = self.byte()?;
            let (step, kind) = (header >> 4, header & 0x0F);
            if kind == 0 {
                return Some(());
            }
            let number = if step == 0 { wrapped(self.number()?) } else { last.checked_add(step.into())? };
            match fields.iter().find(|(known, _)| *known == number) {
                Some((_, expected)) => self.known_field(expected, kind, depth)?,
                // The value of a boolean is its kind.
                None if is_boolean(kind) => {}
                None => self.unknown(kind, depth)?,
            }
            last = number;
        }
    }

    fn known_field(&mut self, expected: &Kind, kind: u8, depth: u32) -> Option<()> {
        match expected {
            Kind::Flag => is_boolean(kind).then_some(()),
            _ => self.known(expected, kind, depth),
        }
    }

    fn known(&mut self, expected: &Kind, kind: u8, depth: u32) -> Option<()> {
        let depth = depth.checked_sub(1)?;
        match (expected, kind) {
            (Kind::Flag, 1 | 2) | (Kind::Byte, 3) => self.skip(1),
            (Kind::Number, 4..=6) => self.number().map(drop),
            (Kind::Size, 4..=6) => {
                self.size = Some(signed(self.number()?));
                Some(())
            }
            (Kind::Double, 7) => self.skip(8),
            (Kind::Bytes, 8) => self.number().and_then(|length| self.skip(length)),
            (Kind::List(element), 9 | 10) => self.known_list(element, depth),
            (Kind::Structure(fields), 12) => self.fields(fields, depth),
            _ => None,
        }
    }

    fn known_list(&mut self, element: &Kind, depth: u32) -> Option<()> {
        let (count, kind) = self.list_header()?;
        (0..count).try_for_each(|_| self.known(element, kind, depth))
    }

    /// A value that the decoder skips, as its own kind says.
    fn unknown(&mut self, kind: u8, depth: u32) -> Option<()> {
        let depth = depth.checked_sub(1)?;
        match kind {
            3 => self.skip(1),
            4..=6 => self.number().map(drop),
            7 => self.skip(8),
            8 => self.number().and_then(|length| self.skip(length)),
            9 | 10 => {
                let (count, kind) = self.list_header()?;
                self.unknown_elements(count, &[kind], depth)
            }
            11 => self.unknown_map(depth),
            12 => self.fields(&[], depth),
            13 => self.skip(16),
            _ => None,
        }
    }

    fn unknown_map(&mut self, depth: u32) -> Option<()> {
        let count = self.number()?;
        if count == 0 {
            return Some(());
        }
        let kinds = self.byte()?;
        self.unknown_elements(count, &[kinds >> 4, kinds & 0x0F], depth)
    }

    fn unknown_elements(&mut self, count: u64, kinds: &[u8], depth: u32) -> Option<()> {
        if kinds.iter().all(|kind| is_boolean(*kind)) {
            self.free = self.free.checked_sub(count)?;
            return Some(());
        }
        for _ in 0..count {
            for kind in kinds.iter().filter(|kind| !is_boolean(**kind)) {
                self.unknown(*kind, depth)?;
            }
        }
        Some(())
    }

    /// The number and the kind of a list's elements.
    fn list_header(&mut self) -> Option<(u64, u8)> {
        let header = self.byte()?;
        let count = if header >> 4 == 0x0F { self.number()? } else { u64::from(header >> 4) };
        Some((count, header & 0x0F))
    }

    fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.bytes.split_first()?;
        self.bytes = rest;
        Some(*first)
    }

    fn skip(&mut self, count: u64) -> Option<()> {
        self.bytes = self.bytes.get(usize::try_from(count).ok()?..)?;
        Some(())
    }

    /// Seven bits a byte, the lowest first.
    fn number(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7F) << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }
}

/// The sign of a number is its lowest bit.
fn signed(number: u64) -> i64 {
    (number >> 1).cast_signed() ^ -(number & 1).cast_signed()
}

/// The number of a field, of which the decoder takes the lowest bits.
fn wrapped(number: u64) -> i16 {
    let [low, high, ..] = signed(number).to_le_bytes();
    i16::from_le_bytes([low, high])
}

fn is_boolean(kind: u8) -> bool {
    matches!(kind, 1 | 2)
}

#[cfg(test)]
mod tests {
    use Kind::{Byte, Bytes, Flag, List, Number, Size, Structure};

    use super::*;

    fn is_sound(bytes: &[u8], fields: Fields) -> bool {
        Walk::new(bytes).structure(fields).is_some()
    }

    /// A list of so many booleans, in a field.
    fn booleans(count: u8) -> Vec<u8> {
        vec![0x19, 0xF1, 0x80 | count, 0x80, 0x80, 0x04]
    }

    #[test]
    fn unknown_fields_claim_no_more_than_there_is() {
        let number_text_and_list = [0x15, 0x02, 0x18, 0x02, b'a', b'b', 0x19, 0x25, 0x01, 0x02, 0x00];
        assert!(is_sound(&number_text_and_list, &[]));
        assert!(is_sound(&[0x19, 0x21, 0x11, 0x00], &[]), "two booleans in a list, one in a field");
        assert!(!is_sound(&[booleans(1), vec![0x00]].concat(), &[]), "eight million booleans");
        assert!(!is_sound(&[0x1B, 0xFF, 0x7F, 0x11, 0x00], &[]), "a map of booleans");
        assert!(!is_sound(&[0x18, 0x05, b'a', 0x00], &[]), "a text that is cut off");
        assert!(!is_sound(&[0x1E, 0x00], &[]), "a kind that there is not");
        assert!(!is_sound(&[0x1C; 1000], &[]), "too deep");
        assert!(!is_sound(&[], &[]));
    }

    #[test]
    fn known_fields_are_what_the_decoder_takes_them_for() {
        assert!(is_sound(&[0x15, 0x02, 0x00], &[(1, Number)]));
        assert!(!is_sound(&[0x15, 0x02, 0x00], &[(1, Bytes)]), "a number where a text is expected");
        assert!(is_sound(&[0x35, 0x02, 0x00], &[(1, Bytes)]), "that is another field");
        assert!(!is_sound(&[0x05, 0x06, 0x02, 0x00], &[(3, Bytes)]), "field 3, by its whole number");
        assert!(is_sound(&[0x11, 0x12, 0x00], &[(1, Flag), (2, Flag)]));
        assert!(!is_sound(&[0x13, 0x01, 0x00], &[(1, Flag)]), "a byte where a boolean is expected");
        assert!(is_sound(&[0x13, 0x01, 0x00], &[(1, Byte)]));
        assert!(is_sound(&[0x19, 0x22, 0x01, 0x02, 0x00], &[(1, List(&Flag))]), "in a known list each takes a byte");
        assert!(!is_sound(&[booleans(1), vec![0x00]].concat(), &[(1, List(&Flag))]));
        assert!(!is_sound(&[0x19, 0x15, 0x02, 0x00], &[(1, List(&Bytes))]), "numbers where texts are expected");
        assert!(is_sound(&[0x19, 0x00, 0x00], &[(1, List(&Bytes))]), "none, of no kind");
        assert!(is_sound(&[0x1C, 0x15, 0x02, 0x00, 0x00], &[(1, Structure(&[(1, Number)]))]));
        assert!(!is_sound(&[0x1C, 0x15, 0x02, 0x00, 0x00], &[(1, Structure(&[(1, Flag)]))]));
    }

    #[test]
    fn a_size_is_remembered() {
        let mut walk = Walk::new(&[0x15, 0xC8, 0x01, 0x00, 0xFF]);
        assert_eq!(walk.structure(&[(1, Size)]), Some(()));
        assert_eq!((walk.size, walk.bytes), (Some(100), [0xFF].as_slice()));
        assert_eq!([signed(0), signed(1), signed(2), signed(u64::MAX)], [0, -1, 1, i64::MIN]);
        assert_eq!(wrapped(0x2_0006), 3, "the decoder takes the lowest bits");
    }
}
