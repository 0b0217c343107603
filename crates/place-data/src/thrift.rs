//! Checks the footer of a Parquet file before it is decoded. The decoder skips what it does not know element by element, and
//! booleans in a list cost a file nothing: two kilobytes can claim billions of them, and keep a processor busy for hours.

/// Structures and lists within each other.
const DEPTH_MAX: u32 = 64;
/// Bytes at the end of a file: the length of the footer, and `PAR1`.
pub(crate) const FOOTER_END_BYTES: u64 = 8;

/// Where the footer of a file of so many bytes begins, by the eight bytes it ends with.
pub(crate) fn footer_start(size: u64, end: [u8; 8]) -> u64 {
    let [a, b, c, d, ..] = end;
    size.saturating_sub(FOOTER_END_BYTES).saturating_sub(u32::from_le_bytes([a, b, c, d]).into())
}

/// Whether the footer of a whole file is sound.
pub(crate) fn is_sound_in(file: &[u8]) -> bool {
    let Some((rest, end)) = file.split_last_chunk() else { return false };
    let start = usize::try_from(footer_start(file.len() as u64, *end)).unwrap_or(0);
    is_sound(&rest[start..])
}

/// Whether a footer, in Thrift's compact protocol, claims no more elements than it has bytes. The decoder reads known fields by
/// their numbers, whatever types they are given: a footer with wrong ones may still mean something else to it.
pub(crate) fn is_sound(footer: &[u8]) -> bool {
    Reader { bytes: footer, free: footer.len() as u64 }.structure(DEPTH_MAX).is_some()
}

struct Reader<'f> {
    bytes: &'f [u8],
    /// How many elements without bytes there may still be.
    free: u64,
}

impl Reader<'_> {
    fn structure(&mut self, depth: u32) -> Option<()> {
        loop {
            let header = self.byte()?;
            let kind = header & 0x0F;
            if kind == 0 {
                return Some(());
            }
            // The number of the field, unless it is so much more than the last one's.
            if header >> 4 == 0 {
                self.number()?;
            }
            // The value of a boolean is its kind.
            if !is_boolean(kind) {
                self.value(kind, depth)?;
            }
        }
    }

    fn value(&mut self, kind: u8, depth: u32) -> Option<()> {
        let depth = depth.checked_sub(1)?;
        match kind {
            3 => self.skip(1),
            4..=6 => self.number().map(drop),
            7 => self.skip(8),
            8 => self.number().and_then(|length| self.skip(length)),
            9 | 10 => self.list(depth),
            11 => self.map(depth),
            12 => self.structure(depth),
            13 => self.skip(16),
            _ => None,
        }
    }

    fn list(&mut self, depth: u32) -> Option<()> {
        let header = self.byte()?;
        let count = if header >> 4 == 0x0F { self.number()? } else { u64::from(header >> 4) };
        self.elements(count, &[header & 0x0F], depth)
    }

    fn map(&mut self, depth: u32) -> Option<()> {
        let count = self.number()?;
        if count == 0 {
            return Some(());
        }
        let kinds = self.byte()?;
        self.elements(count, &[kinds >> 4, kinds & 0x0F], depth)
    }

    fn elements(&mut self, count: u64, kinds: &[u8], depth: u32) -> Option<()> {
        if kinds.iter().all(|kind| is_boolean(*kind)) {
            self.free = self.free.checked_sub(count)?;
            return Some(());
        }
        for _ in 0..count {
            for kind in kinds.iter().filter(|kind| !is_boolean(**kind)) {
                self.value(*kind, depth)?;
            }
        }
        Some(())
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

fn is_boolean(kind: u8) -> bool {
    matches!(kind, 1 | 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A list of so many booleans, in a field.
    fn booleans(count: u8) -> Vec<u8> {
        vec![0x19, 0xF1, 0x80 | count, 0x80, 0x80, 0x04]
    }

    #[test]
    fn a_footer_claims_no_more_than_it_has() {
        let number_text_and_list = [0x15, 0x02, 0x18, 0x02, b'a', b'b', 0x19, 0x25, 0x01, 0x02, 0x00];
        assert!(is_sound(&number_text_and_list));
        assert!(is_sound(&[0x19, 0x21, 0x11, 0x00]), "two booleans in a list, one in a field");
        assert!(!is_sound(&[booleans(1), vec![0x00]].concat()), "eight million booleans");
        assert!(!is_sound(&[0x1B, 0xFF, 0x7F, 0x11, 0x00]), "a map of booleans");
        assert!(!is_sound(&[0x18, 0x05, b'a', 0x00]), "a text that is cut off");
        assert!(!is_sound(&[0x1E, 0x00]), "a kind that there is not");
        assert!(!is_sound(&[0x1C; 1000]), "too deep");
        assert!(!is_sound(&[]));
    }

    #[test]
    fn the_footer_begins_before_its_end() {
        assert!(
            is_sound_in(b"PAR1\x15\x02\0\x03\0\0\0PAR1") && !is_sound_in(b"PAR1") && !is_sound_in(b"\xFF\0\0\0PAR1")
        );
        assert_eq!(footer_start(100, *b"\x0A\0\0\0PAR1"), 82);
        assert_eq!(footer_start(10, *b"\xFF\xFF\xFF\xFFPAR1"), 0);
    }
}
