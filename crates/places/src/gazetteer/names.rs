//! The name index: every own and alternative name of every town, folded and sorted.

use std::sync::OnceLock;

use crate::data_file::Lines;
use crate::fold;

/// Flag of an index entry: an alternative name.
const OTHER: u32 = 1 << 31;
/// Flag in the data: an alternative name that counts as much as the town's own.
const AS_GOOD: u32 = 1 << 23;
/// Maximum edit distance of a misspelt name, and letters a name needs for two edits.
const EDITS_MAX: usize = 2;
const LETTERS_FOR_TWO_EDITS: usize = 5;
/// Longest key that is compared, in bytes; hardly any name is longer.
const KEY_BYTES_MAX: usize = 64;

/// A town with a given name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NameMatch {
    pub(crate) row: usize,
    /// Whether it is the town's own name or equivalent, as opposed to a foreign or historical name.
    pub(crate) own_name: bool,
}

/// Own and alternative names, each sorted by key.
pub(crate) struct NameIndex {
    own: Keys,
    other: Keys,
}

struct Keys {
    text: String,
    entries: Vec<NameEntry>,
    signs: OnceLock<Vec<u32>>,
}

#[derive(Clone, Copy)]
struct NameEntry {
    start: u32,
    length: u16,
    row: u32,
}

impl NameIndex {
    /// `others` has the alternative names, a line each, and `rows` whose they are.
    pub(super) fn build(names: &Lines, others: &str, rows: &[u32]) -> NameIndex {
        let own = (0..names.len()).map(|row| (names.get(row), row as u32));
        let other = others.split('\n').zip(rows).map(|(name, row)| {
            let mark = if row & AS_GOOD == 0 { OTHER } else { 0 };
            (name, row & !AS_GOOD | mark)
        });
        NameIndex { own: Keys::build(own), other: Keys::build(other) }
    }

    pub(super) fn find<'a>(&'a self, key: &str) -> impl Iterator<Item = NameMatch> + 'a {
        self.own.find(key).chain(self.other.find(key))
    }

    /// Towns with a name that begins so, and whether it is the whole name.
    pub(crate) fn starting<'a>(&'a self, key: &'a str) -> impl Iterator<Item = (NameMatch, bool)> + 'a {
        self.own.starting(key).chain(self.other.starting(key))
    }

    /// Towns whose name is one or two edits away, with the edit distance.
    pub(crate) fn near(&self, key: &str) -> Vec<(usize, NameMatch)> {
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
    /// Builds the index. The names are already sorted, so sorting is a single pass.
    fn build<'n>(names: impl Iterator<Item = (&'n str, u32)>) -> Keys {
        let mut text = String::new();
        let mut entries = Vec::new();
        for (name, row) in names {
            let start = text.len();
            fold::push_key(name, &mut text);
            entries.push(NameEntry { start: start as u32, length: (text.len() - start) as u16, row });
        }
        text.shrink_to_fit();
        entries.shrink_to_fit();
        entries.sort_by(|one, two| key_of(&text, one).cmp(key_of(&text, two)));
        Keys { text, entries, signs: OnceLock::new() }
    }

    fn find<'a>(&'a self, key: &str) -> impl Iterator<Item = NameMatch> + 'a {
        let first = self.entries.partition_point(|entry| key_of(&self.text, entry) < key);
        let same = self.entries[first..].partition_point(|entry| key_of(&self.text, entry) == key);
        self.entries[first..first + same].iter().map(NameEntry::found)
    }

    fn starting<'a>(&'a self, start: &'a str) -> impl Iterator<Item = (NameMatch, bool)> + 'a {
        let first = self.entries.partition_point(|entry| key_of(&self.text, entry) < start);
        let keyed = self.entries[first..].iter().map(|entry| (key_of(&self.text, entry), entry));
        keyed.take_while(move |(key, _)| key.starts_with(start)).map(move |(key, entry)| (entry.found(), key == start))
    }

    fn near(&self, key: &str, edits_max: usize) -> Vec<(usize, NameMatch)> {
        let sign = sign_of(key);
        let all = || self.entries.iter().map(|entry| sign_of(key_of(&self.text, entry))).collect();
        let alike = |other: &u32| {
            // One edit removes at most one letter and adds at most one.
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

impl NameEntry {
    fn found(&self) -> NameMatch {
        NameMatch { row: (self.row & !OTHER) as usize, own_name: self.row & OTHER == 0 }
    }
}

fn key_of<'a>(text: &'a str, entry: &NameEntry) -> &'a str {
    &text[entry.start as usize..entry.start as usize + usize::from(entry.length)]
}

/// A bit set of the letters that occur; letters beyond ASCII share bits.
fn sign_of(key: &str) -> u32 {
    key.bytes().fold(0, |sign, byte| sign | 1 << (byte % 31))
}

/// The Damerau-Levenshtein distance between two keys, if it is at most `most`. Counted in bytes when both are ASCII, as most
/// are, otherwise in characters.
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
    // Three rows of the usual table on the stack: this runs thousands of times per misspelt name.
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
    fn typical_typos_have_the_expected_distance() {
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
