//! A column of few different values: each value once, and a small number for each row.

use std::hash::Hash;

use rustc_hash::FxHashMap;

/// Which of the values each row has.
#[derive(Debug)]
pub(super) enum Codes {
    /// Two bytes a row, which nearly always suffices.
    Narrow(Vec<u16>),
    Wide(Vec<u32>),
}

impl Codes {
    pub(super) fn get(&self, row: usize) -> usize {
        match self {
            Codes::Narrow(codes) => usize::from(codes[row]),
            Codes::Wide(codes) => codes[row] as usize,
        }
    }

    pub(super) fn len(&self) -> usize {
        match self {
            Codes::Narrow(codes) => codes.len(),
            Codes::Wide(codes) => codes.len(),
        }
    }

    /// The memory it takes, in bytes.
    pub(super) fn weight(&self) -> usize {
        match self {
            Codes::Narrow(codes) => codes.len() * 2,
            Codes::Wide(codes) => codes.len() * 4,
        }
    }
}

/// Numbers values in the order of their first appearance.
#[derive(Debug)]
pub(super) struct Coder<T> {
    known: FxHashMap<T, u32>,
    values: Vec<T>,
    codes: Vec<u32>,
}

impl<T: Clone + Eq + Hash> Coder<T> {
    pub(super) fn new() -> Coder<T> {
        Coder { known: FxHashMap::default(), values: Vec::new(), codes: Vec::new() }
    }

    /// The number of a value.
    pub(super) fn code(&mut self, value: &T) -> u32 {
        if let Some(code) = self.known.get(value) {
            return *code;
        }
        // Rows of one row group: they are never as many as numbers there are.
        let code = u32::try_from(self.values.len()).unwrap_or(u32::MAX);
        self.values.push(value.clone());
        self.known.insert(value.clone(), code);
        code
    }

    /// Appends a row.
    pub(super) fn push(&mut self, code: u32) {
        self.codes.push(code);
    }

    /// The values, and which of them each row has.
    pub(super) fn finish(self) -> (Vec<T>, Codes) {
        let narrow: Result<Vec<u16>, _> = self.codes.iter().map(|code| u16::try_from(*code)).collect();
        (self.values, narrow.map_or(Codes::Wide(self.codes), Codes::Narrow))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_keep_their_values_however_many_there_are() {
        for count in [3usize, 70_000] {
            let mut coder = Coder::new();
            for row in 0..2 * count {
                let code = coder.code(&(row % count));
                coder.push(code);
            }
            let (values, codes) = coder.finish();
            assert_eq!((values.len(), codes.len()), (count, 2 * count));
            assert!((0..codes.len()).all(|row| values[codes.get(row)] == row % count));
        }
    }
}
