//! Finds out what a CSV file holds, to be shown before it is imported.

use std::io::{Cursor, Read};
use std::path::Path;

use encoding_rs::Encoding;

use super::decode::DecodedFile;
use super::detect;
use super::split::{COLUMNS_MAX, Record, Records, SplitError};
use crate::Error;
use crate::columns::Mapping;

/// The delimiters that are tried, the most common first.
const DELIMITERS: [u8; 4] = [b',', b';', b'\t', b'|'];
/// Bytes of text from which delimiter and mapping are guessed.
const SAMPLE_BYTES: usize = 256 * 1024;
/// Rows from which they are guessed.
const SAMPLE_ROWS: usize = 50;
/// The line with which some programs tell the delimiter.
const DELIMITER_LINE: &str = "sep=";

/// What a CSV file holds.
#[derive(Clone, Debug)]
pub struct Inspection {
    /// The name of its encoding, such as `UTF-8` or `windows-1252`.
    pub encoding: &'static str,
    /// What separates its cells: a comma, a semicolon, a tab or a bar.
    pub delimiter: char,
    /// The cells of its first line.
    pub headers: Vec<String>,
    /// Which column holds what, as guessed.
    pub mapping: Mapping,
    /// The first rows.
    pub sample: Vec<Vec<String>>,
}

/// How a file is to be read.
pub(super) struct Layout {
    pub(super) encoding: &'static Encoding,
    pub(super) delimiter: u8,
    /// Whether a line before the header tells the delimiter.
    pub(super) has_delimiter_line: bool,
    pub(super) headers: Vec<String>,
    pub(super) mapping: Mapping,
    rows: Vec<Vec<String>>,
}

/// Finds out what a file holds, from its first rows.
///
/// # Errors
/// [`Error::Malformed`] says what a file is that is no CSV file with a header and at least one row.
pub fn inspect(path: &Path) -> Result<Inspection, Error> {
    let layout = layout(path)?;
    Ok(Inspection {
        encoding: layout.encoding.name(),
        delimiter: char::from(layout.delimiter),
        headers: layout.headers,
        mapping: layout.mapping,
        sample: layout.rows,
    })
}

pub(super) fn layout(path: &Path) -> Result<Layout, Error> {
    let refused = |problem: &str| Error::malformed(path.display().to_string(), problem);
    let encoding = detect::encoding(path)?;
    let text = sample(path, encoding)?;
    let said = text.strip_prefix(DELIMITER_LINE).and_then(|rest| rest.bytes().next());
    let said = said.filter(|byte| byte.is_ascii() && !matches!(byte, b'"' | b'\r' | b'\n'));
    let body = if said.is_some() { text.split_once(['\r', '\n']).map_or("", |(_, rest)| rest) } else { text.as_str() };
    let delimiters: Vec<u8> = said.map_or(DELIMITERS.to_vec(), |byte| vec![byte]);
    let tables = delimiters.into_iter().map(|delimiter| Table::split(body, delimiter));
    let tables: Vec<Table> = tables.collect();
    let is_too_wide = tables.iter().any(|table| table.is_too_wide);
    let best = tables.into_iter().max_by_key(Table::score).ok_or_else(|| refused("has no lines"))?;
    if best.headers.len() < 2 && is_too_wide {
        return Err(refused(&format!(
            "has a header with more than {COLUMNS_MAX} columns, or more than 64 KiB in one of them"
        )));
    }
    if best.headers.len() < 2 {
        return Err(refused(
            "has one column only: cells must be separated by commas, semicolons, tabs or bars (|), and the first line \
             must name the columns",
        ));
    }
    if best.rows.is_empty() {
        return Err(refused("has a header and no rows"));
    }
    Ok(Layout {
        encoding,
        delimiter: best.delimiter,
        has_delimiter_line: said.is_some(),
        headers: best.headers,
        mapping: best.mapping,
        rows: best.rows,
    })
}

/// The start of a file as text.
fn sample(path: &Path, encoding: &'static Encoding) -> Result<String, Error> {
    let mut file = DecodedFile::open(path, encoding)?;
    let mut text = vec![0; SAMPLE_BYTES];
    let mut length = 0;
    // Room for a decoder to get on; the last character may be left out.
    while length + 64 < SAMPLE_BYTES {
        match file.read(&mut text[length..]).map_err(Error::io(path))? {
            0 => break,
            read => length += read,
        }
    }
    text.truncate(length);
    Ok(String::from_utf8_lossy(&text).into_owned())
}

/// The sample, split at one delimiter.
struct Table {
    delimiter: u8,
    headers: Vec<String>,
    rows: Vec<Vec<String>>,
    mapping: Mapping,
    is_too_wide: bool,
}

impl Table {
    fn split(text: &str, delimiter: u8) -> Table {
        let mut records = Records::new(Cursor::new(text.as_bytes()), delimiter);
        let mut record = Record::new();
        let mut read = || match records.next(&mut record) {
            Ok(true) => Some((record.fault, record.cells().map(str::to_owned).collect::<Vec<_>>())),
            // The sample may end within a quoted cell.
            Ok(false) | Err(SplitError::Unclosed(_) | SplitError::Io(_)) => None,
        };
        let (fault, headers) = read().unwrap_or_default();
        let rows: Vec<Vec<String>> = std::iter::from_fn(read).map(|(_, cells)| cells).take(SAMPLE_ROWS).collect();
        let headers: Vec<String> = headers.iter().map(|header| header.trim().to_owned()).collect();
        let mapping = Mapping::guess(&headers, &rows);
        Table { delimiter, headers, rows, mapping, is_too_wide: fault.is_some() }
    }

    /// The better of two tables is the one with more columns that are understood, then more rows of the header's length.
    fn score(&self) -> (usize, usize, usize, std::cmp::Reverse<usize>) {
        let understood = self.mapping.iter().map(|(_, columns)| columns.len()).sum();
        let even = self.rows.iter().filter(|row| row.len() == self.headers.len()).count();
        let even = if self.headers.len() > 1 { even } else { 0 };
        let order = DELIMITERS.iter().position(|delimiter| *delimiter == self.delimiter).unwrap_or_default();
        (if self.headers.len() > 1 { understood } else { 0 }, even, self.headers.len(), std::cmp::Reverse(order))
    }
}
