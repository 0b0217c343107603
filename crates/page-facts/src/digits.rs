//! Finds digits, which most text does not contain, by blocks.

/// Bytes tested at once; the fold over a block has no early exit so that the compiler vectorises it.
const BLOCK_BYTES: usize = 64;

/// The position of the first ASCII digit at or after `from`.
pub(crate) fn next_digit(bytes: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    for block in bytes.get(from..)?.chunks(BLOCK_BYTES) {
        if block.iter().fold(false, |found, byte| found | (byte.wrapping_sub(b'0') < 10)) {
            return block.iter().position(u8::is_ascii_digit).map(|digit| at + digit);
        }
        at += block.len();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_digit_is_found_anywhere() {
        for length in [0, 1, 63, 64, 65, 200] {
            let text = format!("{}7é8", "a".repeat(length));
            assert_eq!(next_digit(text.as_bytes(), 0), Some(length));
            assert_eq!(next_digit(text.as_bytes(), length + 1), Some(length + 3));
            assert_eq!(next_digit(text.as_bytes(), length + 4), None);
            assert_eq!(next_digit(text.as_bytes(), length + 9), None);
        }
    }
}
