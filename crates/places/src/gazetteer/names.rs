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
/// Bytes of a key worth comparing; hardly a name is longer.
const KEY_BYTES_MAX: usize = 64;

/// A town that goes by a name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Match {
    pub(crate) row: usize,
    /// Whether it is the town's own name or counts as such, unlike a name in another language or of another age.
    pub(crate) own_name: bool,
}

/// Own names and other names, each in the order of their keys.
pub(crate) struct Index {
    own: Keys,
    other: Keys,
}

struct Keys {
    text: String,
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
    pub(super) fn build(names: &Lines, others: &Lines, rows: &[u32]) -> Index {
        let own = (0..names.len()).map(|row| (names.get(row), row as u32));
        let other = rows.iter().enumerate().map(|(line, row)| {
            let mark = if row & AS_GOOD == 0 { OTHER } else { 0 };
            (others.get(line), row & !AS_GOOD | mark)
        });
        Index { own: Keys::build(own), other: Keys::build(other) }
    }

    pub(super) fn find<'a>(&'a self, key: &str) -> impl Iterator<Item = Match> + 'a {
        self.own.find(key).chain(self.other.find(key))
    }

    /// Towns whose name is an edit or two away, with the number of edits.
    pub(crate) fn near(&self, key: &str) -> Vec<(usize, Match)> {
        let letters = key.chars().count();
        if letters < 3 || key.len() > KEY_BYTES_MAX {
            return Vec::new();
        }
        let edits_max = if letters < LETTERS_FOR_TWO_EDITS { 1 } else { EDITS_MAX };
        let mut found = self.own.near(key, edits_max);
        found.extend(self.other.near(key, edits_max));
        found
    }
}

impl Keys {
    /// The names come in this order already, so that the sorting only looks through them.
    fn build(names: impl Iterator<Item = (&'static str, u32)>) -> Keys {
        let mut text = String::new();
        let mut entries = Vec::new();
        for (name, row) in names {
            let start = text.len();
            fold::push_key(name, &mut text);
            entries.push(Entry { start: start as u32, length: (text.len() - start) as u16, row });
        }
        text.shrink_to_fit();
        entries.shrink_to_fit();
        entries.sort_by(|one, two| key_of(&text, one).cmp(key_of(&text, two)));
        Keys { text, entries, signs: OnceLock::new() }
    }

    fn find<'a>(&'a self, key: &str) -> impl Iterator<Item = Match> + 'a {
        let first = self.entries.partition_point(|entry| key_of(&self.text, entry) < key);
        let same = self.entries[first..].partition_point(|entry| key_of(&self.text, entry) == key);
        self.entries[first..first + same].iter().map(Entry::found)
    }

    fn near(&self, key: &str, edits_max: usize) -> Vec<(usize, Match)> {
        let sign = sign_of(key);
        let all = || self.entries.iter().map(|entry| sign_of(key_of(&self.text, entry))).collect();
        let alike = |other: &u32| {
            // An edit takes at most one letter away and brings at most one.
            let most = edits_max as u32;
            (sign & !other).count_ones() <= most && (other & !sign).count_ones() <= most
        };
        let signs = self.signs.get_or_init(all).iter().zip(&self.entries);
        let candidates = signs.filter(|(sign, _)| alike(sign)).map(|(_, entry)| entry);
        candidates
            .filter_map(|entry| Some((edits(key, key_of(&self.text, entry), edits_max)?, entry.found())))
            .collect()
    }
}

impl Entry {
    fn found(&self) -> Match {
        Match { row: (self.row & !OTHER) as usize, own_name: self.row & OTHER == 0 }
    }
}

fn key_of<'a>(text: &'a str, entry: &Entry) -> &'a str {
    &text[entry.start as usize..entry.start as usize + usize::from(entry.length)]
}

/// Which letters occur, as bits; letters beyond ASCII share them.
fn sign_of(key: &str) -> u32 {
    key.bytes().fold(0, |sign, byte| sign | 1 << (byte % 31))
}

/// Insertions, deletions, replacements and swaps of neighbours between two keys, when they are few. Counted in bytes
/// where both are ASCII, which most are, else in letters.
pub(crate) fn edits(one: &str, two: &str, most: usize) -> Option<usize> {
    if one.is_ascii() && two.is_ascii() {
        return count_edits(one.as_bytes(), two.as_bytes(), most);
    }
    let (one, two): (Vec<char>, Vec<char>) = (one.chars().collect(), two.chars().collect());
    count_edits(&one, &two, most)
}

fn count_edits<T: Copy + PartialEq>(one: &[T], two: &[T], most: usize) -> Option<usize> {
    if one.len().abs_diff(two.len()) > most || two.len() >= KEY_BYTES_MAX {
        return None;
    }
    // Three rows of the usual table, on the stack: this runs thousands of times for one misspelt name.
    let mut rows = [[0usize; KEY_BYTES_MAX]; 3];
    (0..=two.len()).for_each(|column| rows[0][column] = column);
    for row in 1..=one.len() {
        let [before, last, now] = [(row + 1) % 3, (row + 2) % 3, row % 3];
        rows[now][0] = row;
        let mut least = row;
        for column in 1..=two.len() {
            let same = one[row - 1] == two[column - 1];
            let mut edits = rows[last][column - 1] + usize::from(!same);
            edits = edits.min(rows[last][column] + 1).min(rows[now][column - 1] + 1);
            if row > 1 && column > 1 && one[row - 1] == two[column - 2] && one[row - 2] == two[column - 1] {
                edits = edits.min(rows[before][column - 2] + 1);
            }
            rows[now][column] = edits;
            least = least.min(edits);
        }
        if least > most {
            return None;
        }
    }
    Some(rows[one.len() % 3][two.len()]).filter(|edits| *edits <= most)
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
