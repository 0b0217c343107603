//! Searches short texts for bytes, eight or sixteen at a time. What is searched for is a few bytes away, too few for a vector
//! search to pay off, and at a distance that the processor cannot predict, which makes a loop over bytes slow.

use memchr::memchr;

/// Blocks of sixteen bytes in which a byte is close by.
const NEAR_BLOCKS: usize = 4;
const ONES: u64 = 0x0101_0101_0101_0101;
/// The upper bit of each byte.
const HIGH: u64 = ONES << 7;
const ONES_16: u128 = 0x0101_0101_0101_0101_0101_0101_0101_0101;

/// Where a byte is that is often close by.
pub(crate) fn near(byte: u8, bytes: &[u8]) -> Option<usize> {
    let (blocks, _) = bytes.as_chunks::<16>();
    for (index, block) in blocks.iter().take(NEAR_BLOCKS).enumerate() {
        let zero = u128::from_le_bytes(*block) ^ (ONES_16 * u128::from(byte));
        let found = zero.wrapping_sub(ONES_16) & !zero & (ONES_16 << 7);
        if found != 0 {
            return Some(index * 16 + found.trailing_zeros() as usize / 8);
        }
    }
    let from = blocks.len().min(NEAR_BLOCKS) * 16;
    memchr(byte, &bytes[from..]).map(|at| from + at)
}

/// Where the first of three bytes is.
pub(crate) fn first_of(wanted: [u8; 3], bytes: &[u8]) -> Option<usize> {
    let (blocks, rest) = bytes.as_chunks::<8>();
    for (index, block) in blocks.iter().enumerate() {
        let block = u64::from_le_bytes(*block);
        let found = first_equal(block, wanted[0]) | first_equal(block, wanted[1]) | first_equal(block, wanted[2]);
        if found != 0 {
            return Some(index * 8 + found.trailing_zeros() as usize / 8);
        }
    }
    rest.iter().position(|byte| wanted.contains(byte)).map(|at| blocks.len() * 8 + at)
}

/// The places of all bytes of a kind that is not frequent.
pub(crate) fn places_of(bytes: &[u8], is_wanted: impl Fn(u8) -> bool) -> impl Iterator<Item = usize> {
    let mut from = 0;
    std::iter::from_fn(move || {
        let (blocks, rest) = bytes.get(from..)?.as_chunks::<16>();
        // The fold has no early exit so that the compiler vectorises it.
        let has_one = |block: &[u8; 16]| block.iter().fold(false, |found, byte| found | is_wanted(*byte));
        let skipped = blocks.iter().position(has_one).unwrap_or(blocks.len()) * 16;
        let at = match blocks.get(skipped / 16) {
            Some(block) => block.iter().position(|byte| is_wanted(*byte)),
            None => rest.iter().position(|byte| is_wanted(*byte)),
        };
        let at = from + skipped + at?;
        from = at + 1;
        Some(at)
    })
}

/// How many bytes of white space a text begins with.
pub(crate) fn white_start(bytes: &[u8]) -> usize {
    if bytes.first().is_none_or(|first| !first.is_ascii_whitespace()) {
        return 0;
    }
    let (blocks, rest) = bytes.as_chunks::<8>();
    if blocks.is_empty() && is_white(bytes) {
        return bytes.len();
    }
    for (index, block) in blocks.iter().enumerate() {
        let other = not_white(u64::from_le_bytes(*block));
        if other != 0 {
            return index * 8 + other.trailing_zeros() as usize / 8;
        }
    }
    blocks.len() * 8 + rest.iter().position(|byte| !byte.is_ascii_whitespace()).unwrap_or(rest.len())
}

/// Whether a text of one to seven bytes is nothing but white space, as most between two tags are.
fn is_white(bytes: &[u8]) -> bool {
    let block = match (bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
        (Some([a, b, c, d]), Some([e, f, g, h])) => [*a, *b, *c, *d, *e, *f, *g, *h],
        _ => {
            let at = |place: usize| bytes.get(place).copied().unwrap_or(b' ');
            [at(0), at(1), at(2), b' ', b' ', b' ', b' ', b' ']
        }
    };
    not_white(u64::from_le_bytes(block)) == 0
}

/// Whether a text is ASCII of printed characters, has none of `&`, and no two spaces side by side.
pub(crate) fn is_plain(bytes: &[u8]) -> bool {
    let (blocks, rest) = bytes.as_chunks::<8>();
    let (mut other, mut before) = (0, 0);
    for block in blocks {
        let block = u64::from_le_bytes(*block);
        let spaces = !differing(block, b' ') & HIGH;
        other |= unprinted(block) | first_equal(block, b'&') | (spaces & ((spaces << 8) | before));
        before = spaces >> 56;
    }
    // The rest is looked at with bytes before it, as one block; few texts are shorter.
    if let Some(last) = bytes.last_chunk::<8>() {
        let block = u64::from_le_bytes(*last);
        let spaces = !differing(block, b' ') & HIGH;
        other |= unprinted(block) | first_equal(block, b'&') | (spaces & (spaces << 8));
        return other == 0;
    }
    let is_other = |byte: &u8| !(b' '..0x80).contains(byte) || *byte == b'&';
    !rest.iter().any(is_other) && !rest.windows(2).any(|pair| pair == b"  ")
}

/// Sets the upper bit of the first byte of a block that equals `byte`; bits after it mean nothing.
fn first_equal(block: u64, byte: u8) -> u64 {
    let zero = block ^ (ONES * u64::from(byte));
    zero.wrapping_sub(ONES) & !zero & HIGH
}

/// Sets the upper bit of each byte of a block that is not `byte`; the other bits mean nothing.
fn differing(block: u64, byte: u8) -> u64 {
    let zero = block ^ (ONES * u64::from(byte));
    ((zero & !HIGH) + !HIGH) | zero
}

/// Sets the upper bit of each byte of a block that is not white space.
fn not_white(block: u64) -> u64 {
    let line = differing(block, b'\n') & differing(block, b'\r') & differing(block, b'\t');
    line & differing(block, b' ') & differing(block, b'\x0C') & HIGH
}

/// Sets bits if a block has a byte below the space or beyond ASCII.
fn unprinted(block: u64) -> u64 {
    (block | block.wrapping_sub(ONES * u64::from(b' '))) & HIGH
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_found_at_any_distance() {
        for length in 0..70 {
            let text = format!("{}é>\"'", "a".repeat(length));
            let bytes = text.as_bytes();
            assert_eq!(first_of(*b">\"'", bytes), Some(length + 2));
            assert_eq!(first_of(*b">\"'", &bytes[..length + 2]), None);
            assert_eq!(near(b'>', bytes), Some(length + 2));
            assert_eq!(near(b'<', bytes), None);
        }
    }

    #[test]
    fn all_bytes_of_a_kind_are_found() {
        let text = "1aaaaaaaaaaaaaaaa22aaaaaaaaaaaaaaa3aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa4a5";
        for from in 0..text.len() {
            let places: Vec<usize> = (0..text.len() - from).filter(|at| text.as_bytes()[from + at] < b'a').collect();
            assert!(places_of(&text.as_bytes()[from..], |byte| byte.is_ascii_digit()).eq(places));
        }
    }

    #[test]
    fn white_space_at_the_start_is_measured() {
        let white = " \t\r\n\x0C  \n     \r\n   \t ";
        for length in 0..white.len() {
            assert_eq!(white_start(&white.as_bytes()[..length]), length);
            for next in ["a", "\x0B", "\0", "é", "\u{A0}", "!bcdefghij"] {
                assert_eq!(white_start(format!("{}{next}  ", &white[..length]).as_bytes()), length, "{next}");
            }
        }
    }

    #[test]
    fn plain_text_is_told_from_other_text_at_any_length() {
        for before in 0..20 {
            for after in 0..20 {
                let around = |middle: &str| format!("{}{middle}{}", "a ~".repeat(before), "b! ".repeat(after));
                assert!(is_plain(around("x").as_bytes()));
                for other in ["&", "  ", "\n", "\t", "é", "\u{7FF}", "\0"] {
                    assert!(!is_plain(around(other).as_bytes()), "{}", around(other));
                }
            }
        }
    }
}
