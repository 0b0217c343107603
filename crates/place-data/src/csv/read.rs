//! Imports a CSV file, record by record.

use std::path::Path;

use super::decode::DecodedFile;
use super::inspect::{self, Layout};
use super::split::{Record, Records, SplitError};
use crate::columns::{Mapping, PlaceReader, Row, SeenIds, reasons};
use crate::{Error, Import};

/// Records between two reports of progress.
const PROGRESS_RECORDS: u64 = 1024;

const MORE_CELLS: &str = "more cells than the header has";

/// How a file is to be read, beyond what can be guessed.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Options {
    /// Changes to the guessed mapping, as `FIELD=COLUMN`.
    pub map: Vec<String>,
    /// The country of rows that name none: its code or its name.
    pub country: Option<String>,
    /// The category of rows that name none, in any words for an industry.
    pub category: Option<String>,
}

/// Reads a CSV file. Memory does not grow with the file, apart from eight bytes for the id of each row. Rows are passed on
/// as they are read: on an error, what the sink took is not the whole file and must be dropped.
///
/// # Errors
/// [`Error::Malformed`] for a file that is no CSV file, for columns that are missing, for an option that does not fit the
/// file, and with the line for a quoted cell without an end; [`Error::Cancelled`] comes from the sink.
pub fn read(path: &Path, options: &Options, import: &mut Import<'_>) -> Result<(), Error> {
    let mut layout = inspect::layout(path)?;
    let refused = |problem: String| Error::malformed(path.display().to_string(), problem);
    for assignment in &options.map {
        layout.mapping.assign(assignment, &layout.headers).map_err(refused)?;
    }
    if let Some(problem) = layout.mapping.missing() {
        let columns = Mapping::listed(&layout.headers);
        let advice = "rename a column, or say which one it is with a mapping such as name=COLUMN";
        return Err(refused(format!("{problem}; {advice}; the columns are {columns}")));
    }
    let dataset = path.file_name().unwrap_or_default().to_string_lossy();
    let mut places = PlaceReader::new(dataset);
    options.country.as_deref().map_or(Ok(()), |country| places.set_country(country)).map_err(refused)?;
    options.category.as_deref().map_or(Ok(()), |category| places.set_category(category)).map_err(refused)?;
    let mut rows = Rows { layout: &layout, places, seen: SeenIds::default() };
    read_records(path, &mut rows, import)
}

fn read_records(path: &Path, rows: &mut Rows<'_>, import: &mut Import<'_>) -> Result<(), Error> {
    let file = DecodedFile::open(path, rows.layout.encoding)?;
    let mut records = Records::new(file, rows.layout.delimiter);
    let mut record = Record::new();
    let failed = |error| match error {
        SplitError::Io(source) => Error::io(path)(source),
        SplitError::Unclosed(line) => Error::malformed_at(
            path.display().to_string(),
            format!("line {line}"),
            "a quoted cell begins in this record and does not end: the file is cut off, or a quotation mark is missing",
        ),
    };
    for _ in 0..1 + u64::from(rows.layout.has_delimiter_line) {
        records.next(&mut record).map_err(failed)?;
    }
    let mut count = 0;
    while records.next(&mut record).map_err(failed)? {
        rows.take(&record, import)?;
        count += 1;
        if count % PROGRESS_RECORDS == 0 {
            import.progress(records.input.bytes)?;
        }
    }
    import.progress(records.input.bytes)
}

/// What is needed to take rows.
struct Rows<'a> {
    layout: &'a Layout,
    places: PlaceReader,
    seen: SeenIds,
}

impl Rows<'_> {
    fn take(&mut self, record: &Record, import: &mut Import<'_>) -> Result<(), Error> {
        let at = || format!("line {}", record.line);
        let cells: Vec<&str> = record.cells().collect();
        let columns = self.layout.headers.len();
        let reason = match record.fault {
            Some(fault) => fault,
            None if cells.iter().all(|cell| cell.trim().is_empty()) => return Ok(()),
            None if cells.iter().skip(columns).any(|cell| !cell.trim().is_empty()) => MORE_CELLS,
            None => match self.places.place(Row { mapping: &self.layout.mapping, cells: &cells }, None) {
                Err(reason) => reason,
                Ok(read) if !self.seen.is_new(&read.place.id) => reasons::SEEN_BEFORE,
                Ok(read) => {
                    read.notes.iter().for_each(|note| import.note(note, at()));
                    return import.place(read.place);
                }
            },
        };
        import.skip(reason, at());
        Ok(())
    }
}
