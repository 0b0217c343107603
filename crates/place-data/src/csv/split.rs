//! Splits text into records and cells, within limits: neither a cell without an end nor a line of a gigabyte is held in memory.

use std::io::{self, Read};

use csv_core::{ReadRecordResult, Reader, ReaderBuilder};

/// Bytes of one cell.
const CELL_BYTES_MAX: usize = 64 * 1024;
/// Bytes of all cells of a record.
const RECORD_BYTES_MAX: usize = 1 << 20;
/// Cells of a record.
pub(super) const COLUMNS_MAX: usize = 1000;
/// Bytes of text split at a time.
const BUFFER_BYTES: usize = 64 * 1024;

const LONG_CELL: &str = "a cell longer than 64 KiB, or a record longer than 1 MiB";
const MANY_CELLS: &str = "more than 1,000 cells";

/// A record, whose memory serves the next one too.
pub(super) struct Record {
    text: Vec<u8>,
    /// Where the cells end.
    ends: Vec<usize>,
    cells: usize,
    /// The line on which it begins, counted from 1.
    pub(super) line: u64,
    /// Why its cells cannot be read.
    pub(super) fault: Option<&'static str>,
}

impl Record {
    pub(super) fn new() -> Record {
        Record { text: vec![0; RECORD_BYTES_MAX], ends: vec![0; COLUMNS_MAX], cells: 0, line: 0, fault: None }
    }

    /// The cells; none when there is a fault.
    pub(super) fn cells(&self) -> impl Iterator<Item = &str> {
        let ends = &self.ends[..if self.fault.is_some() { 0 } else { self.cells }];
        let starts = std::iter::once(&0).chain(ends);
        starts.zip(ends).map(|(start, end)| {
            let cell = self.text.get(*start..*end).unwrap_or_default();
            // Text is split at ASCII characters only, so that every part is whole.
            std::str::from_utf8(cell).unwrap_or_default()
        })
    }

    fn check(&mut self) {
        let is_long = self.cells().any(|cell| cell.len() > CELL_BYTES_MAX);
        self.fault = self.fault.or(is_long.then_some(LONG_CELL));
    }
}

/// Why text cannot be split.
#[derive(Debug)]
pub(super) enum SplitError {
    Io(io::Error),
    /// A quoted cell of the record that begins on this line has no end.
    Unclosed(u64),
}

/// The records of a text.
pub(super) struct Records<R> {
    pub(super) input: R,
    parser: Reader,
    buffer: Vec<u8>,
    unread: std::ops::Range<usize>,
    lines: LineCounter,
    is_at_end: bool,
}

impl<R: Read> Records<R> {
    pub(super) fn new(input: R, delimiter: u8) -> Records<R> {
        Records {
            input,
            parser: ReaderBuilder::new().delimiter(delimiter).build(),
            buffer: vec![0; BUFFER_BYTES],
            unread: 0..0,
            lines: LineCounter { line: 1, is_after_return: false },
            is_at_end: false,
        }
    }

    /// Reads the next record; `false` at the end of the text.
    pub(super) fn next(&mut self, record: &mut Record) -> Result<bool, SplitError> {
        self.skip_line_ends()?;
        (record.cells, record.fault, record.line) = (0, None, self.lines.line);
        let mut length = 0;
        loop {
            self.fill()?;
            let input = &self.buffer[self.unread.clone()];
            let is_ending = input.is_empty();
            let (result, read, written, ended) =
                self.parser.read_record(input, &mut record.text[length..], &mut record.ends[record.cells..]);
            self.lines.see(&input[..read]);
            self.unread.start += read;
            length += written;
            record.cells += ended;
            match result {
                ReadRecordResult::End => return Ok(false),
                ReadRecordResult::Record if is_ending => return Err(SplitError::Unclosed(record.line)),
                ReadRecordResult::Record => {
                    record.check();
                    return Ok(true);
                }
                ReadRecordResult::InputEmpty => {}
                ReadRecordResult::OutputFull => {
                    record.fault = Some(LONG_CELL);
                    length = 0;
                }
                ReadRecordResult::OutputEndsFull => {
                    record.fault = Some(MANY_CELLS);
                    record.cells = 0;
                }
            }
        }
    }

    /// Empty lines are no records.
    fn skip_line_ends(&mut self) -> Result<(), SplitError> {
        loop {
            self.fill()?;
            let input = &self.buffer[self.unread.clone()];
            let ends = input.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
            self.lines.see(&input[..ends]);
            self.unread.start += ends;
            if ends == 0 || !self.unread.is_empty() {
                return Ok(());
            }
        }
    }

    /// Reads on when everything was split. A line end follows the last line: a record that it does not complete has an open
    /// quotation mark.
    fn fill(&mut self) -> Result<(), SplitError> {
        if !self.unread.is_empty() || self.is_at_end {
            return Ok(());
        }
        let read = self.input.read(&mut self.buffer).map_err(SplitError::Io)?;
        self.is_at_end = read == 0;
        self.unread = 0..read;
        if self.is_at_end {
            self.buffer[0] = b'\n';
            self.unread = 0..1;
        }
        Ok(())
    }
}

/// Counts lines that end with a line feed, a carriage return, or both.
struct LineCounter {
    line: u64,
    is_after_return: bool,
}

impl LineCounter {
    fn see(&mut self, text: &[u8]) {
        for byte in text {
            let is_end = *byte == b'\r' || (*byte == b'\n' && !self.is_after_return);
            self.line += u64::from(is_end);
            self.is_after_return = *byte == b'\r';
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(text: &str, delimiter: u8) -> Vec<(u64, Vec<String>)> {
        let mut records = Records::new(text.as_bytes(), delimiter);
        let mut record = Record::new();
        let mut all = Vec::new();
        while records.next(&mut record).unwrap() {
            all.push((record.line, record.cells().map(str::to_owned).collect()));
        }
        all
    }

    #[test]
    fn records_know_the_line_on_which_they_begin() {
        let expected = [(1, vec!["a", "b"]), (4, vec!["c\nd", "e\"f"]), (6, vec!["g", "h"])];
        for end in ["\n", "\r\n", "\r"] {
            let text = "a,b|||\"c\nd\",\"e\"\"f\"|g,h".replace('|', end).replace("c\nd", &format!("c{end}d"));
            let found = split(&text, b',');
            let lines: Vec<u64> = found.iter().map(|(line, _)| *line).collect();
            assert_eq!(lines, expected.iter().map(|(line, _)| *line).collect::<Vec<_>>(), "{end:?}");
            assert_eq!(found[2].1, expected[2].1);
            assert_eq!(found[1].1[1], "e\"f");
        }
    }

    #[test]
    fn what_is_too_long_is_a_fault_of_its_record_alone() {
        let long = "x".repeat(10_000_000);
        let many = ",".repeat(5000);
        let text = format!("a,b\n{long},1\n\"{long}\",2\n{many}\n{},3\nc,d\n", "y".repeat(CELL_BYTES_MAX + 1));
        let mut records = Records::new(text.as_bytes(), b',');
        let mut record = Record::new();
        let mut faults = Vec::new();
        while records.next(&mut record).unwrap() {
            faults.push((record.line, record.fault, record.cells().count()));
        }
        let expected = [
            (1, None, 2),
            (2, Some(LONG_CELL), 0),
            (3, Some(LONG_CELL), 0),
            (4, Some(MANY_CELLS), 0),
            (5, Some(LONG_CELL), 0),
            (6, None, 2),
        ];
        assert_eq!(faults, expected);
    }

    #[test]
    fn a_quotation_mark_without_a_partner_is_an_error_with_its_line() {
        let mut records = Records::new("a,b\nc,\"d\ne,f\n".as_bytes(), b',');
        let mut record = Record::new();
        assert!(records.next(&mut record).unwrap());
        assert!(matches!(records.next(&mut record), Err(SplitError::Unclosed(2))));
        assert_eq!(
            split("a,b\nc,5\" pipe\n", b','),
            [(1, vec!["a".into(), "b".into()]), (2, vec!["c".into(), "5\" pipe".into()])]
        );
    }
}
