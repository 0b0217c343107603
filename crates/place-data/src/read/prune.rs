//! Which rows of a file can lie in an area, by the statistics of its row groups and pages.

use std::ops::Range;

use parquet::arrow::arrow_reader::RowSelection;
use parquet::file::metadata::ParquetMetaData;
use parquet::file::page_index::column_index::ColumnIndexMetaData;
use parquet::file::statistics::Statistics;
use places::Bounds;

/// By how much boxes are widened, in degrees: those of the files have single precision.
const SLACK: f64 = 2e-5;

/// The columns of the box around each place, as positions among the file's leaf columns.
#[derive(Clone, Copy, Debug)]
pub(super) struct BoxColumns {
    pub(super) west: usize,
    pub(super) east: usize,
    pub(super) south: usize,
    pub(super) north: usize,
}

impl BoxColumns {
    /// `None` when the file has no boxes.
    pub(super) fn of(file: &ParquetMetaData) -> Option<BoxColumns> {
        let columns = file.file_metadata().schema_descr();
        let find = |path: &str| columns.columns().iter().position(|column| column.path().string() == path);
        let (west, east) = (find("bbox.xmin")?, find("bbox.xmax")?);
        Some(BoxColumns { west, east, south: find("bbox.ymin")?, north: find("bbox.ymax")? })
    }

    /// A box around all places of a file; `None` when its statistics do not say.
    pub(super) fn around(&self, file: &ParquetMetaData) -> Option<Bounds> {
        let side = |column: usize, value: fn(&Statistics) -> Option<f64>, pick: fn(f64, f64) -> f64| {
            let values = file.row_groups().iter().map(|group| value(group.column(column).statistics()?));
            let values: Option<Vec<f64>> = values.map(|value| value.filter(|value| value.is_finite())).collect();
            values?.into_iter().reduce(pick)
        };
        Some(Bounds {
            south: side(self.south, least, f64::min)? - SLACK,
            west: side(self.west, least, f64::min)? - SLACK,
            north: side(self.north, greatest, f64::max)? + SLACK,
            east: side(self.east, greatest, f64::max)? + SLACK,
        })
    }

    /// The row groups with the rows of them that can lie in one of the boxes, in order. Everything where the file does not say.
    pub(super) fn meeting(columns: Option<BoxColumns>, file: &ParquetMetaData, boxes: &[Bounds]) -> Vec<RowGroupRows> {
        let groups = 0..file.num_row_groups();
        let rows = |group: usize| usize::try_from(file.row_group(group).num_rows()).unwrap_or(0);
        let Some(columns) = columns else { return groups.map(|group| RowGroupRows::all(group, rows(group))).collect() };
        let parts = widened(boxes);
        let meets = |group: &usize| parts.iter().any(|part| columns.group_meets(file, *group, part));
        groups
            .filter(meets)
            .map(|group| RowGroupRows { group, rows: columns.rows(file, group, &parts) })
            .filter(|group| !group.rows.is_empty())
            .collect()
    }

    /// Whether any row group can have places in one of the boxes.
    pub(super) fn any_meets(columns: Option<BoxColumns>, file: &ParquetMetaData, boxes: &[Bounds]) -> bool {
        let Some(columns) = columns else { return true };
        let parts = widened(boxes);
        (0..file.num_row_groups()).any(|group| parts.iter().any(|part| columns.group_meets(file, group, part)))
    }

    fn group_meets(&self, file: &ParquetMetaData, group: usize, part: &Bounds) -> bool {
        let statistics = |column: usize| file.row_group(group).column(column).statistics();
        let low = |column: usize| statistics(column).and_then(least).unwrap_or(f64::NEG_INFINITY);
        let high = |column: usize| statistics(column).and_then(greatest).unwrap_or(f64::INFINITY);
        low(self.west) <= part.east
            && high(self.east) >= part.west
            && low(self.south) <= part.north
            && high(self.north) >= part.south
    }

    /// The rows of a row group on pages that can hold places of any of these boxes.
    fn rows(&self, file: &ParquetMetaData, group: usize, parts: &[Bounds]) -> Vec<Range<usize>> {
        let total = usize::try_from(file.row_group(group).num_rows()).unwrap_or(0);
        let whole = || RowSelection::from_consecutive_ranges(std::iter::once(0..total), total);
        let meeting = |part: &Bounds| {
            [
                pages(file, Chunk { group, column: self.west }, |low, _| low <= part.east),
                pages(file, Chunk { group, column: self.east }, |_, high| high >= part.west),
                pages(file, Chunk { group, column: self.south }, |low, _| low <= part.north),
                pages(file, Chunk { group, column: self.north }, |_, high| high >= part.south),
            ]
            .into_iter()
            .flatten()
            .fold(whole(), |rows, column| rows.intersection(&column))
        };
        let rows = parts.iter().map(meeting).reduce(|rows, more| rows.union(&more)).unwrap_or_else(whole);
        ranges(&rows)
    }
}

/// The boxes, each a little wider.
fn widened(boxes: &[Bounds]) -> Vec<Bounds> {
    let wider = |part: &Bounds| Bounds {
        south: part.south - SLACK,
        west: part.west - SLACK,
        north: part.north + SLACK,
        east: part.east + SLACK,
    };
    boxes.iter().map(wider).collect()
}

/// Rows of a row group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RowGroupRows {
    pub(super) group: usize,
    /// Without overlap, in order.
    pub(super) rows: Vec<Range<usize>>,
}

impl RowGroupRows {
    fn all(group: usize, total: usize) -> RowGroupRows {
        RowGroupRows { group, rows: Vec::from([Range { start: 0, end: total }]) }
    }

    /// These rows, given in order.
    pub(super) fn of(group: usize, given: impl IntoIterator<Item = usize>) -> RowGroupRows {
        let mut rows: Vec<Range<usize>> = Vec::new();
        for row in given {
            match rows.last_mut() {
                Some(last) if last.end == row => last.end += 1,
                _ => rows.push(row..row + 1),
            }
        }
        RowGroupRows { group, rows }
    }

    pub(super) fn count(&self) -> usize {
        self.rows.iter().map(ExactSizeIterator::len).sum()
    }

    /// How many of the rows lie among so many consecutive ones, on average.
    pub(super) fn among(&self, consecutive: usize) -> usize {
        let span = self.rows.last().map_or(0, |last| last.end) - self.rows.first().map_or(0, |first| first.start);
        consecutive.saturating_mul(self.count()).checked_div(span).unwrap_or(consecutive)
    }

    /// Each of the rows, in order.
    pub(super) fn each(&self) -> impl Iterator<Item = usize> {
        self.rows.iter().cloned().flatten()
    }

    /// The rows as the decoder takes them.
    pub(super) fn selection(&self, total: usize) -> RowSelection {
        RowSelection::from_consecutive_ranges(self.rows.iter().cloned(), total)
    }
}

/// The selected rows.
fn ranges(selection: &RowSelection) -> Vec<Range<usize>> {
    let mut next = 0;
    let mut ranges = Vec::new();
    for selector in selection.iter() {
        let range = next..next + selector.row_count;
        next = range.end;
        if !selector.skip {
            ranges.push(range);
        }
    }
    ranges
}

/// One column of one row group.
#[derive(Clone, Copy, Debug)]
struct Chunk {
    group: usize,
    column: usize,
}

/// The rows of those pages of a column whose least and greatest values pass; `None` when the file has no index of it.
fn pages(file: &ParquetMetaData, chunk: Chunk, passes: impl Fn(f64, f64) -> bool) -> Option<RowSelection> {
    let Chunk { group, column } = chunk;
    let index = file.page_index_for_row_group(group);
    let locations = index.page_locations(column)?;
    let bounds = page_bounds(index.column_index(column)?)?;
    let total = usize::try_from(file.row_group(group).num_rows()).ok()?;
    let first = |page: usize| locations.get(page).and_then(|page| usize::try_from(page.first_row_index).ok());
    let kept = bounds.iter().enumerate().filter(|(_, bound)| bound.is_none_or(|(low, high)| passes(low, high)));
    let rows: Vec<Range<usize>> =
        kept.filter_map(|(page, _)| Some(first(page)?..first(page + 1).unwrap_or(total))).collect();
    // A file whose index contradicts itself is read without it.
    let sound = bounds.len() == locations.len() && rows.iter().all(|rows| rows.start <= rows.end && rows.end <= total);
    let ordered = rows.windows(2).all(|pair| pair[0].end <= pair[1].start);
    (sound && ordered).then(|| RowSelection::from_consecutive_ranges(rows.into_iter(), total))
}

/// Least and greatest value of each page; `None` for a page without values.
fn page_bounds(index: &ColumnIndexMetaData) -> Option<Vec<Option<(f64, f64)>>> {
    let pair = |low: Option<f64>, high: Option<f64>| low.zip(high);
    match index {
        ColumnIndexMetaData::FLOAT(index) => {
            let highs = index.max_values_iter().map(|high| high.copied().map(f64::from));
            Some(
                index
                    .min_values_iter()
                    .map(|low| low.copied().map(f64::from))
                    .zip(highs)
                    .map(|(l, h)| pair(l, h))
                    .collect(),
            )
        }
        ColumnIndexMetaData::DOUBLE(index) => {
            let highs = index.max_values_iter().map(|high| high.copied());
            Some(index.min_values_iter().map(|low| low.copied()).zip(highs).map(|(l, h)| pair(l, h)).collect())
        }
        _ => None,
    }
}

fn least(statistics: &Statistics) -> Option<f64> {
    match statistics {
        Statistics::Float(values) => values.min_opt().copied().map(f64::from),
        Statistics::Double(values) => values.min_opt().copied(),
        _ => None,
    }
}

fn greatest(statistics: &Statistics) -> Option<f64> {
    match statistics {
        Statistics::Float(values) => values.max_opt().copied().map(f64::from),
        Statistics::Double(values) => values.max_opt().copied(),
        _ => None,
    }
}
