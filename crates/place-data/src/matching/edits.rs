//! Edit distance of short ASCII words, without allocation.

/// Bytes of a word that are compared; longer words are cut.
const LENGTH_MAX: usize = 64;

/// 1 minus the edits per letter; swapped neighbours are one edit. 0 when the lengths differ by more than half.
pub(super) fn similarity(one: &str, other: &str) -> f32 {
    let longest = one.len().max(other.len());
    if longest == 0 || one.len().abs_diff(other.len()) * 2 > longest {
        return 0.0;
    }
    let longest = longest.min(LENGTH_MAX);
    #[expect(clippy::cast_precision_loss, reason = "words are cut at 64 bytes")]
    let ratio = 1.0 - distance(one, other) as f32 / longest as f32;
    ratio
}

/// How many letters have to be inserted, deleted, replaced, or swapped with their neighbour.
pub(super) fn distance(one: &str, other: &str) -> usize {
    let (one, other) = (cut(one), cut(other));
    let common = one.iter().zip(other).take_while(|(a, b)| a == b).count();
    let (one, other) = (&one[common..], &other[common..]);
    let common = one.iter().rev().zip(other.iter().rev()).take_while(|(a, b)| a == b).count();
    let (one, other) = (&one[..one.len() - common], &other[..other.len() - common]);
    if one.is_empty() || other.is_empty() {
        return one.len().max(other.len());
    }
    let mut rows = [[0_u8; LENGTH_MAX + 1]; 3];
    (0_u8..).zip(&mut rows[0]).for_each(|(at, cell)| *cell = at);
    for (row, letter) in one.iter().enumerate() {
        let [last, before, now] = arranged(&mut rows, row);
        now[0] = last[0] + 1;
        for (column, theirs) in other.iter().enumerate() {
            let replaced = last[column] + u8::from(letter != theirs);
            now[column + 1] = replaced.min(last[column + 1] + 1).min(now[column] + 1);
            if row > 0 && column > 0 && *letter == other[column - 1] && one[row - 1] == *theirs {
                now[column + 1] = now[column + 1].min(before[column - 1] + 1);
            }
        }
    }
    usize::from(rows[one.len() % 3][other.len()])
}

/// The last row, the one before it, and the one to fill.
fn arranged(rows: &mut [[u8; LENGTH_MAX + 1]; 3], row: usize) -> [&mut [u8; LENGTH_MAX + 1]; 3] {
    let [zero, one, two] = rows;
    match row % 3 {
        0 => [zero, two, one],
        1 => [one, zero, two],
        _ => [two, one, zero],
    }
}

fn cut(word: &str) -> &[u8] {
    &word.as_bytes()[..word.len().min(LENGTH_MAX)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_are_counted() {
        for (one, other, expected) in [
            ("", "", 0),
            ("abc", "", 3),
            ("muller", "muler", 1),
            ("owl", "olw", 1),
            ("smith", "smyth", 1),
            ("kitten", "sitting", 3),
            ("abcd", "badc", 2),
        ] {
            assert_eq!(distance(one, other), expected, "{one} {other}");
            assert_eq!(distance(other, one), expected, "{other} {one}");
        }
        assert_eq!(distance(&"a".repeat(1_000), &"b".repeat(900)), LENGTH_MAX);
    }
}
