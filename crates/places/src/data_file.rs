//! The data files in the repository: length-prefixed sections, compressed as one DEFLATE stream.

/// A decompressed data file, read section by section in the order written.
pub(crate) struct DataFile {
    bytes: Vec<u8>,
    /// Where the next section starts.
    at: usize,
}

impl DataFile {
    /// Decompresses a file.
    pub(crate) fn unpack(packed: &'static [u8]) -> DataFile {
        let (length, packed) = packed.split_first_chunk::<4>().expect("a data file starts with its length");
        let mut bytes = vec![0; u32::from_le_bytes(*length) as usize];
        let unpacked = libdeflater::Decompressor::new().zlib_decompress(packed, &mut bytes);
        assert_eq!(unpacked, Ok(bytes.len()), "the data files are valid: tests read every one");
        DataFile { bytes, at: 0 }
    }

    fn section(&mut self) -> &[u8] {
        let (length, rest) = self.bytes[self.at..].split_first_chunk::<4>().expect("a section has a length");
        let length = u32::from_le_bytes(*length) as usize;
        self.at += 4 + length;
        &rest[..length]
    }

    /// The next section as text that is never freed, so that names can be borrowed from it everywhere.
    pub(crate) fn text(&mut self) -> &'static str {
        self.passing_text().leak()
    }

    /// The next section as text that is needed only while the file is read.
    pub(crate) fn passing_text(&mut self) -> String {
        std::str::from_utf8(self.section()).expect("text sections are UTF-8").to_owned()
    }

    /// The next section as lines.
    pub(crate) fn lines(&mut self) -> Vec<&'static str> {
        self.text().split('\n').collect()
    }

    /// The next section as a column of integers of `width` bytes, stored as byte planes.
    pub(crate) fn column(&mut self, width: usize) -> Vec<u32> {
        let planes = self.section();
        let rows = planes.len() / width;
        let mut values = vec![0u32; rows];
        for (plane, bytes) in planes.chunks_exact(rows.max(1)).enumerate() {
            for (value, byte) in values.iter_mut().zip(bytes) {
                *value |= u32::from(*byte) << (8 * plane);
            }
        }
        values
    }

    /// The next section as signed variable-length integers.
    pub(crate) fn varints(&mut self) -> Vec<i32> {
        let mut values = Vec::new();
        let (mut value, mut shift) = (0u32, 0);
        for byte in self.section() {
            value |= u32::from(byte & 127) << shift;
            shift += 7;
            if byte & 128 == 0 {
                values.push((value >> 1) as i32 ^ -((value & 1) as i32));
                (value, shift) = (0, 0);
            }
        }
        values
    }
}

/// Lines stored as one text with their offsets: four bytes per line instead of sixteen.
pub(crate) struct Lines {
    text: &'static str,
    starts: Vec<u32>,
}

impl Lines {
    pub(crate) fn new(text: &'static str) -> Lines {
        let starts = std::iter::once(0)
            .chain(text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at as u32 + 1))
            .collect();
        Lines { text, starts }
    }

    pub(crate) fn get(&self, row: usize) -> &'static str {
        let start = self.starts[row] as usize;
        let end = self.starts.get(row + 1).map_or(self.text.len(), |next| *next as usize - 1);
        &self.text[start..end]
    }

    pub(crate) fn len(&self) -> usize {
        self.starts.len()
    }
}

/// Converts a stored coordinate to degrees.
pub(crate) fn degrees(stored: u32, least: f64) -> f64 {
    // Rounded so that 30.2672 is 30.2672, not 30.267200000000003.
    (f64::from(stored) + least * 10_000.0).round() / 10_000.0
}
