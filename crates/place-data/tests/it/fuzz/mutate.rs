//! Damages valid files: what transport, broken programs and attackers do to them.

use super::random::Random;

/// Bytes that are long enough for any seed, and short enough for thousands of cases.
const LENGTH_MAX: usize = 64 * 1024;
/// Numbers at the edges of what fields can hold.
const NUMBERS: [u64; 10] = [
    0,
    1,
    0x7f,
    0xff,
    0x7fff_ffff,
    0x8000_0000,
    0xffff_ffff,
    0x7fff_ffff_ffff_ffff,
    0x8000_0000_0000_0000,
    0xffff_ffff_ffff_ffff,
];
/// Words of text formats.
const WORDS: [&[u8]; 16] = [
    b"\"",
    b"\n",
    b"\r",
    b";",
    b"[",
    b"]",
    b"{",
    b"}",
    b"<",
    b"&",
    b"&#0;",
    b"null",
    b"1e999",
    b"NaN",
    b"-",
    b"\xef\xbb\xbf",
];

/// A seed with a few damages, or a mix of two.
pub(crate) fn mutated(seeds: &[Vec<u8>], random: &mut Random) -> Vec<u8> {
    let mut bytes = random.pick(seeds).clone();
    for _ in 0..=random.below(4) {
        let other = random.pick(seeds).clone();
        damage(&mut bytes, &other, random);
        bytes.truncate(LENGTH_MAX);
    }
    bytes
}

fn damage(bytes: &mut Vec<u8>, other: &[u8], random: &mut Random) {
    let at = random.below(bytes.len().max(1)).min(bytes.len());
    let length = random.below(64).min(bytes.len() - at);
    match random.below(9) {
        0 => bytes.truncate(at),
        1 => drop(bytes.drain(at..at + length)),
        2 => {
            let repeated = bytes[at..at + length].repeat(1 + random.below(20));
            insert(bytes, at, &repeated);
        }
        3 => insert(bytes, at, part(other, random)),
        4 => bytes.splice(at.., part(other, random).iter().copied()).for_each(drop),
        5 => insert(bytes, at, WORDS[random.below(WORDS.len())]),
        6 => overwrite(bytes, at, random),
        7 => insert(bytes, at, &random.next().to_le_bytes()),
        _ => bytes.iter_mut().skip(at).take(1).for_each(|byte| *byte ^= 1 << random.below(8)),
    }
}

fn insert(bytes: &mut Vec<u8>, at: usize, piece: &[u8]) {
    bytes.splice(at..at, piece.iter().copied()).for_each(drop);
}

/// The end of a file, from anywhere.
fn part<'b>(bytes: &'b [u8], random: &mut Random) -> &'b [u8] {
    &bytes[random.below(bytes.len().max(1)).min(bytes.len())..]
}

/// A length or an offset that lies.
fn overwrite(bytes: &mut [u8], at: usize, random: &mut Random) {
    let number = *random.pick(&NUMBERS);
    let width = *random.pick(&[1, 2, 4, 8]);
    let lie = if random.percent(50) { number.to_le_bytes() } else { number.to_be_bytes() };
    let lie = if random.percent(50) { &lie[..width] } else { &lie[8 - width..] };
    bytes[at..].iter_mut().zip(lie).for_each(|(byte, lie)| *byte = *lie);
}
