//! The index by name: every name and other name of every town, folded, in order.

use std::sync::OnceLock;

use crate::blob::Lines;
use crate::fold;

/// Marks, in an entry of the index, another name than the town's own.
const OTHER: u32 = 1 << 31;
/// Marks, in the data, another name that counts as much as the town's own.
const AS_GOOD: u32 = 1 << 23;
/// Edits a misspelt name may be away, and letters a name needs for two of them.
const EDITS_MAX: usize = 2;
const LETTERS_FOR_TWO_EDITS: usize = 5;
/// Bytes of a key worth comparing; no name is longer.
const KEY_BYTES_MAX: usize = 64;

/// A town that goes by a name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Match {
    pub(crate) row: usize,
    /// Whether it is the town's own name or counts as such, unlike a name in another language or of another age.
    pub(crate) own_name: bool,
}

pub(crate) struct Index {
    text: String,
    /// Where each key begins, and where the last ends; in the order of the keys.
    entries: Vec<Entry>,
    signs: OnceLock<Vec<u32>>,
}

#[derive(Clone, Copy)]
struct Entry {
    start: u32,
    length: u16,
    row: u32,
}

impl Index {
    /// The names come in about this order already, which makes the sorting quick.
    pub(super) fn build(names: &Lines, others: &Lines, rows: &[u32]) -> Index {
        let mut text = String::new();
        let mut entries = Vec::with_capacity(names.len() + others.len());
        let own = (0..names.len()).map(|row| (names.get(row), row as u32));
        let other = rows.iter().enumerate().map(|(line, row)| {
            let mark = if row & AS_GOOD == 0 { OTHER } else { 0 };
            (others.get(line), row & !AS_GOOD | mark)
        });
        for (name, row) in own.chain(other) {
            let start = text.len();
            fold::push_key(name, &mut text);
            entries.push(Entry { start: start as u32, length: (text.len() - start) as u16, row });
        }
        text.shrink_to_fit();
        entries.sort_by(|one, two| key_of(&text, one).cmp(key_of(&text, two)));
        Index { text, entries, signs: OnceLock::new() }
    }

    fn key(&self, at: usize) -> &str {
        key_of(&self.text, &self.entries[at])
    }

    fn at(&self, at: usize) -> Match {
        let row = self.entries[at].row;
        Match { row: (row & !OTHER) as usize, own_name: row & OTHER == 0 }
    }

    pub(super) fn find<'a>(&'a self, key: &str) -> impl Iterator<Item = Match> + 'a {
        let first = self.entries.partition_point(|entry| key_of(&self.text, entry) < key);
        let count = self.entries[first..].partition_point(|entry| key_of(&self.text, entry) == key);
        (first..first + count).map(|at| self.at(at))
    }

    /// Towns whose name is an edit or two away, with the number of edits.
    pub(crate) fn near(&self, key: &str) -> Vec<(usize, Match)> {
        let letters = key.chars().count();
        if letters < 3 || key.len() > KEY_BYTES_MAX {
            return Vec::new();
        }
        let edits_max = if letters < LETTERS_FOR_TWO_EDITS { 1 } else { EDITS_MAX };
        let sign = sign_of(key);
        let signs = self.signs.get_or_init(|| (0..self.entries.len()).map(|at| sign_of(self.key(at))).collect());
        let mut found = Vec::new();
        for (at, other) in signs.iter().enumerate() {
            // An edit changes at most two bits of the sign: one letter goes, one comes.
            if (sign ^ other).count_ones() as usize > 2 * edits_max {
                continue;
            }
            let candidate = self.key(at);
            if candidate.len().abs_diff(key.len()) <= 4 * edits_max
                && let Some(edits) = edits(key, candidate, edits_max)
            {
                found.push((edits, self.at(at)));
            }
        }
        found
    }
}

fn key_of<'a>(text: &'a str, entry: &Entry) -> &'a str {
    &text[entry.start as usize..entry.start as usize + usize::from(entry.length)]
}

/// Which letters occur, as bits; letters beyond ASCII share them.
fn sign_of(key: &str) -> u32 {
    key.chars().fold(0, |sign, letter| sign | 1 << (u32::from(letter) % 31))
}

/// Insertions, deletions, replacements and swaps of neighbours between two keys, when they are few.
pub(crate) fn edits(one: &str, two: &str, most: usize) -> Option<usize> {
    let (one, two): (Vec<char>, Vec<char>) = (one.chars().collect(), two.chars().collect());
    if one.len().abs_diff(two.len()) > most {
        return None;
    }
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=two.len()).collect();
    for (row, letter) in one.iter().enumerate() {
        let mut now = vec![row + 1];
        for (column, other) in two.iter().enumerate() {
            let replaced = last[column] + usize::from(letter != other);
            let mut least = replaced.min(last[column + 1] + 1).min(now[column] + 1);
            if row > 0 && column > 0 && *letter == two[column - 1] && one[row - 1] == *other {
                least = least.min(before[column - 1] + 1);
            }
            now.push(least);
        }
        if now.iter().all(|edits| *edits > most) {
            return None;
        }
        before = std::mem::replace(&mut last, now);
    }
    last.last().copied().filter(|edits| *edits <= most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_are_counted_as_people_make_them() {
        for (one, two, expected) in [
            ("austin", "austin", Some(0)),
            ("austn", "austin", Some(1)),
            ("asutin", "austin", Some(1)),
            ("auztinn", "austin", Some(2)),
            ("boston", "austin", None),
            ("", "ab", Some(2)),
        ] {
            assert_eq!(edits(one, two, 2), expected, "{one} {two}");
        }
    }
}
